// File contents as the conversation showed them, and what edits did to them (edge cases 32-62).

import assert from "node:assert/strict";
import fc from "fast-check";
import type { Transcript } from "./block.ts";
import {
  createFileCache,
  fileOfText,
  mergeSlice,
  normalisePath,
  sliceOfText,
  storeFile,
} from "./file_cache.ts";
import { followEdit, searchText } from "./file_edit.ts";
import { parsePatch } from "./patch.ts";
import { createTranscript } from "./reduce.ts";
import { historyOf } from "./snapshot.ts";
import type { FileChange, ToolCall } from "./tool_call.ts";
import { feed, numbered } from "./transcript_test_helper.ts";

type Tool = readonly [
  name: string,
  input: unknown,
  result?: { summary?: string; output?: string; is_error?: boolean } | null,
];

/** Runs tools one after another and gives their calls; a result of null leaves a call executing. */
function run(...tools: readonly Tool[]): { calls: ToolCall[]; transcript: Transcript } {
  const transcript = feed(createTranscript(), ["history", { greeting: { cwd: "/repo" } }], ["turn_start", {
    turn: 1,
  }]);
  tools.forEach(([name, input, result], index) => {
    const id = `t${index}`;
    const args = typeof input === "string" ? input : JSON.stringify(input);
    feed(transcript, ["tool_call_done", { id, name, arguments: args }]);
    if (result !== null) feed(transcript, ["tool_result", { id, summary: "", ...result }]);
  });
  return { calls: callsOf(transcript), transcript };
}

function callsOf(transcript: Transcript): ToolCall[] {
  return transcript.blocks.flatMap((block) => block.kind === "tool_call" ? block.calls : []);
}

const read = (
  path: string,
  lines: readonly string[],
): Tool => ["Read", { file_path: path }, { output: numbered(lines) }];
const write = (
  path: string,
  content: string,
  summary = "",
): Tool => ["Write", { file_path: path, content }, { summary }];
const edit = (path: string, oldText: string, newText: string, more = {}): Tool => [
  "Edit",
  { file_path: path, old_string: oldText, new_string: newText, ...more },
  {},
];
const LETTERS = [..."abcdefghijklmnopqrstuvwxyz"];

/** Regions as "3,4: old -> new", lines joined by "|". */
function regions(call: ToolCall | undefined): string[] {
  return (call?.changes ?? []).flatMap((change: FileChange) => [
    ...change.regions.map((region) => {
      const marks = `${region.oldLacksFinalNewline ? " old-lacks" : ""}${
        region.newLacksFinalNewline ? " new-lacks" : ""
      }`;
      const start = region.oldStart === null ? "?" : `${region.oldStart},${region.newStart}`;
      return `${start}: ${region.oldText.replaceAll("\n", "|")} -> ${
        region.newText.replaceAll("\n", "|")
      }${marks}`;
    }),
    ...(change.note === null ? [] : [change.note]),
  ]);
}

/** What the cache holds: "1: a|b, 9: c", with what is odd about it. */
function cached(transcript: Transcript, path: string): string | null {
  const file = transcript.files.files.get(path);
  if (file === undefined) return null;
  const runs = file.runs.map((run) => `${run.start}: ${run.text.replaceAll("\n", "|")}`).join(", ");
  const marks = [
    file.complete ? "" : "partial",
    file.finalNewline ? "" : "no final newline",
    file.eol === "lf" ? "" : file.eol,
    file.stale ? "stale" : "",
  ];
  return [runs, ...marks.filter((mark) => mark !== "")].join(" ").trim();
}

Deno.test("edge 32, 33, 34: arguments that are no object, or without a path, change no file", () => {
  for (
    const args of [
      "{broken",
      "",
      "[1]",
      "3",
      "null",
      '{"file_path":5,"content":"x"}',
      '{"file_path":"","content":"x"}',
    ]
  ) {
    const { transcript } = run(["Write", args, {}], ["Edit", args, {}], ["Read", args, { output: "x" }]);
    assert.equal(transcript.files.files.size, 0, args);
  }
});

Deno.test("edge 37, 38: names in any case and their aliases; names of servers are not ours", () => {
  const { transcript } = run(
    ["write_file", { path: "a", content: "x" }, {}],
    ["WRITE", { filePath: "/repo/b", contents: "y" }, {}],
    ["mcp__fs__write", { path: "c", content: "z" }, {}],
    ["", { path: "d", content: "z" }, {}],
    ["w".repeat(300), { path: "e", content: "z" }, {}],
  );
  assert.deepEqual([...transcript.files.files.keys()], ["/repo/a", "/repo/b"]);
});

