// Golden files beside the cases: where they are, how they differ, how they are written anew.

import { diffArrays } from "diff";
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

/**
 * What is wrong with a case fed one way: missing or different sections with the rows that differ, and wrong cells.
 * Fed all at once the whole file is compared, orphan sections included; fed another way, the sections looked at.
 */
export function caseFaults(golden: GoldenCase, way: Way): readonly string[] {
  const sections = sectionsOf(golden, way);
  const faults = sections.flatMap((section) => wrongCells(section));
  const approved = readGolden(golden.name);
  if (approved === null) {
    return [...faults, `goldens/${golden.name}.screen is missing: deno task goldens ${golden.name}`];
  }
  if (way === "whole") {
    const text = goldenText(golden, sections);
    return text === approved ? faults : [...faults, ...rowDiff(approved, text)];
  }
  const known = approvedSections(approved);
  return [
    ...faults,
    ...sections.flatMap(({ heading, text }) => sectionDiff(heading, known.get(heading), text)),
  ];
}

/** Each section's text by heading, "same as" replaced by what it is the same as. */
function approvedSections(approved: string): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [heading, rows] of splitSections(approved)) {
    const text = rows.join("\n").replace(/\n*$/, "\n");
    const same = /^same as (.*)\n$/.exec(text)?.[1];
    texts.set(heading.slice(3, -3), same === undefined ? text : texts.get(same) ?? text);
  }
  return texts;
}

function sectionDiff(heading: string, approved: string | undefined, now: string): readonly string[] {
  if (approved === now) return [];
  if (approved === undefined) return [`+ section == ${heading} ==`];
  return rowDiff(`== ${heading} ==\n${approved}`, `== ${heading} ==\n${now}`);
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
      for (const part of diffArrays(old, fresh)) {
        if (part.removed) rows.push(...part.value.map((row) => `- ${row}`));
        if (part.added) rows.push(...part.value.map((row) => `+ ${row}`));
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
