// An agent that tells one message at 5,000 deltas a second, whatever the reader does: for `deno task bench --flood`.
// Arguments: the stream's name, seconds, deltas a second, and a file that gets the time of the last delta (Unix, ms).

import { STREAMS } from "./streams.ts";

/** In its last words, which the screen shows. */
export const FLOOD_OVER = "the flood is over";
/** Until the client stands. */
export const FLOOD_STARTS_MS = 3000;

if (import.meta.main) {
  await flood(Deno.args[0] ?? "", Number(Deno.args[1]), Number(Deno.args[2]));
}

async function flood(name: string, seconds: number, rate: number): Promise<void> {
  const stream = STREAMS.find((one) => one.name === name)!;
  const lines: string[] = [];
  const tell = (event: string, data: object) => void lines.push(JSON.stringify({ event, data }) + "\n");
  const flush = async () => {
    const bytes = new TextEncoder().encode(lines.splice(0).join(""));
    for (let at = 0; at < bytes.length;) at += await Deno.stdout.write(bytes.subarray(at));
  };
  tell("hello", { agent: "flood", capabilities: ["prompt"] });
  tell("turn_start", { turn: 1 });
  for (const [event, data] of stream.begin) tell(event, data);
  await flush();
  void endWithInput();
  await pause(FLOOD_STARTS_MS);
  const startMs = performance.now();
  for (let at = 0; performance.now() - startMs < seconds * 1000; await pause(10)) {
    const due = Math.floor((performance.now() - startMs) * rate / 1000);
    for (; at < due; at++) tell(...stream.delta(at));
    await flush();
  }
  await Deno.writeTextFile(Deno.args[3]!, String(performance.timeOrigin + performance.now()));
  tell("notification", { level: "info", message: FLOOD_OVER });
  await flush();
}

/** The pod closes our input when it ends. */
async function endWithInput(): Promise<void> {
  const bytes = new Uint8Array(1 << 16);
  while (await Deno.stdin.read(bytes) !== null);
  Deno.exit(0);
}

function pause(lengthMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, lengthMs));
}
