// Recorded sessions of Codex in the folder that TRIFOLD_SAMPLES names, and the same of our own in testdata: every
// record is accounted for, nothing is told twice or lost. What must be there is counted from the raw records.

import assert from "node:assert/strict";
import { createCodexTranslator } from "./codex.ts";
import { fieldAt, type Fields, fieldsList, fieldsOf, listOf, textOf } from "./fields.ts";
import {
  callsOf,
  caseRecords,
  checkAccounted,
  play,
  readRecords,
  sampleFiles,
  textsOf,
} from "./recorded_test_helper.ts";

const FILES = sampleFiles("codex");

function payloads(records: readonly unknown[], type: string): Fields[] {
  return records.map(fieldsOf).filter((record) => record.type === type).map((record) =>
    fieldsOf(record.payload)
  );
}

/** Texts that both views tell are there once; those of one view alone too. */
function checkTexts(name: string, records: readonly unknown[]): void {
  const played = play(name, createCodexTranslator(), records);
  checkAccounted(name, played);
  const { transcript } = played;
  const items = payloads(records, "response_item");
  const events = payloads(records, "event_msg");
  const execItems = records.map(fieldsOf).filter((record) => record.type === "item.completed").map((record) =>
    fieldsOf(record.item)
  );

  const model = items.filter((item) => item.type === "message" && item.role === "assistant").map((item) =>
    fieldsList(item.content).map((part) => textOf(part.text) ?? "").join("")
  );
  const screen = [
    ...events.filter((event) => event.type === "agent_message").map((event) => textOf(event.message) ?? ""),
    ...events.filter((event) => fieldAt(event, "item", "type") === "AgentMessage").map((event) =>
      fieldsList(fieldAt(event, "item", "content")).map((part) => textOf(part.text) ?? "").join("")
    ),
    ...execItems.filter((item) => item.type === "agent_message").map((item) => textOf(item.text) ?? ""),
  ];
  const told = textsOf(transcript, "assistant_text");
  for (const text of new Set([...model, ...screen])) {
    const expected = Math.max(
      model.filter((one) => one === text).length,
      screen.filter((one) => one === text).length,
    );
    const found = told.filter((one) => one === text || one.startsWith(`${text}\n[image`)).length;
    assert.ok(
      found === expected || found > 0 && text.length < 25,
      `${name}: ${found} of ${expected}: ${text.slice(0, 60)}`,
    );
  }

  const calls = callsOf(transcript.blocks);
  const ids = items.filter((item) => /^(?:function|custom_tool)_call$/.test(textOf(item.type) ?? "")).map((
    item,
  ) => textOf(item.call_id) ?? "");
  for (const id of ids) assert.ok(calls.some((call) => call.id === id), `${name}: call ${id}`);
  for (const item of items) {
    if (!/_call_output$/.test(textOf(item.type) ?? "")) continue;
    const call = calls.find((one) => one.id === item.call_id);
    assert.ok(
      call !== undefined && (call.stage === "done" || call.stage === "error"),
      `${name}: ${String(item.call_id)}`,
    );
  }
  const people = events.flatMap((event) =>
    event.type === "user_message"
      ? [textOf(event.message) ?? ""]
      : fieldAt(event, "item", "type") === "UserMessage"
      ? [listOf(fieldAt(event, "item", "content")).map((part) => textOf(fieldsOf(part).text) ?? "").join("")]
      : []
  );
  const messages = textsOf(transcript, "user_message");
  for (const text of people) {
    assert.ok(messages.some((one) => one.startsWith(text)), `${name}: ${text.slice(0, 60)}`);
  }
}

for (const name of ["codex-rollout", "codex-exec"]) {
  Deno.test(`codex recordings: ${name}`, () => checkTexts(name, caseRecords(name)));
}

if (FILES === null) {
  Deno.test({ name: "codex samples: skipped, TRIFOLD_SAMPLES is not set", ignore: true, fn: () => {} });
} else {
  for (const path of FILES) {
    const name = path.split("/").slice(-2).join("/");
    Deno.test(`codex samples: ${name}`, () => checkTexts(name, readRecords(path)));
  }
}
