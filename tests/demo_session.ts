// The demo agent in a folder made for the test, without waiting: for its own tests and for journeys.

import assert from "node:assert/strict";
import { type DemoOptions, startDemoAgent } from "../src/agents/demo/agent.ts";
import type { Sleep } from "../src/agents/demo/pace.ts";
import type { Agent, AgentEnd } from "../src/agents/agent.ts";
import type { Event, EventName, ParsedEvent } from "../src/transcript/event.ts";
import type { Method } from "../src/transcript/method.ts";

/** A running demo agent and what came from it. */
export interface Session {
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

/** No waiting at all. */
export const noSleep: Sleep = () => Promise.resolve();
/** Lets other work in, so that what a test sends arrives in the middle of a turn. */
export const yieldingSleep: Sleep = () => new Promise((resolve) => setTimeout(resolve, 0));

/** A demo agent in a folder of its own with these files; closed and removed afterwards. */
export async function withSession(
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
    asks: false,
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

/** The same without a folder of its own. */
export function startSession(options: DemoOptions): Session {
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

/** The events' names. */
export const names = (events: readonly Event[]): EventName[] => events.map((event) => event.event);
/** The same without the pieces of a stream. */
export const withoutDeltas = (events: readonly Event[]): EventName[] =>
  names(events).filter((name) => !name.endsWith("_delta"));
