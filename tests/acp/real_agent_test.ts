// A real agent end to end: Gemini CLI as it comes from npm, its model a script on 127.0.0.1, its tools real in a
// temporary directory.

import assert from "node:assert/strict";
import type { Agent } from "../../src/agents/agent.ts";
import { startAgent, type StartSpec } from "../../src/agents/start.ts";
import { endsWith, removeFolder, sees, startProgram } from "../program_session.ts";
import { listenTo, type LiveAgent, textOf } from "./live_agent.ts";
import type { ModelScripts } from "./model_script.ts";
import { type ModelServer, serveModel } from "./model_server.ts";
import { installRealAgent, REAL_AGENT } from "./real_agent.ts";

const SCRIPTS: ModelScripts = {
  main: [
    {
      thinking: "The person wants a fix. I look first.",
      text: "I will look at it.",
      wishes: [{ kind: "read", file: "README.md" }, { kind: "read", file: "calc.ts" }],
    },
    {
      text: "It subtracts.",
      wishes: [{ kind: "edit", file: "calc.ts", from: "  return a - b;", to: "  return a + b;" }],
    },
    { wishes: [{ kind: "write", file: "NOTES.md", text: "# 笔记\n\n- fixed\n" }] },
    { wishes: [{ kind: "shell", command: "echo out; exit 3" }] },
    { text: "Done: `a - b` is `a + b`. 完成了。" },
  ],
  refuse: [
    { text: "I overwrite it.", wishes: [{ kind: "write", file: "README.md", text: "overwritten\n" }] },
    { text: "You refused, so I stop." },
  ],
  slow: [{ text: "A long answer that will be cancelled. ".repeat(200), paceMs: 30 }],
  broken: [{ error: { status: 400, message: "the scripted model is out of order" } }],
  remember: [{ text: "I remember." }],
};

const installed = Deno.build.os === "windows" ? null : await installRealAgent();

Deno.test({
  name:
    `acp real: ${REAL_AGENT.name} ${REAL_AGENT.version} reads, edits after asking, is refused, cancelled, resumed`,
  ignore: installed === null,
  async fn() {
    const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "trifold-real-" }));
    const cwd = prepare(root);
    const model = serveModel(SCRIPTS, cwd);
    const agents: LiveAgent[] = [];
    try {
      const first = begin(agents, { root, cwd, model });
      await session(first, cwd);
      await first.agent.close();
      const sessionId = first.agent.sessionId?.() ?? "";
      ageSessions(`${root}/home/.gemini/tmp/work/chats`);
      const second = begin(agents, { root, cwd, model, resume: { sessionId, replay: "drop" } });
      assert.equal((await second.turn("#remember me?")).result, "finished");
      assert.equal(textOf(second), "I remember.", "what it replays is not shown");
      assert.deepEqual(second.all("notification").filter((one) => one.message.includes("not remember")), []);
      await troubles(second);
      second.send("shutdown");
      assert.equal((await second.ended).kind, "shut_down");
    } finally {
      for (const live of agents) await live.agent.close();
      await model.close();
      Deno.removeSync(root, { recursive: true });
    }
  },
});

Deno.test({
  name: `acp real: ${REAL_AGENT.name} in the program: run --agent, asked, left, attached, answered, stopped`,
  ignore: installed === null,
  async fn() {
    const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "trifold-real-" }));
    const directory = prepare(root);
    const model = serveModel(SCRIPTS, directory);
    const options = { home: `${root}/home`, directory, environment: environment(model, root) };
    try {
      const program = await startProgram(["run", "--agent", "gemini"], options);
      await sees(program, "Default", 60_000);
      program.session.type("#main fix @calc.ts\r");
      await sees(program, "Permission · Edit", 60_000);
      await endsWith(program, 0, async () => {
        program.session.type("\x03");
        await sees(program, "Ctrl-C again leaves");
        program.session.type("\x03");
      }, { podsGoOn: true });
      const again = await startProgram(["attach"], options);
      for (const name of ["Edit", "Write", "Bash"]) {
        await sees(again, `Permission · ${name}`, 60_000);
        // What is typed at once is no answer. The second option allows it once.
        await new Promise((resolve) => setTimeout(resolve, 800));
        again.session.type("2\r");
      }
      await sees(again, "完成了", 60_000);
      assert.match(Deno.readTextFileSync(`${directory}/calc.ts`), /a \+ b/);
      await endsWith(again, 0, () => again.session.type("\x04"));
    } finally {
      await model.close();
      await removeFolder(root);
    }
  },
});

