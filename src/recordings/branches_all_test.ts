// All branches of a recording: nothing of it is left out, and rows say where it goes back.

import assert from "node:assert/strict";
import { FORMATS } from "./detect.ts";
import { caseRecords } from "./recorded_test_helper.ts";
import { playValues, story } from "./session_test_helper.ts";

function all(format: string, records: readonly unknown[]): string[] {
  const found = FORMATS.find(({ name }) => name === format);
  assert.ok(found !== undefined);
  return story(playValues(format, records, found.create({ branch: "all" })).transcript);
}

for (
  const [format, name] of [["claude", "claude-branches"], ["pi", "pi-branches"], [
    "gemini",
    "gemini-rewind",
  ]] as const
) {
  Deno.test(`branches: all of ${name} are shown, with a row where it goes back`, () => {
    const records = caseRecords(name);
    const found = FORMATS.find((one) => one.name === format);
    assert.ok(found !== undefined);
    const live = story(playValues(name, records, found.create()).transcript);
    const whole = all(format, records);
    assert.ok(live.some((row) => row.includes("Another branch begins here")));
    assert.ok(whole.some((row) => row.includes("goes back to")), whole.join("\n"));
    const texts = (rows: readonly string[]) =>
      rows.filter((row) => !/^(?:info|warn|=|compact|---)/.test(row));
    for (const row of texts(live)) assert.ok(whole.includes(row), `${row}\n\n${whole.join("\n")}`);
    assert.ok(texts(whole).length > texts(live).length);
  });
}

Deno.test("branches: a session without branches is the same with all of them", () => {
  const cases = [["claude", "claude-session"], ["pi", "pi-session"], ["gemini", "gemini-chat"]] as const;
  for (const [format, name] of cases) {
    const found = FORMATS.find((one) => one.name === format);
    assert.ok(found !== undefined);
    const records = caseRecords(name);
    assert.deepEqual(all(format, records), story(playValues(name, records, found.create()).transcript), name);
  }
});
