// For tests of recorded sessions: files read and cut in any way, played into a transcript, and what must hold of
// every one of them.

import assert from "node:assert/strict";
import type { Block, Transcript } from "../transcript/block.ts";
import { longTextString } from "../transcript/long_text.ts";
import { applyParsed, createTranscript } from "../transcript/reduce.ts";
import { isFinal, type ToolCall } from "../transcript/tool_call.ts";
import { createLineReader, end, feed } from "./json_lines.ts";
import type { RecordingStep, Translator } from "./translator.ts";

export const TESTDATA = new URL("../../testdata/", import.meta.url);
/** Folder of large recordings; null where it is not set. */
export const SAMPLES = Deno.env.get("TRIFOLD_SAMPLES") ?? null;

/** A recording played. `steps` holds those of each value, then those of the end. */
export interface Played {
  readonly values: readonly unknown[];
  readonly steps: readonly (readonly RecordingStep[])[];
  readonly transcript: Transcript;
}

/** Values of a text of JSON lines, or of one JSON document. */
export function valuesOf(text: string): unknown[] {
  try {
    return [JSON.parse(text)];
  } catch {
    return text.split("\n").filter((line) => line.trim() !== "").map((line) => JSON.parse(line));
  }
}

/** Feeds values to a translator and a transcript, and checks what holds of all recordings. */
export function playValues(name: string, values: readonly unknown[], translator: Translator): Played {
  const transcript = createTranscript();
  const steps: (readonly RecordingStep[])[] = [];
  const take = (some: readonly RecordingStep[]) => {
    steps.push(some);
    for (const step of some) {
      if (step.kind !== "event") continue;
      applyParsed(transcript, step.parsed);
      if (step.parsed.kind !== "event" || step.parsed.event.event !== "turn_end") continue;
      for (const call of callsOf(transcript.blocks)) {
        assert.ok(isFinal(call.stage), `${name}: ${call.id} ${call.name} is ${call.stage} behind its turn`);
      }
    }
  };
  values.forEach((value, index) => {
    const some = translator.push(value, index + 1);
    assert.ok(some.length > 0, `${name}:${index + 1} gave nothing`);
    take(some);
  });
  take(translator.end());
  for (const call of callsOf(transcript.blocks)) {
    assert.ok(isFinal(call.stage), `${name}: ${call.id} ${call.name} is ${call.stage} at the end`);
  }
  return { values, steps, transcript };
}

/** Every step is an event that passes, or ignored for a reason in `reasons`. */
export function checkSteps(
  name: string,
  played: Played,
  about: { readonly reasons: ReadonlySet<string>; readonly unknown?: RegExp },
): void {
  for (const [index, some] of played.steps.entries()) {
    for (const step of some) {
      const place = `${name}:${index + 1}`;
      if (step.kind === "ignored") {
        const isKnown = about.reasons.has(step.what) || about.unknown?.test(step.what) === true;
        assert.ok(isKnown, `${place}: ignored: ${step.what}`);
      } else if (step.kind !== "event") assert.fail(`${place}: ${JSON.stringify(step)}`);
      else if (step.parsed.kind !== "event") assert.fail(`${place}: ${JSON.stringify(step.parsed)}`);
      else assert.deepEqual(step.parsed.unknownFields, [], place);
    }
  }
}

/** The steps of a recording's bytes, read in pieces of `size`. */
export function stepsOfBytes(text: string, size: number, translator: Translator): RecordingStep[] {
  const bytes = new TextEncoder().encode(text);
  const reader = createLineReader();
  const steps: RecordingStep[] = [];
  const take = (records: ReturnType<typeof end>) => {
    for (const record of records) {
      if (record.kind === "value") steps.push(...translator.push(record.value, record.line));
    }
  };
  for (let at = 0; at < bytes.length; at += size) take(feed(reader, bytes.subarray(at, at + size)));
  take(end(reader));
  steps.push(...translator.end());
  return steps;
}

/** All calls, those of nested agents too. */
export function callsOf(blocks: readonly Block[]): ToolCall[] {
  return blocks.flatMap((block) =>
    block.kind === "tool_call" ? block.calls.flatMap((call) => [call, ...callsOf(call.children)]) : []
  );
}

/** All blocks of one kind, nested ones too. */
export function blocksOf<Kind extends Block["kind"]>(
  blocks: readonly Block[],
  kind: Kind,
): Extract<Block, { kind: Kind }>[] {
  return blocks.flatMap((block) => [
    ...(block.kind === kind ? [block as Extract<Block, { kind: Kind }>] : []),
    ...(block.kind === "tool_call" ? block.calls.flatMap((call) => blocksOf(call.children, kind)) : []),
  ]);
}

/** Everything of the transcript that a person can read, as one text. */
export function readableText(transcript: Transcript): string {
  return transcript.blocks.map(blockText).join("\n");
}

function blockText(block: Block): string {
  switch (block.kind) {
    case "user_message":
    case "assistant_text":
    case "reasoning":
      return block.text;
    case "notification":
      return block.message;
    case "question":
      return [
        ...block.questions.flatMap((one) => [one.text, ...one.options.map((option) => option.label)]),
        ...(block.closed?.answers ?? []).flatMap((answer) => [...answer.selected ?? [], answer.text ?? ""]),
      ].join("\n");
    case "turn_stats":
      return `${block.result} ${block.message ?? ""}`;
    case "tool_call":
      return block.calls.map((call) =>
        [
          call.name,
          longTextString(call.args),
          call.summary,
          call.output === null ? "" : longTextString(call.output),
          JSON.stringify(call.presentation ?? ""),
          ...call.children.map(blockText),
        ].join("\n")
      ).join("\n");
    default:
      return "";
  }
}

/** The transcript in one line a block, for comparing by eye. */
export function story(transcript: Transcript): string[] {
  return storyOf(transcript.blocks, "");
}

function storyOf(blocks: readonly Block[], indent: string): string[] {
  return blocks.flatMap((block): string[] => {
    switch (block.kind) {
      case "greeting":
        return [
          `* ${
            [block.greeting.pod_name, block.greeting.model, block.greeting.cwd].filter((part) =>
              part !== null
            ).join(" ")
          }`,
        ];
      case "user_message":
        return [`${indent}${block.messageKind === "steer" ? ">>" : ">"} ${shortened(block.text)}`];
      case "assistant_text":
        return [`${indent}${shortened(block.text)}`];
      case "reasoning":
        return [`${indent}~ ${shortened(block.text)}`];
      case "tool_call":
        return block.calls.flatMap((call) => [
          `${indent}${call.name} ${call.stage}: ${call.summary}`,
          ...storyOf(call.children, `${indent}  `),
        ]);
      case "notification":
        return [`${indent}${block.level}: ${shortened(block.message)}`];
      case "question":
        return [
          `${indent}? ${
            block.closed?.answers.map((one) =>
              [...one.selected ?? [], ...(one.text === null ? [] : [one.text])].join("+")
            ).join() ?? "open"
          }`,
        ];
      case "compact":
        return [`compact ${block.stage}`];
      case "marker":
        return [`--- ${block.replacedBlocks} blocks replaced`];
      case "turn_stats":
        return [`= ${block.result}${block.message === null ? "" : `: ${shortened(block.message)}`}`];
      default:
        return [];
    }
  });
}

function shortened(text: string): string {
  const line = text.replaceAll("\n", "⏎");
  return line.length > 70 ? `${line.slice(0, 70)}…` : line;
}