Deno.test("edge 39: an edit of a file never read shows old and new only", () => {
  const { calls, transcript } = run(edit("/repo/x", "one\n", "two\n"));
  assert.deepEqual(regions(calls[0]), ["?: one -> two", "context unknown"]);
  assert.equal(transcript.files.files.size, 0);
});

Deno.test("edge 40: old text that is not there makes the entry stale", () => {
  const { calls, transcript } = run(
    read("/repo/x", ["a", "b"]),
    edit("/repo/x", "zzz", "y"),
    edit("/repo/x", "a", "A"),
  );
  assert.deepEqual(regions(calls[1]), ["?: zzz -> y", "not found"]);
  assert.deepEqual(regions(calls[2]), ["?: a -> A", "context unknown"]);
  assert.equal(cached(transcript, "/repo/x"), "1: a|b stale");
});

Deno.test("edge 41, 52: a failed tool changes no file", () => {
  const failed = { is_error: true };
  const { transcript } = run(
    read("/repo/x", ["a", "a"]),
    ["Edit", { file_path: "/repo/x", old_string: "a", new_string: "b" }, failed],
    ["Write", { file_path: "/repo/x", content: "new" }, failed],
    ["Read", { file_path: "/repo/x" }, { output: "no such file", ...failed }],
  );
  assert.equal(cached(transcript, "/repo/x"), "1: a|a");
});

Deno.test("edge 42: old text that is there twice, though the edit succeeded", () => {
  const { calls, transcript } = run(read("/repo/x", ["a", "a"]), edit("/repo/x", "a", "b"));
  assert.deepEqual(regions(calls[1]), ["?: a -> b", "not unique"]);
  assert.equal(cached(transcript, "/repo/x"), "1: a|a stale");
});

Deno.test("edge 43: replace_all has a region for each place, merged where their contexts touch", () => {
  const lines = LETTERS.map((letter, index) => [0, 6, 7, 20].includes(index) ? "X" : letter);
  const { calls, transcript } = run(
    read("/repo/x", lines),
    edit("/repo/x", "X\n", "Y\nZ\n", { replace_all: true }),
  );
  assert.deepEqual(regions(calls[1]), [
    "1,1: X|b|c|d|e|f|X|X|i|j|k -> Y|Z|b|c|d|e|f|Y|Z|Y|Z|i|j|k",
    "18,21: r|s|t|X|v|w|x -> r|s|t|Y|Z|v|w|x",
  ]);
  assert.match(cached(transcript, "/repo/x") ?? "", /^1: Y\|Z\|b/);
});

Deno.test("edge 44: the first line, the last line, a whole file, and no final newline", () => {
  const { calls, transcript } = run(
    write("/repo/x", "a\nb\nc\nd\ne"),
    edit("/repo/x", "a\n", "A\n"),
    edit("/repo/x", "e", "E"),
    edit("/repo/x", "A\nb\nc\nd\nE", "whole\n"),
    edit("/repo/x", "whole\n", ""),
  );
  assert.deepEqual(calls.slice(1).map(regions), [
    ["1,1: a|b|c|d -> A|b|c|d"],
    ["2,2: b|c|d|e -> b|c|d|E old-lacks new-lacks"],
    ["1,1: A|b|c|d|E -> whole old-lacks"],
    ["1,1: whole -> "],
  ]);
  assert.equal(cached(transcript, "/repo/x"), "");
});

Deno.test("edge 45: insertion, deletion, creation by an empty old text", () => {
  const { calls, transcript } = run(
    read("/repo/x", ["a", "b", "c"]),
    edit("/repo/x", "b\n", "b\nb2\n"),
    edit("/repo/x", "a\n", ""),
    edit("/repo/new", "", "one\ntwo"),
    edit("/repo/x", "", "more"),
  );
  assert.deepEqual(calls.slice(1).map(regions), [
    ["1,1: a|b|c -> a|b|b2|c"],
    ["1,1: a|b|b2|c -> b|b2|c"],
    ["1,1:  -> one|two new-lacks"],
    ["?:  -> more", "not unique"],
  ]);
  assert.equal(cached(transcript, "/repo/new"), "1: one|two no final newline");
});

