// Which format a recording has, by the content of its first good records: a table of formats, each with the
// question whether a record is one of its own. A format's translator is made here and nowhere else.

import { isFields } from "./fields.ts";
import { createAcpTranslator } from "./acp.ts";
import { isRpcMessage } from "./acp_message.ts";
import { createClaudeTranslator, isClaudeRecord } from "./claude.ts";
import { createCodexTranslator, isCodexRecord } from "./codex.ts";
import { createDshTranslator, isDshRecord } from "./dsh.ts";
import { createGeminiTranslator, isGeminiRecord } from "./gemini.ts";
import { createOpencodeTranslator, isOpencodeRecord } from "./opencode.ts";
import { createPiTranslator, isPiRecord } from "./pi.ts";
import { createPodTranslator, isPodRecord } from "./pod_jsonl.ts";
import { createQwenTranslator, isQwenRecord } from "./qwen.ts";
import type { Translator } from "./translator.ts";

/** A format recordings come in. To add one: its translator, a row here, a case in testdata. */
export interface RecordingFormat {
  /** As `--format` takes it. */
  readonly name: string;
  /** What it is, for people. */
  readonly label: string;
  /** True when a JSON value can only be a record of this format. */
  isRecord(value: unknown): boolean;
  create(options?: FormatOptions): Translator;
}

/** How a recording is to be told. Formats without branches need not look at it. */
export interface FormatOptions {
  /** Which branch to show: "all" of them, or the one with that entry in it; the newest without. */
  readonly branch?: string | undefined;
}

/** Known formats. Where several claim the same number of records, the first wins. */
export const FORMATS: readonly RecordingFormat[] = [
  {
    name: "pod-jsonl",
    label: "Pod JSONL, also its older dialect",
    isRecord: isPodRecord,
    create: createPodTranslator,
  },
  { name: "acp", label: "Agent Client Protocol traffic", isRecord: isAcpRecord, create: createAcpTranslator },
  {
    name: "claude",
    label: "Claude Code: session files and stream-json",
    isRecord: isClaudeRecord,
    create: ({ branch } = {}) => createClaudeTranslator({ branch }),
  },
  {
    name: "codex",
    label: "Codex: rollouts and exec --json",
    isRecord: isCodexRecord,
    create: createCodexTranslator,
  },
  {
    name: "pi",
    label: "pi: session files and --mode json",
    isRecord: isPiRecord,
    create: createPiTranslator,
  },
  {
    name: "gemini",
    label: "Gemini CLI: chats, old and new, and -o stream-json",
    isRecord: isGeminiRecord,
    create: createGeminiTranslator,
  },
  { name: "qwen", label: "Qwen Code: chats", isRecord: isQwenRecord, create: createQwenTranslator },
  {
    name: "opencode",
    label: "OpenCode: exports, the older store and run --format json",
    isRecord: isOpencodeRecord,
    create: createOpencodeTranslator,
  },
  {
    name: "dsh",
    label: "DeepSeek Harness: session logs",
    isRecord: isDshRecord,
    create: () => createDshTranslator(),
  },
];

/** A format, or why there is none. */
export type FoundFormat =
  | { readonly kind: "format"; readonly format: RecordingFormat }
  | { readonly kind: "problem"; readonly what: string };

/** How many good records are enough to tell the format from. */
export const RECORDS_LOOKED_AT = 50;

/** The format that most of the first good records belong to. Damaged lines are not among `values`. */
export function detectFormat(values: readonly unknown[]): FoundFormat {
  const seen = values.slice(0, RECORDS_LOOKED_AT);
  let best: RecordingFormat | null = null;
  let most = 0;
  for (const format of FORMATS) {
    const count = seen.filter((value) => format.isRecord(value)).length;
    if (count > most) [best, most] = [format, count];
  }
  if (best !== null) return { kind: "format", format: best };
  const what = seen.length === 0
    ? "it holds no JSON record"
    : `none of its first ${seen.length} records is of a known format`;
  return {
    kind: "problem",
    what: `Cannot tell the recording's format: ${what}; known are ${knownNames()} (--format)`,
  };
}

/** The format of that name. */
export function formatNamed(name: string): FoundFormat {
  const format = FORMATS.find((known) => known.name === name.toLowerCase());
  if (format !== undefined) return { kind: "format", format };
  return { kind: "problem", what: `Cannot read format ${JSON.stringify(name)}: known are ${knownNames()}` };
}

function knownNames(): string {
  return FORMATS.map((format) => format.name).join(", ");
}

function isAcpRecord(value: unknown): boolean {
  return isRpcMessage(isFields(value) && "msg" in value ? value.msg : value);
}
