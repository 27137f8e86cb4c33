// `trifold open`: a recording is opened, its format found, and what is wrong said before the screen is taken. A long
// one is opened at its end: its tail is there for the first frame, the whole is read behind it.

import { createPodTranslator, isPodRecord } from "../../recordings/pod_jsonl.ts";
import { openSource, type Source } from "../../recordings/source.ts";
import { isInteractive } from "../../screen/terminal.ts";
import { loadMarkdown } from "../../text/markdown.ts";
import type { Call } from "../commands.ts";
import type { Input } from "../effect.ts";
import { type Choose, createFeedOf, type FoundFormat } from "./feed.ts";
import { type Opening, type Reader, showClient } from "../run.ts";
import { openTail, SHORT_RECORDING } from "./tail.ts";
import { later } from "./later.ts";
import { NO_TERMINAL, refuse } from "./refuse.ts";
import { openTerminalKeys } from "./terminal_keys.ts";

/** Bytes given to the feed at once: few enough that keys are looked at between two. */
const PIECE_LENGTH = 1 << 15;

/** `trifold open`. */
export async function openRecording(call: Call): Promise<number> {
  const path = call.words[0] ?? "";
  const keyboard = path === "-" ? await openTerminalKeys() : Deno.stdin;
  if (keyboard === null || !isInteractive(keyboard)) return refuse(NO_TERMINAL);
  const markdown = loadMarkdown();
  const source = await openSource(path);
  if (source.kind === "problem") return refuse(source.what);
  const pieces = createPieces(source);
  const first = await pieces.next();
  const feed = createFeedOf(await chooserOf(call.flags.format, first.kind === "bytes" ? first.bytes : null));
  if (feed.fault() !== null) return refuse(feed.fault() ?? "", 2);

  // Read ahead until the format is known: what is unknown is said before the screen is taken.
  const ahead: Input[] = [];
  const isShort = source.tail === null || (source.byteLength ?? 0) <= SHORT_RECORDING;
  let piece = first;
  for (;; piece = await pieces.next()) {
    if (piece.kind === "problem") return refuse(piece.what);
    ahead.push(...piece.kind === "end" ? feed.end() : feed.push(piece.bytes));
    if (feed.fault() !== null) return refuse(feed.fault() ?? "");
    const isAll = isShort && source.tail !== null;
    if (piece.kind === "end" || !isAll && feed.format() !== null) break;
  }
  const format = feed.format();
  const tail = isShort || format === null || source.tail === null ? null : openTail(source.tail, {
    format,
    hasTurnNumbers: format === POD_FORMAT,
    rows: Deno.consoleSize().rows,
    fold: call.flags.fold,
  });
  await markdown;
  const opening: Opening = tail !== null ? "tail" : piece.kind === "end" ? "whole" : "beginning";
  const read: Reader = async (give) => {
    await give(ahead);
    while (piece.kind !== "end") {
      piece = await pieces.next();
      if (piece.kind === "problem") return piece.what;
      await give(piece.kind === "end" ? feed.end() : feed.push(piece.bytes));
      if (tail !== null) await give([{ kind: "progress", share: pieces.share() }]);
    }
    source.close();
    return null;
  };
  const subject = { kind: "recording", opening, first: tail ?? ahead.splice(0), read } as const;
  return await showClient(subject, call.flags, keyboard);
}

type Piece = Awaited<ReturnType<Source["next"]>>;

/** A source's bytes in small pieces, and how much of it they were. */
function createPieces(source: Source): { next(): Promise<Piece>; share(): number } {
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
