// What a release is made of: the right tag, its notes, the man page from the program's own tables.

import assert from "node:assert/strict";
import { TARGETS } from "../build/compile.ts";
import { manPage } from "../build/man.ts";
import { releaseNotes, tagProblem } from "../build/release.ts";
import { commandTables } from "../src/app/commands.ts";
import { keyTable } from "../src/input/key_table.ts";
import { ROOT } from "./program_session.ts";

const CHANGELOG =
  "# Changelog\n\n## 0.2.0, 2027-01-05\n\n- Second.\n\n### Also\n\n- More.\n\n## 0.1.0\n\n- First.\n";

Deno.test("release notes are the version's own section", () => {
  assert.deepEqual(releaseNotes(CHANGELOG, "0.2.0"), {
    heading: "2027-01-05",
    text: "- Second.\n\n### Also\n\n- More.",
  });
  assert.equal(releaseNotes(CHANGELOG, "0.1.0")?.text, "- First.");
  assert.equal(releaseNotes(CHANGELOG, "0.1"), null);
});

Deno.test("a tag that is not the version, or without notes, is not released", () => {
  assert.equal(tagProblem("v0.2.0", "0.2.0", CHANGELOG), null);
  assert.match(tagProblem("0.2.0", "0.2.0", CHANGELOG) ?? "", /must be v0\.2\.0/);
  assert.match(tagProblem("v0.1.0", "0.2.0", CHANGELOG) ?? "", /says version 0\.2\.0/);
  assert.match(tagProblem("v0.3.0", "0.3.0", CHANGELOG) ?? "", /no section/);
  assert.match(tagProblem("v0.1.0", "0.1.0", "## 0.1.0, not released yet\n") ?? "", /put the date there/);
});

Deno.test("the changelog has a section for the version of deno.json", async () => {
  const { version } = JSON.parse(await Deno.readTextFile(`${ROOT}deno.json`));
  assert.notEqual(releaseNotes(await Deno.readTextFile(`${ROOT}CHANGELOG.md`), version), null);
});

Deno.test("the release workflow smokes every target that is compiled", async () => {
  const workflow = await Deno.readTextFile(`${ROOT}.github/workflows/release.yml`);
  const smoked = [...workflow.matchAll(/target: ([\w-]+)/g)].map(([, target]) => target).sort();
  assert.deepEqual(smoked, Object.keys(TARGETS).sort());
});

Deno.test("the man page names every command, option and key, and no line of text is a request by accident", () => {
  const page = manPage();
  const plain = page.replaceAll("\\-", "-").replaceAll("\\(dq", '"').replaceAll("\\e", "\\").replaceAll(
    "\\&",
    "",
  );
  const { commands, flags } = commandTables();
  for (const name of Object.keys(commands)) assert.ok(plain.includes(`\n.B ${name}\n`), name);
  for (const name of Object.keys(flags)) assert.ok(plain.includes(`\n.B --${name}`), name);
  for (const row of keyTable()) {
    if (row.keys !== "") assert.ok(plain.includes(`\n.B ${row.keys}\n`), row.keys);
  }
  for (const line of page.split("\n")) {
    assert.match(line, /^(?![.'])|^\.(TH|SH|SS|TP|B|br)( |$)/);
  }
});
