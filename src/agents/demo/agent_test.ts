// The demo agent as its host sees it: methods in, events out, without waiting. Files and commands are real.

import assert from "node:assert/strict";
import type { Event, EventName, ParsedEvent } from "../../transcript/event.ts";
import type { Method } from "../../transcript/method.ts";
import type { Agent, AgentEnd } from "../agent.ts";
import { KNOWN_AGENTS } from "../known_agents.ts";
import { type DemoOptions, startDemoAgent } from "./agent.ts";
import type { Sleep } from "./pace.ts";

interface Session {
  readonly agent: Agent;
  readonly events: Event[];
  readonly ends: AgentEnd[];
  send(method: Method["method"], params?: Record<string, unknown>): void;
  /** Resolves when an event satisfies `is`, also a past one; `since` counts events. */
  until(is: (event: Event) => boolean, since?: number): Promise<Event>;
  /** Runs a message to the end of its turn and gives the turn's events. */
  run(input: string): Promise<Event[]>;
  of<Name extends EventName>(name: Name): Extract<Event, { event: Name }>["data"][];
}

const noSleep: Sleep = () => Promise.resolve();
/** Lets other work in, so that what a test sends arrives in the middle of a turn. */
const yieldingSleep: Sleep = () => new Promise((resolve) => setTimeout(resolve, 0));

async function withSession(
  options: Partial<DemoOptions> & { files?: Record<string, string> },
  test: (session: Session) => Promise<void>,
): Promise<void> {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "trifold-test-" }));
  Deno.mkdirSync(`${root}/home`);
  Deno.mkdirSync(`${root}/scratch`);
  for (const [path, text] of Object.entries(options.files ?? { "a.txt": "one\ntwo\n" })) {
    Deno.writeTextFileSync(`${root}/home/${path}`, text);
  }
  const session = startSession({
    cwd: `${root}/home`,
    scratchParent: `${root}/scratch`,
    installed: [],
    sessionId: "s1",
    sleep: noSleep,
    nowMs: () => 1000,
    ...options,
  });
  try {
    await session.until((event) => event.event === "model_catalog");
    await test(session);
  } finally {
    await session.agent.close();
    Deno.removeSync(root, { recursive: true });
  }
}

function startSession(options: DemoOptions): Session {
  const events: Event[] = [];
  const ends: AgentEnd[] = [];
  const waiting = new Set<() => void>();
  const agent = startDemoAgent(options, {
    onEvents(parsed: readonly ParsedEvent[]) {
      assert.equal(ends.length, 0, "an event after the end");
      for (const each of parsed) {
        assert.equal(each.kind, "event");
        if (each.kind === "event") {
          assert.deepEqual(each.unknownFields, [], each.event.event);
          events.push(each.event);
        }
      }
      for (const wake of waiting) wake();
    },
    onEnd: (end) => ends.push(end),
  });
  assert.deepEqual(events, [], "nothing comes before start has returned");
  const session: Session = {
    agent,
    events,
    ends,
    send: (method, params = {}) => agent.send({ method, params } as Method),
    async until(is, since = 0) {
      for (;;) {
        const found = events.slice(since).find(is);
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => {
          const wake = () => {
            waiting.delete(wake);
            resolve();
          };
          waiting.add(wake);
        });
      }
    },
    async run(input) {
      const since = events.length;
      session.send("run", { input });
      await session.until((event) => event.event === "status" && event.data.status === "idle", since);
      return events.slice(since);
    },
    of: (name) =>
      events.filter((each) => (each as Event).event === name).map((each) => (each as Event).data) as never[],
  };
  return session;
}

const names = (events: readonly Event[]) => events.map((event) => event.event);
const isResult = (event: Event) => event.event === "turn_end";
const withoutDeltas = (events: readonly Event[]) => names(events).filter((name) => !name.endsWith("_delta"));

Deno.test("demo: it is there at once, and its greeting says how to get a real agent", () =>
  withSession({ installed: [KNOWN_AGENTS[2]!] }, async ({ events, of }) => {
    assert.deepEqual(names(events), ["hello", "history", "commands", "model_catalog"]);
    assert.deepEqual(of("hello")[0]?.capabilities, ["history", "pause", "steer", "models", "compact"]);
    const notes = of("history")[0]?.greeting?.notes?.join("\n") ?? "";
    assert.match(notes, /trifold run -- CMD/);
    assert.match(notes, /Gemini CLI: gemini --acp/);
    await Promise.resolve();
  }));

