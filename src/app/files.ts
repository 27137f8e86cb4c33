// Recordings on their way into the client: bytes to inputs. Reading is recordings/source.ts, the formats are
// recordings/detect.ts.

import { parseKeyScript } from "../input/key_script.ts";
import { isFollowing, rowTotals, visibleRows } from "../layout/viewport.ts";
import { detectFormat, formatNamed, RECORDS_LOOKED_AT } from "../recordings/detect.ts";
import { createLineReader, end as endLines, feed as feedLines } from "../recordings/json_lines.ts";
import type { RecordingStep, Translator } from "../recordings/translator.ts";
import type { SnapshotState } from "../screen/snapshot.ts";
import { loadClusterWidths } from "../text/graphemes.ts";
import { loadLineDiff } from "../text/line_diff.ts";
import { loadMarkdown } from "../text/markdown.ts";
import type { ParsedEvent } from "../transcript/event.ts";
import type { Input } from "./effect.ts";
import type { State } from "./state.ts";
import { transcriptHeight } from "./update.ts";

/** The libraries that the first frame does without: with them everything is exact. */
export async function loadLibraries(): Promise<void> {
  await Promise.all([loadMarkdown(), loadClusterWidths(), loadLineDiff()]);
}

/** Turns a recording's bytes into inputs of the client, however the bytes are cut. */
export interface Feed {
  push(bytes: Uint8Array): readonly Input[];
  end(): readonly Input[];
  /** Why nothing of it can be shown; null while all is well. */
  fault(): string | null;
}

/**
 * A feed of the named format, or of the one that the first good records have. `plays`: keys, pastes and sizes that
 * the recording holds are played; else only what the agent said is shown.
 */
export function createFeed(
  format: string | null,
  { plays = false }: { readonly plays?: boolean } = {},
): Feed {
  const lines = createLineReader();
  let translator: Translator | null = null;
  let fault: string | null = null;
  /** Records read before the format was known. */
  const waiting: ReturnType<typeof feedLines>[number][] = [];
  if (format !== null) choose(formatNamed(format));

  function choose(found: ReturnType<typeof formatNamed>): void {
    if (found.kind === "problem") fault = found.what;
    else translator = found.format.create();
  }
  function take(records: ReturnType<typeof feedLines>, isEnd: boolean): Input[] {
    if (translator === null && fault === null) {
      waiting.push(...records);
      const values = waiting.flatMap((record) => record.kind === "value" ? [record.value] : []);
      if (!isEnd && values.length < RECORDS_LOOKED_AT) {
        // A pod's own log says hello on its first line; nothing else needs to be waited for.
        const found = values.length === 0 ? null : detectFormat(values);
        if (found === null || found.kind === "problem") return [];
      }
      choose(detectFormat(values));
      records = waiting.splice(0);
    }
    if (translator === null) return [];
    const inputs = toInputs(records, translator, isEnd);
    return plays ? inputs : inputs.filter((input) => !PLAYED.has(input.kind));
  }
  return {
    push: (bytes) => fault !== null ? [] : take(feedLines(lines, bytes), false),
    end: () =>
      fault !== null
        ? []
        : [...take(endLines(lines), true), ...(fault === null ? [{ kind: "recording_end" } as const] : [])],
    fault: () => fault,
  };
}

const PLAYED: ReadonlySet<Input["kind"]> = new Set(["key", "paste", "resize"]);

/** Events in one input: few enough that a slice of reading can end between two. */
const EVENTS_AT_ONCE = 100;

type LineRecord = ReturnType<typeof feedLines>[number];

function toInputs(records: readonly LineRecord[], translator: Translator, isEnd: boolean): Input[] {
  const inputs: Input[] = [];
  const parsed: ParsedEvent[] = [];
  const flush = () => {
    if (parsed.length > 0) inputs.push({ kind: "events", parsed: parsed.splice(0) });
  };
  const takeStep = (step: RecordingStep) => {
    if (step.kind === "event") {
      parsed.push(step.parsed);
      if (parsed.length >= EVENTS_AT_ONCE) flush();
      return;
    }
    flush();
    inputs.push(...stepInputs(step));
  };
  for (const record of records) {
    if (record.kind === "problem") {
      flush();
      inputs.push({ kind: "file_problem", problem: record });
    } else for (const step of translator.push(record.value, record.line)) takeStep(step);
  }
  if (isEnd) { for (const step of translator.end()) takeStep(step); }
  flush();
  return inputs;
}

function stepInputs(step: Exclude<RecordingStep, { kind: "event" }>): readonly Input[] {
  switch (step.kind) {
    case "problem":
      return [{ kind: "file_problem", problem: { line: step.line, what: step.what } }];
    case "ignored":
      return [{ kind: "ignored", what: step.what }];
    case "size":
      return [{ kind: "resize", columns: step.columns, rows: step.rows }];
    case "paste":
      return [{ kind: "paste", text: step.text, cut: false, endedBy: "marker" }];
    case "key": {
      const script = parseKeyScript(step.key);
      if (script.kind === "problem") {
        return [{ kind: "file_problem", problem: { line: null, what: script.what } }];
      }
      return script.steps.flatMap((one) => one.kind === "key" ? [{ kind: "key", key: one.key }] : []);
    }
    case "method":
      return [];
  }
}

/** What a snapshot's state line says; measures every block. */
export function snapshotState(state: State): SnapshotState {
  const height = transcriptHeight(state);
  const inView = visibleRows(state.layout, state.viewport, height).length;
  const { top, total } = rowTotals(state.layout, state.viewport, height);
  return {
    rowsStart: top,
    rowsEnd: top + inView,
    rowCount: total,
    isFollowing: isFollowing(state.viewport),
    focus: state.focus,
    panel: state.panel?.name ?? null,
  };
}
