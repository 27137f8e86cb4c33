// Before the screen is taken: the agent must be there. Until then each step of its start is a line on the normal
// screen, and what fails is said there.

import type { Agent, AgentEnd, AgentListener } from "../../agents/agent.ts";
import type { ParsedEvent } from "../../transcript/event.ts";
import { safeBlockText } from "../../text/outside_text.ts";

/** How an agent is started, or come back to. */
export type StartAgent = (listener: AgentListener) => Agent;

export type AwaitedAgent =
  | {
    readonly kind: "there";
    /** The first call hands the agent over, with all it has said; later ones start it again. */
    readonly start: StartAgent;
  }
  /** What is to be said of its end; made safe for a terminal. */
  | { readonly kind: "ended"; readonly what: string };

/** Events that neither say something before the screen is taken, nor show that there is something to draw. */
const QUIET: ReadonlySet<string> = new Set(["hello", "auth", "shutdown"]);
/** Last lines of its stderr that are shown when it fails. */
const TAIL_LINES = 10;

/** Starts an agent and waits for its hello, and for the history right behind it: the first frame is to show it. */
export async function awaitAgent(
  options: {
    readonly first: StartAgent;
    readonly again: StartAgent;
    readonly onStep: (line: string) => void;
  },
): Promise<AwaitedAgent> {
  const early: ParsedEvent[] = [];
  const there = Promise.withResolvers<void>();
  let ended: AgentEnd | null = null;
  let saidHello = false;
  let listener: AgentListener = {
    onEvents: (parsed) => {
      for (const one of parsed) early.push(one);
      for (const one of parsed) {
        const event = one.kind === "event" ? one.event.event : null;
        saidHello ||= event === "hello";
        // A history right behind its hello is waited for; a session that is still to be made is not.
        const isWaiting = saidHello && event === "starting" || wantsLogin(one);
        const step = isWaiting ? null : stepOf(one);
        if (step === null) there.resolve();
        else if (step !== "") options.onStep(safeBlockText(step));
      }
    },
    onEnd: (end) => {
      ended = end;
      there.resolve();
    },
  };
  const agent = options.first({
    onEvents: (parsed) => listener.onEvents(parsed),
    onEnd: (end) => listener.onEnd(end),
  });
  await there.promise;
  const end = ended as AgentEnd | null;
  if (end !== null && (!end.wasThere || end.kind === "no_session")) {
    const lines = [end.what, ...agent.stderrTail().slice(-TAIL_LINES)];
    return { kind: "ended", what: safeBlockText(lines.join("\n")) };
  }
  let isHandedOver = false;
  const start: StartAgent = (later) => {
    if (isHandedOver) return options.again(later);
    isHandedOver = true;
    // What comes until then is kept too: a read that has just ended would otherwise be told before what came earlier.
    queueMicrotask(() => {
      listener = later;
      if (early.length > 0) later.onEvents(early.splice(0));
      if (ended !== null) later.onEnd(ended);
    });
    return agent;
  };
  return { kind: "there", start };
}

/** Only in full screen can a person choose how to log in. Behind a history it is no matter of the start. */
function wantsLogin(parsed: ParsedEvent): boolean {
  return parsed.kind === "event" && parsed.event.event === "auth" && parsed.event.data.methods.length > 0;
}

/** A step of the start as a line, "" for one that says nothing, null when the agent is there. */
function stepOf(parsed: ParsedEvent): string | null {
  if (parsed.kind !== "event") return "";
  const { event } = parsed;
  if (event.event === "starting") return `${event.data.step}: ${event.data.detail ?? ""}`.replace(/: $/, "");
  if (event.event === "error" || event.event === "notification") return event.data.message;
  return QUIET.has(event.event) ? "" : null;
}
