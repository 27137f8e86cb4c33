import assert from "node:assert/strict";
import { zstdCompressSync } from "node:zlib";
import { joinBytes } from "./bytes.ts";
import { isZstd, lastUnpacked, loadZstd } from "./zstd.ts";

const LINE = '{"type":"step/end","data":{"turn":1}}\n';

function packed(text: string): Uint8Array {
  return new Uint8Array(zstdCompressSync(new TextEncoder().encode(text)));
}

async function unpack(bytes: Uint8Array, size: number): Promise<string> {
  const unpacker = (await loadZstd())();
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

Deno.test("zstd: the last bytes of a chain are unpacked without what is before them", async () => {
  const createUnpacker = await loadZstd();
  const lines = Array.from(
    { length: 20_000 },
    (_, at) => `{"line":${at},"word":"${(at * 7919).toString(36)}"}\n`,
  );
  const frames = Array.from(
    { length: 200 },
    (_, at) => packed(lines.slice(at * 100, at * 100 + 100).join("")),
  );
  const whole = new TextEncoder().encode(lines.join(""));
  for (const cut of [0, 9]) {
    const bytes = joinBytes(frames);
    const chain = bytes.subarray(0, bytes.length - cut);
    const lost = cut === 0 ? 0 : 100;
    const there = new TextEncoder().encode(lines.slice(0, lines.length - lost).join(""));
    for (const length of [100, 5000, 65_536, whole.length, whole.length + 1]) {
      let read = 0;
      const last = lastUnpacked(
        (count) => {
          read = Math.min(count, chain.length);
          return chain.subarray(-count);
        },
        createUnpacker,
        length,
      );
      assert.ok(last !== null);
      // Of a frame that is cut off what is whole may come too.
      const text = new TextDecoder().decode(last);
      assert.ok(last.length === length || length > there.length, `${length}`);
      if (cut === 0) assert.deepEqual(last, whole.subarray(-length));
      else assert.ok(lines.join("").includes(text) || text.length >= there.length, `${length}`);
      if (length <= 5000) assert.ok(read < chain.length / 4, `${read} of ${chain.length} for ${length}`);
    }
  }
});

Deno.test("zstd: one long frame has no last bytes alone, and a beginning inside a frame is none", async () => {
  const createUnpacker = await loadZstd();
  const random = new Uint8Array(6_000_000);
  for (let at = 0; at < random.length; at += 65_536) {
    crypto.getRandomValues(random.subarray(at, Math.min(random.length, at + 65_536)));
  }
  const frame = new Uint8Array(zstdCompressSync(random));
  assert.equal(lastUnpacked((count) => frame.subarray(-count), createUnpacker, 1000), null);
  assert.equal(lastUnpacked(() => null, createUnpacker, 1000), null);
  // Bytes that are not packed are kept as they are: here is a frame's beginning among them.
  const noise = random.slice(0, 3000);
  noise.set([0x28, 0xb5, 0x2f, 0xfd, 0xff], 1500);
  const chain = joinBytes([packed(LINE), new Uint8Array(zstdCompressSync(noise)), packed(LINE.repeat(3))]);
  const last = lastUnpacked((count) => chain.subarray(-count), createUnpacker, 4 * (LINE.length + 500));
  assert.ok(last !== null && new TextDecoder().decode(last).endsWith(LINE.repeat(3)));
});
