import assert from "node:assert/strict";
import fc from "fast-check";
import { type DemoRequest, parseRequests } from "./script.ts";

const read = (...paths: string[]): DemoRequest => ({
  kind: "read",
  paths: paths.map((path) => ({ path, first: null, last: null })),
});

/** [message, what is asked] */
const CASES: readonly (readonly [string, readonly DemoRequest[]])[] = [
  ["read a.ts", [read("a.ts")]],
  ["Please READ a.ts", [read("a.ts")]],
  ["/read a.ts", [read("a.ts")]],
  ["read a.ts, b.ts and c.ts", [read("a.ts", "b.ts", "c.ts")]],
  ['read "my file.txt"', [read("my file.txt")]],
  ["read `a b.md`, c.md", [read("a b.md", "c.md")]],
  ["read a.ts:10-20", [{ kind: "read", paths: [{ path: "a.ts", first: 10, last: 20 }] }]],
  ["read a.ts:7", [{ kind: "read", paths: [{ path: "a.ts", first: 7, last: 7 }] }]],
  ["edit a.ts: old => new", [{ kind: "edit", path: "a.ts", oldText: "old", newText: "new", all: false }]],
  ["edit all a.ts: x =>", [{ kind: "edit", path: "a.ts", oldText: "x", newText: "", all: true }]],
  ["edit a.ts: a\\nb => c\\\\n\\td", [{
    kind: "edit",
    path: "a.ts",
    oldText: "a\nb",
    newText: "c\\n\td",
    all: false,
  }]],
  ["write a.md: one\\ntwo", [{ kind: "write", path: "a.md", text: "one\ntwo" }]],
  ["write a.md:\n# Title\r\n\r\ntext: more", [{
    kind: "write",
    path: "a.md",
    text: "# Title\n\ntext: more",
  }]],
  ["write a.md:", [{ kind: "write", path: "a.md", text: "" }]],
  ["grep TODO|FIXME", [{ kind: "grep", pattern: "TODO|FIXME" }]],
  ["glob `src/**/*.ts`", [{ kind: "glob", pattern: "src/**/*.ts" }]],
  ["run echo a; echo b then c", [{ kind: "run", command: "echo a; echo b then c" }]],
  ["$ ls -l", [{ kind: "run", command: "ls -l" }]],
  ["run for i in 1 2\ndo echo $i\ndone", [{ kind: "run", command: "for i in 1 2\ndo echo $i\ndone" }]],
  ["plan", [{ kind: "plan", items: [] }]],
  ["plan: one, two; three", [{ kind: "plan", items: ["one", "two", "three"] }]],
  ["tour", [{ kind: "tour" }]],
  ["Help!", [{ kind: "help" }]],
  ["ask", [{ kind: "ask" }]],

  ["read a.ts; run ls then edit a.ts: x => y", [
    read("a.ts"),
    { kind: "run", command: "ls" },
    { kind: "edit", path: "a.ts", oldText: "x", newText: "y", all: false },
  ]],
  ["read a.ts, then please read b.ts", [read("a.ts"), read("b.ts")]],
  ["1. read a.ts\n2. read b.ts\n- tour", [read("a.ts"), read("b.ts"), { kind: "tour" }]],
  ["write a: x\nrun ls", [{ kind: "write", path: "a", text: "x" }, { kind: "run", command: "ls" }]],

  ["what can you do?", [{ kind: "chat", text: "what can you do?" }]],
  ["", [{ kind: "chat", text: "" }]],
  ["hello\nthere", [{ kind: "chat", text: "hello\nthere" }]],
  ["reading is fun", [{ kind: "chat", text: "reading is fun" }]],
  ["read this carefully", [{ kind: "unclear", text: "read this carefully", wish: "read FILE" }]],
  ["run the tests", [{ kind: "unclear", text: "run the tests", wish: "run COMMAND" }]],
  ["read", [{ kind: "unclear", text: "read", wish: "read FILE" }]],
  ["edit a.ts x to y", [{ kind: "unclear", text: "edit a.ts x to y", wish: "edit FILE: old => new" }]],
  ["help me with this", [{ kind: "unclear", text: "help me with this", wish: "help" }]],
];

for (const [message, expected] of CASES) {
  Deno.test(`script: ${JSON.stringify(message)}`, () => assert.deepEqual(parseRequests(message), expected));
}

Deno.test("script: any message gives at least one request and never throws", () => {
  const words = fc.constantFrom(
    "read",
    "write",
    "run",
    "edit",
    "plan",
    "a.ts",
    ":",
    "=>",
    ";",
    "then",
    "\n",
    "`",
    "日本",
    " ",
  );
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: "binary" }), fc.array(words).map((each) => each.join(" "))),
      (message) => {
        assert.ok(parseRequests(message).length >= 1);
      },
    ),
    { numRuns: 500 },
  );
});
