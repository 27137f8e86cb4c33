// The list of sessions: it fills in under the mark, filters, opens what is picked, and is left with Esc.

import assert from "node:assert/strict";
import type { PickerItem } from "./panels/picker_panel.ts";
import { give, press, screenRows, statusRow, type TestClient, testClient } from "./testing.ts";

function item(id: string, label = id): PickerItem {
  return { id, label, detail: "Codex", isCurrent: false };
}

function listed(items: readonly PickerItem[], isEnd = false): TestClient {
  const client = testClient({ recording: true });
  give(client, { kind: "session_items", items, isEnd });
  return client;
}

function marked(client: TestClient): string {
  return screenRows(client).find((row) => row.startsWith("> ") && row.length > 2) ?? "";
}

Deno.test("sessions: titles fill in, and the mark stays on its session", () => {
  const client = listed([item("/a", "a.jsonl"), item("/b", "b.jsonl"), item("/c", "c.jsonl")]);
  assert.match(marked(client), /a\.jsonl/);
  assert.match(statusRow(client), /reading/);
  press(client, "<Down><Down>");
  give(client, { kind: "session_items", items: [item("/b", "Second"), item("/c", "Third")], isEnd: true });
  assert.match(marked(client), /Third/);
  assert.doesNotMatch(statusRow(client), /reading/);
  press(client, "<Up>");
  assert.match(marked(client), /Second/);
});

Deno.test("sessions: who has not moved sees the newest marked", () => {
  const client = listed([item("/b")]);
  give(client, { kind: "session_items", items: [item("/a"), item("/b")], isEnd: false });
  assert.match(marked(client), /\/a/);
});

Deno.test("sessions: what is typed filters, Enter opens; what cannot be opened leaves the list", () => {
  const client = listed([item("/a", "fix the bug"), item("/b", "write docs")], true);
  press(client, "DOCS write");
  assert.ok(screenRows(client).some((row) => row.includes("1 of 2")));
  client.effects.length = 0;
  press(client, "<Enter>");
  assert.deepEqual(client.effects.splice(0), [{ kind: "open_recording", path: "/b" }]);
  give(client, { kind: "session_opens", problem: "it is gone" });
  assert.ok(screenRows(client).some((row) => row.includes("write docs")));
  assert.match(statusRow(client), /it is gone/);
  press(client, "<Enter>");
  give(client, { kind: "session_opens", problem: null });
  assert.ok(!screenRows(client).some((row) => row.includes("write docs")));
});

Deno.test("sessions: Esc leaves; a filter that leaves nothing opens nothing", () => {
  const client = listed([item("/a")], true);
  press(client, "nothing like it");
  client.effects.length = 0;
  press(client, "<Enter>");
  assert.deepEqual(client.effects, []);
  press(client, "<Esc>");
  assert.deepEqual(client.effects, [{ kind: "quit", code: 0 }]);
});

Deno.test("sessions: thousands of them are filtered once for each thing typed", () => {
  const client = listed(Array.from({ length: 5000 }, (_, at) => item(`/${at}`, `session ${at}`)), true);
  press(client, "session 499");
  assert.ok(screenRows(client).some((row) => row.includes("15 of 5000")));
  press(client, "9");
  assert.match(marked(client), /session 4999/);
});