Deno.test("edge 46: old text that begins or ends in the middle of a line is shown in whole lines", () => {
  const { calls } = run(
    read("/repo/x", LETTERS.map((letter) => `${letter}${letter}`)),
    edit("/repo/x", "k\nll\nm", "K-M"),
  );
  assert.deepEqual(regions(calls[1]), ["8,8: hh|ii|jj|kk|ll|mm|nn|oo|pp -> hh|ii|jj|kK-Mm|nn|oo|pp"]);
});

Deno.test("edge 47: CRLF files match LF edits, and no CR is kept", () => {
  const { calls, transcript } = run(
    write("/repo/x", "a\r\nb\r\nc\r\n"),
    edit("/repo/x", "a\nb", "A\r\nB"),
    write("/repo/mixed", "a\r\nb\nc"),
  );
  assert.deepEqual(regions(calls[1]), ["1,1: a|b|c -> A|B|c"]);
  assert.equal(cached(transcript, "/repo/x"), "1: A|B|c crlf");
  assert.equal(cached(transcript, "/repo/mixed"), "1: a|b|c no final newline mixed");
});

Deno.test("edge 49: each of several edits keeps its own before-image", () => {
  const { calls } = run(read("/repo/x", ["a", "b"]), edit("/repo/x", "a", "A"), edit("/repo/x", "A", "AA"));
  assert.deepEqual(calls.slice(1).map(regions), [["1,1: a|b -> A|b"], ["1,1: A|b -> AA|b"]]);
});

Deno.test("edge 50: parallel edits apply in the order of their results", () => {
  const { transcript } = run(read("/repo/x", ["a", "b"]));
  const start = (id: string, oldText: string, newText: string) =>
    feed(transcript, ["tool_call_done", {
      id,
      name: "Edit",
      arguments: JSON.stringify({ file_path: "x", old_string: oldText, new_string: newText }),
    }]);
  start("first", "a\n", "a\nnew\n");
  start("second", "b", "B");
  feed(transcript, ["tool_result", { id: "second", summary: "" }], ["tool_result", {
    id: "first",
    summary: "",
  }]);
  const [, first, second] = callsOf(transcript);
  assert.deepEqual(regions(second), ["1,1: a|b -> a|B"]);
  assert.deepEqual(regions(first), ["1,1: a|B -> a|new|B"]);
});

Deno.test("edge 51: an executing edit's preview follows a read that comes in between", () => {
  const { transcript, calls } = run([
    "Edit",
    { file_path: "/repo/x", old_string: "b", new_string: "B" },
    null,
  ]);
  assert.deepEqual(regions(calls[0]), ["?: b -> B", "context unknown"]);
  feed(transcript, ["tool_call_done", { id: "r", name: "Read", arguments: '{"file_path":"x"}' }]);
  feed(transcript, ["tool_result", { id: "r", summary: "", output: numbered(["a", "b"]) }]);
  assert.deepEqual(regions(calls[0]), ["1,1: a|b -> a|B"]);
  assert.equal(cached(transcript, "/repo/x"), "1: a|b", "a preview changes nothing");
  feed(transcript, ["turn_end", { result: "cancelled" }]);
  assert.deepEqual(regions(calls[0]), ["1,1: a|b -> a|B"]);
});

Deno.test("edge 53, 54: edits work on what a write stored; empty and unterminated contents", () => {
  const { calls, transcript } = run(
    write("/repo/x", "one\n"),
    edit("/repo/x", "one", "two"),
    write("/repo/e", ""),
  );
  assert.deepEqual(regions(calls[1]), ["1,1: one -> two"]);
  assert.equal(cached(transcript, "/repo/e"), "");
  assert.equal(cached(transcript, "/repo/x"), "1: two");
});

Deno.test("edge 55: a write's label is fixed with its result", () => {
  const labels = run(
    write("/repo/a", "1", "Created /repo/a"),
    write("/repo/a", "2"),
    write("/repo/b", "1"),
    write("/repo/c", "1", "Overwrote /repo/c"),
    write("/repo/c", "1", "Created anew"),
  ).calls.map((call) => call.writeLabel);
  assert.deepEqual(labels, ["created", "overwrote", "wrote", "overwrote", "created"]);
});

