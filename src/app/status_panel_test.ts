// /status and the words that explain the status row: what a client knows of the session, said so that it can be used.

import assert from "node:assert/strict";
import { press, screenRows, statusRow, tell, testClient } from "./testing.ts";

type Client = ReturnType<typeof testClient>;

/** What a panel says behind a label, its rows joined. */
function valueOf(client: Client, label: string): string | null {
  const rows = screenRows(client);
  const first = rows.findIndex((row) => row.startsWith(`${label} `));
  if (first < 0) return null;
  const indent = /^\S+(?: \S+)* {2,}/.exec(rows[first] ?? "")?.[0].length ?? 0;
  const more = rows.slice(first + 1).findIndex((row) =>
    row.slice(0, indent).trim() !== "" || row.trim() === ""
  );
  return rows.slice(first, first + 1 + Math.max(0, more)).map((row) => row.slice(indent).trim()).join(" ");
}

Deno.test("/status says in words what the status row's figures are", () => {
  const client = testClient({ columns: 80, rows: 40 });
  const told = (usage: Readonly<Record<string, number>>) => {
    tell(client, "history", { session_id: "s", status: "idle", items: [], state: { usage } });
    press(client, "/status<Enter>");
    return valueOf(client, "tokens");
  };
  assert.equal(
    told({ input_tokens: 0, output_tokens: 0 }),
    "0 in, 0 out: sent to the model and written by it in this session",
  );
  assert.equal(
    told({ input_tokens: 15_340, output_tokens: 560 }),
    "15,340 in, 560 out: sent to the model and written by it in this session; " +
      "15k/560 on the status row",
  );
  assert.match(statusRow(client), /^15k\/560 /);
});

Deno.test("/status names the pod and what comes back to it; what runs in none says nothing of one", () => {
  const client = testClient({ columns: 80, rows: 40, podId: "ab12" });
  press(client, "/status<Enter>");
  assert.equal(valueOf(client, "pod"), "ab12; trifold attach ab12 comes back to it");
  const other = testClient({ columns: 80, rows: 40 });
  press(other, "/status<Enter>");
  assert.ok(valueOf(other, "session") !== null && valueOf(other, "pod") === null);
});

Deno.test("help explains the status row too", () => {
  const client = testClient({ columns: 80, rows: 200 });
  press(client, "<F1>");
  assert.match(valueOf(client, "15k/560") ?? "", /^tokens /);
  assert.match(valueOf(client, "ctx 12%") ?? "", /context/);
});
