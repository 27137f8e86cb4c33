import assert from "node:assert/strict";
import { detectFormat, formatNamed, FORMATS } from "./detect.ts";

/** The format's name, or the problem. */
function formatOf(...values: unknown[]): string {
  const found = detectFormat(values);
  return found.kind === "format" ? found.format.name : found.what;
}

const HELLO = { event: "hello", data: { protocol: "pod-jsonl", version: 1 } };
const REQUEST = { jsonrpc: "2.0", id: 0, method: "initialize", params: {} };

Deno.test("detect: pod JSONL, its older dialect, its methods and keys", () => {
  assert.equal(formatOf(HELLO), "pod-jsonl");
  assert.equal(formatOf({ event: "snapshot", data: {} }, { event: "thinking_delta", data: {} }), "pod-jsonl");
  assert.equal(formatOf({ dir: "out", method: "run", params: { input: "x" } }), "pod-jsonl");
  assert.equal(formatOf({ dir: "size", columns: 80, rows: 24 }, { dir: "key", key: "<C-o>" }), "pod-jsonl");
});

Deno.test("detect: ACP traffic, wrapped, bare and in batches", () => {
  assert.equal(formatOf({ t: 1, dir: "c2a", msg: REQUEST }), "acp");
  assert.equal(formatOf(REQUEST, { jsonrpc: "2.0", id: 0, result: {} }), "acp");
  assert.equal(formatOf([REQUEST, REQUEST]), "acp");
});

Deno.test("detect: most of the first records decide, not the first alone", () => {
  assert.equal(formatOf({ noise: 1 }, HELLO, REQUEST, REQUEST), "acp");
  assert.equal(formatOf({ noise: 1 }, HELLO), "pod-jsonl");
});

Deno.test("detect: an unknown format is an error that names the known ones", () => {
  assert.equal(
    formatOf({ a: 1 }, 5, null, "x", []),
    "Cannot tell the recording's format: none of its first 5 records is of a known format; known are pod-jsonl, acp (--format)"
      .replace("pod-jsonl, acp", names()),
  );
  assert.match(formatOf(), /holds no JSON record/);
});

Deno.test("detect: --format takes the name in any case", () => {
  for (const { name } of FORMATS) {
    const found = formatNamed(name.toUpperCase());
    assert.ok(found.kind === "format" && found.format.name === name);
    assert.equal(typeof found.format.create().push, "function");
  }
  const found = formatNamed("word");
  assert.ok(found.kind === "problem" && found.what === `Cannot read format "word": known are ${names()}`);
});

function names(): string {
  return FORMATS.map((format) => format.name).join(", ");
}