Deno.test("edge 56: paths are brought together by their spelling only", () => {
  const cases: [string, string | null, string][] = [
    ["./a", "/repo", "/repo/a"],
    ["/repo//b/../a", null, "/repo/a"],
    ["a", null, "a"],
    ["../x", "/repo/sub", "/repo/x"],
    ["/../x", null, "/x"],
    ["../../x", null, "../../x"],
    ["C:\\repo\\a", "/repo", "C:/repo/a"],
    ["~/a", "/repo", "~/a"],
  ];
  for (const [path, cwd, expected] of cases) assert.equal(normalisePath(path, cwd), expected);
});

Deno.test("edge 57: edits restored from a history equal the live ones", () => {
  const { transcript } = run(read("/repo/x", LETTERS), edit("/repo/x", "m", "M"), edit("/repo/x", "q\n", ""));
  const restored = feed(createTranscript(), ["history", JSON.parse(JSON.stringify(historyOf(transcript)))]);
  assert.deepEqual(callsOf(restored).map(regions), callsOf(transcript).map(regions));
});

Deno.test("edge 58: a history whose results were pruned leaves old and new", () => {
  const items = [
    { type: "tool_call", call_id: "r", name: "Read", arguments: '{"file_path":"/x"}' },
    { type: "tool_result", call_id: "r", summary: "Read 2 line(s)" },
    {
      type: "tool_call",
      call_id: "e",
      name: "Edit",
      arguments: '{"file_path":"/x","old_string":"a","new_string":"b"}',
    },
    { type: "tool_result", call_id: "e", summary: "Edited" },
  ];
  const transcript = feed(createTranscript(), ["history", { items }]);
  assert.deepEqual(regions(callsOf(transcript)[1]), ["?: a -> b", "context unknown"]);
});

Deno.test("edge 59: several edits of one call, in order", () => {
  const edits = [{ old_string: "a", new_string: "A" }, { old_string: "A\n", new_string: "" }, {
    old_string: "nope",
    new_string: "x",
  }];
  const { calls } = run(read("/repo/x", ["a", "b"]), ["MultiEdit", { file_path: "/repo/x", edits }, {}]);
  assert.deepEqual(regions(calls[1]), ["1,1: a|b -> A|b", "1,1: A|b -> b", "?: nope -> x", "not found"]);
});

Deno.test("edge 59: a patch changes, adds, deletes and moves files", () => {
  const patch = [
    "*** Begin Patch",
    "*** Update File: x",
    "@@ c",
    " d",
    "-e",
    "+E",
    "@@",
    "-y",
    "*** Add File: new",
    "+one",
    "*** Delete File: gone",
    "*** Update File: from",
    "*** Move to: to",
    "@@",
    "-1",
    "+2",
    "*** End Patch",
  ].join("\n");
  const { calls, transcript } = run(
    read("/repo/x", LETTERS),
    read("/repo/gone", ["bye"]),
    read("/repo/from", ["1"]),
    ["apply_patch", { input: patch }, {}],
  );
  const call = calls[3];
  assert.deepEqual(regions(call), [
    "2,2: b|c|d|e|f|g|h -> b|c|d|E|f|g|h",
    "22,22: v|w|x|y|z -> v|w|x|z",
    "1,1:  -> one",
    "1,1: bye -> ",
    "1,1: 1 -> 2",
  ]);
  assert.deepEqual(call?.changes?.map(({ path, action, movedTo }) => [path, action, movedTo]), [
    ["x", undefined, undefined],
    ["new", "add", undefined],
    ["gone", "delete", undefined],
    ["from", undefined, "to"],
  ]);
  assert.deepEqual([...transcript.files.files.keys()], ["/repo/x", "/repo/new", "/repo/to"]);
});

Deno.test("edge 59: a unified diff has its numbers, also where the file is not known", () => {
  const patch = "--- a/x\n+++ b/x\n@@ -10,3 +10,3 @@ fn\n j\n-k\n+K\n l\n@@ -20 +20,2 @@\n-t\n+T\n+T2\n";
  assert.deepEqual(regions(run(["patch", { patch }, {}]).calls[0]), [
    "10,10: j|k|l -> j|K|l",
    "20,20: t -> T|T2",
  ]);
  assert.deepEqual(regions(run(read("/repo/x", LETTERS), ["patch", { patch }, {}]).calls[1]), [
    "8,8: h|i|j|k|l|m|n -> h|i|j|K|l|m|n",
    "17,17: q|r|s|t|u|v|w -> q|r|s|T|T2|u|v|w",
  ]);
  assert.deepEqual(parsePatch("no patch at all"), []);
});

