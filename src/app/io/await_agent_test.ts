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
