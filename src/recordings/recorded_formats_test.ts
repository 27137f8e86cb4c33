// What holds of every recorded session of pi, Gemini, Qwen, OpenCode and DeepSeek Harness: the small ones of
// testdata, and where TRIFOLD_SAMPLES names a folder the large ones in it. Every record is accounted for, nothing
// throws, calls are over when their turn is, and all texts are there.

import assert from "node:assert/strict";
import fc from "fast-check";
import { longTextString } from "../transcript/long_text.ts";
import { detectFormat } from "./detect.ts";
import { createDshTranslator, DSH_EVENTS, DSH_SILENT } from "./dsh.ts";
import { DSH_IGNORED } from "./dsh_notes.ts";
import { fieldAt, type Fields, fieldsList, fieldsOf, listOf, textOf } from "./fields.ts";
import { createGeminiTranslator } from "./gemini.ts";
import { GEMINI_IGNORED, MESSAGES } from "./gemini_chat.ts";
import { STREAM } from "./gemini_stream.ts";
import { createRecordReader } from "./json_document.ts";
import { NOT_SHOWN } from "./not_shown.ts";
import { createOpencodeTranslator } from "./opencode.ts";
import { fileLabel, OPENCODE_IGNORED, OPENCODE_PARTS } from "./opencode_parts.ts";
import { createPiTranslator } from "./pi.ts";
import { PI_ENTRIES, PI_IGNORED } from "./pi_entries.ts";
import { PI_LIVE } from "./pi_live.ts";
import { createQwenTranslator } from "./qwen.ts";
import { RECORDS } from "./qwen_records.ts";
import { QWEN_IGNORED, SUBTYPES } from "./qwen_system.ts";
import {
  blocksOf,
  callsOf,
  checkSteps,
  type Played,
  playValues,
  readableText,
  SAMPLES,
  TESTDATA,
} from "./session_test_helper.ts";
import { openFolderSource, readSource } from "./source.ts";
import type { RecordingStep, Translator } from "./translator.ts";

interface Format {
  readonly name: string;
  readonly create: () => Translator;
  /** Folders of testdata, with the file in each. */
  readonly cases: readonly (readonly [folder: string, file: string])[];
  /** Texts that a person must be able to read, from the raw records. */
  readonly texts: (values: readonly unknown[]) => readonly string[];
  /** What the model answered, from the raw records: no more than that may be shown as its answers. */
  readonly answers: (values: readonly unknown[]) => readonly string[];
  /** Ids of the calls in the raw records. */
  readonly callIds: (values: readonly unknown[]) => readonly string[];
  /** Tables of kinds: those that tell, those that do not. */
  readonly told: readonly Readonly<Record<string, unknown>>[];
  readonly ignored: Readonly<Record<string, string>>;
}

const jsonl = (folder: string) => [folder, "events.jsonl"] as const;
const blocks = (content: unknown) => fieldsList(content);
const partTexts = (parts: unknown) =>
  fieldsList(parts).filter((part) => part.functionResponse === undefined).map((part) =>
    textOf(part.text) ?? ""
  );

