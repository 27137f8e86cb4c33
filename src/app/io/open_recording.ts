// `trifold open`: a recording is opened, its format found, and what is wrong said before the screen is taken. A long
// one is opened at its end: its tail is there for the first frame, the whole is read behind it.

import type { Call } from "../commands.ts";
import type { Input } from "../effect.ts";
import { showClient } from "../run.ts";
import { chooseReader } from "../../recordings/json_document.ts";
import { FORMAT as POD_JSONL } from "../../recordings/pod_jsonl.ts";
import { later } from "./later.ts";
import { openFiles, type RecordingFiles } from "./recording_files.ts";
import {
  cannotOpen,
  createPieces,
  feedOf,
  follow,
  type OpenFlags,
  type OpenProblem,
} from "./recording_pieces.ts";
import { isInteractive, NO_TERMINAL, refuse } from "./refuse.ts";
import type { Opening, Reader, RecordingSubject } from "./subject.ts";
import { openTail, SHORT_RECORDING } from "./tail.ts";
import { openTerminalKeys } from "./terminal_keys.ts";

/** `trifold open`. */
export async function openRecording(call: Call): Promise<number> {
  const path = call.words[0] ?? "";
  const keyboard = path === "-" ? await openTerminalKeys() : Deno.stdin;
  if (keyboard === null || !isInteractive(keyboard)) return refuse(NO_TERMINAL);
  const subject = await openSubject(path, call.flags);
  if (subject.kind === "problem") return refuse(subject.what, subject.code);
  return await showClient(subject, call.flags, keyboard);
}

/** About how many bytes are packed into one. */
const PACKED_TO = 6;
const NOTHING_READ = { kind: "bytes", bytes: new Uint8Array(0) } as const;

/** Opens a recording for a client to show. */
export async function openSubject(path: string, flags: OpenFlags): Promise<RecordingSubject | OpenProblem> {
  const source = await openFiles(path, { follow: flags.follow });
  if (source.kind === "problem") return cannotOpen(source.what);
  const pieces = createPieces(source);
  // A session in many files is not put together to be read from its beginning.
  const first = source.document === null ? await pieces.next() : NOTHING_READ;
  const document = first.kind === "bytes" && mayBeDocument(source, first.bytes)
    ? await (await later("open_document")).openDocument({ source, pieces, first: first.bytes }, flags)
    : null;
  if (document !== null) return document;
  const feed = await feedOf(source, flags, first);
  if (feed.fault() !== null) return cannotOpen(feed.fault() ?? "", 2);
  /** What is told where the recording ends; one that is followed may go on there. */
  const endInputs = (): readonly Input[] =>
    source.news !== null && feed.format() !== null ? [{ kind: "recording_end" }] : feed.end();

  // Read ahead until the format is known: what is unknown is said before the screen is taken.
  const ahead: Input[] = [];
  const length = source.packed === undefined ? source.byteLength : source.packed.byteLength * PACKED_TO;
  const isShort = source.tail === null || (length ?? 0) <= SHORT_RECORDING;
  let piece = first;
  let isUntold = !isShort && first.kind === "bytes" && feed.format() !== null;
  for (; !isUntold; piece = await pieces.next()) {
    if (piece.kind === "problem") return cannotOpen(piece.what);
    for (const one of piece.kind === "end" ? endInputs() : feed.push(piece.bytes)) ahead.push(one);
    if (feed.fault() !== null) return cannotOpen(feed.fault() ?? "");
    const isAll = isShort && source.tail !== null;
    if (piece.kind === "end" || !isAll && feed.format() !== null) break;
  }
  const format = feed.format();
  const tail = isShort || format === null || source.tail === null ? null : openTail(source.tail, {
    format,
    hasTurnNumbers: format === POD_JSONL,
    rows: Deno.consoleSize().rows,
    fold: flags.fold,
  });
  const opening: Opening = tail !== null ? "tail" : piece.kind === "end" ? "whole" : "beginning";
  const read: Reader = async (give) => {
    await give(ahead);
    while (piece.kind !== "end") {
      if (!isUntold) piece = await pieces.next();
      isUntold = false;
      if (piece.kind === "problem") return piece.what;
      await give(piece.kind === "end" ? endInputs() : feed.push(piece.bytes));
      if (tail !== null) await give([{ kind: "progress", share: pieces.share() }]);
    }
    if (source.news !== null) return await follow({ source, pieces, feed, flags, give });
    source.close();
    return null;
  };
  return { kind: "recording", opening, first: tail ?? ahead.splice(0), read };
}

/** Of most recordings the first bytes say that they are lines. */
function mayBeDocument(source: RecordingFiles, first: Uint8Array): boolean {
  return source.document !== null || chooseReader(first, false) !== "lines";
}
