// `deno task goldens [case ...]`: writes the goldens anew, in fixed order, and prints what changed.

import { GOLDENS, loadCases, orphanGoldens, readGolden, rowDiff } from "./files.ts";
import { goldenText, sectionsOf } from "./sections.ts";

if (Deno.env.get("CI")) {
  console.error("Cannot write goldens: CI is set, and goldens are approved by a person");
  Deno.exit(1);
}
const cases = await loadCases();
const wanted = Deno.args.length === 0 ? cases : cases.filter((golden) => Deno.args.includes(golden.name));
const unknown = Deno.args.filter((name) => !cases.some((golden) => golden.name === name));
if (unknown.length > 0) {
  console.error(`Cannot write goldens: there is no case ${unknown.join(", ")} in testdata`);
  Deno.exit(2);
}
let changed = 0;
for (const golden of wanted) {
  const sections = sectionsOf(golden, "whole");
  for (const section of sections) {
    for (const cell of section.wrong) console.error(`${golden.name}: ${section.heading}: ${cell}`);
  }
  const text = goldenText(golden, sections);
  const before = readGolden(golden.name);
  if (before === text) continue;
  changed++;
  console.log(`${before === null ? "new" : "changed"} goldens/${golden.name}.screen`);
  if (before !== null) console.log(rowDiff(before, text).join("\n"));
  Deno.writeTextFileSync(`${GOLDENS}/${golden.name}.screen`, text);
}
for (const name of Deno.args.length === 0 ? orphanGoldens(cases) : []) {
  changed++;
  console.log(`removed goldens/${name}: no case makes it`);
  Deno.removeSync(`${GOLDENS}/${name}`);
}
console.log(`${wanted.length} cases, ${changed} changed`);
