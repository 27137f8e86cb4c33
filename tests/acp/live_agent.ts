// A live agent under test: started, its events collected, and waited for. Shared by the tests of this folder.

import assert from "node:assert/strict";
import { type AcpAgent, type AcpOptions, startAcpAgent } from "../../src/agents/acp.ts";
import type { Agent, AgentEnd, AgentListener } from "../../src/agents/agent.ts";
import type { Event, EventData, EventName, ParsedEvent } from "../../src/transcript/event.ts";
import type { Method } from "../../src/transcript/method.ts";

export const REPLAY_AGENT = decodeURIComponent(new URL("./replay_agent.ts", import.meta.url).pathname);
const SCRIPTS = decodeURIComponent(new URL("../../testdata/acp-live/", import.meta.url).pathname);

export interface LiveAgent<Kind extends Agent = Agent> {
  readonly agent: Kind;
  readonly parsed: ParsedEvent[];
  readonly ended: Promise<AgentEnd>;
  /** Events so far; of one name, their data. */
  events(): Event[];
  all<Name extends EventName>(name: Name): EventData<Name>[];
  /** Waits until it holds; fails with what was told when it takes too long. */
  until(what: string, isTrue: () => boolean, withinMs?: number): Promise<void>;
  /** Waits for an event of that name; `count` of them. */
  untilEvent(name: EventName, count?: number): Promise<void>;
  send(method: Method["method"], params?: object): void;
  /** Runs a prompt and waits for its turn to end. */
  turn(input: string): Promise<EventData<"turn_end">>;
}

/** Starts an agent and listens to it. */
export function listenTo<Kind extends Agent>(start: (listener: AgentListener) => Kind): LiveAgent<Kind> {
  const parsed: ParsedEvent[] = [];
  const ended = Promise.withResolvers<AgentEnd>();
  const waiting = new Set<() => void>();
  let isOver = false;
  const agent = start({
    onEvents: (news) => {
      assert.ok(news.length > 0 && !isOver);
      for (const one of news) if (one.kind === "event") assert.deepEqual(one.unknownFields, []);
      parsed.push(...news);
      for (const wake of [...waiting]) wake();
    },
    onEnd: (end) => {
      assert.ok(!isOver, "it ends once");
      isOver = true;
      ended.resolve(end);
      for (const wake of [...waiting]) wake();
    },
  });
  const events = (): Event[] => parsed.flatMap((one) => one.kind === "event" ? [one.event] : []);
  const all = <Name extends EventName>(name: Name) =>
    events().flatMap((event) => event.event === name ? [event.data] : []) as EventData<Name>[];
  async function until(what: string, isTrue: () => boolean, withinMs = 20_000): Promise<void> {
    const endMs = performance.now() + withinMs;
    while (!isTrue()) {
      const restMs = endMs - performance.now();
      if (restMs <= 0 || isOver) {
        const told = parsed.slice(-12).map((one) => JSON.stringify(one)).join("\n");
        const end = isOver ? JSON.stringify(await ended.promise) : "running";
        throw new assert.AssertionError({
          message: `Waited for ${what}; last events:\n${told}\n${end}\n${agent.stderrTail().join("\n")}`,
        });
      }
      const { promise, resolve } = Promise.withResolvers<void>();
      waiting.add(resolve);
      const timer = setTimeout(resolve, restMs);
      await promise;
      clearTimeout(timer);
      waiting.delete(resolve);
    }
  }
  return {
    agent,
    parsed,
    ended: ended.promise,
    events,
    all,
    until,
    untilEvent: (name, count = 1) => until(`${count} ${name}`, () => all(name).length >= count),
    send: (method, params = {}) => agent.send({ method, params } as Method),
    turn: async (input) => {
      const count = all("turn_end").length;
      agent.send({ method: "run", params: { input } });
      await until(`the end of ${input}`, () => all("turn_end").length > count, 60_000);
      return all("turn_end")[count] as EventData<"turn_end">;
    },
  };
}

/** The command that plays a file. */
export function replayCommand(file: string): { command: string; args: string[]; cwd: string } {
  return {
    command: Deno.execPath(),
    args: ["run", "--no-config", "--no-lock", "-A", REPLAY_AGENT, file],
    cwd: Deno.cwd(),
  };
}

/** The path of a script of testdata/acp-live. */
export function scriptPath(name: string): string {
  return `${SCRIPTS}${name}.jsonl`;
}

/** Plays a script or a recorded file against the real adapter, and closes the agent when the test is over. */
export async function withReplay(
  file: string,
  test: (live: LiveAgent<AcpAgent>) => Promise<void>,
  options: Partial<AcpOptions> = {},
): Promise<void> {
  const live = listenTo((listener) =>
    startAcpAgent({ ...replayCommand(file), killAfterMs: 500, idPrefix: "live-", ...options }, listener)
  );
  try {
    await test(live);
  } finally {
    await live.agent.close();
  }
}

/** A message the replaying agent was sent. */
export interface Sent {
  readonly id?: unknown;
  readonly method?: string;
  // deno-lint-ignore no-explicit-any
  readonly params?: any;
  readonly result?: unknown;
  readonly error?: { readonly code: number };
}

/** What the client said to a replaying agent, in order; its stderr may come behind its stdout. */
export async function sentTo(live: LiveAgent): Promise<Sent[]> {
  for (let last = ""; last !== (last = live.agent.stderrTail().join("\n"));) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return live.agent.stderrTail().flatMap((line) => line.startsWith("< ") ? [JSON.parse(line.slice(2))] : []);
}

/** All text of the agent's answers. */
export function textOf(live: LiveAgent): string {
  return live.all("text_delta").map((delta) => delta.text).join("");
}