const FORMATS: readonly Format[] = [
  {
    name: "pi",
    create: () => createPiTranslator(),
    cases: [jsonl("pi-session"), jsonl("pi-json")],
    texts: (values) =>
      messagesOfPi(values).flatMap((message) =>
        typeof message.content === "string" || message.role === "system"
          ? []
          : blocks(message.content).map((block) => textOf(block.text) ?? textOf(block.thinking) ?? "")
      ),
    answers: (values) =>
      messagesOfPi(values).filter((message) => message.role === "assistant").flatMap((message) =>
        blocks(message.content).map((block) => textOf(block.text) ?? "")
      ),
    callIds: (values) =>
      messagesOfPi(values).flatMap((message) =>
        blocks(message.content).filter((block) => block.type === "toolCall").map((block) =>
          textOf(block.id) ?? ""
        )
      ),
    told: [PI_ENTRIES, PI_LIVE],
    ignored: PI_IGNORED,
  },
  {
    name: "gemini",
    create: () => createGeminiTranslator(),
    cases: [jsonl("gemini-chat"), jsonl("gemini-stream")],
    texts: (values) =>
      messagesOfGemini(values).flatMap((message) => [
        ...(typeof message.content === "string" && message.role !== "assistant" ? [message.content] : []),
        ...partTexts(message.content ?? message.parts),
        ...fieldsList(message.thoughts).map((thought) => textOf(thought.description) ?? ""),
      ]),
    answers: (values) => {
      const last = new Map<unknown, string>();
      messagesOfGemini(values).forEach((message, index) => {
        if (message.type !== "gemini" && message.type !== "model" && message.role !== "assistant") return;
        const text = typeof message.content === "string"
          ? message.content
          : partTexts(message.content ?? message.parts).join("");
        last.set(message.id ?? index, text);
      });
      return [...last.values()];
    },
    callIds: (values) =>
      messagesOfGemini(values).flatMap((message) => [
        ...fieldsList(message.toolCalls).map((call) => textOf(call.id) ?? ""),
        ...(typeof message.tool_id === "string" ? [message.tool_id] : []),
      ]),
    told: [MESSAGES, STREAM],
    ignored: GEMINI_IGNORED,
  },
  {
    name: "qwen",
    create: () => createQwenTranslator(),
    cases: [],
    texts: (values) => values.flatMap((value) => partTexts(fieldAt(value, "message", "parts"))),
    answers: (values) =>
      values.filter((value) => fieldAt(value, "type") === "assistant").flatMap((value) =>
        fieldsList(fieldAt(value, "message", "parts")).filter((part) => part.thought !== true)
          .map((part) => textOf(part.text) ?? "")
      ),
    callIds: (values) =>
      values.flatMap((value) =>
        fieldsList(fieldAt(value, "message", "parts")).map((part) =>
          textOf(fieldAt(part.functionCall, "id")) ?? ""
        )
      ).filter((id) => id !== ""),
    told: [RECORDS, SUBTYPES],
    ignored: QWEN_IGNORED,
  },
  {
    name: "opencode",
    create: createOpencodeTranslator,
    cases: [["opencode-export", "export.json"], jsonl("opencode-run")],
    texts: (values) => partsOfOpencode(values).map((part) => textOf(part.text) ?? ""),
    answers: (values) => {
      const asked = values.flatMap((value) => fieldsList(fieldAt(value, "messages")))
        .filter((message) => fieldAt(message.info, "role") === "user")
        .flatMap((message) => fieldsList(message.parts));
      const answered = partsOfOpencode(values).filter((part) =>
        part.type === "text" && !asked.includes(part)
      );
      const files = partsOfOpencode(values).filter((part) => part.type === "file" && !asked.includes(part));
      return [...answered.map((part) => textOf(part.text) ?? ""), ...files.map(fileLabel)];
    },
    callIds: (values) =>
      partsOfOpencode(values).filter((part) => part.type === "tool").map((part) => textOf(part.callID) ?? ""),
    told: [OPENCODE_PARTS],
    ignored: OPENCODE_IGNORED,
  },
  {
    name: "dsh",
    create: createDshTranslator,
    cases: [jsonl("dsh-first"), jsonl("dsh-third")],
    texts: (values) =>
      values.flatMap((value) => {
        const data = fieldsOf(fieldAt(value, "data"));
        const message = fieldsOf(data.message ?? data);
        const isTold = /^(?:user|assistant|steering|context)\/message$/.test(
          textOf(fieldAt(value, "type")) ?? "",
        );
        return isTold && typeof fieldAt(value, "surfaceOp") !== "object"
          ? blocks(message.content).map((block) => textOf(block.text) ?? "")
          : [];
      }),
    answers: (values) =>
      values.filter((value) => fieldAt(value, "type") === "assistant/message").flatMap((value) => {
        const data = fieldsOf(fieldAt(value, "data"));
        return blocks(fieldsOf(data.message ?? data).content).filter((block) => block.type === "text")
          .map((block) => textOf(block.text) ?? "");
      }),
    callIds: (values) =>
      values.flatMap((value) => [
        textOf(fieldAt(value, "data", "callId")) ?? "",
        textOf(fieldAt(value, "data", "subCallId")) ?? "",
      ]).filter((id) => id !== ""),
    told: [DSH_EVENTS],
    ignored: { ...DSH_IGNORED, ...DSH_SILENT },
  },
];

