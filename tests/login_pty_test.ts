// An agent that wants a login in the terminal: its program gets the terminal, the screen comes back, the agent is told.

import assert from "node:assert/strict";
import { endsWith, removeFolder, sees, startProgram } from "./program_session.ts";

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

Deno.test("a login in the terminal has the agent's configured environment, which no log gets to know", async () => {
  const home = Deno.realPathSync(await Deno.makeTempDir({ prefix: "trifold_login_" }));
  try {
    const agent = AGENT.replace(
      "echo your name?; read name",
      () => "echo key-is-$(expr length $AGENT_KEY)-$TOLD; read name",
    )
      .replace(`args: ["-c"`, `env: { TOLD: "by-the-agent" }, args: ["-c"`);
    await Deno.writeTextFile(`${home}/agent.mjs`, agent);
    const locked = {
      command: Deno.execPath(),
      args: ["run", "-A", `${home}/agent.mjs`],
      env: { AGENT_KEY: "SECRET-14-LONG", TOLD: "by the settings" },
    };
    await Deno.writeTextFile(`${home}/settings.json`, JSON.stringify({ agents: { locked } }), {
      mode: 0o600,
    });
    const args = [
      "run",
      "--agent",
      "locked",
      "--config",
      `${home}/settings.json`,
      "--record",
      `${home}/record`,
    ];
    const program = await startProgram([...args, "--log", `${home}/log`], { home });
    await sees(program, "Log in here");
    await new Promise((resolve) => setTimeout(resolve, 700));
    program.session.type("\r");
    await sees(program, "key-is-14-by-the-agent");
    program.session.type("ok\r");
    await sees(program, "logged in");
    await endsWith(program, 0, () => program.session.type("/quit\r"));
    const holders = await filesWith(home, "SECRET-14-LONG");
    assert.deepEqual(holders.map(({ name }) => name).sort(), ["meta.json", "settings.json"]);
    for (const { name, mode } of holders) {
      assert.equal(mode & 0o077, 0, `${name} is readable by its owner alone`);
    }
  } finally {
    await removeFolder(home);
  }
});

async function filesWith(folder: string, text: string): Promise<{ name: string; mode: number }[]> {
  const found: { name: string; mode: number }[] = [];
  for await (const entry of Deno.readDir(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) found.push(...await filesWith(path, text));
    else if (entry.isFile && (await Deno.readTextFile(path)).includes(text)) {
      found.push({ name: entry.name, mode: (await Deno.stat(path)).mode ?? 0 });
    }
  }
  return found;
}
