// session/update: which function takes which kind of update. A kind that is not here is counted, never fatal.

import { takeCall } from "./acp_calls.ts";
import { takeCompaction, takeCompactionSummary, takeSessionMessage, takeSubagent } from "./acp_children.ts";
import { takePlan, takePlanUpdate } from "./acp_plan.ts";
import { takeCommands, takeConfigOptions, takeMode, takeSessionInfo } from "./acp_session.ts";
import { type AcpState, countUnknown, emit, ignore } from "./acp_state.ts";
import { closeBlocks, takeMessageChunk, takeThoughtChunk } from "./acp_text.ts";
import { ensureStep, takeUserChunk } from "./acp_turn.ts";
import { takeStepUsage, takeUsageUpdate } from "./acp_usage.ts";
import { fieldAt, type Fields, fieldsOf, firstText, rowOf, textOf } from "./fields.ts";

interface UpdateKind {
  /** True for what a conversation consists of: left out where a replay is not wanted, nested for a child session. */
  readonly isContent: boolean;
  readonly take: (state: AcpState, update: Fields, parent: string | null) => void;
}

const UPDATES: Readonly<Record<string, UpdateKind>> = {
  user_message_chunk: { isContent: true, take: takeUserChunk },
  agent_message_chunk: {
    isContent: true,
    take: (state, update, parent) => {
      if (takeStepUsage(state, update) && fieldAt(update, "content", "text") === "") return;
      if (parent === null) ensureStep(state);
      takeMessageChunk(state, update, nestedIn(update) ?? parent);
    },
  },
  agent_thought_chunk: {
    isContent: true,
    take: (state, update, parent) => {
      if (parent === null) ensureStep(state);
      takeThoughtChunk(state, update, nestedIn(update) ?? parent);
    },
  },
  tool_call: {
    isContent: true,
    take: (state, update, parent) => {
      if (parent === null) ensureStep(state);
      takeCall(state, update, { way: "announce", parent });
    },
  },
  tool_call_update: {
    isContent: true,
    take: (state, update, parent) => void takeCall(state, update, { way: "update", parent }),
  },
  plan: { isContent: true, take: takePlan },
  plan_update: { isContent: true, take: takePlanUpdate },
  plan_removed: { isContent: true, take: takePlanUpdate },
  available_commands_update: { isContent: false, take: takeCommands },
  current_mode_update: {
    isContent: false,
    take: (state, update) => takeMode(state, textOf(update.currentModeId)),
  },
  config_option_update: { isContent: false, take: takeConfigOptions },
  session_info_update: { isContent: false, take: takeSessionInfo },
  usage_update: { isContent: false, take: takeUsageUpdate },
  notice: { isContent: true, take: takeNotice },
  compaction_update: { isContent: true, take: takeCompaction },
  compaction_summary_chunk: { isContent: true, take: takeCompactionSummary },
  subagent_update: { isContent: true, take: takeSubagent },
  session_message: { isContent: true, take: takeSessionMessage },
  session_message_chunk: { isContent: true, take: takeSessionMessage },
};

/** Takes the params of session/update. */
export function takeUpdate(state: AcpState, params: Fields): void {
  const update = fieldsOf(params.update);
  const name = textOf(update.sessionUpdate) ?? "";
  const kind = rowOf(UPDATES, name);
  if (kind === null) return countUnknown(state, `session/update ${name}`);
  const session = firstText(params.sessionId);
  const isOwn = session === null || state.sessionId === null || session === state.sessionId;
  const parent = isOwn ? null : state.children.get(session);
  if (parent === undefined) return ignore(state, "update of another session");
  if (parent !== null && !kind.isContent) return ignore(state, "state of a child session");
  if (kind.isContent && state.replaying && state.options.replay === "drop") return ignore(state, "replayed");
  kind.take(state, update, parent);
}

const LEVELS: Readonly<Record<string, "info" | "warn" | "error">> = {
  info: "info",
  warning: "warn",
  error: "error",
};

function takeNotice(state: AcpState, update: Fields, parent: string | null): void {
  closeBlocks(state);
  const message = [firstText(update.title), firstText(update.description)].filter((part) => part !== null)
    .join("\n");
  emit(state, "notification", {
    level: rowOf(LEVELS, update.severity) ?? "info",
    source: state.agent.title,
    message,
    parent_id: parent,
  });
}

/** The call whose nested agent says this (Claude's adapter). */
function nestedIn(update: Fields): string | null {
  return firstText(fieldAt(update, "_meta", "claudeCode", "parentToolUseId"));
}
