// One ACP tool call as far as the agent has told it, and the patching of it: absent field = keep, list = replace
// (ACP tool_call_update). What it shows as is decided in acp_tools.ts, its events in acp_calls.ts.

import { contentDiffs, type FileDiff } from "./acp_content.ts";
import {
  fieldAt,
  type Fields,
  fieldsList,
  fieldsOf,
  firstText,
  isFields,
  numberOf,
  textOf,
} from "./fields.ts";

export type CardStatus = "pending" | "in_progress" | "completed" | "failed";

/** A tool call as told so far. */
export interface AcpCard {
  readonly id: string;
  /** Number of the newest turn when it began. */
  readonly turn: number;
  /** True when it began while no turn was open: no turn's end closes it. */
  readonly isStray: boolean;
  /** The call whose nested agent made it. */
  readonly parent: string | null;
  /** The tool's own name, where the agent gives one. */
  toolName: string | null;
  title: string;
  kind: string;
  status: CardStatus;
  rawInput: unknown;
  rawOutput: unknown;
  content: readonly Fields[];
  /** True when the content came once the call ran: before that it describes the call. */
  contentIsOutput: boolean;
  /** The last diffs told; content that replaces them does not take them away. */
  diffs: readonly FileDiff[];
  locations: readonly Fields[];
  cwd: string | null;
  /** True once output came in terminal increments (ACP extension `_meta.terminal_output`). */
  hasTerminal: boolean;
  /** The end of the terminal's output, and its newlines so far. */
  terminalEnd: string;
  terminalNewlines: number;
  exitCode: number | null;
  signal: string | null;
  /** Output given so far of a text the agent sends whole each time. */
  streamed: string;
  /** Name and arguments as last told, and the card with them, so that only changes are told. */
  toldCall: string;
  toldCard: string;
  /** Arguments told while they grow. */
  toldArguments: string;
  started: boolean;
  finished: boolean;
  /** The person refused it. */
  denied: boolean;
}

/** A call nothing is known of but its id. */
export function createCard(
  id: string,
  place: { turn: number; isStray: boolean; parent: string | null },
): AcpCard {
  return {
    id,
    ...place,
    toolName: null,
    title: "",
    kind: "other",
    status: "pending",
    rawInput: undefined,
    rawOutput: undefined,
    content: [],
    contentIsOutput: false,
    diffs: [],
    locations: [],
    cwd: null,
    hasTerminal: false,
    terminalEnd: "",
    terminalNewlines: 0,
    exitCode: null,
    signal: null,
    streamed: "",
    toldCall: "",
    toldCard: "",
    toldArguments: "",
    started: false,
    finished: false,
    denied: false,
  };
}

const RANK: Readonly<Record<CardStatus, number>> = { pending: 0, in_progress: 1, completed: 2, failed: 2 };

/** True for a call the agent says is over. */
export function isOver(card: AcpCard): boolean {
  return RANK[card.status] === 2;
}

/** The arguments as fields; none when they are no object. */
export function inputOf(card: AcpCard): Fields {
  return fieldsOf(card.rawInput);
}

/** True once the agent gave arguments with something in them. */
export function hasInput(card: AcpCard): boolean {
  return isFields(card.rawInput) ? Object.keys(card.rawInput).length > 0 : card.rawInput !== undefined;
}

/**
 * Patches the card. A status never goes back (Codex asks for permission with "pending" while the card runs), and a
 * permission request (`asking`) does not replace arguments already told: Codex quotes them anew there.
 */
export function patchCard(card: AcpCard, update: Fields, asking: boolean): void {
  const status = textOf(update.status);
  if (status !== null && Object.hasOwn(RANK, status) && RANK[status as CardStatus] >= RANK[card.status]) {
    card.status = status as CardStatus;
  }
  const given = update.rawInput ?? undefined;
  if (given !== undefined && !(asking && hasInput(card))) card.rawInput = given;
  card.rawOutput = update.rawOutput ?? card.rawOutput;
  card.toolName = firstText(
    update.name,
    fieldAt(update, "_meta", "claudeCode", "toolName"),
    fieldAt(update, "_meta", "toolName"),
    fieldAt(card.rawOutput, "toolName"),
  ) ?? card.toolName;
  card.title = firstText(update.title) ?? card.title;
  card.kind = firstText(update.kind) ?? card.kind;
  card.cwd = firstText(fieldAt(update, "_meta", "terminal_info", "cwd"), inputOf(card).cwd) ?? card.cwd;
  if (Array.isArray(update.locations)) card.locations = fieldsList(update.locations);
  if (Array.isArray(update.content)) {
    card.content = fieldsList(update.content);
    card.contentIsOutput = !asking && card.status !== "pending";
    const diffs = contentDiffs(card.content);
    if (diffs.length > 0) card.diffs = diffs;
  }
}

/** Path of the file the call is about, from its arguments, locations or diffs. */
export function pathOf(card: AcpCard): string | null {
  const input = inputOf(card);
  return firstText(
    input.file_path,
    input.filePath,
    input.path,
    input.absolute_path,
    input.filepath,
    card.locations[0]?.path,
    card.diffs[0]?.path,
  );
}

/** Line the call begins at, where its first location says more than "the top". */
export function lineOf(card: AcpCard): number | null {
  const line = numberOf(card.locations[0]?.line);
  return line === null || line <= 1 ? null : line;
}
