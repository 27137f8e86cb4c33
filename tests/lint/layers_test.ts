// The plugin finds each kind of fault where it is planted, and is silent about clean code.
// What the tables say is in layer_tables.ts; the table test below keeps them and ARCHITECTURE.md's rooms together.

import assert from "node:assert/strict";
import plugin from "./layers.ts";

/** The rules that complain about `source` standing at `path`. */
function faults(path: string, source: string): string[] {
  return Deno.lint.runPlugin(plugin, path, source).map((diagnostic) => diagnostic.id);
}

/** [what is wrong, path, source, the rules that must complain] */
const CASES: readonly (readonly [string, string, string, readonly string[]])[] = [
  ["text imports nothing of ours", "src/text/wrap.ts", `import { a } from "../transcript/block.ts"; a();`, [
    "layers/imports",
  ]],
  [
    "a type counts as an import",
    "src/screen/frame.ts",
    `import type { A } from "../transcript/block.ts"; f<A>();`,
    [
      "layers/imports",
    ],
  ],
  ["so does a type named in place", "src/screen/frame.ts", `let a: import("../transcript/block.ts").A;`, [
    "layers/imports",
  ]],
  ["a dynamic import is an import", "src/tools/read.ts", `await import("../layout/viewport.ts");`, [
    "layers/imports",
  ]],
  ["a re-export is an import", "src/transcript/reduce.ts", `export { a } from "../text/line.ts"; f();`, [
    "layers/imports",
  ]],
  [
    "layout does not know the screen",
    "src/layout/viewport.ts",
    `import { a } from "../screen/frame.ts"; a();`,
    [
      "layers/imports",
    ],
  ],
  [
    "recordings know the vocabulary only",
    "src/recordings/acp.ts",
    `import { a } from "../transcript/reduce.ts"; a();`,
    [
      "layers/imports",
    ],
  ],
  [
    "recordings do not read files but in source.ts",
    "src/recordings/acp.ts",
    `import { a } from "./source.ts"; a();`,
    [
      "layers/imports",
    ],
  ],
  ["agents draw nothing", "src/agents/demo/tools.ts", `import { a } from "../../text/line.ts"; a();`, [
    "layers/imports",
  ]],
  [
    "agents do not read recordings",
    "src/agents/acp.ts",
    `import { a } from "../recordings/source.ts"; a();`,
    [
      "layers/imports",
    ],
  ],
  ["pods draw nothing", "src/pod/host.ts", `import { a } from "../layout/viewport.ts"; a();`, [
    "layers/imports",
  ]],
  ["the app's core has no terminal", "src/app/update.ts", `import { a } from "../screen/terminal.ts"; a();`, [
    "layers/imports",
  ]],
  ["nor its shell", "src/app/panels/help.ts", `import { a } from "../run.ts"; a();`, ["layers/imports"]],
  ["nor agents", "src/app/update.ts", `import { a } from "../agents/jsonl.ts"; a();`, ["layers/imports"]],
  [
    "the terminal knows no transcript",
    "src/screen/terminal.ts",
    `import { a } from "../transcript/event.ts"; a();`,
    [
      "layers/imports",
    ],
  ],
  ["the encoder has no terminal", "src/screen/encode.ts", `import { a } from "./terminal.ts"; a();`, [
    "layers/imports",
  ]],
  ["main.ts picks a command only", "main.ts", `import { a } from "./src/text/line.ts"; a();`, [
    "layers/imports",
  ]],
  ["nobody imports a test", "src/text/wrap.ts", `import { a } from "./line_test.ts"; a();`, [
    "layers/imports",
  ]],
  ["nor the tests' helpers", "src/app/run.ts", `import { a } from "../../tests/emulator.ts"; a();`, [
    "layers/imports",
  ]],
  ["no node: modules", "src/app/run.ts", `import { a } from "node:fs"; a();`, ["layers/imports"]],
  ["no node: modules, dynamic", "src/pod/host.ts", `await import("node:net");`, ["layers/imports"]],
  ["every file has a room", "src/utils/x.ts", `export const a = 1;`, ["layers/imports"]],
  ["every file has a room, at the top too", "src/x.ts", `export const a = 1;`, ["layers/imports"]],

  ["Deno", "src/text/wrap.ts", `Deno.readTextFileSync("x");`, ["layers/purity"]],
  ["Deno as a type", "src/text/wrap.ts", `let a: Deno.FsFile;`, ["layers/purity"]],
  ["Deno through globalThis", "src/text/wrap.ts", `globalThis.Deno.exit();`, ["layers/purity"]],
  ["Deno through globalThis by string", "src/text/wrap.ts", `globalThis["Deno"].exit();`, ["layers/purity"]],
  ["Date.now", "src/transcript/reduce.ts", `const a = Date.now();`, ["layers/purity"]],
  ["new Date()", "src/recordings/pi.ts", `const a = new Date();`, ["layers/purity"]],
  ["Date()", "src/recordings/pi.ts", `const a = Date();`, ["layers/purity"]],
  ["performance", "src/layout/viewport.ts", `performance.now();`, ["layers/purity"]],
  ["a clock under another name", "src/layout/viewport.ts", `const clock = performance;`, ["layers/purity"]],
  ["a clock handed on", "src/layout/viewport.ts", `start({ performance });`, ["layers/purity"]],
  ["setTimeout", "src/input/key_decoder.ts", `setTimeout(() => {}, 1);`, ["layers/purity"]],
  ["Math.random", "src/tools/read.ts", `Math.random();`, ["layers/purity"]],
  ["crypto", "src/app/update.ts", `crypto.randomUUID();`, ["layers/purity"]],
  ["console", "src/screen/compositor.ts", `console.log("x");`, ["layers/purity"]],

  ["a string with CSI", "src/app/draw.ts", `const a = "\\x1b[2J";`, ["layers/escapes"]],
  ["a template with CSI", "src/screen/theme.ts", "const a = `\\u001b[${1}m`;", ["layers/escapes"]],
  ["a string with OSC", "src/app/run.ts", `const a = "\\x1b]0;x\\x07";`, ["layers/escapes"]],

  ["export default", "src/text/wrap.ts", `export default function wrap() {}`, ["layers/shape"]],
  ["export as default", "src/text/wrap.ts", `const a = 1; export { a as default };`, ["layers/shape"]],
  ["a barrel by name", "src/text/mod.ts", `export const a = 1;`, ["layers/shape"]],
  [
    "a barrel by content",
    "src/text/all.ts",
    `export { a } from "./wrap.ts"; export { b } from "./line.ts";`,
    [
      "layers/shape",
    ],
  ],
  ["export *", "src/text/wrap.ts", `export * from "./line.ts"; export const a = 1;`, ["layers/shape"]],

  [
    "clean: a leaf",
    "src/text/wrap.ts",
    `import { cellWidth } from "./graphemes.ts"; export const a = cellWidth("x");`,
    [],
  ],
  ["clean: packages", "src/text/markdown.ts", `const a = await import("marked"); export const b = a;`, []],
  [
    "clean: the vocabulary",
    "src/recordings/acp.ts",
    `import type { Event } from "../transcript/event.ts"; f<Event>();`,
    [],
  ],
  [
    "clean: a time given in",
    "src/recordings/pi.ts",
    `export const a = Date.parse("x") + new Date(5).getTime();`,
    [],
  ],
  [
    "clean: a name of our own",
    "src/app/state.ts",
    `export function f(process: string) { return process + a.console; }`,
    [],
  ],
  [
    "clean: a pattern",
    "src/app/state.ts",
    `const { performance, Deno: d } = a; export const b = performance + d;`,
    [],
  ],
  [
    "clean: a property's name",
    "src/app/state.ts",
    `export interface A { crypto: number } export const a = { fetch: 1 };`,
    [],
  ],
  [
    "clean: a pattern that finds escapes",
    "src/text/outside_text.ts",
    `export const a = /\\x1b\\[/; const b = "\\x1b"; f(b);`,
    [],
  ],
  [
    "clean: the type of a neighbour's shell",
    "src/app/state.ts",
    `import type { Config } from "./config.ts"; f<Config>();`,
    [],
  ],
  ["clean: I/O where it belongs", "src/agents/jsonl.ts", `setTimeout(() => Deno.exit(), Date.now());`, []],
  ["clean: I/O in source.ts", "src/recordings/source.ts", `Deno.openSync("x");`, []],
  ["clean: I/O in the terminal", "src/screen/terminal.ts", `Deno.stdout.writeSync(f("\\x1b[2J"));`, []],
  ["clean: escapes in the encoder", "src/screen/encode.ts", `export const a = "\\x1b[2J";`, []],
  [
    "clean: the shell imports all",
    "src/app/run.ts",
    `import { a } from "../pod/host.ts"; import b from "../../deno.json" with { type: "json" }; a(b);`,
    [],
  ],
  [
    "clean: main.ts",
    "main.ts",
    `import { runCommand } from "./src/app/commands.ts"; Deno.exit(await runCommand());`,
    [],
  ],
  [
    "clean: a test",
    "src/text/wrap_test.ts",
    `import assert from "node:assert/strict"; assert(Date.now() > Math.random());`,
    [],
  ],
  [
    "clean: a bench",
    "src/text/wrap_bench.ts",
    `import { a } from "../screen/frame.ts"; a(performance.now());`,
    [],
  ],
  ["clean: the suite's helpers", "tests/emulator.ts", `export default Deno; f("\\x1b[2J");`, []],
];

for (const [name, path, source, expected] of CASES) {
  Deno.test(`layers, invariant 5: ${name}`, () => assert.deepEqual(faults(path, source), expected));
}

Deno.test("layers: the linter's own way of naming a file makes no difference", () => {
  const path = decodeURIComponent(new URL("../../src/text/wrap.ts", import.meta.url).pathname);
  assert.deepEqual(faults(path, `Deno.exit();`), ["layers/purity"]);
  assert.deepEqual(faults(`file://${path}`, `Deno.exit();`), ["layers/purity"]);
});

Deno.test("layers: the message says who, whom and why", () => {
  const [diagnostic] = Deno.lint.runPlugin(plugin, "src/text/wrap.ts", `import "../screen/frame.ts";`);
  assert.equal(
    diagnostic?.message,
    "Cannot import src/screen/frame.ts from src/text/wrap.ts: text may not import it",
  );
});
