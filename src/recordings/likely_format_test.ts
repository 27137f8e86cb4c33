import assert from "node:assert/strict";
import { detectFormat, FORMATS } from "./detect.ts";
import { isSurely, likelyFormat } from "./likely_format.ts";

const TESTDATA = new URL("../../testdata/", import.meta.url);
const CODEX = { type: "event_msg", payload: { type: "task_started" } };
const QWEN = { uuid: "a", sessionId: "s", type: "user", message: { parts: [{ text: "hi" }] } };

Deno.test("likely format: the guess at every recording in testdata is what all formats together say", () => {
  const seen = new Set<string>();
  for (const { name } of Deno.readDirSync(TESTDATA)) {
    const values = valuesOf(name);
    const found = values === null ? null : detectFormat(values);
    if (values === null || found?.kind !== "format" || found.format.name === "pod-jsonl") continue;
    seen.add(found.format.name);
    assert.equal(guessOf(values), found.format.name, name);
    const format = FORMATS.find((one) => one.name === guessOf(values));
    assert.ok(format !== undefined && isSurely(format, values), name);
    for (const other of FORMATS) {
      assert.equal(isSurely(other, values), other === format, `${name}: ${other.name}`);
    }
  }
  assert.deepEqual(
    [...seen].sort(),
    FORMATS.map((format) => format.name).filter((name) => name !== "pod-jsonl").sort(),
  );
});

Deno.test("likely format: a record of none is no guess, and half of the records are not enough", () => {
  for (const value of [null, 5, "x", [], [1], {}, { type: "user" }, { uuid: "a" }]) {
    assert.equal(likelyFormat(value), null, JSON.stringify(value));
  }
  const codex = FORMATS.find((format) => format.name === "codex")!;
  assert.ok(isSurely(codex, [CODEX]));
  assert.ok(!isSurely(codex, [CODEX, QWEN]) && isSurely(codex, [CODEX, QWEN, CODEX]));
  assert.ok(!isSurely(codex, []));
});

/** The values of a case's recording in lines, good ones only; null where it has none. */
function valuesOf(name: string): readonly unknown[] | null {
  try {
    return Deno.readTextFileSync(new URL(`${name}/events.jsonl`, TESTDATA)).split("\n").flatMap((line) => {
      try {
        return [JSON.parse(line) as unknown];
      } catch {
        return [];
      }
    });
  } catch {
    return null;
  }
}

function guessOf(values: readonly unknown[]): string | undefined {
  return values.map(likelyFormat).find((likely) => likely !== null) ?? undefined;
}
