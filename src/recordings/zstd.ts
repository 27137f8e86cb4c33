// Zstandard (RFC 8878) unpacked piece by piece: a recording is a chain of frames, and the last may be cut off while
// its writer still runs. The library is loaded only for such files.

import { joinBytes } from "./bytes.ts";

/** Unpacks one recording. What is fed may be cut anywhere. */
export interface ZstdUnpacker {
  /** The bytes that can be had now. Throws a text for people when the data is no Zstandard. */
  push(bytes: Uint8Array): readonly Uint8Array[];
}

const FRAME_MAGIC: readonly number[] = [0x28, 0xb5, 0x2f, 0xfd];

/** True for the first bytes of a Zstandard frame, or of a frame to be skipped. */
export function isZstd(bytes: Uint8Array): boolean {
  const [first = 0, ...rest] = bytes.subarray(0, 4);
  const isFrame = FRAME_MAGIC.every((byte, at) => bytes[at] === byte);
  const isSkipped = first >= 0x50 && first <= 0x5f && rest[0] === 0x2a && rest[1] === 0x4d &&
    rest[2] === 0x18;
  return isFrame || isSkipped;
}

/** Packed bytes given to the library at once, so that a piece of it is not unpacked into all memory. */
const SLICE_LENGTH = 1 << 16;

/** Loads the library; each call of what it gives makes a fresh unpacker. The end of the data is not told to it: what comes behind the last whole block waits. */
export async function loadZstd(): Promise<() => ZstdUnpacker> {
  const { Decompress } = await import("fzstd");
  return () => {
    let pieces: Uint8Array[] = [];
    const stream = new Decompress((piece: Uint8Array) => {
      // The library uses its buffers again.
      if (piece.length > 0) pieces.push(piece.slice());
    });
    return {
      push: (bytes) => {
        for (let at = 0; at < bytes.length; at += SLICE_LENGTH) {
          stream.push(bytes.subarray(at, at + SLICE_LENGTH), false);
        }
        const taken = pieces;
        pieces = [];
        return taken;
      },
    };
  };
}

/** Packed bytes that are read first to get at so many unpacked ones: text is packed to a sixth or so. */
const PACKED_SHARE = 6;
/** Packed bytes that are looked at for the beginning of a frame; with longer frames all is read in order. */
const MOST_PACKED = 1 << 22;

/**
 * The last unpacked bytes of a chain of frames, at most `length`, less only where these are all; null where they cannot
 * be had from its end. `readLast` gives at most that many packed ones.
 */
export function lastUnpacked(
  readLast: (length: number) => Uint8Array | null,
  createUnpacker: () => ZstdUnpacker,
  length: number,
): Uint8Array | null {
  for (let count = Math.ceil(length / PACKED_SHARE); count <= MOST_PACKED; count *= 2) {
    const packed = readLast(count);
    if (packed === null) return null;
    const unpacked = lastFrames(packed, createUnpacker, length);
    const isAll = packed.length < count;
    if (isAll || unpacked.length >= length) return unpacked.length === 0 ? null : unpacked.subarray(-length);
  }
  return null;
}

/** What the last frames in these bytes hold, of as many as give `length`; none where no frame begins in them. */
function lastFrames(packed: Uint8Array, createUnpacker: () => ZstdUnpacker, length: number): Uint8Array {
  const frames: Uint8Array[] = [];
  let end = packed.length;
  let unpackedLength = 0;
  for (let start = frameStart(packed, end); start !== -1 && unpackedLength < length;) {
    try {
      const frame = joinBytes(createUnpacker().push(packed.subarray(start, end)));
      frames.unshift(frame);
      unpackedLength += frame.length;
      end = start;
    } catch {
      // What looked like a frame's beginning is inside of the one before.
    }
    start = start === 0 ? -1 : frameStart(packed, start - 1);
  }
  return joinBytes(frames);
}

/** Where the last frame begins that begins at `from` or before; -1 where none does. */
function frameStart(bytes: Uint8Array, from: number): number {
  let at = bytes.lastIndexOf(FRAME_MAGIC[0]!, from);
  while (at !== -1 && !FRAME_MAGIC.every((byte, index) => bytes[at + index] === byte)) {
    at = at === 0 ? -1 : bytes.lastIndexOf(FRAME_MAGIC[0]!, at - 1);
  }
  return at;
}
