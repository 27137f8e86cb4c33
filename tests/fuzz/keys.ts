// The key decoder under any bytes in any reads. The oracle knows nothing of the decoder: it is told what each token of
// the input means, so whatever else is typed was typed by nobody.

import assert from "node:assert/strict";
import fc from "fast-check";
import {
  createDecoder,
  decode,
  nextDeadline,
  type TerminalInput,
  tick,
} from "../../src/input/key_decoder.ts";
import { type Fuzzer, splitBytes } from "./fuzzer.ts";

/** What a token sends and what of it is typed or pasted. */
interface Token {
  readonly bytes: string;
  readonly types?: string;
  readonly pastes?: string;
}

const ANSWERS = [
  "\x1b[?62;4c",
  "\x1b[?2026;2$y",
  "\x1b[?1u",
  "\x1b[24;80R",
  "\x1bP>|term 1.0\x1b\\",
  "\x1b]11;rgb:0/0/0\x1b\\",
];
const KEYS = [
  ...[
    "\x1b[A",
    "\x1b[1;5C",
    "\x1b[13;2u",
    "\x1b[27;2;13~",
    "\x1b[3~",
    "\x1bOP",
    "\x1b[15~",
    "\x1b[13;2:3u",
  ],
  ...[
    "\x1b[<0;5;5M",
    "\x1b[<64;1;1M",
    "\x1b[<0;5;5m",
    "\x1b[I",
    "\x1b[O",
    "\x01",
    "\x0f",
    "\x7f",
    "\x1b[Z",
    "\x1b[97;5u",
  ],
];

const token: fc.Arbitrary<Token> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.constantFrom(..."abcXYZ01 ,.日本é😀").map((sign) => ({ bytes: sign, types: sign })),
  },
  { weight: 3, arbitrary: fc.constantFrom(...KEYS).map((bytes) => ({ bytes })) },
  { weight: 2, arbitrary: fc.constantFrom(...ANSWERS).map((bytes) => ({ bytes })) },
  // The kitty keyboard protocol's way to type a letter, and the keypad's 0.
  {
    weight: 1,
    arbitrary: fc.constantFrom({ bytes: "\x1b[98u", types: "b" }, { bytes: "\x1b[57399u", types: "0" }),
  },
  {
    weight: 1,
    arbitrary: fc.array(fc.constantFrom(..."ab\n日😀"), { minLength: 1, maxLength: 8 }).map((signs) => ({
      bytes: `\x1b[200~${signs.join("")}\x1b[201~`,
      pastes: signs.join(""),
    })),
  },
);

interface KnownInput {
  readonly tokens: readonly Token[];
  readonly cuts: readonly number[];
}

/** Known tokens, cut anywhere into reads that follow each other at once. */
export const KNOWN_KEYS: Fuzzer<KnownInput> = {
  name: "keys",
  label: "key decoder: known tokens in any reads type what was typed and nothing else",
  gateRuns: 300,
  values: fc.record({
    tokens: fc.array(token, { maxLength: 20 }),
    cuts: fc.array(fc.nat({ max: 9 }), { maxLength: 60 }),
  }),
  check({ tokens, cuts }) {
    const bytes = new TextEncoder().encode(tokens.map((one) => one.bytes).join(""));
    const { inputs, decoder } = decodeAll(splitBytes(bytes, cuts).map((piece) => ({ piece, waitMs: 0 })));
    assert.equal(nextDeadline(decoder), null, "nothing is left waiting");
    const expected = tokens.map((one) => one.types ?? "").join("");
    assert.equal(inputs.map(typedText).join(""), expected);
    const pastes = inputs.flatMap((input) => input.kind === "paste" ? [input.text] : []);
    assert.deepEqual(pastes, tokens.flatMap((one) => one.pastes === undefined ? [] : [one.pastes]));
  },
};

interface AnyInput {
  readonly reads: readonly { readonly bytes: readonly number[]; readonly waitMs: number }[];
}

const ANY_SEQUENCES = [
  ...KEYS,
  ...ANSWERS,
  "\x1b",
  "\x1b[",
  "\x1b]",
  "\x1bP",
  "\x1b_",
  "\x1bO",
  "\x1b[200~",
  "\x1b[201~",
  "\x1b[M   ",
  "\x9b",
  "\x90",
];
const piece = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(...ANY_SEQUENCES).map((text) => [...new TextEncoder().encode(text)]),
  },
  { weight: 2, arbitrary: fc.array(fc.nat({ max: 255 }), { maxLength: 6 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(..."ab;0~uRcm日😀").map((text) => [...new TextEncoder().encode(text)]),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom([0x1b], [0x80], [0xc3], [0xf0, 0x9f], [0xff], [0x0d], [0x0a], [0x03]),
  },
);

/** Any bytes, in any reads with any silence between them. */
export const ANY_KEYS: Fuzzer<AnyInput> = {
  name: "bytes",
  label: "key decoder: any bytes and any silence; only what came in is typed, and no control",
  gateRuns: 300,
  values: fc.record({
    reads: fc.array(
      fc.record({
        bytes: fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.flat()),
        waitMs: fc.constantFrom(0, 0, 0, 1, 10, 30, 210, 1100, 6000),
      }),
      { maxLength: 14 },
    ),
  }),
  check({ reads }) {
    const { inputs, decoder } = decodeAll(
      reads.map(({ bytes, waitMs }) => ({ piece: Uint8Array.from(bytes), waitMs })),
    );
    assert.equal(nextDeadline(decoder), null, "nothing is left waiting");
    const came = new TextDecoder().decode(Uint8Array.from(reads.flatMap((read) => read.bytes)));
    // Such a number, or a key of the keypad, may type any sign.
    // deno-lint-ignore no-control-regex
    const hasNumbers = /\[[\d;:]+u|\x1bO|\x8f|\x9b/.test(came);
    let at = 0;
    for (const sign of inputs.map(typedText).join("")) {
      // deno-lint-ignore no-control-regex
      assert.ok(!/[\0-\x1f\x7f-\x9f]/.test(sign), `a control is typed: ${JSON.stringify(sign)}`);
      // U+FFFD stands for bytes that are no UTF-8; reads may cut those otherwise.
      if (sign === "\ufffd") continue;
      if (hasNumbers) continue;
      at = came.indexOf(sign, at);
      assert.notEqual(at, -1, `${JSON.stringify(sign)} is typed but did not come`);
      at += sign.length;
    }
    // deno-lint-ignore no-control-regex
    for (const input of inputs) if (input.kind === "paste") assert.ok(!/[\0-\x08\x0b-\x1f]/.test(input.text));
  },
};

function decodeAll(reads: readonly { readonly piece: Uint8Array; readonly waitMs: number }[]) {
  const decoder = createDecoder({ escapeMs: 25 });
  const inputs: TerminalInput[] = [];
  let nowMs = 0;
  const passTo = (timeMs: number) => {
    for (let due = nextDeadline(decoder); due !== null && due <= timeMs; due = nextDeadline(decoder)) {
      inputs.push(...tick(decoder, due));
      const next = nextDeadline(decoder);
      assert.ok(next === null || next > due, "a tick leaves its own deadline behind");
    }
    nowMs = timeMs;
  };
  for (const { piece: bytes, waitMs } of reads) {
    passTo(nowMs + waitMs);
    inputs.push(...decode(decoder, bytes, nowMs));
  }
  passTo(nowMs + 60_000);
  return { inputs, decoder };
}

function typedText(input: TerminalInput): string {
  if (input.kind !== "key" || input.key.ctrl || input.key.alt) return "";
  return input.key.text ?? "";
}
