// What the ACP tests share: messages in short form, and what became of them. Every event they see has passed
// parseEvent; a problem or an unknown field fails the test that made it.

import assert from "node:assert/strict";
import type { EventData, EventName, ParsedEvent } from "../transcript/event.ts";
import { type AcpOptions, type AcpTranslation, createAcpTranslation } from "./acp.ts";

/** An event as tests compare it: its name and the fields that are not null, false or empty. */
export interface Told {
  readonly event: string;
  readonly [field: string]: unknown;
}

/** One connection, driven by short calls. `events` collects all that was told. */
export interface Play {
  readonly translation: AcpTranslation;
  readonly events: ParsedEvent[];
  readonly ignored: string[];
  /** A request or notification of the client. */
  ask(method: string, params?: unknown, id?: number): Told[];
  /** The agent's answer to the client's request. */
  result(id: number, result: unknown): Told[];
  error(id: number, error: unknown): Told[];
  /** session/update. */
  update(sessionUpdate: string, fields?: object): Told[];
  /** A request or notification of the agent. */
  agent(method: string, params?: unknown, id?: number): Told[];
  /** The client's answer to the agent's request. */
  answer(id: number, result: unknown): Told[];
  wait(ms: number): void;
  end(): Told[];
  /** Everything told so far under that name. */
  all<Name extends EventName>(name: Name): EventData<Name>[];
}

/** A connection on which nothing was said. */
export function play(options: AcpOptions = {}): Play {
  const translation = createAcpTranslation(options);
  const events: ParsedEvent[] = [];
  const ignored: string[] = [];
  let nowMs = 1000;
  const push = (direction: "to_agent" | "from_agent", message: object): Told[] => {
    const result = translation.push(direction, { jsonrpc: "2.0", ...message }, nowMs);
    events.push(...result.events);
    ignored.push(...result.ignored);
    assert.ok(
      result.events.length + result.ignored.length > 0,
      `not accounted for: ${JSON.stringify(message)}`,
    );
    return result.events.map(toldOf);
  };
  const withId = (id: number | undefined) => id === undefined ? {} : { id };
  return {
    translation,
    events,
    ignored,
    ask: (method, params = {}, id) => push("to_agent", { method, params, ...withId(id) }),
    result: (id, result) => push("from_agent", { id, result }),
    error: (id, error) => push("from_agent", { id, error }),
    update: (sessionUpdate, fields = {}) =>
      push("from_agent", {
        method: "session/update",
        params: { sessionId: "s1", update: { sessionUpdate, ...fields } },
      }),
    agent: (method, params = {}, id) => push("from_agent", { method, params, ...withId(id) }),
    answer: (id, result) => push("to_agent", { id, result }),
    wait: (ms) => void (nowMs += ms),
    end: () => {
      const result = translation.end(nowMs);
      events.push(...result.events);
      return result.events.map(toldOf);
    },
    all: (name) =>
      events.flatMap((parsed) =>
        parsed.kind === "event" && parsed.event.event === name ? [parsed.event.data] : []
      ) as never,
  };
}

/** A session that is open, with a prompt running: requests 0 to 2 have been sent. */
export function running(agentInfo: object = { name: "test-agent", title: "Test", version: "1" }): Play {
  const one = play();
  one.ask("initialize", { protocolVersion: 1 }, 0);
  one.result(0, { protocolVersion: 1, agentInfo });
  one.ask("session/new", { cwd: "/repo", mcpServers: [] }, 1);
  one.result(1, { sessionId: "s1" });
  one.ask("session/prompt", { sessionId: "s1", prompt: [{ type: "text", text: "go" }] }, 2);
  return one;
}

/** A plain text block. */
export function text(value: string): object {
  return { type: "text", text: value };
}

/** A tool call's content of one text. */
export function said(value: string): object[] {
  return [{ type: "content", content: text(value) }];
}

/** The events of these names only. */
export function only(told: readonly Told[], ...names: string[]): Told[] {
  return told.filter((one) => names.includes(one.event));
}

function toldOf(parsed: ParsedEvent): Told {
  if (parsed.kind === "problem") throw new assert.AssertionError({ message: parsed.what });
  if (parsed.kind === "unknown") return { event: "unknown", name: parsed.name };
  assert.deepEqual(parsed.unknownFields, []);
  const fields = Object.entries(parsed.event.data).filter(([, value]) =>
    value !== null && value !== false && value !== "" && !(Array.isArray(value) && value.length === 0)
  );
  return { event: parsed.event.event, ...Object.fromEntries(fields) };
}

Deno.test("acp play: tells events by name, without what is empty", () => {
  const one = running();
  assert.deepEqual(only(one.update("agent_message_chunk", { content: text("hi") }), "text_delta"), [
    { event: "text_delta", text: "hi" },
  ]);
  assert.equal(one.all("hello")[0]?.agent, "Test 1");
});
