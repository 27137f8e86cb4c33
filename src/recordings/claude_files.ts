// Which call of a Claude Code session began a sub-agent: newer versions keep each one's records in a file of its own,
// `<id>/subagents/agent-<agent>.jsonl`. How such files are told by their names is nested_files.ts.

import { type Fields, fieldsOf, firstText, isFields, listOf } from "./fields.ts";
import { contentText } from "./recorded_content.ts";

/** Calls that begin sub-agents, found while a session's records go by. */
export interface SubagentCalls {
  /** Looks at one record of the session. */
  see(record: unknown): void;
  /**
   * The call an agent belongs to: told by the call's result, else by the prompt its file begins with. Null when
   * neither is there. Give it as `parentId` to createClaudeTranslator for the agent's file, and feed those steps
   * behind the session's own: the transcript puts them inside the call.
   */
  callOf(agentId: string, firstRecord: unknown): string | null;
}

/** Collects the calls that begin sub-agents. */
export function createSubagentCalls(): SubagentCalls {
  const byAgent = new Map<string, string>();
  const byPrompt = new Map<string, string>();
  return {
    see: (value) => {
      const record = fieldsOf(value);
      const blocks = listOf(fieldsOf(record.message).content).filter(isFields);
      for (const block of blocks) seeBlock(block, fieldsOf(record.toolUseResult));
    },
    callOf: (agentId, firstRecord) => {
      const prompt = contentText(fieldsOf(fieldsOf(firstRecord).message).content)?.trim() ?? "";
      return byAgent.get(agentId) ?? byPrompt.get(prompt) ?? null;
    },
  };

  function seeBlock(block: Fields, structured: Fields): void {
    if (block.type === "tool_use" && (block.name === "Task" || block.name === "Agent")) {
      const id = firstText(block.id);
      const prompt = firstText(fieldsOf(block.input).prompt)?.trim() ?? "";
      if (id !== null && prompt !== "") byPrompt.set(prompt, id);
    }
    const agent = firstText(structured.agentId);
    const call = block.type === "tool_result" ? firstText(block.tool_use_id) : null;
    if (agent !== null && call !== null) byAgent.set(agent, call);
  }
}
