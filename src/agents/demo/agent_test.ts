// The demo agent as its host sees it: methods in, events out, without waiting. Files and commands are real.
// Stopping, holding and steering a turn are control_test.ts, coming back history_test.ts.

import assert from "node:assert/strict";
import { names, startSession, withoutDeltas, withSession } from "../../../tests/demo_session.ts";
import { KNOWN_AGENTS } from "../known_agents.ts";

Deno.test("demo: it is there at once, and its greeting says how to get a real agent", () =>
  withSession({ installed: [KNOWN_AGENTS[2]!] }, async ({ events, of }) => {
    assert.deepEqual(names(events), ["hello", "history", "commands", "model_catalog"]);
    assert.deepEqual(of("hello")[0]?.capabilities, [
      "history",
      "pause",
      "steer",
      "models",
      "questions",
      "compact",
    ]);
    const notes = of("history")[0]?.greeting?.notes?.join("\n") ?? "";
    assert.match(notes, /trifold run -- CMD/);
    assert.match(notes, /Gemini CLI: gemini --acp/);
    await Promise.resolve();
  }));

Deno.test("demo: without real agents the greeting says so", () =>
  withSession({}, async ({ of }) => {
    assert.match(
      of("history")[0]?.greeting?.notes?.join("\n") ?? "",
      /none of those known is on PATH/,
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

Deno.test("demo: a sentence gets help, ask is skipped where nobody can answer, help lists", () =>
  withSession({}, async ({ run, of }) => {
    await run("what is the meaning of this?");
    assert.match(of("text_done")[0]?.text ?? "", /`read FILE`[^]*`tour`[^]*trifold run -- CMD/);
    await run("ask");
    assert.match(of("text_done")[2]?.text ?? "", /Nobody is here to answer/);
    await run("help");
    assert.match(of("text_done")[3]?.text ?? "", /\| `edit FILE: old => new` \|/);
    await run("run the tests");
    assert.match(of("text_done")[4]?.text ?? "", /Write it as `run COMMAND`/);
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
