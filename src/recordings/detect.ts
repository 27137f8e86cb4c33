// Which format a recording has, by the content of its first good records: a table of formats, each with the
// question whether a record is one of its own. All of them are loaded for it; likely_format.ts does without.

import { FORMAT as ACP } from "./acp.ts";
import { FORMAT as CLAUDE } from "./claude.ts";
import { FORMAT as CODEX } from "./codex.ts";
import { FORMAT as DSH } from "./dsh.ts";
import type { RecordingFormat } from "./format.ts";
import { FORMAT as GEMINI } from "./gemini.ts";
import { RECORDS_LOOKED_AT } from "./likely_format.ts";
import { FORMAT as OPENCODE } from "./opencode.ts";
import { FORMAT as PI } from "./pi.ts";
import { FORMAT as POD_JSONL } from "./pod_jsonl.ts";
import { FORMAT as QWEN } from "./qwen.ts";

/** Known formats. Where several claim the same number of records, the first wins. */
export const FORMATS: readonly RecordingFormat[] = [
  POD_JSONL,
  ACP,
  CLAUDE,
  CODEX,
  PI,
  GEMINI,
  QWEN,
  OPENCODE,
  DSH,
];

/** A format, or why there is none. */
export type FoundFormat =
  | { readonly kind: "format"; readonly format: RecordingFormat }
  | { readonly kind: "problem"; readonly what: string };

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