Deno.test("demo: without real agents the greeting says so", () =>
  withSession({}, async ({ of }) => {
    assert.match(
      of("history")[0]?.greeting?.notes?.join("\n") ?? "",
      /none of those known was found on PATH/,
    );
    await Promise.resolve();
  }));

Deno.test("demo: a read is a whole turn in protocol order", () =>
  withSession({}, async ({ run, of }) => {
    assert.deepEqual(withoutDeltas(await run("read a.txt")), [
      "user_message",
      "status",
      "title",
      "turn_start",
      "step_start",
      "reasoning_start",
      "reasoning_done",
      "text_done",
      "tool_call_start",
      "tool_call_done",
      "usage",
      "context",
      "step_end",
      "tool_result",
      "step_start",
      "text_done",
      "usage",
      "context",
      "step_end",
      "turn_end",
      "status",
    ]);
    assert.equal(of("tool_result")[0]?.summary, "Read 2 line(s) from a.txt");
    assert.deepEqual([of("turn_end")[0]?.result, of("turn_end")[0]?.requests], ["finished", 2]);
    assert.equal(of("title")[0]?.title, "read a.txt");
  }));

Deno.test("demo: deltas join to what done says, byte for byte", () =>
  withSession({}, async (session) => {
    await session.run('plan: 漢字, 👩‍🔬 lab; help then read a.txt, "b 🇯🇵.txt"');
    await session.run("write 👍🏽.md: family 👨‍👩‍👧‍👦 text");
    let text = "", thought = "";
    const args = new Map<string, string>();
    for (const { event, data } of session.events) {
      if (event === "text_delta") text += data.text;
      if (event === "reasoning_delta") thought += data.text;
      if (event === "tool_call_args_delta") args.set(data.id, (args.get(data.id) ?? "") + data.json);
      if (event === "text_done") {
        assert.equal(text, data.text);
        text = "";
      }
      if (event === "reasoning_done") {
        assert.equal(thought, data.text);
        thought = "";
      }
      if (event === "tool_call_done") assert.equal(args.get(data.id), data.arguments);
    }
  }));

