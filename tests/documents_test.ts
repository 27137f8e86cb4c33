// Recordings that are one JSON document, or a file a message: what is shown first costs what their last messages cost,
// and in the end nothing differs from a recording that was told as a whole, however it was cut.

import assert from "node:assert/strict";
import fc from "fast-check";
import { chooseFormat, loadLibraries } from "../src/app/files.ts";
import type { Input } from "../src/app/effect.ts";
import { createFeedOf, type FoundFormat } from "../src/app/io/feed.ts";
import { lastOfDocument, openDocumentTail } from "../src/app/io/tail.ts";
import { openSubject } from "../src/app/io/open_recording.ts";
import { transcriptHeight } from "../src/app/update.ts";
import { formatNamed } from "../src/recordings/detect.ts";
import { lastOfSession } from "../src/recordings/json_tail.ts";
import { createRecordReader, type DocumentRecord } from "../src/recordings/json_document.ts";
import { documentFrom, documentOf, type SessionDocument } from "../src/recordings/session_document.ts";
import { openFolderSource } from "../src/recordings/source.ts";
import type { RecordingStep } from "../src/recordings/translator.ts";
import { createClient, give, press, rowTexts, stateText } from "./recording_client.ts";
import { geminiChat, longExport, makeStore, messagesOf, opencodeExport } from "./session_values.ts";

await loadLibraries();

const TESTDATA = new URL("../testdata/", import.meta.url).pathname;
const RUNS = 60;

type SessionRecord = Extract<DocumentRecord, { kind: "document" }>;

const session = fc.oneof(
  opencodeExport.map((value) => ({ format: "opencode", value })),
  geminiChat.map((value) => ({ format: "gemini", value })),
);
/** How it is written: in one line, or over many. */
const indent = fc.constantFrom(0, 1, 2);
function property<A, B, C>(
  a: fc.Arbitrary<A>,
  b: fc.Arbitrary<B>,
  c: fc.Arbitrary<C>,
  holds: (a: A, b: B, c: C) => void,
  runs = RUNS,
): void {
  fc.assert(fc.property(a, b, c, holds), { numRuns: runs });
}

Deno.test("documents: a session read in pieces is the value that it is, a message at a time", () => {
  property(session, indent, fc.integer({ min: 1, max: 400 }), ({ value }, spaces, size) => {
    const text = `\ufeff\n${JSON.stringify(value, null, spaces)}\n`;
    const bytes = new TextEncoder().encode(text);
    const reader = createRecordReader({ splits: true });
    const records: DocumentRecord[] = [];
    for (let at = 0; at < bytes.length; at += size) {
      records.push(...reader.feed(bytes.slice(at, at + size)));
    }
    records.push(...reader.end());
    assert.equal(records.length, 1);
    const plain = JSON.parse(JSON.stringify(value));
    const [record] = records;
    if (record?.kind !== "document") return assert.equal(spaces, 0);
    const { document } = record;
    assert.deepEqual(document.whole(), plain);
    assert.deepEqual(document.head, { ...plain, messages: [] });
    assert.deepEqual(messagesOf(document), plain.messages);
  });
});

Deno.test("documents: the last messages are found without those before, or not at all", () => {
  let found = 0;
  const places = fc.tuple(fc.integer({ min: 80, max: 600 }), fc.integer({ min: 1, max: 3000 }));
  property(
    session,
    fc.constantFrom(0, 1, 2, 4, "\t"),
    places,
    ({ value }, spaces, [headLength, tailLength]) => {
      const bytes = new TextEncoder().encode(`${JSON.stringify(value, null, spaces)}\n`);
      const tail = bytes.subarray(Math.max(0, bytes.length - tailLength));
      const last = lastOfSession(bytes.subarray(0, headLength), tail);
      if (last === null) return;
      found++;
      const plain = JSON.parse(JSON.stringify(value));
      assert.ok(last.count > 0 && last.lengthBefore(last.count) <= tail.length);
      assert.deepEqual(last.head, { ...plain, messages: [] });
      assert.deepEqual(messagesOf(last), plain.messages.slice(-last.count));
    },
    400,
  );
  assert.ok(found > 20, `found in ${found} only`);
});

