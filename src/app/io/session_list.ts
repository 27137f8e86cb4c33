// The sessions of this machine with what each is about, one after the other as they are read; and `trifold sessions`
// where there is nobody to pick one: as a list or as JSON. Nothing is ever written, and nothing kept.

import { formatAge, formatBytes, shortPath } from "../../layout/format.ts";
import { ELSEWHERE, readDetails, type SessionDetails } from "./session_details.ts";
import type { Here } from "./session_here.ts";
import type { FoundSession } from "./session_places.ts";
import { writeOut } from "./write_out.ts";

/** A session with what is known of it. */
export interface ListedSession {
  readonly session: FoundSession;
  readonly details: SessionDetails;
}

/** Longest work before others get a turn, in ms. */
const SLICE_MS = 8;

export interface ListOptions {
  /** Only sessions of this directory; null for all. */
  readonly here: Here | null;
  /** What cannot be read is added to it. */
  readonly skipped: string[];
}

/** The sessions with their details, one after the other, as they are read. */
export async function* listDetails(
  sessions: readonly FoundSession[],
  { here, skipped }: ListOptions,
): AsyncGenerator<ListedSession> {
  let sliceEndMs = performance.now() + SLICE_MS;
  for (const session of sessions) {
    const details = await readDetails(session, here);
    if (details !== ELSEWHERE) {
      if ("problem" in details) skipped.push(`${session.path} (${details.problem})`);
      else yield { session, details };
    }
    if (performance.now() < sliceEndMs) continue;
    await new Promise((resolve) => setTimeout(resolve));
    sliceEndMs = performance.now() + SLICE_MS;
  }
}

/** One line about what was left out; nothing when nothing was. */
export async function sayWhatIsMissing(
  skipped: readonly string[],
  hints: readonly string[],
): Promise<void> {
  if (skipped.length === 0 && hints.length === 0) return;
  const { safeText } = await import("../../text/outside_text.ts");
  if (skipped.length > 0) {
    const some = skipped.slice(0, 3).map((one) => safeText(one)).join(", ");
    const more = skipped.length > 3 ? ` and ${skipped.length - 3} more` : "";
    console.error(`Skipped ${skipped.length} that cannot be read: ${some}${more}`);
  }
  for (const hint of hints) console.error(safeText(hint));
}

/** What to call a session. */
export function titleOf({ details }: ListedSession): string {
  return details.title || details.firstWords || "untitled";
}

const COLUMNS = [
  ["AGE", 6],
  ["AGENT", 16],
  ["SIZE", 8],
  ["DIRECTORY", 32],
  ["TITLE", 48],
  ["FILE", 0],
] as const;

/** As a table for people; false when the reader has gone away. */
export async function writeList(list: AsyncIterable<ListedSession>): Promise<boolean> {
  const [{ cellWidth, cutToWidth }, { safeText }] = await Promise.all([
    import("../../text/graphemes.ts"),
    import("../../text/outside_text.ts"),
  ]);
  const fit = (text: string, width: number) => {
    const safe = safeText(text);
    if (width === 0) return safe;
    const cut = cellWidth(safe) <= width ? safe : `${cutToWidth(safe, width - 1)}…`;
    return cut + " ".repeat(Math.max(0, width - cellWidth(cut)));
  };
  const row = (cells: readonly string[]) =>
    cells.map((cell, at) => fit(cell, COLUMNS[at]?.[1] ?? 0)).join("  ").trimEnd() + "\n";
  const home = Deno.env.get("HOME") ?? null;
  let count = 0;
  for await (const listed of list) {
    const { session, details } = listed;
    if (count++ === 0 && !await writeOut(row(COLUMNS.map(([name]) => name)))) return false;
    const isWritten = await writeOut(row([
      formatAge(Date.now() - session.modifiedMs),
      session.agent,
      session.byteLength === null ? "-" : formatBytes(session.byteLength),
      shortDirectory(details.directory, home),
      titleOf(listed),
      session.path,
    ]));
    if (!isWritten) return false;
  }
  return count > 0 || await writeOut("No sessions were found\n");
}

/** As JSON; false when the reader has gone away. */
export async function writeJson(list: AsyncIterable<ListedSession>): Promise<boolean> {
  let separator = "[\n";
  for await (const { session, details } of list) {
    const row = {
      agent: session.agent,
      format: session.format,
      title: details.title,
      first_words: details.firstWords,
      directory: details.directory,
      modified_ms: session.modifiedMs,
      byte_length: session.byteLength,
      path: session.path,
    };
    if (!await writeOut(`${separator}  ${JSON.stringify(row)}`)) return false;
    separator = ",\n";
  }
  return await writeOut(separator === "[\n" ? "[]\n" : "\n]\n");
}

/** Of a long path the end is what tells. */
export function shortDirectory(directory: string, home: string | null): string {
  const short = shortPath(directory, home);
  return short.length > 32 ? `…${short.slice(-31)}` : short;
}
