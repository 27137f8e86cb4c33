// The smallest agent Trifold can run: it speaks pod JSONL and gives every message back. Node or Deno, no import.
// Try it:  trifold run -- node examples/echo_agent.mjs
let turn = 0;
const seen = new Set();

const say = (event, data) => process.stdout.write(JSON.stringify({ event, data }) + "\n");

const methods = {
  run({ input = "", message_id = null }) {
    if (message_id !== null && seen.has(message_id)) return;
    seen.add(message_id);
    turn += 1;
    say("user_message", { message_id, text: input, kind: "run" });
    say("turn_start", { turn });
    for (const word of input.split(/(?<=\s)/)) say("text_delta", { text: word });
    say("text_done", { text: input });
    say("turn_end", { turn, result: "finished", requests: 0 });
  },
  shutdown() {
    say("shutdown", { reason: "requested" });
    process.stdin.destroy();
  },
};

say("hello", { protocol: "pod-jsonl", version: 1, agent: "echo", capabilities: [] });
say("history", { session_id: "echo", status: "idle", greeting: { pod_name: "echo", cwd: process.cwd() } });

let rest = "";
process.stdin.setEncoding("utf8").on("data", (piece) => {
  const lines = (rest + piece).split("\n");
  rest = lines.pop();
  for (const line of lines.filter((each) => each.trim() !== "")) {
    const { method, params } = JSON.parse(line);
    if (Object.hasOwn(methods, method)) methods[method](params ?? {});
  }
});
