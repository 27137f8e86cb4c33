// An agent's first words, until a session can be shown: hello, and the history it begins with. Agents say these in
// several ways; what comes out is always one hello and one history.

import * as v from "valibot";
import { type Event, EVENT_SCHEMAS, type EventData } from "../transcript/event.ts";
import type { MethodName } from "../transcript/method.ts";

/** What became of an event that came before the session was open. */
export type OpeningStep =
  /** Only those who wait for the agent need it: a step of its start. */
  | "early"
  /** Held until the opening is whole. */
  | "held"
  /** It has said hello, and its session is still being made: a step for those who wait, and no end of the waiting. */
  | "making"
  /** Told while the session was being made; it belongs behind the session's beginning. */
  | "later"
  /** The opening is whole, and this event is part of it. */
  | "whole"
  /** The opening is whole, and this event already follows it. */
  | "follows";

/** Methods that need no agent. */
const WITHOUT_AGENT: ReadonlySet<MethodName> = new Set(["shutdown", "keep_draft"]);
/** Methods that an agent takes while it makes its session. */
const WHILE_MAKING: ReadonlySet<MethodName> = new Set(["authenticate", "cancel"]);
const EMPTY = v.parse(EVENT_SCHEMAS.history, {});

export class Opening {
  #hello: EventData<"hello"> | null = null;
  #history: EventData<"history"> | null = null;
  /** Older items of a history that comes in pages. */
  #older: readonly unknown[] = [];
  /** It has told of a step behind its hello: its session may take long, and a login. */
  #isMaking = false;
  #wantsLogin = false;
  /** Somebody has chosen a way to log in since they were listed. */
  #isLoggingIn = false;

  /** Steps of the start so far, for clients that come while it lasts. */
  readonly early: Event[] = [];

  keep(events: readonly Event[]): void {
    for (const event of events) {
      // Ways to log in are listed again after each try.
      const before = event.event === "auth" ? this.early.findIndex((one) => one.event === "auth") : -1;
      if (before !== -1) this.early.splice(before, 1);
      this.early.push(event);
    }
  }

  /** The ways to log in that were listed before the session, and that nobody has chosen from. */
  get openLogin(): Event | null {
    return this.#isLoggingIn ? null : this.early.find((event) => event.event === "auth") ?? null;
  }

  /** Whether a method can be carried out though there is no session yet. */
  takeMethod(method: MethodName): boolean {
    this.#isLoggingIn ||= method === "authenticate";
    return WITHOUT_AGENT.has(method) || (this.isMaking || this.#wantsLogin) && WHILE_MAKING.has(method);
  }

  /** True while its session is being made. */
  get isMaking(): boolean {
    return this.#isMaking && this.#history === null;
  }

  /** True when it has said hello: it is there, though its history may still come. */
  get isThere(): boolean {
    return this.#hello !== null || this.#history !== null;
  }

  /** True when anybody who waited for the agent can have seen it: it has said hello, or wants a login. */
  get isSeen(): boolean {
    return this.isThere || this.#wantsLogin;
  }

  take(event: Event): OpeningStep {
    switch (event.event) {
      case "hello":
        this.#hello = event.data;
        return "held";
      case "history":
        this.#history = event.data;
        return event.data.more_before === null || event.data.more_before <= 0 ? "whole" : "held";
      case "history_page":
        this.#older = [...event.data.items ?? [], ...this.#older];
        return event.data.more_before === null || event.data.more_before <= 0 ? "whole" : "held";
      case "starting":
        this.#isMaking ||= this.#hello !== null;
        return this.#early();
      case "auth":
        this.#wantsLogin = true;
        this.#isLoggingIn = false;
        return this.#early();
      case "error":
        return this.#early();
      case "notification":
        return this.isMaking ? "later" : "follows";
      default:
        return "follows";
    }
  }

  /** What is a step of the start, or of the session's making. */
  #early(): OpeningStep {
    return !this.isThere ? "early" : this.isMaking ? "making" : "follows";
  }

  /** The beginning of the session: `agent` where it has not named itself. */
  hello(agent: string): EventData<"hello"> {
    const said = this.#hello;
    return {
      protocol: "pod-jsonl",
      version: 1,
      agent: said === null || said.agent === "" ? agent : said.agent,
      // Every pod has it, whatever its agent can do.
      capabilities: [...new Set([...(said?.capabilities ?? []), "history"])],
    };
  }

  /** The history the session begins with; empty for a new one. */
  history(sessionId: string, createdMs: number): EventData<"history"> {
    const said = this.#history ?? EMPTY;
    return {
      ...said,
      session_id: said.session_id ?? sessionId,
      through_seq: null,
      state: { ...said.state, created_ms: createdMs, queue: [], draft: null },
      items: [...this.#older, ...(said.items ?? [])],
      more_before: null,
    };
  }

  /** What the agent says of itself that is no block: for a session whose blocks stand in the log. */
  get state(): Readonly<Record<string, unknown>> {
    return this.#history?.state ?? {};
  }

  /** Whether the agent brought a past of its own. */
  get hasPast(): boolean {
    return this.#older.length > 0 || (this.#history?.items ?? []).length > 0;
  }
}
