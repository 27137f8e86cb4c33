// Recorded sessions of Claude Code in the folder that TRIFOLD_SAMPLES names: every record is accounted for, no text
// is lost, every call is closed when its turn is. What must be there is counted from the raw records.

import assert from "node:assert/strict";
import { createClaudeTranslator } from "./claude.ts";
import { fieldAt, type Fields, fieldsList, fieldsOf, listOf, textOf } from "./fields.ts";
import {
  callsOf,
  checkAccounted,
  outputOf,
  play,
  readRecords,
  sampleFiles,
  textsOf,
} from "./recorded_test_helper.ts";

const FILES = sampleFiles("claude");

/** Messages of a record: its own, and the one inside an agent's progress. */
function messageOf(value: unknown): Fields {
  const record = fieldsOf(value);
  return fieldsOf(record.type === "progress" ? fieldAt(record, "data", "message") : record);
}

/** Blocks of all messages from that role, once for each uuid. */
function blocksOf(records: readonly unknown[], role: string): { block: Fields; record: Fields }[] {
  const seen = new Set<string>();
  return records.flatMap((value) => {
    const record = messageOf(value);
    if (record.type !== role) return [];
    const content = fieldsOf(record.message).content;
    const key = `${String(record.uuid)} ${JSON.stringify(content)}`;
    if (record.uuid !== undefined && seen.has(key)) return [];
    seen.add(key);
    const blocks = typeof content === "string" ? [{ type: "text", text: content }] : fieldsList(content);
    return blocks.map((block) => ({ block, record }));
  });
}

function checkTexts(name: string, records: readonly unknown[]): void {
  const played = play(name, createClaudeTranslator(), records);
  checkAccounted(name, played);
  const { transcript } = played;

  const said = blocksOf(records, "assistant");
  const texts = said.filter(({ block, record }) => block.type === "text" && record.isApiErrorMessage !== true)
    .map(({ block }) => textOf(block.text) ?? "").filter((text) => text.trim() !== "");
  assert.deepEqual([...textsOf(transcript, "assistant_text")].sort(), texts.sort(), `${name}: texts`);
  const thoughts = said.filter(({ block }) => block.type === "thinking").map(({ block }) =>
    textOf(block.thinking) ?? ""
  ).filter((text) => text.trim() !== "");
  assert.deepEqual([...textsOf(transcript, "reasoning")].sort(), thoughts.sort(), `${name}: thoughts`);

  const calls = callsOf(transcript.blocks);
  const ids = said.filter(({ block }) => block.type === "tool_use" && textOf(block.id) !== null).map((
    { block },
  ) => textOf(block.id) ?? "");
  for (const id of ids) {
    assert.equal(calls.filter((call) => call.id === id).length, 1, `${name}: call ${id}`);
  }
  for (const { block } of blocksOf(records, "user")) {
    if (block.type !== "tool_result" || typeof block.tool_use_id !== "string") continue;
    const call = calls.find((one) => one.id === block.tool_use_id);
    assert.ok(call !== undefined, `${name}: result of ${block.tool_use_id}`);
    assert.equal(call.stage, block.is_error === true ? "error" : "done", `${name}: ${call.id}`);
    const raw = typeof block.content === "string"
      ? block.content
      : textOf(fieldsOf(listOf(block.content)[0]).text);
    if (raw === null || raw.includes("<persisted-output>")) continue;
    const plain = raw.replace(/<\/?tool_use_error>/g, "").replace(/\s*<system-reminder>[\s\S]*$/, "");
    assert.ok(outputOf(call).includes(plain), `${name}: output of ${call.id}`);
  }

  const told = textsOf(transcript, "user_message").join("\n");
  for (const { block, record } of blocksOf(records, "user")) {
    const text = textOf(block.text) ?? "";
    if (block.type !== "text" || record.isMeta === true || record.isCompactSummary === true) continue;
    if (/^\s*(?:<|\[Request interrupted|Caveat:|This session is being continued)/.test(text)) continue;
    if (fieldAt(record, "origin", "kind") === "task-notification") continue;
    assert.ok(told.includes(text), `${name}: message ${JSON.stringify(text.slice(0, 60))}`);
  }
}

if (FILES === null) {
  Deno.test({ name: "claude samples: skipped, TRIFOLD_SAMPLES is not set", ignore: true, fn: () => {} });
} else {
  for (const path of FILES) {
    const name = path.split("/").slice(-2).join("/");
    Deno.test(`claude samples: ${name}`, () => checkTexts(name, readRecords(path)));
  }
}
