// `trifold` and `trifold run`: which agent is started, and what is said before the screen is taken.

import type { Agent, AgentEnd, AgentListener } from "../../agents/agent.ts";
import { isInteractive } from "../../screen/terminal.ts";
import type { ParsedEvent } from "../../transcript/event.ts";
import type { Call, Flags } from "../commands.ts";
import { showClient } from "../run.ts";
import { NO_TERMINAL, refuse } from "./refuse.ts";

/** `trifold` and `trifold run`. Returns when the client ended, with its exit code. */
export async function runAgent(call: Call): Promise<number> {
  if (!isInteractive()) return refuse(NO_TERMINAL);
  const prompt = call.words.length === 0 ? null : call.words.join(" ");
  const { agent } = call.flags;
  if (agent !== null && agent !== "demo") {
    return refuse(
      `Cannot start agent "${agent}": only demo is built in; trifold run -- CMD starts any program that speaks pod JSONL`,
      2,
    );
  }
  if (call.rest !== null) {
    const [command, ...args] = call.rest;
    if (command === undefined) return refuse("Cannot start an agent: no command stands behind --", 2);
    const { startJsonlAgent } = await import("../../agents/jsonl.ts");
    const options = { command, args, cwd: Deno.cwd() };
    return await runChild(
      (listener) => startJsonlAgent(options, listener),
      [command, ...args].join(" "),
      call.flags,
    );
  }
  const { startDemoAgent } = await import("../../agents/demo/agent.ts");
  const { installedAgents } = await import("../../agents/known_agents.ts");
  const start = (listener: AgentListener) =>
    startDemoAgent({ cwd: Deno.cwd(), installed: installedAgents() }, listener);
  return await showClient({ kind: "agent", start, prompt }, call.flags);
}

/** Waits until the child said hello: until then each step is a line on the normal screen, and what fails is said there. */
async function runChild(
  start: (listener: AgentListener) => Agent,
  name: string,
  flags: Flags,
): Promise<number> {
  console.error(`starting ${JSON.stringify(name)}`);
  const early: ParsedEvent[] = [];
  const there = Promise.withResolvers<AgentEnd | null>();
  let listener: AgentListener = {
    onEvents: (parsed) => {
      early.push(...parsed);
      for (const one of parsed) {
        if (one.kind !== "event") continue;
        if (one.event.event === "starting") {
          console.error(`${one.event.data.step} ${one.event.data.detail ?? ""}`.trim());
        } else if (one.event.event !== "auth") there.resolve(null);
      }
    },
    onEnd: (end) => there.resolve(end),
  };
  let first: Agent | null = start({
    onEvents: (parsed) => listener.onEvents(parsed),
    onEnd: (end) => listener.onEnd(end),
  });
  const end = await there.promise;
  if (end !== null) {
    const { safeBlockText } = await import("../../text/outside_text.ts");
    const tail = first.stderrTail().slice(-10);
    return refuse(safeBlockText([end.what, ...tail].join("\n")));
  }
  const restart = (later: AgentListener): Agent => {
    if (first === null) return start(later);
    const agent = first;
    first = null;
    listener = later;
    queueMicrotask(() => later.onEvents(early.splice(0)));
    return agent;
  };
  return await showClient({ kind: "agent", start: restart, prompt: null }, flags);
}
