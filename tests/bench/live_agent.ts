// An agent for measuring, speaking pod JSONL: a prompt of "slow N" says N marks one by one, "flood N" says 5,000 words a
// second for N seconds and then the mark 1000 and so many as there were floods. A mark is `mK:TIMEm`, TIME being when it
// was said, in ms since 1970.

const say = (event: string, data: object) =>
  Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify({ event, data }) + "\n"));
const pause = (lengthMs: number) => new Promise((resolve) => setTimeout(resolve, lengthMs));
const mark = (count: number) =>
  say("text_delta", { text: `\nm${count}:${(performance.timeOrigin + performance.now()).toFixed(1)}m\n` });

/** Between two marks, in ms: longer than a frame, so that none waits for the one before. */
const MARK_MS = 60;
/** Words of one write, and how often there is one. */
const BURST_WORDS = 25;
const BURST_MS = 5;

say("hello", { protocol: "pod-jsonl", version: 1, agent: "live bench", capabilities: [] });
say("history", { session_id: "live", status: "idle", items: [] });
let turn = 0;
let floods = 0;
let rest = "";
const decoder = new TextDecoder();
for await (const piece of Deno.stdin.readable) {
  const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    const { method, params } = JSON.parse(line);
    if (method === "shutdown") Deno.exit(0);
    if (method === "run") void run(params.input, params.message_id);
  }
}

async function run(input: string, id: string): Promise<void> {
  const [kind, count] = input.split(" ");
  turn++;
  say("user_message", { message_id: id, text: input, kind: "run", parent_id: null });
  say("turn_start", { turn });
  say("status", { status: "running" });
  say("step_start", { turn, step: 1 });
  await (kind === "flood" ? flood(Number(count)) : marks(Number(count)));
  say("turn_end", { turn, result: "finished" });
  say("status", { status: "idle" });
}

async function marks(count: number): Promise<void> {
  for (let at = 1; at <= count; at++) {
    await pause(MARK_MS);
    mark(at);
  }
}

/** Ends with a mark when all words are said. */
async function flood(seconds: number): Promise<void> {
  const startMs = performance.now();
  let said = 0;
  for (let elapsedMs = 0; elapsedMs < seconds * 1000;) {
    await pause(BURST_MS);
    elapsedMs = performance.now() - startMs;
    // What a late timer missed is said at once.
    for (const due = Math.floor(elapsedMs / BURST_MS) * BURST_WORDS; said < due; said++) {
      say("text_delta", { text: said % 40 === 39 ? "word.\n\n" : "word " });
    }
  }
  mark(1000 + ++floods);
}
