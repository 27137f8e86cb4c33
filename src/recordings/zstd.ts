// Zstandard (RFC 8878) unpacked piece by piece: a recording is a chain of frames, and the last may be cut off while
// its writer still runs. The library is loaded only for such files.

/** Unpacks one recording. What is fed may be cut anywhere. */
export interface ZstdUnpacker {
  /** The bytes that can be had now. Throws a text for people when the data is no Zstandard. */
  push(bytes: Uint8Array): readonly Uint8Array[];
}

/** True for the first bytes of a Zstandard frame, or of a frame to be skipped. */
export function isZstd(bytes: Uint8Array): boolean {
  const [first = 0, ...rest] = bytes.subarray(0, 4);
  const isFrame = first === 0x28 && rest[0] === 0xb5 && rest[1] === 0x2f && rest[2] === 0xfd;
  const isSkipped = first >= 0x50 && first <= 0x5f && rest[0] === 0x2a && rest[1] === 0x4d &&
    rest[2] === 0x18;
  return isFrame || isSkipped;
}

/** Packed bytes given to the library at once, so that a piece of it is not unpacked into all memory. */
const SLICE_LENGTH = 1 << 16;

/** A fresh unpacker. The end of the data is not told to it: what comes behind the last whole block waits. */
export async function createZstdUnpacker(): Promise<ZstdUnpacker> {
  const { Decompress } = await import("fzstd");
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
}
