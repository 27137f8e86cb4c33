// Golden files beside the cases: where they are, how they differ, how they are written anew.

import { loadLibraries } from "../../src/app/files.ts";
import { type GoldenCase, readCases } from "./case.ts";
import { goldenText, type Section, sectionsOf, type Way } from "./sections.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
export const CASES = `${ROOT}testdata`;
export const GOLDENS = `${ROOT}goldens`;

/** All cases, with the libraries loaded that the first frame does without. */
export async function loadCases(): Promise<readonly GoldenCase[]> {
  await loadLibraries();
  return readCases(CASES);
}

/** The golden on disk; null when there is none. */
export function readGolden(name: string): string | null {
  try {
    return Deno.readTextFileSync(`${GOLDENS}/${name}.screen`);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** Golden files that no case makes. */
export function orphanGoldens(cases: readonly GoldenCase[]): readonly string[] {
  const known = new Set(cases.map((golden) => `${golden.name}.screen`));
  return [...Deno.readDirSync(GOLDENS)].map((entry) => entry.name).filter((name) => !known.has(name)).sort();
}

/** What is wrong with a case fed one way: missing or different sections with the rows that differ, and wrong cells. */
export function caseFaults(golden: GoldenCase, way: Way): readonly string[] {
  const sections = sectionsOf(golden, way);
  const faults = sections.flatMap((section) => wrongCells(section));
  const approved = readGolden(golden.name);
  if (approved === null) {
    return [...faults, `goldens/${golden.name}.screen is missing: deno task goldens ${golden.name}`];
  }
  const text = goldenText(golden, sections);
  return text === approved ? faults : [...faults, ...rowDiff(approved, text)];
}

function wrongCells(section: Section): string[] {
  return section.wrong.slice(0, 5).map((cell) => `${section.heading}: ${cell}`);
}

/** The rows that differ, with the heading of their section. */
export function rowDiff(approved: string, now: string): readonly string[] {
  const [before, after] = [splitSections(approved), splitSections(now)];
  const rows: string[] = [];
  for (const heading of new Set([...before.keys(), ...after.keys()])) {
    const old = before.get(heading);
    const fresh = after.get(heading);
    if (old === undefined) rows.push(`+ section ${heading}`);
    else if (fresh === undefined) rows.push(`- section ${heading}`);
    else if (old.join("\n") !== fresh.join("\n")) {
      rows.push(`  section ${heading}`);
      for (let at = 0; at < Math.max(old.length, fresh.length); at++) {
        if (old[at] === fresh[at]) continue;
        if (old[at] !== undefined) rows.push(`- ${old[at]}`);
        if (fresh[at] !== undefined) rows.push(`+ ${fresh[at]}`);
      }
    }
  }
  return rows;
}

function splitSections(text: string): Map<string, string[]> {
  const sections = new Map<string, string[]>();
  let current: string[] = [];
  sections.set("(head)", current);
  for (const row of text.split("\n")) {
    if (/^== .* ==$/.test(row)) sections.set(row, current = []);
    else current.push(row);
  }
  return sections;
}
