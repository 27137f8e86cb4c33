import assert from "node:assert/strict";
import { blocksText, contentParts, contentText, unfence } from "./acp_content.ts";

Deno.test("content: a fence around the whole is taken off, any other is kept", () => {
  const cases: [string, string][] = [
    ["```\na\n```", "a"],
    ["```console\na\nb\n```\n", "a\nb"],
    ["````\n```\nx\n```\n````", "```\nx\n```"],
    ["```\n```", ""],
    ["```ts\na\n```\ntext\n```\nb\n```", "```ts\na\n```\ntext\n```\nb\n```"],
    ["text\n```\na\n```", "text\n```\na\n```"],
    ["```\nopen", "```\nopen"],
    ["", ""],
  ];
  for (const [text, plain] of cases) assert.equal(unfence(text), plain, JSON.stringify(text));
});

Deno.test("content: texts run on, other blocks stand on lines of their own", () => {
  const link = { type: "resource_link", name: "a", uri: "a" };
  const text = (value: string) => ({ type: "text", text: value });
  assert.equal(
    blocksText([text("see "), text("this"), link, text("and that")]),
    "see this\n[link: a]\nand that",
  );
  assert.equal(blocksText([link]), "[link: a]");
  assert.equal(blocksText("no list"), "");
});

Deno.test("content: text, diffs, images and terminals of a call", () => {
  const content = [
    { type: "content", content: { type: "text", text: "```\nplain\n```" } },
    { type: "content", content: { type: "text", text: "*marked*" } },
    { type: "diff", path: "/a", oldText: null, newText: "x" },
    { type: "terminal", terminalId: "t" },
    { type: "novelty" },
  ];
  assert.equal(contentText(content), "plain *marked*");
  assert.deepEqual(contentParts(content), [
    { type: "text", text: "plain" },
    { type: "markdown", text: "*marked*" },
    { type: "diff", path: "/a", old: null, new: "x" },
    { type: "text", text: "[novelty]" },
  ]);
  assert.equal(contentText([]), null);
});
