import assert from "node:assert/strict";
import fc from "fast-check";
import {
  characterKey,
  formatKey,
  formatKeys,
  isCharacter,
  isSameKey,
  type Key,
  KEY_NAMES,
  namedKey,
  parseKeyName,
  parseKeys,
} from "./key.ts";
import { formatScript, parseKeyScript, type ScriptStep } from "./key_script.ts";

const modifiers = fc.record({ ctrl: fc.boolean(), alt: fc.boolean(), shift: fc.boolean() });
const character = fc.string({ unit: "binary", minLength: 1, maxLength: 1 }).filter(isCharacter);
const anyKey: fc.Arbitrary<Key> = fc.oneof(
  fc.tuple(character, modifiers).map(([sign, held]) => characterKey(sign, held)),
  fc.tuple(fc.integer({ min: 0x20, max: 0x7e }), modifiers).map(([code, held]) =>
    characterKey(String.fromCharCode(code), held)
  ),
  fc.tuple(fc.constantFrom(...KEY_NAMES), modifiers).map(([name, held]) => namedKey(name, held)),
);

Deno.test("a key's text form gives the same key back", () => {
  fc.assert(
    fc.property(anyKey, (key) => {
      const text = formatKey(key);
      assert.deepEqual(parseKeys(text), [key], text);
    }),
    { numRuns: 3000 },
  );
});

Deno.test("keys side by side are told apart in their text form", () => {
  fc.assert(
    fc.property(fc.array(anyKey, { maxLength: 20 }), (keys) => {
      assert.deepEqual(parseKeys(formatKeys(keys)), keys);
    }),
    { numRuns: 500 },
  );
});

Deno.test("a script of keys, pastes and waits gives the same steps back", () => {
  const step: fc.Arbitrary<ScriptStep> = fc.oneof(
    anyKey.map((key) => ({ kind: "key", key }) as const),
    fc.string({ unit: "binary" }).map((text) => ({ kind: "paste", text: text.toWellFormed() }) as const),
    fc.nat(100_000).map((ms) => ({ kind: "wait", ms }) as const),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      assert.deepEqual(parseKeyScript(formatScript(steps)), { kind: "script", steps });
    }),
    { numRuns: 500 },
  );
});

Deno.test("the text form is read in every way people write it", () => {
  const forms: readonly (readonly [string, string])[] = [
    ["<C-O>", "<C-S-o>"],
    ["<M-x>", "<A-x>"],
    ["<S-a>", "A"],
    ["<A-A>", "<A-S-a>"],
    ["<C-S-->", "<C-_>"],
    ["<Escape>", "<Esc>"],
    ["<PageUp><pgdn>", "<PgUp><PgDn>"],
    ["<C->>", "<C-gt>"],
    ["<lt>b<gt>", "<lt>b<gt>"],
    [" ", "<Space>"],
    ["<f12>", "<F12>"],
    ["<Esc>>", "<Esc><gt>"],
    ["あ😀", "あ😀"],
  ];
  for (const [written, formal] of forms) assert.equal(formatKeys(parseKeys(written)), formal, written);
});

Deno.test("what is no key is a problem that says what was wished", () => {
  const wrong: readonly (readonly [string, string])[] = [
    ["<C-o", 'Cannot parse keys: "<" without ">" at character 1; write <lt> for the character itself'],
    ["a<Foo>", "Cannot parse keys: no key is named <Foo>"],
    ["<F36>", "Cannot parse keys: no key is named <F36>"],
    ["\t", "Cannot parse keys: control character 0x09; write it as <Tab>, <Esc>, <Enter>"],
    ["<Paste abc>", 'Cannot parse keys: character 1 must begin <Paste "JSON string"> or <Wait milliseconds>'],
  ];
  for (const [text, what] of wrong) assert.deepEqual(parseKeyScript(text), { kind: "problem", what });
  assert.throws(() => parseKeys("<Foo>"), TypeError);
  assert.equal(parseKeyName(""), null);
});

Deno.test("no text makes the reader of scripts throw", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(
      fc.constantFrom("<", ">", "C-", "S-", "Paste ", '"', "\\", "Wait ", "1", "a", " ", "\n", '<Paste "x">'),
    ).map((parts) => parts.join("")),
  );
  fc.assert(
    fc.property(text, (text) => {
      const parsed = parseKeyScript(text);
      if (parsed.kind === "problem") assert.match(parsed.what, /^Cannot parse keys: /u);
      else assert.deepEqual(parseKeyScript(formatScript(parsed.steps)), parsed);
    }),
    { numRuns: 2000 },
  );
});

Deno.test("a script may stand on several lines", () => {
  const parsed = parseKeyScript('ab\n<Paste "x\\n<C-c>">\r\n<Wait 20><Enter>');
  assert.deepEqual(parsed, {
    kind: "script",
    steps: [
      { kind: "key", key: characterKey("a") },
      { kind: "key", key: characterKey("b") },
      { kind: "paste", text: "x\n<C-c>" },
      { kind: "wait", ms: 20 },
      { kind: "key", key: namedKey("Enter") },
    ],
  });
});

Deno.test("only a key without Ctrl and Alt types text", () => {
  fc.assert(
    fc.property(anyKey, (key) => {
      const types = !key.ctrl && !key.alt && (isCharacter(key.name) || key.name === "Space");
      assert.equal(key.text, types ? (key.name === "Space" ? " " : key.name) : undefined);
    }),
    { numRuns: 1000 },
  );
  assert.equal(isSameKey(characterKey("a", { shift: true }), characterKey("A")), true);
});
