// For tests of this folder: recorded streams, and a transcript without what may differ between live and restored
// ones (ids and versions).

import type { Block, Transcript, Turn } from "./block.ts";
import { type Event, parseEvent } from "./event.ts";
import { longTextString } from "./long_text.ts";
import { applyEvent, applyParsed, createTranscript } from "./reduce.ts";
import type { ToolCall } from "./tool_call.ts";

const TESTDATA = new URL("../../testdata/", import.meta.url);

/** The recorded streams of this folder's tests, by name. */
export const STREAMS = [
  "parallel-tools",
  "reads-and-edits",
  "shell-output",
  "turn-ends",
  "compaction",
  "nested-agents",
  "questions-and-state",
  "steering",
  "in-flight",
  "odd-order",
] as const;

/** The values of a recorded stream, one a line. */
export function streamValues(name: string): Record<string, unknown>[] {
  const text = Deno.readTextFileSync(new URL(`${name}/events.jsonl`, TESTDATA));
  return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** The same as events; the streams hold only good ones. */
export function streamEvents(name: string): Event[] {
  return streamValues(name).map(eventOf);
}

/** A value as an event; throws where it is none, which in a test is a mistake of the test. */
export function eventOf(value: unknown): Event {
  const parsed = parseEvent(value);
  if (parsed.kind !== "event") {
    throw new Error(`Not an event: ${JSON.stringify(value)} (${JSON.stringify(parsed)})`);
  }
  return parsed.event;
}

/** A transcript to which those events were applied. */
export function transcriptOf(events: readonly Event[]): Transcript {
  const transcript = createTranscript();
  for (const event of events) applyEvent(transcript, event);
  return transcript;
}

/** Applies events written short: name and data. */
export function feed(
  transcript: Transcript,
  ...events: readonly (readonly [name: string, data?: unknown])[]
): Transcript {
  for (const [event, data] of events) applyParsed(transcript, parseEvent({ event, data: data ?? {} }));
  return transcript;
}

/** Everything a person could see of the blocks. */
export function plainBlocks(transcript: Transcript): unknown[] {
  return transcript.blocks.map((block) => plainBlock(transcript, block));
}

/** Blocks, turns and the state beside them. */
export function plainTranscript(transcript: Transcript): unknown {
  const {
    blocks: _blocks,
    turns,
    files,
    changes: _changes,
    counts,
    lastSeq: _lastSeq,
    work: _work,
    wantsHistory: _w,
    ...rest
  } = transcript as Transcript & { work: unknown };
  return {
    ...rest,
    blocks: plainBlocks(transcript),
    turns: turns.map(plainTurn),
    files: [...files.files].sort(([a], [b]) => a < b ? -1 : 1),
    counts: { events: counts.events, turns: counts.turns, steps: counts.steps, toolCalls: counts.toolCalls },
  };
}

function plainBlock(transcript: Transcript, block: Block): unknown {
  const { id: _id, version: _version, turn, parent: _parent, ...rest } = block;
  const turnIndex = turn === null ? null : transcript.turns.indexOf(turn);
  if (rest.kind !== "tool_call") return { ...rest, turnIndex };
  return { ...rest, turnIndex, calls: rest.calls.map((call) => plainCall(transcript, call)) };
}

function plainCall(transcript: Transcript, call: ToolCall): unknown {
  return {
    id: call.id,
    name: call.name,
    stage: call.stage,
    args: longTextString(call.args),
    argsFixed: call.argsFixed,
    input: call.input,
    summary: call.summary,
    output: call.output === null ? null : longTextString(call.output),
    presentation: call.presentation,
    writeLabel: call.writeLabel,
    changes: call.changes,
    late: call.late,
    secondResultIgnored: call.secondResultIgnored,
    incompleteReason: call.incompleteReason,
    children: call.children.map((child) => plainBlock(transcript, child)),
  };
}

function plainTurn(turn: Turn): unknown {
  const { header: _header, usage, ...rest } = turn;
  return { ...rest, usage: [...usage].sort(([a], [b]) => a - b) };
}

/** One short line a block, nested ones indented: what the tests of the event flow read. */
export function outline(transcript: Transcript): string[] {
  return transcript.blocks.flatMap((block) => blockOutline(block, ""));
}

function blockOutline(block: Block, indent: string): string[] {
  const dimmed = block.replaced ? "~" : "";
  return [`${indent}${dimmed}${oneLine(block)}`, ...childOutline(block, indent + "  ")];
}

function childOutline(block: Block, indent: string): string[] {
  if (block.kind !== "tool_call") return [];
  return block.calls.flatMap((call) => call.children.flatMap((child) => blockOutline(child, indent)));
}

function oneLine(block: Block): string {
  switch (block.kind) {
    case "greeting":
      return `greeting ${block.greeting.pod_name}`;
    case "turn_header":
      return `# ${block.number}${block.changedModel === null ? "" : ` ${block.changedModel}`}`;
    case "user_message":
      return `${block.messageKind === "run" ? ">" : ">>"} ${block.text}${
        block.confirmed ? "" : " (unconfirmed)"
      }`;
    case "assistant_text":
      return `text ${block.text}${block.done ? "" : "..."}`;
    case "reasoning":
      return `reasoning ${block.text}${block.done ? "" : "..."}`;
    case "tool_call":
      return block.calls.map(callOutline).join(" + ");
    case "notification":
      return `${block.level}: ${block.message}`;
    case "question":
      return `question ${block.batchId} ${block.closed?.reason ?? "open"}`;
    case "compact":
      return `compact ${block.stage}`;
    case "marker":
      return `marker ${block.replacedBlocks}`;
    case "turn_stats":
      return `= ${block.result}${block.message === null ? "" : ` (${block.message})`}`;
  }
}

function callOutline(call: ToolCall): string {
  const output = call.output === null ? "" : ` [${longTextString(call.output)}]`;
  const marks = [call.late ? "late" : "", call.secondResultIgnored ? "second result ignored" : ""]
    .filter((mark) => mark !== "").map((mark) => ` (${mark})`).join("");
  return `${call.name} ${call.id} ${call.stage}${
    call.args.length === 0 ? "" : ` ${longTextString(call.args)}`
  }${output}${marks}`;
}

/** Lines as a Read numbers them. */
export function numbered(lines: readonly string[], first = 1): string {
  return lines.map((line, index) => `${String(first + index).padStart(6)}\t${line}\n`).join("");
}
