// The greeting of a session whose records also tell the agent's version, its tools and what it may do.

import { tell, type Telling } from "./telling.ts";

/** What the greeting says beside the telling's own. */
export interface GreetingFacts {
  readonly agent: string;
  readonly tools?: readonly string[] | null;
  readonly scope?: string | null;
}

/** Tells hello and the empty history, unless it was done. */
export function greetAs(telling: Telling, facts: GreetingFacts): void {
  if (telling.greeted) return;
  telling.greeted = true;
  const { sessionId, cwd, provider, model, contextWindow, notes } = telling.greeting;
  tell(telling, "hello", { protocol: "pod-jsonl", version: 1, agent: facts.agent });
  tell(telling, "history", {
    session_id: sessionId,
    status: "idle",
    greeting: {
      pod_name: telling.agent,
      cwd,
      provider,
      model,
      scope_summary: facts.scope ?? null,
      tools: facts.tools == null ? null : [...facts.tools],
      context_window: contextWindow,
      notes: notes.length === 0 ? null : [...notes],
    },
  });
}