async function session(live: LiveAgent, cwd: string): Promise<void> {
  await live.until("its session", () => live.all("history").length > 0, 60_000);
  assert.equal(live.all("hello")[0]?.agent, `${REAL_AGENT.name} ${REAL_AGENT.version}`);
  assert.ok(live.all("options")[0]?.options.some((option) => option.id === "mode"));
  assert.deepEqual(live.all("notification"), [], "its Node is new enough");

  const questions = answering(live, "allow_once");
  assert.equal((await live.turn("#main fix @calc.ts")).result, "finished");
  questions.stop();
  assert.match(textOf(live), /I will look at it\.[^]*It subtracts\.[^]*完成了。$/);
  assert.match(live.all("reasoning_delta").map((delta) => delta.text).join(""), /I look first/);
  assert.equal(Deno.readTextFileSync(`${cwd}/calc.ts`).includes("a + b"), true, "really edited");
  assert.equal(Deno.readTextFileSync(`${cwd}/NOTES.md`), "# 笔记\n\n- fixed\n");
  assert.ok(questions.count() >= 3, `${questions.count()} questions`);
  const names = live.all("tool_call_done").map((done) => done.name);
  for (const name of ["Read", "Edit", "Write", "Bash"]) {
    assert.ok(names.includes(name), `${name} of ${names}`);
  }
  const open = new Set(live.all("tool_call_start").map((start) => start.id));
  for (const result of live.all("tool_result")) open.delete(result.id);
  assert.deepEqual([...open], [], "every call has its result");

  const before = live.all("question").length;
  live.send("run", { input: "#refuse overwrite it" });
  await live.untilEvent("question", before + 1);
  live.send("dismiss_question", { batch_id: live.all("question").at(-1)?.batch_id });
  await live.untilEvent("turn_end", 2);
  assert.equal(Deno.readTextFileSync(`${cwd}/README.md`), "# Demo\n");
  const refused = live.all("tool_result").at(-1);
  assert.deepEqual([refused?.is_error, refused?.summary], [true, "Rejected by you"]);
}

/**
 * Makes stored sessions older. Gemini names their files by the minute, and one that is loaded in the minute it was made
 * in begins its own file anew before it reads it.
 */
function ageSessions(folder: string): void {
  for (const { name } of [...Deno.readDirSync(folder)]) {
    const older = name.replace(/^session-\d{4}-\d\d-\d\dT\d\d-\d\d-/, "session-2026-01-01T00-00-");
    Deno.renameSync(`${folder}/${name}`, `${folder}/${older}`);
  }
}

/** Cancels and failures. They come last: behind them Gemini keeps nothing it would resume. */
async function troubles(live: LiveAgent): Promise<void> {
  live.send("run", { input: "#slow tell me all" });
  await live.until("some text", () => textOf(live).includes("will be cancelled"));
  live.send("cancel");
  await live.untilEvent("turn_end", 2);
  assert.equal(live.all("turn_end")[1]?.result, "cancelled");

  const failed = await live.turn("#broken try");
  assert.equal(failed.result, "error");
  assert.match(failed.message ?? "", /the scripted model is out of order/);
}

/** A folder to work in, and a home with settings that keep Gemini from asking anybody else. */
function prepare(root: string): string {
  const cwd = `${root}/work`;
  Deno.mkdirSync(`${root}/home/.gemini`, { recursive: true });
  Deno.mkdirSync(cwd);
  Deno.writeTextFileSync(`${cwd}/README.md`, "# Demo\n");
  Deno.writeTextFileSync(
    `${cwd}/calc.ts`,
    "export function add(a: number, b: number) {\n  return a - b;\n}\n",
  );
  Deno.writeTextFileSync(
    `${root}/home/.gemini/settings.json`,
    JSON.stringify({
      security: { auth: { selectedType: "gemini-api-key" } },
      privacy: { usageStatisticsEnabled: false },
      general: { disableAutoUpdate: true, disableUpdateNag: true },
    }),
  );
  return cwd;
}

function environment(model: ModelServer, root: string): Record<string, string> {
  return {
    PATH: `${installed?.bin}:${Deno.env.get("PATH")}`,
    HOME: `${root}/home`,
    GOOGLE_GEMINI_BASE_URL: model.url,
    GEMINI_API_KEY: "none",
  };
}

function begin(
  agents: LiveAgent[],
  { root, cwd, model, ...more }: { root: string; cwd: string; model: ModelServer } & Partial<StartSpec>,
): LiveAgent<Agent> {
  const env = environment(model, root);
  const command = `${installed?.bin}/gemini`;
  const live = listenTo((listener) =>
    startAgent({ protocol: "detect", command, args: ["--acp"], cwd, env, ...more }, listener)
  );
  agents.push(live);
  return live;
}

/** Answers permissions by effect until it is stopped. */
function answering(live: LiveAgent, effect: string): { count(): number; stop(): void } {
  const answered = new Set<string>();
  const timer = setInterval(() => {
    for (const { batch_id: id, questions: [question] } of live.all("question")) {
      const option = question?.options.find((one) => one.effect === effect);
      if (answered.has(id) || question === undefined || option === undefined) continue;
      answered.add(id);
      live.send("answer", { batch_id: id, answers: [{ id: question.id, selected: [option.id] }] });
    }
  }, 20);
  return { count: () => answered.size, stop: () => clearInterval(timer) };
}
