// An agent that speaks pod JSONL and does as it is told: a message that names an entry of the table is answered by
// that entry's events, and its turn ends when all it asked was answered. For panels that the demo agent never opens.
// What is said to it goes to $HOME/received.jsonl, a method a line.
//
//   deno run -A tests/journeys/asking_agent.ts TABLE.json      {"name": [{"event":...}, {"until":"file in $HOME"}]}

import { createLineReader, feed } from "../../src/recordings/json_lines.ts";
import { type Method, parseMethod } from "../../src/transcript/method.ts";
import { exists } from "../paths.ts";

type Line = {
  readonly event?: string;
  readonly data?: { readonly batch_id?: string };
  readonly until?: string;
};

const home = Deno.env.get("HOME") ?? ".";
const table = JSON.parse(Deno.readTextFileSync(Deno.args[0] ?? "")) as Record<string, readonly Line[]>;
const encoder = new TextEncoder();
/** Batches nobody has answered yet. */
const open = new Set<string>();
let turn = 0;

say("hello", { protocol: "pod-jsonl", version: 1, agent: "asker", capabilities: ["questions"] });
say("history", { session_id: "asks", status: "idle", greeting: { pod_name: "asker", cwd: Deno.cwd() } });
const reader = createLineReader();
for await (const bytes of Deno.stdin.readable) {
  for (const record of feed(reader, bytes)) {
    const parsed = record.kind === "value" ? parseMethod(record.value) : null;
    if (parsed?.kind === "method") await take(parsed.method);
  }
}

async function take(method: Method): Promise<void> {
  Deno.writeTextFileSync(`${home}/received.jsonl`, JSON.stringify(method) + "\n", { append: true });
  switch (method.method) {
    case "run":
      say("user_message", { message_id: method.params.message_id, text: method.params.input, kind: "run" });
      say("turn_start", { turn: ++turn });
      say("status", { status: "running" });
      for (const line of table[method.params.input] ?? []) await play(line);
      return endTurn();
    case "answer":
      return close(method.params.batch_id, "answered", method.params.answers);
    case "dismiss_question":
      return close(method.params.batch_id, "dismissed", []);
    case "shutdown":
      say("shutdown", { reason: "requested" });
      Deno.exit(0);
  }
}

async function play({ event, data, until }: Line): Promise<void> {
  while (until !== undefined && !exists(`${home}/${until}`)) await new Promise((go) => setTimeout(go, 20));
  if (event === undefined) return;
  if (event === "question" && data?.batch_id !== undefined) open.add(data.batch_id);
  say(event, data);
}

function close(batchId: string, reason: string, answers: unknown): void {
  if (!open.delete(batchId)) return;
  say("question_closed", { batch_id: batchId, reason, answers });
  endTurn();
}

function endTurn(): void {
  if (open.size > 0) return;
  say("turn_end", { turn, result: "finished" });
  say("status", { status: "idle" });
}

function say(event: string, data: unknown): void {
  let bytes = encoder.encode(JSON.stringify({ event, data }) + "\n");
  while (bytes.length > 0) bytes = bytes.subarray(Deno.stdout.writeSync(bytes));
}
