// Agents that a session of Codex started: each has a rollout of its own, whose name ends with its thread's id. The
// session's records tell which call started which thread.

import { type Fields, fieldsOf, firstText } from "./fields.ts";
import { agentThreads, threadOfPath } from "./nested_files.ts";
import { createNesting } from "./nested_steps.ts";
import type { RecordingStep, Translator } from "./translator.ts";

/** Finds the call of each agent, and tells its rollout inside. */
export interface CodexChildren {
  /** Looks at a record of the session. */
  see(payload: Fields): void;
  /** What tells the lines of that file. */
  of(name: string): Translator;
  end(): readonly RecordingStep[];
}

/** For the agents of one session; `create` makes a translator for a rollout. */
export function createCodexChildren(create: () => Translator): CodexChildren {
  const calls = new Map<string, string>();
  const children = new Map<string, Translator>();
  return {
    see: (payload) => {
      const call = firstText(payload.call_id);
      if (call === null) return;
      const named = firstText(payload.new_thread_id)?.toLowerCase() ?? agentIn(payload.output);
      if (named !== null && !calls.has(named)) calls.set(named, call);
    },
    of: (name) => {
      let child = children.get(name);
      if (child === undefined) {
        const thread = threadOfPath(name) ?? "";
        const session = create();
        const nest = createNesting(calls.get(thread) ?? "nested-agent");
        child = { push: (value, line) => nest(session.push(value, line)), end: () => nest(session.end()) };
        children.set(name, child);
      }
      return child;
    },
    end: () => [...children.values()].flatMap((child) => child.end()),
  };
}

/** Output of a call that starts an agent is short: its id and its name. */
const LONGEST_OUTPUT = 1000;

function agentIn(output: unknown): string | null {
  const text = firstText(output, fieldsOf(output).content);
  if (text === null || text.length > LONGEST_OUTPUT) return null;
  return agentThreads(text)[0] ?? null;
}
