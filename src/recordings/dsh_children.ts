// Sessions of nested agents in DeepSeek Harness: each has a log of its own, `session.<n>.jsonl`, and nothing in it
// names the call that began it. The prompt does: it is in that call's arguments.

import { fieldAt, type Fields, fieldsOf, textOf } from "./fields.ts";
import { blocksText } from "./acp_content.ts";
import { createNesting } from "./nested_steps.ts";
import type { ToldCall } from "./telling_calls.ts";
import type { RecordingStep, Translator } from "./translator.ts";

/** Calls that can begin a nested agent. */
const STARTERS: ReadonlySet<string> = new Set(["subagent", "workflow", "task", "agent"]);

/** A session told inside a call. */
export function createNested(session: Translator, parentId: string): Translator {
  const nest = createNesting(parentId);
  return {
    push: (value, line) => nest(session.push(value, line)),
    end: () => nest(session.end()),
  };
}

/** Finds the call of each nested agent as its first message comes. */
export function createDshChildren(
  calls: ReadonlyMap<string, ToldCall>,
): { begin(session: Translator): Translator } {
  const taken = new Set<ToldCall>();
  return {
    begin: (session) => {
      let nest: ReturnType<typeof createNesting> | null = null;
      const held: RecordingStep[] = [];
      const settle = (prompt: string): readonly RecordingStep[] => {
        const call = callFor(calls, taken, prompt);
        if (call !== null) taken.add(call);
        nest = createNesting(call?.id ?? "nested-agent");
        return nest(held.splice(0));
      };
      return {
        push: (value, line) => {
          const steps = session.push(value, line);
          if (nest !== null) return nest(steps);
          for (const one of steps) held.push(one);
          const prompt = promptOf(fieldsOf(value));
          return prompt === null
            ? [{ kind: "ignored", what: "state of a nested agent", line }]
            : settle(prompt);
        },
        end: () => {
          held.push(...nest === null ? session.end() : []);
          return nest === null ? settle("") : nest(session.end());
        },
      };
    },
  };
}

/** The person's message that begins a session, which for a nested agent is its prompt. */
function promptOf(record: Fields): string | null {
  if (record.type !== "user/message") return null;
  const data = fieldsOf(record.data);
  if ((textOf(fieldAt(data.source, "kind")) ?? "user") !== "user") return null;
  return blocksText(fieldsOf(data.message ?? data).content).trim();
}

function callFor(
  calls: ReadonlyMap<string, ToldCall>,
  taken: ReadonlySet<ToldCall>,
  prompt: string,
): ToldCall | null {
  const starters = [...calls.values()].filter((call) => STARTERS.has(call.name));
  const free = starters.filter((call) => !taken.has(call));
  const quoted = JSON.stringify(prompt).slice(1, -1);
  const names = (call: ToldCall) => quoted !== "" && JSON.stringify(call.args).includes(quoted);
  // One workflow may begin several agents; two calls may have the same prompt.
  return free.find(names) ?? starters.find(names) ?? free[0] ?? null;
}