Deno.test("documents: told message by message is what is told of the whole, as are its branches", () => {
  const branches = fc.constantFrom(undefined, "all", "id-1");
  property(session, branches, fc.constant(1), ({ format, value }, branch) => {
    const plain = JSON.parse(JSON.stringify(value));
    const create = () => formatOf(format).create({ branch });
    const whole = create();
    const steps = [...whole.push(plain, 1), ...whole.end()];
    const told = create();
    const parts: RecordingStep[] = [];
    const pieces = told.pushDocument?.(sessionIn(plain).document, 1);
    for (const some of pieces ?? [told.push(plain, 1)]) parts.push(...some);
    parts.push(...told.end());
    assert.deepEqual(parts, steps);
  });
});

Deno.test("documents: opened at any message, they come to what reading them in order gives", () => {
  const keys = fc.array(fc.constantFrom("<PageUp>", "<S-Up>", "<F6>", "<Up>", "<Space>", "<Esc>"), {
    maxLength: 4,
  });
  property(session, fc.nat(12), keys, ({ format, value }, cut, pressed) => {
    const record = sessionIn(JSON.parse(JSON.stringify(value)));
    checkTail(record, formatOf(format), { cut: Math.min(cut, record.document.count), keys: pressed });
  });
});

Deno.test("documents: the store with a file a message, opened at any message", () => {
  for (const name of ["ses_main", "ses_old"]) {
    const source = openFolderSource(`${TESTDATA}opencode-store`, { session: name });
    assert.ok(source.kind === "source" && source.document !== null);
    const { document } = source;
    assert.equal(document.count > 0, name === "ses_main");
    const whole = JSON.parse(JSON.stringify(document.whole()));
    assert.deepEqual(JSON.parse(JSON.stringify(messagesOf(document))), whole.messages);
    for (let cut = 0; cut <= document.count; cut++) {
      const record = { kind: "document", document, line: 1 } as const;
      checkTail(record, formatOf("opencode"), { cut, keys: [] });
    }
    const record = { kind: "document", document: documentOf(whole), line: 1 } as const;
    assert.deepEqual(
      inOrder([record], formatOf("opencode")),
      inOrder([sessionIn(whole)], formatOf("opencode")),
    );
  }
});

