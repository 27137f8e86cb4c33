// Small parsers of what people write: the configuration file, key scripts, ACP prompts and answers.

import assert from "node:assert/strict";
import fc from "fast-check";
import { answerFor, cancellationFor, refusalFor } from "../../src/agents/acp_answers.ts";
import { promptBlocks } from "../../src/agents/acp_prompt.ts";
import { parseConfig, SETTING_NAMES } from "../../src/app/config.ts";
import { ACTIONS } from "../../src/input/actions.ts";
import { createKeymap } from "../../src/input/keymap.ts";
import { formatScript, parseKeyScript } from "../../src/input/key_script.ts";
import { anyJson, type Fuzzer, hostileText, wordOrText } from "./fuzzer.ts";

const CONFIG_WORDS = [
  ...SETTING_NAMES,
  ...Object.keys(ACTIONS).slice(0, 12),
  "<C-x><C-e>",
  "a",
  "<F5>",
  "off",
  "normal",
  "command",
  "args",
  "__proto__",
  "constructor",
];

export const CONFIG: Fuzzer<{ readonly text: string }> = {
  name: "config",
  label: "configuration file: a setting or a sentence, never a throw",
  gateRuns: 200,
  values: fc.oneof(
    fc.array(fc.tuple(wordOrText(CONFIG_WORDS), anyJson(CONFIG_WORDS)), { maxLength: 6 })
      .map((pairs) => ({ text: JSON.stringify(Object.fromEntries(pairs)) })),
    hostileText({ maxLength: 20 }).map((text) => ({ text })),
  ),
  check({ text }) {
    const read = parseConfig(text, "config.json");
    if (read.kind === "problem") {
      assert.match(read.what, /^Cannot read config "config\.json": \S/);
      return;
    }
    assert.deepEqual(createKeymap(read.config.settings.keys).problems, []);
    assert.ok(read.config.settings.pasteThreshold >= 0);
  },
};

export const SCRIPTS: Fuzzer<{ readonly text: string }> = {
  name: "scripts",
  label: "key scripts: read and written again they say the same",
  gateRuns: 300,
  values: fc.array(
    fc.oneof(
      fc.constantFrom(
        "<C-x>",
        "<S-Enter>",
        "<A-b>",
        "<lt>",
        "<",
        ">",
        "a",
        "日",
        "<Wait 5>",
        '<Paste "a\\nb">',
        "<Paste",
        "<F12>",
        "<C-",
        "<Nothing>",
        "\n",
        "<Space>",
      ),
      hostileText({ maxLength: 3 }),
    ),
    { maxLength: 12 },
  ).map((parts) => ({ text: parts.join("") })),
  check({ text }) {
    const parsed = parseKeyScript(text);
    if (parsed.kind === "problem") return assert.notEqual(parsed.what, "");
    const again = parseKeyScript(formatScript(parsed.steps));
    assert.deepEqual(again, parsed);
  },
};

interface AcpCase {
  readonly prompt: string;
  readonly method: string;
  readonly params: unknown;
  readonly answers: readonly {
    readonly id: string;
    readonly selected: readonly string[];
    readonly text: string | null;
  }[];
}

const ACP_WORDS = [
  "options",
  "optionId",
  "kind",
  "name",
  "reject_once",
  "allow_once",
  "requestedSchema",
  "properties",
  "type",
  "array",
  "string",
  "number",
  "boolean",
  "items",
  "enum",
  "oneOf",
  "anyOf",
  "const",
  "a",
  "b",
  "__proto__",
];
const acpWord = wordOrText(ACP_WORDS);

export const ACP_OUT: Fuzzer<AcpCase> = {
  name: "acp-out",
  label: "ACP, client to agent: prompts say what was written, answers are among what was offered",
  gateRuns: 200,
  values: fc.record({
    prompt: fc.array(
      fc.oneof(
        fc.constantFrom("@a.ts", '@"b c.ts"', "@a.ts,", "(@a.ts)", "@", '@"', " ", "\n"),
        hostileText({ maxLength: 4 }),
      ),
      { maxLength: 10 },
    ).map((parts) => parts.join("")),
    method: fc.constantFrom("session/request_permission", "elicitation/create", "other", "__proto__"),
    params: fc.array(fc.tuple(acpWord, anyJson(ACP_WORDS)), { maxLength: 5 }).map((pairs) =>
      Object.fromEntries(pairs)
    ),
    answers: fc.array(
      fc.record({ id: acpWord, selected: fc.array(acpWord, { maxLength: 3 }), text: fc.option(acpWord) }),
      { maxLength: 4 },
    ),
  }),
  check({ prompt, method, params, answers }) {
    const blocks = promptBlocks(
      prompt,
      (path) => path.endsWith(".ts") ? { path: `/w/${path}`, size: 1 } : null,
    );
    const said = blocks.map((block) =>
      block.type === "text" ? block.text : block.type === "resource_link" ? block.name : "?"
    ).join("");
    const plain = (text: string) => text.replaceAll(/[@"]/g, "");
    assert.equal(plain(said), plain(prompt));
    assert.ok(blocks.length > 0);
    const request = { method, params: params as Record<string, unknown> };
    const answer = answerFor(request, answers.map((one) => ({ ...one, selected: [...one.selected] })));
    if (method === "session/request_permission" && answer !== null) {
      const { optionId } = answer.outcome as { readonly optionId: string };
      assert.ok(JSON.stringify(params).includes(JSON.stringify(optionId)), "an option that was offered");
    }
    for (const given of [answer, refusalFor(request), cancellationFor(request)]) JSON.stringify(given);
  },
};
