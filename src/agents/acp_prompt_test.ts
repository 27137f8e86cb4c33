import assert from "node:assert/strict";
import { findMentioned, promptBlocks } from "./acp_prompt.ts";

const FILES = new Set(["src/a.ts", "my notes.md", "src", "a@b.txt", "ends.", "ünï/宽.ts"]);

/** [text of the draft, its blocks: text, or what a link is called] */
const PROMPTS: readonly (readonly [string, readonly (string | { link: string })[]])[] = [
  ["fix it", ["fix it"]],
  ["", [""]],
  ["fix @src/a.ts", ["fix ", { link: "src/a.ts" }]],
  ["@src/a.ts and (@src).", [{ link: "src/a.ts" }, " and (", { link: "src" }, ")."]],
  ['see @src/a.ts, then\n@"my notes.md"!', [
    "see ",
    { link: "src/a.ts" },
    ", then\n",
    { link: "my notes.md" },
    "!",
  ]],
  ["mail me@src/a.ts or @nobody", ["mail me@src/a.ts or @nobody"]],
  ["@ends. @ünï/宽.ts", [{ link: "ends." }, " ", { link: "ünï/宽.ts" }]],
  ["@", ["@"]],
  ["@src/a.ts@src/a.ts", [{ link: "src/a.ts" }, "@src/a.ts"]],
];

for (const [text, expected] of PROMPTS) {
  Deno.test(`acp prompt: ${JSON.stringify(text)}`, () => {
    const blocks = promptBlocks(
      text,
      (path) => FILES.has(path) ? { path: `/repo/${path}`, size: 3 } : null,
    );
    assert.deepEqual(
      blocks.map((block) =>
        block.type === "text"
          ? block.text
          : { link: block.type === "resource_link" ? block.name : block.type }
      ),
      expected,
    );
    const shown = blocks.map((block) => block.type === "text" ? block.text : "").join("");
    assert.ok(shown.length <= text.length);
  });
}

Deno.test("acp prompt: a link holds a file's address whatever its name holds", () => {
  const [link] = promptBlocks('@"a b#?%.md"', (path) => ({ path: `/x/${path}`, size: 12 }));
  assert.deepEqual(link, {
    type: "resource_link",
    name: "a b#?%.md",
    uri: "file:///x/a%20b%23%3F%25.md",
    size: 12,
  });
  assert.equal(new URL("file:///x/a%20b%23%3F%25.md").hash, "");
});

Deno.test("acp prompt: mentions are looked up from the session's directory", () => {
  const folder = Deno.makeTempDirSync({ prefix: "trifold-test-" });
  try {
    Deno.writeTextFileSync(`${folder}/a.ts`, "12345");
    assert.deepEqual(findMentioned("./x/../a.ts", folder), null, "the system looks x up");
    assert.deepEqual(findMentioned("./a.ts", `${folder}/`), { path: `${folder}/a.ts`, size: 5 });
    assert.deepEqual(findMentioned(`${folder}/a.ts`, "/"), { path: `${folder}/a.ts`, size: 5 });
    assert.deepEqual(findMentioned(".", folder), { path: folder, size: null });
    assert.equal(findMentioned("/dev/null", folder), null, "a device is no file");
    assert.equal(findMentioned("b.ts", folder), null);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});