Deno.test("documents: a file's tail is shown first, then the whole, however it is written", async () => {
  const folder = await Deno.makeTempDir({ prefix: "trifold_documents_" });
  const { consoleSize } = Deno;
  Deno.consoleSize = () => ({ columns: 80, rows: 24 });
  try {
    const value = longExport(120);
    const chat = {
      sessionId: "s1",
      projectHash: "h",
      messages: Array.from({ length: 120 }, (_, at) => ({
        id: `m${at}`,
        timestamp: "2026-01-01T00:00:01Z",
        type: at % 2 === 0 ? "user" : "gemini",
        content: `message ${at} ${"words ".repeat(300)}`,
      })),
      kind: "subagent",
    };
    const texts = [
      JSON.stringify(value, null, 2),
      JSON.stringify(value),
      `${JSON.stringify(value)}\n`,
      JSON.stringify(value, null, 2).replaceAll("\n", "\r\n"),
      JSON.stringify(value, null, 2).slice(0, -400),
      JSON.stringify(value, null, 2).replace("answer 50", "answer \u0001 50"),
      JSON.stringify([value, value], null, 2),
      JSON.stringify(chat, null, 2),
      JSON.stringify(chat),
    ];
    const openings: string[] = [];
    for (const [at, text] of texts.entries()) {
      const path = `${folder}/${at}.json`;
      await Deno.writeTextFile(path, text);
      for (const branch of [false, true]) {
        const subject = await openSubject(path, { follow: false, branch, fold: "normal", format: null });
        assert.ok(subject.kind === "recording", path);
        if (!branch) openings.push(subject.opening);
        const state = createClient("normal");
        give(state, subject.first);
        if (subject.opening === "tail") give(state, [{ kind: "whole_begins" }]);
        assert.equal(await subject.read((inputs) => Promise.resolve(give(state, inputs))), null);
        const plain = createClient("normal");
        const feed = createFeedOf(chooseFormat(null), { branch: branch ? "all" : undefined });
        give(plain, [...feed.push(new TextEncoder().encode(text)), ...feed.end()]);
        assert.deepEqual(atRest(state), atRest(plain), `${at} ${text.slice(0, 40)}`);
        assert.ok(state.loaded);
      }
    }
    assert.equal(openings.splice(6, 1)[0], "beginning", "a list of sessions has no one end");
    assert.deepEqual(openings, Array(8).fill("tail"));
  } finally {
    Deno.consoleSize = consoleSize;
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("documents: who scrolled up in the tail reads the same rows when the whole has come", () => {
  const record = sessionIn(longExport(400));
  const state = createClient("detail");
  const format = formatOf("opencode");
  give(state, openDocumentTail(lastOfDocument(record.document), { ...SCREEN, format }) ?? []);
  for (let at = 0; at < 4; at++) press(state, "<PageUp>");
  press(state, "<S-Up>");
  give(state, [{ kind: "whole_begins" }]);
  const before = rowTexts(state);
  assert.equal(before.length, transcriptHeight(state));
  const blocks = state.transcript.blocks.length;
  for (const inputs of createFeedOf(() => ({ kind: "format", format })).tellAll([record])) {
    give(state, inputs);
    assert.deepEqual(rowTexts(state), before);
  }
  assert.ok(state.transcript.blocks.length > blocks, "the whole is more than the tail");
  press(state, "<S-Up>");
  assert.deepEqual(rowTexts(state).slice(1), before.slice(0, -1));
});

Deno.test("documents: before the first frame as many messages are parsed, however many there are", () => {
  const costs = [300, 3000].map((count) => {
    const { document } = sessionIn(longExport(count));
    const asked: number[] = [];
    const watched: SessionDocument = {
      ...document,
      messageAt: (index) => {
        asked.push(document.count - index);
        return document.messageAt(index);
      },
      whole: () => assert.fail("parsed as a whole"),
    };
    const feed = createFeedOf(chooseFormat(null));
    feed.tellAll([{ kind: "document", document: watched, line: 1 }]);
    const format = feed.format();
    assert.ok(format !== null);
    const known = asked.splice(0).length;
    const inputs = openDocumentTail(lastOfDocument(watched), { ...SCREEN, format });
    const events = (inputs ?? []).flatMap((input) => input.kind === "events" ? input.parsed : []);
    return { known, asked: asked.length, farthest: Math.max(...asked), events: events.length };
  });
  const [short, long] = costs;
  assert.deepEqual(long, short);
  assert.ok((long?.known ?? Infinity) <= 4 && (long?.asked ?? Infinity) <= 80, JSON.stringify(long));
});

Deno.test("documents: of one file as many bytes are read before the first frame, however long it is", async () => {
  const { consoleSize } = Deno;
  const { read, readSync } = Deno.FsFile.prototype;
  const folder = await Deno.makeTempDir({ prefix: "trifold_documents_" });
  let bytes = 0;
  const costs: number[] = [];
  try {
    Deno.consoleSize = () => ({ columns: 80, rows: 24 });
    Deno.FsFile.prototype.read = async function (buffer) {
      const count = await read.call(this, buffer);
      bytes += count ?? 0;
      return count;
    };
    Deno.FsFile.prototype.readSync = function (buffer) {
      const count = readSync.call(this, buffer);
      bytes += count ?? 0;
      return count;
    };
    for (const [count, spaces] of [[400, 2], [1600, 2], [400, 0], [1600, 0]] as const) {
      const path = `${folder}/${count}.json`;
      await Deno.writeTextFile(path, JSON.stringify(longExport(count), null, spaces));
      bytes = 0;
      const subject = await openSubject(path, { follow: false, branch: false, fold: "normal", format: null });
      assert.ok(subject.kind === "recording" && subject.opening === "tail");
      costs.push(bytes);
      await subject.read(() => Promise.resolve());
    }
  } finally {
    Object.assign(Deno, { consoleSize });
    Object.assign(Deno.FsFile.prototype, { read, readSync });
    await Deno.remove(folder, { recursive: true });
  }
  assert.deepEqual(costs, Array(4).fill(costs[0]));
  assert.ok((costs[0] ?? Infinity) < 1 << 20, `${costs[0]} bytes`);
});

Deno.test("documents: of a store with a file a message only the newest are read before the first frame", async () => {
  const { consoleSize, readTextFileSync } = Deno;
  const reads: string[] = [];
  const costs: number[] = [];
  try {
    Deno.consoleSize = () => ({ columns: 80, rows: 24 });
    Deno.readTextFileSync = (path) => {
      reads.push(String(path));
      return readTextFileSync(path);
    };
    for (const count of [60, 240]) {
      const root = await Deno.makeTempDir({ prefix: "trifold_store_" });
      await makeStore(root, count);
      reads.length = 0;
      const subject = await openSubject(root, { follow: false, branch: false, fold: "normal", format: null });
      assert.ok(subject.kind === "recording" && subject.opening === "tail");
      costs.push(reads.length);
      const state = createClient("normal");
      give(state, [...subject.first, { kind: "whole_begins" }]);
      assert.equal(await subject.read((inputs) => Promise.resolve(give(state, inputs))), null);
      const users = state.transcript.blocks.filter((block) => block.kind === "user_message");
      assert.equal(users.length, count / 4);
      await Deno.remove(root, { recursive: true });
    }
  } finally {
    Object.assign(Deno, { consoleSize, readTextFileSync });
  }
  const [short, long] = costs;
  assert.equal(long, short);
  assert.ok((long ?? Infinity) < 110, `${long} files read`);
});

const SCREEN = { hasTurnNumbers: false, rows: 24, fold: "detail" } as const;

/** Opened at message `cut`, with these keys pressed before the whole has come. */
function checkTail(
  record: SessionRecord,
  format: FoundFormat,
  { cut, keys }: { readonly cut: number; readonly keys: readonly string[] },
): void {
  const state = createClient("normal");
  const last = { document: documentFrom(record.document, cut), isAll: true };
  give(state, openDocumentTail(() => last, { ...SCREEN, format }) ?? []);
  give(state, [{ kind: "whole_begins" }]);
  const groups = [...createFeedOf(() => ({ kind: "format", format })).tellAll([record])];
  const middle = Math.floor(groups.length / 2);
  give(state, groups.slice(0, middle).flat());
  if (state.transcript.blocks.length > 0) { for (const key of keys) press(state, key); }
  give(state, groups.slice(middle).flat());
  assert.deepEqual(atRest(state), inOrder([record], format));
}

/** What becomes of the whole told at once. */
function inOrder(records: readonly SessionRecord[], format: FoundFormat): object {
  const state = createClient("normal");
  const translator = format.create();
  const inputs: Input[] = [];
  const take = (steps: readonly RecordingStep[]) => {
    for (const step of steps) {
      if (step.kind === "event") inputs.push({ kind: "events", parsed: [step.parsed] });
      else if (step.kind === "ignored") inputs.push({ kind: "ignored", what: step.what });
      else assert.fail(`a step of kind ${step.kind}`);
    }
  };
  for (const { document, line } of records) take(translator.push(document.whole(), line));
  take(translator.end());
  give(state, [...inputs, { kind: "recording_end" }]);
  return atRest(state);
}

/** A client that has been brought back to its end; a new fold mode forgets the folds of single blocks. */
function atRest(state: ReturnType<typeof createClient>): object {
  for (const key of ["<Esc>", "<F2>", "<F2>", "<F2>", "<C-End>"]) press(state, key);
  return stateText(state);
}

/** A value as the session that a file with it holds. */
function sessionIn(value: unknown): SessionRecord {
  const reader = createRecordReader({ splits: true });
  const bytes = new TextEncoder().encode(JSON.stringify(value, null, 2));
  const [record] = [...reader.feed(bytes), ...reader.end()];
  assert.ok(record?.kind === "document");
  return record;
}

function formatOf(name: string): FoundFormat {
  const found = formatNamed(name);
  assert.ok(found.kind === "format");
  return found.format;
}
