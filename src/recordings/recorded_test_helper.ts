// For tests of recorded formats: records fed to a translator and a transcript, and what must hold of any of them.

import assert from "node:assert/strict";
import type { Block, ToolBlock, Transcript } from "../transcript/block.ts";
import { longTextString } from "../transcript/long_text.ts";
import { applyParsed, createTranscript } from "../transcript/reduce.ts";
import { isFinal, type ToolCall } from "../transcript/tool_call.ts";
import type { RecordingStep, Translator } from "./translator.ts";

const TESTDATA = new URL("../../testdata/", import.meta.url);

export interface Played {
  readonly records: readonly unknown[];
  /** Steps of each record; those of end() are the last. */
  readonly steps: readonly (readonly RecordingStep[])[];
  readonly transcript: Transcript;
}

/** The records of a case in testdata. */
export function caseRecords(name: string): unknown[] {
  return readRecords(new URL(`${name}/events.jsonl`, TESTDATA));
}

/** The records of a JSONL file; lines that are no JSON are left out. */
export function readRecords(path: URL | string): unknown[] {
  return Deno.readTextFileSync(path).split("\n").filter((line) => line.trim() !== "").flatMap((line) => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}

/** Files of the samples folder below `name`; null when TRIFOLD_SAMPLES is not set. */
export function sampleFiles(name: string): string[] | null {
  const root = Deno.env.get("TRIFOLD_SAMPLES");
  if (root === undefined || root === "") return null;
  const found: string[] = [];
  const waiting = [`${root}/${name}`];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of Deno.readDirSync(folder)) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory) waiting.push(path);
      else if (path.endsWith(".jsonl")) found.push(path);
    }
  }
  return found.sort();
}

/** Feeds all records, checking what must hold behind every turn's end. */
export function play(name: string, translator: Translator, records: readonly unknown[]): Played {
  const transcript = createTranscript();
  const steps = records.map((record, index) => translator.push(record, index + 1));
  steps.push(translator.end());
  steps.forEach((some, index) => {
    for (const step of some) {
      if (step.kind !== "event") continue;
      applyParsed(transcript, step.parsed);
      const isEnd = step.parsed.kind === "event" && step.parsed.event.event === "turn_end";
      if (!isEnd) continue;
      for (const call of callsOf(transcript.blocks)) {
        assert.ok(isFinal(call.stage), `${name}:${index + 1}: ${call.name} is ${call.stage} behind its turn`);
      }
    }
  });
  return { records, steps, transcript };
}

/** The reason of a record that its format reads and that says nothing new: real files should have none. */
const WITHOUT_NEWS = "record without news";

/** Every record gave a step, every step is an event that is known, or says why nothing is shown. */
export function checkAccounted(name: string, played: Played, isReal = true): void {
  played.records.forEach((record, index) => {
    const place = `${name}:${index + 1}`;
    const steps = played.steps[index] ?? [];
    assert.ok(steps.length > 0, `${place} gave nothing: ${JSON.stringify(record).slice(0, 200)}`);
    for (const step of steps) checkStep(place, step, isReal);
  });
  for (const step of played.steps.at(-1) ?? []) checkStep(`${name}:end`, step, isReal);
}

function checkStep(place: string, step: RecordingStep, isReal: boolean): void {
  if (step.kind === "ignored") {
    if (isReal) assert.notEqual(step.what, WITHOUT_NEWS, place);
    assert.ok(step.what !== "" && step.what.length < 100, place);
    return;
  }
  assert.equal(step.kind, "event", `${place}: ${JSON.stringify(step)}`);
  if (step.kind !== "event") return;
  assert.equal(step.parsed.kind, "event", `${place}: ${JSON.stringify(step.parsed)}`);
  if (step.parsed.kind === "event") assert.deepEqual(step.parsed.unknownFields, [], place);
}

/** How often each reason was given. */
export function reasonsOf(played: Played): Map<string, number> {
  const counts = new Map<string, number>();
  for (const step of played.steps.flat()) {
    if (step.kind === "ignored") counts.set(step.what, (counts.get(step.what) ?? 0) + 1);
  }
  return counts;
}

/** All blocks, nested ones behind the call that holds them. */
export function allBlocks(blocks: readonly Block[]): Block[] {
  return blocks.flatMap((block) =>
    block.kind === "tool_call" ? [block, ...block.calls.flatMap((call) => allBlocks(call.children))] : [block]
  );
}

export function callsOf(blocks: readonly Block[]): ToolCall[] {
  return allBlocks(blocks).filter((block): block is ToolBlock => block.kind === "tool_call").flatMap((
    block,
  ) => block.calls);
}

/** Texts of all blocks of that kind. */
export function textsOf(
  transcript: Transcript,
  kind: "assistant_text" | "reasoning" | "user_message",
): string[] {
  return allBlocks(transcript.blocks).flatMap((block) => block.kind === kind ? [block.text] : []);
}

/** What a call printed; "" for nothing. Cards show their Markdown instead. */
export function outputOf(call: ToolCall): string {
  if (call.output !== null) return longTextString(call.output);
  return (call.presentation?.body ?? []).map((part) => part.type === "markdown" ? part.text : "").join("");
}

/** Blocks as a person could tell them apart. */
export function summaryOf(transcript: Transcript): string[] {
  return lines(transcript.blocks, "");
}

function lines(blocks: readonly Block[], indent: string): string[] {
  return blocks.flatMap((block): string[] => {
    switch (block.kind) {
      case "greeting":
        return [`${indent}greeting ${block.agent} ${block.greeting.cwd ?? ""}`.trimEnd()];
      case "turn_header":
        return [`${indent}turn ${block.number ?? "-"}`];
      case "user_message":
        return [`${indent}${block.messageKind}: ${block.text}`];
      case "assistant_text":
        return [`${indent}text: ${block.text}`];
      case "reasoning":
        return [`${indent}thought: ${block.text}`];
      case "notification":
        return [`${indent}${block.level}: ${block.message}`];
      case "question":
        return [
          `${indent}question ${block.questions.map((one) => one.text).join("; ")} -> ${
            block.closed === null
              ? "open"
              : `${block.closed.reason} ${
                block.closed.answers.flatMap((one) => [...(one.selected ?? []), one.text ?? ""]).filter((
                  one,
                ) => one !== "").join(", ")
              }`.trimEnd()
          }`,
        ];
      case "compact":
        return [`${indent}compact ${block.stage} ${block.tokensBefore ?? "?"}`];
      case "marker":
        return [`${indent}marker`];
      case "turn_stats":
        return [`${indent}end ${block.result}${block.message === null ? "" : `: ${block.message}`}`];
      case "tool_call":
        return block.calls.flatMap((call) => [
          `${indent}${call.name} ${call.stage}: ${call.summary}`.trimEnd(),
          ...lines(call.children, `${indent}  `),
        ]);
    }
  });
}
