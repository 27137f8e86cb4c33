// `trifold open`: a recording is opened, its format found, and what is wrong said before the screen is taken. A long
// one is opened at its end: its tail is there for the first frame, the whole is read behind it.

import { createPodTranslator, isPodRecord } from "../../recordings/pod_jsonl.ts";
import type { Call, Flags } from "../commands.ts";
import type { Input } from "../effect.ts";
import { type Choose, createFeedOf, type Feed, type FoundFormat } from "./feed.ts";
import { showClient } from "../run.ts";
import type { Opening, Reader, RecordingSubject } from "./subject.ts";
import { openTail, SHORT_RECORDING } from "./tail.ts";
import { later } from "./later.ts";
import { openFiles, type RecordingFiles } from "./recording_files.ts";
import { isInteractive, NO_TERMINAL, refuse } from "./refuse.ts";
import { openTerminalKeys } from "./terminal_keys.ts";

/** Bytes given to the feed at once: few enough that keys are looked at between two. */
const PIECE_LENGTH = 1 << 15;

/** `trifold open`. */
export async function openRecording(call: Call): Promise<number> {
  const path = call.words[0] ?? "";
  const keyboard = path === "-" ? await openTerminalKeys() : Deno.stdin;
  if (keyboard === null || !isInteractive(keyboard)) return refuse(NO_TERMINAL);
  const subject = await openSubject(path, call.flags);
  if (subject.kind === "problem") return refuse(subject.what, subject.code);
  return await showClient(subject, call.flags, keyboard);
}

/** Why a recording cannot be shown, and the exit code. */
export interface OpenProblem {
  readonly kind: "problem";
  readonly what: string;
  readonly code: 1 | 2;
}

/** Opens a recording for a client to show. */
export async function openSubject(path: string, flags: Flags): Promise<RecordingSubject | OpenProblem> {
  const source = await openFiles(path, { follow: flags.follow });
  if (source.kind === "problem") return cannotOpen(source.what);
  const pieces = createPieces(source);
  const first = await pieces.next();
  const feed = await feedOf(flags, first);
  if (feed.fault() !== null) return cannotOpen(feed.fault() ?? "", 2);
  /** What is told where the recording ends; one that is followed may go on there. */
  const endInputs = (): readonly Input[] =>
    source.news !== null && feed.format() !== null ? [{ kind: "recording_end" }] : feed.end();

  // Read ahead until the format is known: what is unknown is said before the screen is taken.
  const ahead: Input[] = [];
  const isShort = source.tail === null || (source.byteLength ?? 0) <= SHORT_RECORDING;
  let piece = first;
  for (;; piece = await pieces.next()) {
    if (piece.kind === "problem") return cannotOpen(piece.what);
    for (const one of piece.kind === "end" ? endInputs() : feed.push(piece.bytes)) ahead.push(one);
    if (feed.fault() !== null) return cannotOpen(feed.fault() ?? "");
    const isAll = isShort && source.tail !== null;
    if (piece.kind === "end" || !isAll && feed.format() !== null) break;
  }
  const format = feed.format();
  const tail = isShort || format === null || source.tail === null ? null : openTail(source.tail, {
    format,
    hasTurnNumbers: format === POD_FORMAT,
    rows: Deno.consoleSize().rows,
    fold: flags.fold,
  });
  const opening: Opening = tail !== null ? "tail" : piece.kind === "end" ? "whole" : "beginning";
  const read: Reader = async (give) => {
    await give(ahead);
    while (piece.kind !== "end") {
      piece = await pieces.next();
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

function cannotOpen(what: string, code: 1 | 2 = 1): OpenProblem {
  return { kind: "problem", what, code };
}

/** Shows what is written behind the present end; ends when the file cannot be read any more. */
async function follow(
  { source, pieces, feed, flags, give }: {
    readonly source: RecordingFiles;
    readonly pieces: ReturnType<typeof createPieces>;
    feed: Feed;
    readonly flags: Flags;
    readonly give: Parameters<Reader>[0];
  },
): Promise<string | null> {
  let notice: Input | null = null;
  let isFresh = false;
  for (;;) {
    const news = await source.news?.() ?? null;
    if (news === null) return null;
    if (news.kind === "notice") {
      await give([{ kind: "notice", level: "warn", message: news.what }]);
      continue;
    }
    if (news.kind === "restart") {
      await give([{ kind: "recording_restarts" }]);
      notice = { kind: "notice", level: "warn", message: news.what };
      isFresh = true;
    }
    for (;;) {
      const piece = await pieces.next();
      if (piece.kind === "problem") return piece.what;
      if (piece.kind === "end") break;
      if (isFresh) feed = await feedOf(flags, piece);
      isFresh = false;
      const inputs = feed.push(piece.bytes);
      await give(inputs);
      // A session's beginning clears the screen: the notice stands behind it.
      if (notice !== null && inputs.length > 0) {
        await give([notice]);
        notice = null;
      }
    }
  }
}

type Piece = Awaited<ReturnType<RecordingFiles["next"]>>;

async function feedOf(flags: Flags, first: Piece): Promise<Feed> {
  const choose = await chooserOf(flags.format, first.kind === "bytes" ? first.bytes : null);
  return createFeedOf(choose, { branch: flags.branch ? "all" : undefined });
}

/** A source's bytes in small pieces, and how much of it they were. */
function createPieces(source: RecordingFiles): { next(): Promise<Piece>; share(): number } {
  let rest: Uint8Array = new Uint8Array(0);
  let given = 0;
  return {
    next: async () => {
      if (rest.length === 0) {
        const read = await source.next();
        if (read.kind !== "bytes") return read;
        rest = read.bytes;
      }
      const bytes = rest.subarray(0, PIECE_LENGTH);
      rest = rest.subarray(PIECE_LENGTH);
      given += bytes.length;
      return { kind: "bytes", bytes };
    },
    share: () => Math.min(1, given / Math.max(1, source.byteLength ?? Infinity)),
  };
}

const POD_FORMAT: FoundFormat = { create: () => createPodTranslator() };

/** How the format is told. A pod's own log is known by its first line, without any other format's records. */
async function chooserOf(name: string | null, first: Uint8Array | null): Promise<Choose> {
  if (name === "pod-jsonl" || name === null && first !== null && isPodRecord(firstValue(first))) {
    return () => ({ kind: "format", format: POD_FORMAT });
  }
  return (await later("files")).chooseFormat(name);
}

function firstValue(bytes: Uint8Array): unknown {
  const end = bytes.indexOf(10);
  try {
    return JSON.parse(new TextDecoder().decode(end === -1 ? bytes : bytes.subarray(0, end)));
  } catch {
    return null;
  }
}