function messagesOfPi(values: readonly unknown[]): Fields[] {
  const all = values.map((value) => fieldsOf(fieldAt(value, "message"))).filter((message) =>
    "role" in message
  );
  const isLive = values.some((value) => fieldAt(value, "type") === "message_end");
  return isLive
    ? values.filter((value) => fieldAt(value, "type") === "message_end").map((value) =>
      fieldsOf(fieldAt(value, "message"))
    )
    : all;
}

function messagesOfGemini(values: readonly unknown[]): Fields[] {
  return values.flatMap((value) => {
    const record = fieldsOf(value);
    return [record, ...fieldsList(record.messages), ...fieldsList(fieldAt(record.$set, "messages"))];
  });
}

function partsOfOpencode(values: readonly unknown[]): Fields[] {
  return values.flatMap((value) => {
    const record = fieldsOf(value);
    const sessions = [record, ...fieldsList(record.children)];
    const exported = sessions.flatMap((one) =>
      fieldsList(one.messages).flatMap((message) => fieldsList(message.parts))
    );
    return record.part === undefined ? exported : [...exported, fieldsOf(record.part)];
  });
}

/** Values of a file as the client would read them. */
function valuesIn(text: string): unknown[] {
  const reader = createRecordReader();
  const records = [...reader.feed(new TextEncoder().encode(text)), ...reader.end()];
  return records.map((record) => {
    assert.equal(record.kind, "value");
    return record.kind === "value" ? record.value : null;
  });
}

function reasonsOf(format: Format): ReadonlySet<string> {
  return new Set([...NOT_SHOWN, ...Object.values(format.ignored)]);
}

/** Blanks and the marks of Markdown aside, all that can be read. */
function plain(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

function checkRecording(format: Format, name: string, values: readonly unknown[]): Played {
  const found = detectFormat(values);
  assert.equal(found.kind === "format" ? found.format.name : found.what, format.name, name);
  const played = playValues(name, values, format.create());
  checkSteps(name, played, { reasons: reasonsOf(format), unknown: /^unknown / });
  const readable = plain(readableText(played.transcript));
  for (const text of format.texts(values)) {
    if (text.trim() !== "") {
      assert.ok(readable.includes(plain(text)), `${name}: not shown: ${text.slice(0, 200)}`);
    }
  }
  const shown = blocksOf(played.transcript.blocks, "assistant_text").map((block) => block.text);
  // An answer that was begun and tried again stays readable, so this case shows more.
  if (name !== "dsh-first") {
    assert.equal(counted(shown), counted(format.answers(values)), name);
  }
  const told = new Set(callsOf(played.transcript.blocks).map((call) => call.id));
  const ids = new Set(format.callIds(values));
  for (const id of ids) assert.ok(told.has(id), `${name}: call ${id} is not shown`);
  assert.equal(blocksOf(played.transcript.blocks, "greeting").length, 1, `${name}: one greeting`);
  const stats = blocksOf(played.transcript.blocks, "turn_stats").length;
  assert.equal(stats, played.transcript.turns.length, `${name}: every turn has its end`);
  return played;
}

for (const format of FORMATS) {
  for (const [folder, file] of format.cases) {
    Deno.test(`recorded ${folder}: every record is accounted for, texts are whole, calls are over`, () => {
      const text = Deno.readTextFileSync(new URL(`${folder}/${file}`, TESTDATA));
      const { transcript } = checkRecording(format, folder, valuesIn(text));
      assert.deepEqual([...transcript.counts.unknownEvents], []);
    });
    Deno.test(`recorded ${folder}: the same steps however the bytes are cut`, () => {
      const text = Deno.readTextFileSync(new URL(`${folder}/${file}`, TESTDATA)).slice(0, 200_000);
      const whole = stepsOf(text, text.length * 4, format.create());
      for (const size of [1, 7, 4096]) assert.deepEqual(stepsOf(text, size, format.create()), whole);
    });
  }

  Deno.test(`recorded ${format.name}: no kind both tells something and is left out`, () => {
    for (const kind of Object.keys(format.ignored)) {
      if (kind in DSH_SILENT) continue;
      for (const told of format.told) assert.ok(!Object.hasOwn(told, kind), kind);
    }
  });

  Deno.test({
    name: `recorded ${format.name} samples: every recording of TRIFOLD_SAMPLES${
      SAMPLES === null ? " (not set: skipped)" : ""
    }`,
    ignore: SAMPLES === null,
    fn: async () => {
      let count = 0;
      for (const path of filesBelow(`${SAMPLES}/${format.name}`)) {
        if (/fix-storage|expected|workspace/.test(path)) continue;
        const values = valuesIn(Deno.readTextFileSync(path));
        checkRecording(format, path.slice(`${SAMPLES}/`.length), values);
        count++;
      }
      if (format.name === "opencode") count += await checkStores(format);
      assert.ok(count > 0, "no recording found");
    },
  });
}

/** Each session of each store folder. */
async function checkStores(format: Format): Promise<number> {
  let count = 0;
  for (const folder of ["fix-storage_v2", "fix-storage_legacy"]) {
    const root = `${SAMPLES}/opencode/${folder}`;
    for (const path of filesBelow(`${root}/session`)) {
      const session = textOf(fieldAt(JSON.parse(Deno.readTextFileSync(path)), "id"));
      const source = await openFolderSource(root, { session });
      assert.ok(source.kind === "source", path);
      let text = "";
      for await (const read of readSource(source)) {
        if (read.kind === "bytes") text += new TextDecoder().decode(read.bytes);
      }
      checkRecording(format, path, valuesIn(text));
      count++;
    }
  }
  return count;
}

function filesBelow(folder: string): string[] {
  return [...Deno.readDirSync(folder)].sort((a, b) => a.name < b.name ? -1 : 1).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory) return filesBelow(path);
    return /\.jsonl?$/.test(entry.name) ? [path] : [];
  });
}

