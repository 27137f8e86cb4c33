// An agent that wants a login in the terminal: its program gets the terminal, the screen comes back, the agent is told.

import { endsWith, sees, startProgram } from "./program_session.ts";

const AGENT = `
const say = (event, data) => console.log(JSON.stringify({ event, data }));
say("hello", { protocol: "pod-jsonl", version: 1, agent: "locked", capabilities: [] });
say("history", { session_id: "s", status: "idle", items: [] });
say("auth", { methods: [{ id: "here", label: "Log in here", type: "terminal",
  terminal: { command: "sh", args: ["-c", "echo your name?; read name; test \\"$name\\" = ok"] } }] });
process.stdin.on("data", (piece) => {
  if (String(piece).includes('"authenticate"')) say("notification", { level: "info", message: "logged in" });
  if (String(piece).includes('"shutdown"')) process.exit(0);
});
`;

Deno.test("a login in the terminal: the agent's program asks, the screen comes back, the agent is told; a failed one is said", async () => {
  const folder = await Deno.makeTempDir({ prefix: "trifold_login_" });
  await Deno.writeTextFile(`${folder}/agent.mjs`, AGENT);
  const program = await startProgram(["run", "--", Deno.execPath(), "run", "-A", `${folder}/agent.mjs`]);
  const { session } = program;
  await sees(program, "wants you to log in");
  await sees(program, "Log in here");
  await new Promise((resolve) => setTimeout(resolve, 700));
  session.type("\r");
  await sees(program, "your name?");
  session.type("wrong\r");
  await sees(program, "The login failed");
  session.type("/quit\r");
  await endsWith(program, 0, () => {});
  const second = await startProgram(["run", "--", Deno.execPath(), "run", "-A", `${folder}/agent.mjs`]);
  await sees(second, "Log in here");
  await new Promise((resolve) => setTimeout(resolve, 700));
  second.session.type("\r");
  await sees(second, "your name?");
  second.session.type("ok\r");
  await sees(second, "logged in");
  await endsWith(second, 0, () => second.session.type("/quit\r"));
  await Deno.remove(folder, { recursive: true });
});
