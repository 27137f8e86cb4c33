// A case: a recording in testdata/<name>/ and what is to be seen of it. case.json says what it proves.

import { parseKeyScript, type ScriptStep } from "../../src/input/key_script.ts";
import type { FoldMode } from "../../src/transcript/block.ts";
import { isFile } from "../paths.ts";

/** A moment at which the screen is looked at: after so many lines of events.jsonl (null: all), and then these keys. */
export interface Checkpoint {
  readonly name: string;
  readonly after: number | null;
  readonly keys: readonly ScriptStep[];
  /** The views to print: at the end all of them, elsewhere one. */
  readonly views: readonly View[];
}

export interface View {
  readonly fold: FoldMode;
  readonly width: number;
  readonly height: number;
}

export interface GoldenCase {
  readonly name: string;
  readonly proves: string;
  /** "block": only the named block, as high as it is; "screen": the whole screen. */
  readonly kind: "block" | "screen";
  /** Which block, by kind of block; the last of its kind. */
  readonly block: string;
  readonly recording: boolean;
  readonly checkpoints: readonly Checkpoint[];
  /** The lines of the recording (events.jsonl, or the file that case.json names), line ends included: what is damaged stays damaged. */
  readonly lines: readonly Uint8Array[];
  /** Ways of feeding that this case cannot take, with the reason. */
  readonly not: Readonly<Record<string, string>>;
}

const FOLDS: readonly FoldMode[] = ["detail", "normal", "overview"];
const BLOCK_WIDTHS = [40, 100];
const SCREEN_SIZES: readonly (readonly [number, number])[] = [[40, 20], [80, 24], [120, 40]];
/** Rows of the screen a block case is fed on; the block itself may be higher or lower. */
export const BLOCK_CASE_ROWS = 60;

/** Every case of testdata that has a case.json, by name. */
export function readCases(root: string): readonly GoldenCase[] {
  const names: string[] = [];
  for (const entry of Deno.readDirSync(root)) {
    if (entry.isDirectory && isFile(`${root}/${entry.name}/case.json`)) names.push(entry.name);
  }
  return names.sort().map((name) => readCase(root, name));
}

function readCase(root: string, name: string): GoldenCase {
  const raw = JSON.parse(Deno.readTextFileSync(`${root}/${name}/case.json`)) as Record<string, unknown>;
  const proves = raw.proves;
  if (typeof proves !== "string") {
    throw new Error(`Cannot read case ${name}: "proves" must say what it proves`);
  }
  const kind = raw.kind === "block" ? "block" : "screen";
  const file = typeof raw.file === "string" ? raw.file : "events.jsonl";
  const lines = splitLines(Deno.readFileSync(`${root}/${name}/${file}`));
  const listed = Array.isArray(raw.checkpoints) ? raw.checkpoints as Record<string, unknown>[] : [];
  const checkpoints = listed.map((checkpoint) => readCheckpoint(name, kind, checkpoint));
  if (raw.end !== false) {
    checkpoints.push({ name: "end", after: null, keys: keysOf(name, raw.keys), views: allViews(kind) });
  }
  return {
    name,
    proves,
    kind,
    block: typeof raw.block === "string" ? raw.block : "tool_call",
    recording: raw.recording === true,
    checkpoints,
    lines,
    not: typeof raw.not === "object" && raw.not !== null ? raw.not as Record<string, string> : {},
  };
}

function splitLines(bytes: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = [];
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(0x0a, start);
    const end = newline === -1 ? bytes.length : newline + 1;
    lines.push(bytes.subarray(start, end));
    start = end;
  }
  return lines;
}

function readCheckpoint(name: string, kind: GoldenCase["kind"], raw: Record<string, unknown>): Checkpoint {
  const after = typeof raw.after === "number" ? raw.after : null;
  const wanted = Array.isArray(raw.fold) ? raw.fold : [raw.fold ?? "normal"];
  const folds = FOLDS.filter((mode) => wanted.includes(mode));
  const size = typeof raw.size === "string" ? /^(\d+)x(\d+)$/.exec(raw.size) : null;
  const width = size === null ? 80 : Number(size[1]);
  const height = size === null ? (kind === "block" ? BLOCK_CASE_ROWS : 24) : Number(size[2]);
  return {
    name: String(raw.name),
    after,
    keys: keysOf(name, raw.keys),
    views: folds.map((fold) => ({ fold, width, height })),
  };
}

function keysOf(name: string, keys: unknown): readonly ScriptStep[] {
  if (typeof keys !== "string") return [];
  const script = parseKeyScript(keys);
  if (script.kind === "problem") throw new Error(`Cannot read case ${name}: ${script.what}`);
  return script.steps;
}

function allViews(kind: GoldenCase["kind"]): readonly View[] {
  const sizes = kind === "block"
    ? BLOCK_WIDTHS.map((width) => [width, BLOCK_CASE_ROWS] as const)
    : SCREEN_SIZES;
  return FOLDS.flatMap((fold) => sizes.map(([width, height]) => ({ fold, width, height })));
}
