// The bytes of a recording on their way into its feed, in pieces small enough for keys to be looked at between two; and
// what is written behind its end, where it is followed.

import type { RecordingFormat } from "../../recordings/format.ts";
import { isSurely, likelyFormat } from "../../recordings/likely_format.ts";
import { createRecordReader } from "../../recordings/json_document.ts";
import { FORMAT as POD_JSONL, isPodRecord } from "../../recordings/pod_jsonl.ts";
import { sampleOf } from "./feed.ts";
import type { Flags } from "../commands.ts";
import type { Input } from "../effect.ts";
import { type Choose, createFeedOf, type Feed, type FeedOptions } from "./feed.ts";
import { later } from "./later.ts";
import type { RecordingFiles } from "./recording_files.ts";
import type { Reader } from "./subject.ts";

/** Bytes given to the feed at once: few enough that keys are looked at between two. */
const PIECE_LENGTH = 1 << 15;

/** How a recording is to be opened. */
export type OpenFlags = Pick<Flags, "follow" | "branch" | "fold" | "format">;

/** Why a recording cannot be shown, and the exit code. */
export interface OpenProblem {
  readonly kind: "problem";
  readonly what: string;
  readonly code: 1 | 2;
}

/** Says why. */
export function cannotOpen(what: string, code: 1 | 2 = 1): OpenProblem {
  return { kind: "problem", what, code };
}

/** Shows what is written behind the present end; ends when the file cannot be read any more. */
export async function follow(
  { source, pieces, feed, flags, give }: {
    readonly source: RecordingFiles;
    readonly pieces: Pieces;
    feed: Feed;
    readonly flags: OpenFlags;
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
      if (isFresh) feed = await feedOf(source, flags, piece);
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

export type Piece = Awaited<ReturnType<RecordingFiles["next"]>>;

/** A feed of the format asked for, or of the one that the first bytes have. */
export async function feedOf(source: RecordingFiles, flags: OpenFlags, first: Piece): Promise<Feed> {
  const choose = await chooserOf(flags.format, first.kind === "bytes" ? first.bytes : null);
  return createFeedOf(choose, { ...branchOf(flags), placeOf: source.placeOf });
}

/** Which branches are shown. */
export function branchOf(flags: OpenFlags): FeedOptions {
  return { branch: flags.branch ? "all" : undefined };
}

/** A source's bytes in small pieces, and how much of it they were. */
export interface Pieces {
  /** With `room` the next bytes are put there, if they need not be cut any more. */
  next(room?: Uint8Array): Promise<Piece>;
  share(): number;
}

/** The pieces of a source. */
export function createPieces(source: RecordingFiles): Pieces {
  let rest: Uint8Array = new Uint8Array(0);
  let given = 0;
  return {
    next: async (room) => {
      if (rest.length === 0) {
        const read = await source.next(room);
        if (read.kind !== "bytes") return read;
        if (room !== undefined && read.bytes.buffer === room.buffer) {
          given += read.bytes.length;
          return read;
        }
        rest = read.bytes;
      }
      const bytes = rest.subarray(0, PIECE_LENGTH);
      rest = rest.subarray(PIECE_LENGTH);
      given += bytes.length;
      return { kind: "bytes", bytes };
    },
    share: () => source.packed?.share() ?? Math.min(1, given / Math.max(1, source.byteLength ?? Infinity)),
  };
}

/**
 * How the format is told. A pod's own log is known by its first line, nearly every other one by its first few: then no
 * other format's translator is loaded.
 */
async function chooserOf(name: string | null, first: Uint8Array | null): Promise<Choose> {
  const isPod = name === POD_JSONL.name || name === null && first !== null && isPodRecord(firstValue(first));
  if (isPod) return () => ({ kind: "format", format: POD_JSONL });
  return await chooserFor(name === null && first !== null ? valuesIn(first) : [], name);
}

/** The records in the first bytes, as the feed will read them; of a session in one value those of its beginning. */
function valuesIn(bytes: Uint8Array): readonly unknown[] {
  return createRecordReader({ splits: true }).feed(bytes).flatMap((record) =>
    record.kind === "value" ? [record.value] : record.kind === "document" ? [sampleOf(record.document)] : []
  );
}

function firstValue(bytes: Uint8Array): unknown {
  const end = bytes.indexOf(10);
  try {
    return JSON.parse(new TextDecoder().decode(end === -1 ? bytes : bytes.subarray(0, end)));
  } catch {
    return null;
  }
}

/** How the format is told of a recording that has these records in it. */
export async function chooserFor(values: readonly unknown[], name: string | null): Promise<Choose> {
  const format = name === null ? await loadLikely(values) : null;
  return format === null ? (await later("files")).chooseFormat(name) : () => ({ kind: "format", format });
}

async function loadLikely(values: readonly unknown[]): Promise<RecordingFormat | null> {
  const name = values.map(likelyFormat).find((likely) => likely !== null) ?? null;
  if (name === null) return null;
  const { FORMAT } = await later(name);
  return isSurely(FORMAT, values) ? FORMAT : null;
}
