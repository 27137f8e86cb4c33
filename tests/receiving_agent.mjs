// An agent that writes down what it receives: every method as a JSON line in the file it is given. For tests of what
// is really sent. Answers each message in a word, so that the turn ends.
import { appendFileSync } from "node:fs";

const [file] = process.argv.slice(2);
let turn = 0;
const say = (event, data) => process.stdout.write(JSON.stringify({ event, data }) + "\n");

function take(line) {
  appendFileSync(file, line + "\n");
  const { method, params } = JSON.parse(line);
  if (method === "run") {
    turn += 1;
    say("user_message", { message_id: params.message_id, text: params.input, kind: "run" });
    say("turn_start", { turn });
    say("text_done", { text: `received ${turn}` });
    say("turn_end", { turn, result: "finished", requests: 0 });
  } else if (method === "shutdown") {
    say("shutdown", { reason: "requested" });
    process.exit(0);
  }
}

say("hello", { protocol: "pod-jsonl", version: 1, agent: "receiver", capabilities: [] });
say("history", { session_id: "r", status: "idle", greeting: { pod_name: "receiver", cwd: process.cwd() } });
let rest = "";
process.stdin.setEncoding("utf8").on("data", (piece) => {
  const lines = (rest + piece).split("\n");
  rest = lines.pop();
  for (const line of lines.filter((each) => each !== "")) take(line);
});
