import assert from "node:assert/strict";
import { zstdCompressSync } from "node:zlib";
import { createZstdUnpacker, isZstd } from "./zstd.ts";

const LINE = '{"type":"step/end","data":{"turn":1}}\n';

function packed(text: string): Uint8Array {
  return new Uint8Array(zstdCompressSync(new TextEncoder().encode(text)));
}

async function unpack(bytes: Uint8Array, size: number): Promise<string> {
  const unpacker = await createZstdUnpacker();
  const decoder = new TextDecoder();
  let text = "";
  for (let at = 0; at < bytes.length; at += size) {
    for (const piece of unpacker.push(bytes.subarray(at, at + size))) {
      text += decoder.decode(piece, { stream: true });
    }
  }
  return text;
}

Deno.test("zstd: a chain of frames, cut anywhere", async () => {
  const text = [LINE, LINE.repeat(5000), "宽".repeat(90_000)];
  const bytes = new Uint8Array(text.flatMap((one) => [...packed(one)]));
  for (const size of [1, 7, 1000, bytes.length]) assert.equal(await unpack(bytes, size), text.join(""));
});

Deno.test("zstd: what is whole of a last frame that is cut off, and no fault", async () => {
  const whole = packed(LINE.repeat(3));
  const half = packed("x".repeat(300_000)).subarray(0, 12);
  const bytes = new Uint8Array([...whole, ...half]);
  assert.ok((await unpack(bytes, 5)).startsWith(LINE.repeat(3)));
});

Deno.test("zstd: damaged data is a throw for the source to tell, never a hang", async () => {
  const bytes = new Uint8Array([...packed(LINE.repeat(500)), ...new Uint8Array(64).fill(0xab)]);
  await assert.rejects(() => unpack(bytes, 3));
});

Deno.test("zstd: told by its first bytes", () => {
  assert.ok(isZstd(packed("x")));
  assert.ok(isZstd(new Uint8Array([0x50, 0x2a, 0x4d, 0x18])));
  assert.ok(!isZstd(new TextEncoder().encode('{"a"')));
  assert.ok(!isZstd(new Uint8Array([0x28])));
});