Deno.test("edge 62: partial reads merge; an edit in a known part shows its true lines; a gap clips the context", () => {
  const part = (offset: number, lines: readonly string[]): Tool => [
    "Read",
    { file_path: "/repo/x", offset, limit: lines.length },
    { output: numbered(lines, offset) },
  ];
  const { calls, transcript } = run(
    part(10, ["j", "k", "l"]),
    part(20, ["t", "u"]),
    part(12, ["L", "m"]),
    edit("/repo/x", "j", "J\nJ2"),
  );
  assert.equal(cached(transcript, "/repo/x"), "10: J|J2|k|L|m, 21: t|u partial");
  assert.deepEqual(regions(calls.at(-1)), ["10,10: j|k|L|m -> J|J2|k|L|m"]);
});

Deno.test("the cache forgets what was least recently used", () => {
  const cache = createFileCache(1000);
  for (const path of ["a", "b", "c"]) storeFile(cache, path, fileOfText("x".repeat(250)));
  assert.deepEqual([...cache.files.keys()], ["b", "c"]);
  storeFile(cache, "huge", fileOfText("x".repeat(2000)));
  assert.deepEqual([...cache.files.keys()], ["b", "c"]);
  storeFile(cache, "b", fileOfText("short"));
  storeFile(cache, "d", fileOfText("x".repeat(400)));
  assert.deepEqual([...cache.files.keys()], ["b", "d"]);
});

Deno.test("property: an edit of a known file gives the text that replacing gives", () => {
  const text = fc.array(fc.constantFrom("a", "b", "\n", "ab", "x\n"), { maxLength: 40 }).map((parts) =>
    parts.join("")
  );
  fc.assert(
    fc.property(
      text,
      text.filter((old) => old !== ""),
      text,
      fc.boolean(),
      (content, oldText, newText, replaceAll) => {
        const file = fileOfText(content);
        const outcome = followEdit(file, { oldText, newText, replaceAll });
        const count = content.split(oldText).length - 1;
        if (count === 0) return assert.equal(outcome.note, "not found");
        if (count > 1 && !replaceAll) return assert.equal(outcome.note, "not unique");
        const expected = replaceAll
          ? content.replaceAll(oldText, () => newText)
          : content.replace(oldText, () => newText);
        const after = outcome.file;
        assert.equal(
          after === undefined ? null : after.runs.length === 0 ? "" : searchText(after, 0),
          expected,
        );
        // The regions, put into the old text, give the new one.
        const lines = content.split("\n");
        const rebuilt: string[] = [];
        let at = 0;
        for (const region of outcome.regions) {
          const start = (region.oldStart ?? 0) - 1;
          rebuilt.push(...lines.slice(at, start));
          assert.equal(rebuilt.length, (region.newStart ?? 0) - 1);
          rebuilt.push(
            ...(region.newText === "" && isGone(region, expected) ? [] : region.newText.split("\n")),
          );
          at = start + region.oldText.split("\n").length;
        }
        rebuilt.push(...lines.slice(at));
        assert.equal(trimmed(rebuilt.join("\n")), trimmed(expected));
      },
    ),
    { numRuns: 1000 },
  );
});

/** Region texts cannot tell no line from one empty line; at the end of a file that is all the difference there is. */
function isGone(region: { readonly newText: string }, expected: string): boolean {
  return region.newText === "" && !expected.includes("\n\n") && !expected.startsWith("\n");
}

function trimmed(text: string): string {
  return text.replace(/\n+$/, "");
}

Deno.test("property: slices of a file, in any order, give back the lines they showed", () => {
  const lines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
  const part = fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 10 }));
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 8 }), (parts) => {
      let file: ReturnType<typeof mergeSlice> | undefined;
      const seen = new Set<number>();
      for (const [start, count] of parts) {
        const shown = lines.slice(start - 1, start - 1 + count);
        shown.forEach((_, index) => seen.add(start + index));
        file = mergeSlice(file, sliceOfText(`${shown.join("\n")}\n`, { start, complete: false }));
      }
      const known = (file?.runs ?? []).flatMap((run) =>
        run.text.split("\n").map((text, index) => [run.start + index, text])
      );
      assert.deepEqual(known, [...seen].sort((a, b) => a - b).map((line) => [line, `line ${line}`]));
    }),
  );
});