function stepsOf(text: string, size: number, translator: Translator): RecordingStep[] {
  const bytes = new TextEncoder().encode(text);
  const reader = createRecordReader();
  const steps: RecordingStep[] = [];
  const take = (records: ReturnType<typeof reader.end>) => {
    for (const record of records) {
      if (record.kind === "value") steps.push(...translator.push(record.value, record.line));
    }
  };
  for (let at = 0; at < bytes.length; at += size) take(reader.feed(bytes.subarray(at, at + size)));
  take(reader.end());
  steps.push(...translator.end());
  return steps;
}

Deno.test("edge 31 recorded sessions: lines lost, repeated or exchanged never throw, and a turn's end closes its calls", () => {
  const all = FORMATS.flatMap((format) => {
    const own = format.name === "qwen" ? [jsonl("qwen-chat")] : format.cases;
    return own.map(([folder, file]) => ({
      format,
      values: valuesIn(Deno.readTextFileSync(new URL(`${folder}/${file}`, TESTDATA))),
    }));
  });
  fc.assert(
    fc.property(
      fc.nat(all.length - 1),
      fc.array(fc.tuple(fc.nat(160), fc.nat(160), fc.nat(2)), { maxLength: 20 }),
      (which, changes) => {
        const { format, values } = all[which]!;
        const changed = [...values];
        for (const [from, to, how] of changes) {
          const value = changed[from % Math.max(1, changed.length)];
          if (value === undefined) continue;
          if (how === 0) changed.splice(from % changed.length, 1);
          else changed.splice(to % changed.length, how === 1 ? 0 : 1, value);
        }
        const { steps } = playValues(format.name, changed, format.create());
        for (const step of steps.flat()) assert.notEqual(step.kind, "problem", JSON.stringify(step));
      },
    ),
    { numRuns: 60, seed: 20261130 },
  );
});

