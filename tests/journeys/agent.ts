// The demo agent as a program of its own that speaks pod JSONL: for journeys in which an agent is killed, or lacks
// what the built-in one has. Its words and tools are the demo agent's; what it claims to be able to do is an argument.
//
//   deno run -A tests/journeys/agent.ts [--without=steer,pause] [--does-not-ask]

import { type DemoOptions, startDemoAgent } from "../../src/agents/demo/agent.ts";
import { createLineReader, feed } from "../../src/recordings/json_lines.ts";
import type { ParsedEvent } from "../../src/transcript/event.ts";
import { parseMethod } from "../../src/transcript/method.ts";

const flags = new Map(Deno.args.map((arg) => arg.split("=", 2) as [string, string | undefined]));
const without = (flags.get("--without") ?? "").split(",");
const encoder = new TextEncoder();

// For a test that kills it.
Deno.writeTextFileSync(`${Deno.env.get("HOME")}/agent_pid`, String(Deno.pid));

const options: DemoOptions = { cwd: Deno.cwd(), installed: [], asks: !flags.has("--does-not-ask") };
const agent = startDemoAgent(options, {
  onEvents: (parsed) => parsed.forEach(tell),
  onEnd: () => Deno.exit(0),
});
const reader = createLineReader();
for await (const bytes of Deno.stdin.readable) {
  for (const record of feed(reader, bytes)) {
    const parsed = record.kind === "value" ? parseMethod(record.value) : null;
    if (parsed?.kind === "method") agent.send(parsed.method);
  }
}
Deno.exit(0);

function tell(parsed: ParsedEvent): void {
  if (parsed.kind !== "event") return;
  const { event, data } = parsed.event;
  const shown = event === "hello"
    ? { ...data, capabilities: data.capabilities?.filter((name) => !without.includes(name)) ?? [] }
    : data;
  let bytes = encoder.encode(JSON.stringify({ event, data: shown }) + "\n");
  while (bytes.length > 0) bytes = bytes.subarray(Deno.stdout.writeSync(bytes));
}
