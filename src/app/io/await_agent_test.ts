// Waiting for an agent before the screen is taken: what it says meanwhile reaches the client in order, whole.

import assert from "node:assert/strict";
import type { Agent, AgentListener } from "../../agents/agent.ts";
import { parseEvent } from "../../transcript/event.ts";
import { awaitAgent } from "./await_agent.ts";

Deno.test("what comes in while the agent is handed over comes behind what came before", async () => {
  let listener: AgentListener | undefined;
  const agent: Agent = { send() {}, close: () => Promise.resolve(), stderrTail: () => [] };
  const say = (text: string) => listener?.onEvents([parseEvent({ event: "text_delta", data: { text } })]);
  const waiting = awaitAgent({
    first: (given) => {
      listener = given;
      say("1");
      return agent;
    },
    again: () => agent,
    onStep: () => {},
  });
  const awaited = await waiting;
  assert.ok(awaited.kind === "there");
  say("2");
  // A read that ended already goes on right behind whoever takes the agent over.
  queueMicrotask(() => say("3"));
  const said: string[] = [];
  await Promise.resolve().then(() => {
    queueMicrotask(() => say("4"));
    awaited.start({
      onEvents: (parsed) => {
        for (const one of parsed) {
          if (one.kind === "event" && one.event.event === "text_delta") said.push(one.event.data.text);
        }
      },
      onEnd: () => {},
    });
  });
  await new Promise((resolve) => setTimeout(resolve));
  say("5");
  assert.deepEqual(said, ["1", "2", "3", "4", "5"]);
});

const EVENT = (event: string, data: unknown = {}) => parseEvent({ event, data });
const QUIET_AGENT: Agent = { send() {}, close: () => Promise.resolve(), stderrTail: () => [] };

Deno.test("a session that is still to be made is waited for in full screen; steps before hello are lines", async () => {
  const steps: string[] = [];
  const awaited = await awaitAgent({
    first: (listener) => {
      listener.onEvents([
        EVENT("starting", { step: "process", detail: "x" }),
        EVENT("hello", { agent: "x" }),
      ]);
      listener.onEvents([EVENT("starting", { step: "session" })]);
      return QUIET_AGENT;
    },
    again: () => QUIET_AGENT,
    onStep: (line) => steps.push(line),
  });
  assert.equal(awaited.kind, "there");
  assert.deepEqual(steps, ["process: x"]);
});

Deno.test("a login that is wanted before hello is asked for in full screen: nobody could answer it elsewhere", async () => {
  const awaited = await awaitAgent({
    first: (listener) => {
      listener.onEvents([EVENT("starting", { step: "process" }), EVENT("auth", { methods: [] })]);
      listener.onEvents([EVENT("auth", { methods: [{ id: "o", label: "Log in", type: "agent" }] })]);
      return QUIET_AGENT;
    },
    again: () => QUIET_AGENT,
    onStep: () => {},
  });
  assert.equal(awaited.kind, "there");
});

Deno.test("no session behind its hello: said, and the screen is not taken", async () => {
  const awaited = await awaitAgent({
    first: (listener) => {
      listener.onEvents([EVENT("hello", { agent: "x" })]);
      const what = "Cannot start a session with x: disk full";
      listener.onEnd({ kind: "no_session", what, wasThere: true, exitCode: null, signal: null });
      return QUIET_AGENT;
    },
    again: () => QUIET_AGENT,
    onStep: () => {},
  });
  assert.deepEqual(awaited, { kind: "ended", what: "Cannot start a session with x: disk full" });
});