Deno.test("edge 29 recorded sessions: any value in any field is told as events that pass, never a throw", () => {
  const word = fc.constantFrom(
    "",
    "constructor",
    "__proto__",
    "toString",
    "text",
    "user",
    "assistant",
    "success",
    "c1",
  );
  const leaf = fc.oneof(
    word,
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.string({ maxLength: 5 }),
  );
  const deep = fc.letrec((tie) => ({
    any: fc.oneof(
      { depthSize: "small" },
      leaf,
      fc.array(tie("any"), { maxLength: 3 }),
      fc.dictionary(word, tie("any"), { maxKeys: 3 }),
    ),
  })).any;
  for (const format of FORMATS) {
    const own = format.name === "qwen" ? [jsonl("qwen-chat")] : format.cases;
    const values = own.flatMap(([folder, file]) =>
      valuesIn(Deno.readTextFileSync(new URL(`${folder}/${file}`, TESTDATA)))
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(values.length - 1), fc.nat(1000), deep), { minLength: 1, maxLength: 12 }),
        (changes) => {
          const changed = changes.map(([which, place, value]) => replaced(values[which], place, value));
          const { steps } = playValues(format.name, changed, format.create());
          for (const step of steps.flat()) assert.notEqual(step.kind, "problem", JSON.stringify(step));
        },
      ),
      { numRuns: 60, seed: 29 },
    );
  }
});

/** A copy of `value` with something else at one of its places. */
function replaced(value: unknown, place: number, by: unknown): unknown {
  if (typeof value !== "object" || value === null) return by;
  const keys = Object.keys(value);
  if (keys.length === 0) return by;
  const key = keys[place % keys.length]!;
  const inner = (value as Record<string, unknown>)[key];
  const next = place % 3 === 0 ? by : replaced(inner, Math.floor(place / 3), by);
  if (Array.isArray(value)) return listOf(value).map((one, index) => String(index) === key ? next : one);
  return { ...value, [key]: next };
}

Deno.test({
  name: `recorded dsh samples: what its own terminal showed can be read${
    SAMPLES === null ? " (not set: skipped)" : ""
  }`,
  ignore: SAMPLES === null,
  fn: () => {
    let count = 0;
    for (const path of filesBelow(`${SAMPLES}/dsh`)) {
      const folder = path.slice(0, path.lastIndexOf("/"));
      const screen = readScreen(`${folder}/terminal.expected.txt`);
      if (!path.endsWith("/session.jsonl") || screen === null) continue;
      const { transcript } = playValues(path, valuesIn(Deno.readTextFileSync(path)), createDshTranslator());
      const readable = letters(
        [
          readableText(transcript),
          transcript.title ?? "",
          ...callsOf(transcript.blocks).map((call) =>
            `Read ${textOf(call.input?.file_path) ?? ""} [${call.summary.split(":")[0]}] ${
              longTextString(call.args).replaceAll("\\n", " ").replaceAll('\\"', '"')
            }`
          ),
        ].join("\n"),
      );
      for (const row of screen) assert.ok(readable.includes(letters(row)), `${path}: not shown: ${row}`);
      count++;
    }
    assert.ok(count >= 10, `${count} screens`);
  },
});

/** Rows of the conversation on a recorded screen of DeepSeek Harness; null when there is none. */
function readScreen(path: string): string[] | null {
  let text: string;
  try {
    text = Deno.readTextFileSync(path);
  } catch {
    return null;
  }
  const rows = [...text.matchAll(/^\d+~?\| (".*")$/gm)].map((match) =>
    (JSON.parse(match[1] ?? '""') as string).replace(/^▌ ?/, "").trim()
  );
  const start = rows.indexOf("You");
  const end = rows.findIndex((row, index) =>
    index > start && /^(?:─{5}|Plan$|\/workspace\/project)/.test(row)
  );
  return rows.slice(start, end === -1 ? rows.length : end)
    // What stands around a file's text is taken off.
    .filter((row) => !/^<\/?(?:path|type|content)>/.test(row))
    .filter((row) =>
      row !== "" && !/^(?:You|Assistant|Reasoning)$|^(?:● Tool|Model wait|… \+\d+ lines)/.test(row)
    )
    .map((row) => row.replace(/^[✓✕◌$] /, ""));
}

/** Texts as their letters, whatever their order and how they are cut. */
function counted(texts: readonly string[]): string {
  return [...letters(texts.join(""))].sort().join("");
}

/** Letters and digits alone: Markdown's marks, quotes and wrapping are the screen's own. */
function letters(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, "");
}
