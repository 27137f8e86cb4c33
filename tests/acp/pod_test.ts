// An ACP agent in a pod: its session is waited for, what it says of itself is in the log, and a later pod asks it to
// go on with its own session.

import assert from "node:assert/strict";
import type { Agent } from "../../src/agents/agent.ts";
import { type AgentFactory, factoryOf } from "../../src/pod/agents.ts";
import { readMeta } from "../../src/pod/directory.ts";
import { startCommand } from "../../src/pod/start_command.ts";
import { startDemo } from "../../src/pod/start_demo.ts";
import { openTestPod, until, withPlaces } from "../../src/pod/pod_test_helper.ts";
import { replayCommand, scriptPath } from "./live_agent.ts";

/** Starts an agent that plays a script; its kind is found out. */
function playing(script: string): { readonly start: AgentFactory; readonly agent: () => Agent | null } {
  const { command, args } = replayCommand(scriptPath(script));
  const factory = factoryOf({ kind: "command", command, args }, {
    demo: () => Promise.resolve(startDemo),
    command: () => Promise.resolve(startCommand),
  });
  let agent: Agent | null = null;
  return {
    start: async (context, listener) => agent = await factory({ ...context, cwd: Deno.cwd() }, listener),
    agent: () => agent,
  };
}

Deno.test("acp pod: a session in the making is waited for, kept, and resumed by the next pod", async () => {
  await withPlaces(async (places) => {
    const first = await openTestPod(places, { startAgent: playing("slow-session").start });
    const client = await first.connect();
    await until("its hello", () => client.of("hello").length > 0, 30_000);
    assert.equal(client.of("history").length, 0, "it is there, its session is not yet");
    await until("the session", () => client.of("history").length > 0, 30_000);
    assert.equal(client.of("starting").at(-1)?.data.step, "session");
    assert.equal(client.transcript.status, "idle");
    const greeting = client.of("history")[0]?.data.greeting;
    assert.deepEqual([greeting?.pod_name, greeting?.model], ["Slow", "m-1"]);
    await client.send("run", { input: "one", message_id: "u1" });
    await until("the answer", () => client.of("turn_end").length > 0, 30_000);
    const stored = () => {
      const meta = readMeta(first.files);
      return "problem" in meta ? null : meta.agentSessionId;
    };
    await until("the agent's session in meta.json", () => stored() === "s1");
    client.leave();
    await first.host.end("test goes on");
    await first.ended;

    const meta = readMeta(first.files);
    assert.ok(!("problem" in meta));
    const agent = playing("resumed-session");
    const second = await openTestPod(places, { meta, startAgent: agent.start });
    const later = await second.connect();
    try {
      await until("the session again", () => later.of("history").length > 0, 30_000);
      await until("that it is open", () => later.transcript.status === "idle", 30_000);
      await later.send("run", { input: "two", message_id: "u2" });
      await until("the answer", () => later.of("turn_end").length > 0, 30_000);
      const sent = agent.agent()?.stderrTail().join("\n") ?? "";
      assert.match(sent, /"method":"session\/resume","params":\{"sessionId":"s1"/);
      const log = second.logged().map((line) => JSON.stringify(line)).join("\n");
      assert.match(log, /first answer[^]*second answer/);
      assert.doesNotMatch(log, /does not remember/);
      assert.deepEqual(later.of("turn_end").map((event) => event.data.turn), [2], "turns are counted on");
    } finally {
      later.leave();
      await second.host.end("test is over");
      await second.ended;
    }
  });
});

Deno.test("acp pod: an agent that forgot says so once, in the session it has forgotten", async () => {
  await withPlaces(async (places) => {
    const first = await openTestPod(places, { startAgent: playing("slow-session").start });
    const client = await first.connect();
    await until("the session", () => client.of("history").length > 0, 30_000);
    await client.send("run", { input: "one", message_id: "u1" });
    await until("the answer", () => client.of("turn_end").length > 0, 30_000);
    await until("meta.json", () => {
      const meta = readMeta(first.files);
      return !("problem" in meta) && meta.agentSessionId !== null;
    });
    await first.host.end("test goes on");
    await first.ended;
    const meta = readMeta(first.files);
    assert.ok(!("problem" in meta));
    const second = await openTestPod(places, { meta, startAgent: playing("forgotten").start });
    const later = await second.connect();
    try {
      const warnings = () =>
        second.logged().filter((line) =>
          JSON.stringify(line).includes("does not remember what stands above")
        );
      await until("the warning", () => warnings().length > 0, 30_000);
      await until("that it is open", () => later.transcript.status === "idle", 30_000);
      await later.send("run", { input: "two", message_id: "u2" });
      await until("the answer", () => later.of("turn_end").length > 0, 30_000);
      assert.equal(warnings().length, 1);
      await until("the new session's id", () => {
        const now = readMeta(second.files);
        return !("problem" in now) && now.agentSessionId === "another";
      });
    } finally {
      later.leave();
      await second.host.end("test is over");
      await second.ended;
    }
  });
});