Deno.test("demo: the tour shows every kind of block, and is the same each time", async () => {
  const runs: string[][] = [];
  for (let n = 0; n < 2; n++) {
    await withSession({ files: { "a.md": "# A\n", "b.ts": "// TODO\n" } }, async ({ run, of, events }) => {
      await run("tour");
      const tools = of("tool_call_start").map((call) => call.name);
      assert.deepEqual(tools, [
        "Read",
        "Read",
        "Glob",
        "Grep",
        "Write",
        "Read",
        "Edit",
        "Bash",
        "Bash",
        "preview_release",
      ]);
      assert.deepEqual(of("tool_result").map((result) => result.is_error), [
        ...Array(8).fill(false),
        true,
        false,
      ]);
      for (
        const name of ["reasoning_done", "plan", "notification", "tool_output", "usage", "context"] as const
      ) {
        assert.ok(of(name).length > 0, name);
      }
      assert.match(of("text_done")[0]?.text ?? "", /\|---\|[^]*漢字[^]*👩‍🔬[^]*```ts/u);
      assert.equal(of("tool_result").at(-1)?.presentation?.body?.length, 4);
      assert.ok(of("plan").at(-1)?.items.every((item) => item.status === "completed"));
      assert.equal(of("turn_end")[0]?.result, "finished");
      // Pieces of a command's output and the scratch copy's name are the machine's own.
      runs.push(
        events.filter(({ event }) =>
          event !== "tool_output" && event !== "notification" && event !== "history"
        ).map((event) => JSON.stringify(event)),
      );
    });
  }
  assert.deepEqual(runs[0], runs[1]);
});

Deno.test("demo: the tour goes on where nothing may be changed, and where nothing is", () =>
  withSession({ files: {}, scratchParent: "/nowhere/at/all" }, async ({ run, of }) => {
    await run("tour");
    assert.deepEqual(of("tool_result").map((result) => result.is_error), [
      false,
      false,
      true,
      true,
      true,
      true,
      true,
      false,
    ]);
    assert.match(of("tool_result")[2]?.summary ?? "", /^Cannot write: the scratch copy failed/);
    assert.equal(of("turn_end")[0]?.result, "finished");
  }));

Deno.test("demo: the scratch copy is named once, at the first change", () =>
  withSession({}, async ({ run, of }) => {
    await run("read a.txt");
    assert.deepEqual(of("notification"), []);
    await run("write b.txt: x; run ls then edit b.txt: x => y");
    assert.equal(of("notification").length, 1);
    assert.match(
      of("notification")[0]?.message ?? "",
      /^Working in a scratch copy from here on: \/.*\(files: 1\)/,
    );
    assert.equal(of("tool_result").at(-2)?.output, "a.txt\nb.txt\n");
  }));

Deno.test("demo: what only looks runs side by side, in one step", () =>
  withSession({}, async ({ run, of }) => {
    await run("read a.txt; grep one\nglob *; read nope; run true");
    assert.deepEqual(of("turn_end")[0]?.requests, 3);
    assert.match(of("text_done").at(-1)?.text ?? "", /^Done: 5 calls, 1 failed:\n\n- Read: Cannot read nope/);
  }));

Deno.test("demo: a sentence gets help, ask is skipped, help lists", () =>
  withSession({}, async ({ run, of }) => {
    await run("what is the meaning of this?");
    assert.match(of("text_done")[0]?.text ?? "", /`read FILE`[^]*`tour`[^]*trifold run -- CMD/);
    await run("ask");
    assert.match(of("text_done")[1]?.text ?? "", /cannot ask questions back/);
    await run("help");
    assert.match(of("text_done")[2]?.text ?? "", /\| `edit FILE: old => new` \|/);
    await run("run the tests");
    assert.match(of("text_done")[3]?.text ?? "", /Write it as `run COMMAND`/);
    assert.deepEqual(of("tool_call_start"), []);
  }));

Deno.test("demo: a plan is worked through", () =>
  withSession({}, async ({ run, of }) => {
    await run("plan: one, two");
    assert.deepEqual(
      of("plan").map(({ items }) => items.map((item) => `${item.text} ${item.status}`).join()),
      [
        "one in_progress,two pending",
        "one completed,two in_progress",
        "one completed,two completed",
      ],
    );
  }));

Deno.test("demo: cancel stops a command at once and closes the turn", () =>
  withSession({}, async ({ send, until, of, events }) => {
    const startMs = performance.now();
    send("run", { input: "run echo begun; sleep 60; echo never" });
    await until((event) => event.event === "tool_output");
    send("cancel");
    await until(isResult);
    assert.ok(performance.now() - startMs < 5000);
    assert.equal(of("turn_end")[0]?.result, "cancelled");
    assert.deepEqual(of("tool_result"), []);
    await until((event) => event.event === "status" && event.data.status === "idle");
    assert.equal(events.at(-1)?.event, "status");
  }));

Deno.test("demo: cancel in the middle of a text keeps what was said", () =>
  withSession({ sleep: yieldingSleep }, async ({ send, until, of }) => {
    send("run", { input: "help" });
    await until((event) => event.event === "text_delta");
    send("cancel");
    await until(isResult);
    const said = of("text_delta").map((data) => data.text).join("");
    assert.equal(of("text_done")[0]?.text, said);
    assert.equal(of("turn_end")[0]?.result, "cancelled");
  }));

Deno.test("demo: a paused turn goes on as the same turn and loses no word", () =>
  withSession({ sleep: yieldingSleep }, async ({ send, until, of, events }) => {
    send("run", { input: "help" });
    await until((event) => event.event === "text_delta");
    send("pause");
    await until((event) => event.event === "status" && event.data.status === "paused");
    const length = events.length;
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.equal(events.length, length, "nothing happens while paused");
    send("resume");
    await until((event) => event.event === "turn_end" && event.data.result === "finished");
    assert.deepEqual(of("turn_end").map((data) => [data.turn, data.result]), [[1, "paused"], [
      1,
      "finished",
    ]]);
    assert.equal(of("turn_start").length, 1);
    assert.match(
      of("text_done").map((data) => data.text).join(""),
      /^I understand these requests[^]*work there\.$/,
    );
  }));

Deno.test("demo: a pause holds the command that runs", () =>
  withSession({}, async ({ send, until, of, events }) => {
    send("run", { input: "run for i in 1 2 3 4 5 6; do echo $i; sleep 0.05; done" });
    await until((event) => event.event === "tool_output");
    send("pause");
    await until((event) => event.event === "status" && event.data.status === "paused");
    await new Promise((resolve) => setTimeout(resolve, 30));
    const length = events.length;
    await new Promise((resolve) => setTimeout(resolve, 400));
    assert.equal(events.length, length);
    send("resume");
    await until((event) => event.event === "turn_end" && event.data.result === "finished");
    assert.equal(of("tool_result")[0]?.output, "1\n2\n3\n4\n5\n6\n");
  }));

Deno.test("demo: a paused turn can be cancelled, command and all", () =>
  withSession({}, async ({ send, until, of }) => {
    send("run", { input: "run echo x; sleep 60" });
    await until((event) => event.event === "tool_output");
    send("pause");
    await until((event) => event.event === "status" && event.data.status === "paused");
    send("cancel");
    await until((event) => event.event === "status" && event.data.status === "idle");
    assert.deepEqual(of("turn_end").map((data) => data.result), ["paused", "cancelled"]);
  }));

Deno.test("demo: a new message gives a paused turn up", () =>
  withSession({ sleep: yieldingSleep }, async ({ send, until, of }) => {
    send("run", { input: "help", message_id: "u1" });
    await until((event) => event.event === "text_delta");
    send("pause");
    await until((event) => event.event === "status" && event.data.status === "paused");
    send("run", { input: "ask", message_id: "u2" });
    await until((event) => event.event === "turn_end" && event.data.turn === 2);
    assert.deepEqual(of("turn_end").map((data) => [data.turn, data.result]), [
      [1, "paused"],
      [1, "cancelled"],
      [2, "finished"],
    ]);
  }));

Deno.test("demo: steering adds to the running turn at the next step", () =>
  withSession({ sleep: yieldingSleep }, async ({ send, until, of, events }) => {
    send("run", { input: "read a.txt" });
    await until((event) => event.event === "tool_call_start");
    send("steer", { input: "glob *", message_id: "u2" });
    send("steer", { input: "glob *", message_id: "u2" });
    await until(isResult);
    assert.deepEqual(of("user_message").map((data) => [data.kind, data.text]), [["run", "read a.txt"], [
      "steer",
      "glob *",
    ]]);
    const order = withoutDeltas(events);
    assert.ok(order.indexOf("tool_result") < order.lastIndexOf("user_message"));
    assert.deepEqual(of("tool_call_start").map((call) => call.name), ["Read", "Glob"]);
  }));

Deno.test("demo: a steer no step took up is given back", () =>
  withSession({ sleep: yieldingSleep }, async ({ send, until, of }) => {
    send("run", { input: "help" });
    await until((event) => event.event === "text_delta");
    send("steer", { input: "tour", message_id: "u2" });
    send("cancel");
    await until((event) => event.event === "error");
    assert.deepEqual([of("error")[0]?.code, of("error")[0]?.message_id], ["not_running", "u2"]);
  }));

Deno.test("demo: what cannot be done is refused with the method's own ids", () =>
  withSession({}, ({ agent, send, of, until }) => {
    agent.send({ method: "pause", params: {}, id: 7 });
    send("resume");
    send("cancel");
    send("steer", { input: "x", message_id: "u1" });
    send("answer", { batch_id: "q", answers: [] });
    send("dismiss_question", { batch_id: "q" });
    send("unqueue", { message_id: "u" });
    send("set_option", { id: "mode", value: "x" });
    send("authenticate", { method_id: "x" });
    send("select_model", { provider: "other", model: "quick-1" });
    assert.deepEqual(of("error").map((error) => error.code), [
      "not_running",
      "not_paused",
      "not_running",
      "not_running",
      ...Array(6).fill("invalid_request"),
    ]);
    assert.equal(of("error")[0]?.id, 7);
    assert.equal(of("error")[3]?.message_id, "u1");
    send("run", { input: "ask", message_id: "u2" });
    send("run", { input: "ask", message_id: "u3" });
    assert.deepEqual([of("error").at(-1)?.code, of("error").at(-1)?.message_id], ["already_running", "u3"]);
    return until(isResult).then(() => undefined);
  }));

Deno.test("demo: a message already seen is not run again", () =>
  withSession({}, async ({ send, until, of }) => {
    send("run", { input: "ask", message_id: "u1" });
    await until((event) => event.event === "status" && event.data.status === "idle");
    send("run", { input: "ask", message_id: "u1" });
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(of("turn_start").length, 1);
  }));

Deno.test("demo: models are listed, selected, and used from the next step on", () =>
  withSession({}, async ({ send, run, of }) => {
    send("list_models");
    assert.deepEqual(of("model_catalog").at(-1)?.models.map((model) => model.model), [
      "careful-1",
      "quick-1",
    ]);
    send("select_model", { provider: null, model: "quick-1" });
    assert.deepEqual(of("model_selected").map((data) => [data.provider, data.model]), [["demo", "quick-1"]]);
    await run("read a.txt");
    assert.ok(of("step_start").every((step) => step.model === "quick-1"));
    assert.deepEqual(of("reasoning_start"), [], "the quick one does not think");
  }));

Deno.test("demo: compacting replaces the model's view and shrinks the context", () =>
  withSession({}, async ({ run, send, until, of, events }) => {
    await run("help");
    await run("read a.txt");
    const since = events.length;
    send("compact");
    await until((event) => event.event === "status" && event.data.status === "idle", since);
    assert.deepEqual(names(events.slice(since)), [
      "status",
      "compact_start",
      "surface",
      "compact_done",
      "context",
      "status",
    ]);
    const { tokens_before, tokens_after, new_session_id } = of("compact_done")[0]!;
    assert.ok(Number(tokens_after) < Number(tokens_before));
    assert.equal(new_session_id, "s1.2");
    assert.match(JSON.stringify(of("surface")[0]?.items), /\[summary\].*- help.*- read a\.txt/);
  }));

Deno.test("demo: there is nothing to compact in an empty session", () =>
  withSession({}, async ({ send, until }) => {
    send("compact");
    await until((event) => event.event === "compact_failed");
    await until((event) => event.event === "status" && event.data.status === "idle");
  }));

Deno.test("demo: history carries the blocks, the state and what is in flight", () =>
  withSession({ sleep: yieldingSleep }, async ({ run, send, until, of }) => {
    await run("read a.txt");
    send("keep_draft", { parts: [{ type: "text", text: "half" }] });
    send("run", { input: "run echo out; sleep 60" });
    await until((event) => event.event === "tool_output");
    send("get_history");
    const history = of("history").at(-1)!;
    const items = history.items as { type: string }[];
    assert.equal(history.status, "running");
    assert.deepEqual(items.map((item) => item.type).filter((type) => type !== "event"), [
      "message",
      "turn",
      "reasoning",
      "message",
      "tool_call",
      "tool_result",
      "message",
      "turn_stats",
      "message",
      "turn",
      "reasoning",
      "message",
      "notification",
    ]);
    const { kind, name, state, output } = history.in_flight?.[0] as Record<string, string>;
    assert.deepEqual([kind, name, state, output], ["tool_call", "Bash", "executing", "out\n"]);
    assert.equal(history.in_flight?.length, 1);
    assert.deepEqual(history.state?.title, "read a.txt");
    assert.deepEqual(history.state?.draft, [{ type: "text", text: "half" }]);
    assert.deepEqual(history.state?.model, { provider: "demo", model: "careful-1" });
    send("cancel");
    await until((event) => event.event === "turn_end" && event.data.turn === 2);
    send("get_history");
    const after = of("history").at(-1)!;
    assert.deepEqual(after.in_flight, []);
    assert.deepEqual(
      (after.items as { type: string }[]).map((item) => item.type).filter((type) => type !== "event").slice(
        -3,
      ),
      [
        "tool_call",
        "notification",
        "turn_stats",
      ],
    );
  }));

Deno.test("demo: shutdown ends a running turn, says so and is the end", () =>
  withSession({}, async ({ send, until, events, ends }) => {
    send("run", { input: "run echo x; sleep 60" });
    await until((event) => event.event === "tool_output");
    send("shutdown");
    await until((event) => event.event === "shutdown");
    assert.deepEqual(names(events).slice(-3), ["turn_end", "status", "shutdown"]);
    assert.deepEqual(ends.map((end) => end.kind), ["shut_down"]);
    send("run", { input: "tour" });
    assert.equal(events.at(-1)?.event, "shutdown");
  }));

Deno.test("demo: closing is the end, twice as well, and no directory is an end too", async () => {
  await withSession({}, async ({ agent, ends }) => {
    await agent.close();
    await agent.close();
    assert.deepEqual(ends.map((end) => [end.kind, end.wasThere]), [["closed", true]]);
  });
  const session = startSession({ cwd: "/nowhere/at/all", installed: [] });
  await Promise.resolve();
  assert.deepEqual(session.ends.map((end) => [end.kind, end.wasThere]), [["not_started", false]]);
  session.send("run", { input: "tour" });
});
