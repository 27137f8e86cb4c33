// Which modules a start loads before its first frame: pinned, because each of them costs a third of a millisecond and
// nobody sees it come. The list is start_modules.txt; TRIFOLD_ACCEPT=1 writes it anew.

import assert from "node:assert/strict";

const ROOT = new URL("../", import.meta.url);
const LIST = new URL("./start_modules.txt", import.meta.url);

/** What is loaded one after the other until the first frame is there: what `later` is asked for on the way. */
const WAYS: Readonly<Record<string, readonly string[]>> = {
  "trifold open FILE, a pod's log": ["main.ts", "src/app/io/open_recording.ts"],
  "trifold open FILE, another program's": [
    "main.ts",
    "src/app/io/open_recording.ts",
    "src/recordings/codex.ts",
  ],
  "trifold, the client": ["main.ts", "src/app/io/start_agent.ts", "src/app/io/show_pod.ts"],
  "trifold attach": ["main.ts", "src/app/io/attach.ts", "src/app/io/show_pod.ts"],
  "trifold, its pod": ["main.ts", "src/pod/main.ts", "src/pod/start_demo.ts"],
};
/** The only libraries a start may need. */
const LIBRARIES: readonly string[] = ["@bomb.sh/args", "valibot"];

const known = await readGraph();

Deno.test("a start loads no module of Node, and no library but two small ones", () => {
  for (const [way, entries] of Object.entries(WAYS)) {
    for (const name of closureOf(entries)) {
      assert.ok(!name.startsWith("node:"), `${way}: ${name}`);
      const library = /^npm:\/*((?:@[^/]+\/)?[^@/]+)/.exec(name)?.[1];
      assert.ok(library === undefined || LIBRARIES.includes(library), `${way}: ${name}`);
    }
  }
});

Deno.test("the modules of a start are those of the list", () => {
  const text = Object.entries(WAYS).map(([way, entries]) => {
    const names = closureOf(entries);
    return `${way}: ${names.length} modules\n${names.map((name) => `  ${name}\n`).join("")}`;
  }).join("\n");
  if (Deno.env.get("TRIFOLD_ACCEPT") === "1") Deno.writeTextFileSync(LIST, text);
  assert.equal(text, Deno.readTextFileSync(LIST), "TRIFOLD_ACCEPT=1 accepts what a start loads now");
});

Deno.test("what a start loads later is named by no literal import(), which Deno would read at once", () => {
  for (const [way, entries] of Object.entries(WAYS)) {
    const own = closureOf(entries).filter((name) => name.startsWith("src/"));
    for (const name of own) {
      const source = Deno.readTextFileSync(new URL(name, ROOT));
      const literals = [...source.matchAll(/(?<!typeof )\bimport\(\s*["'](\.[^"']+)["']/g)].map((match) =>
        match[1]
      );
      assert.deepEqual(literals.filter((path) => !ALLOWED.has(path ?? "")), [], `${way}: ${name}`);
    }
  }
});

/** Few and small, and wanted right behind the first frame. */
const ALLOWED: ReadonlySet<string> = new Set(["./find_files.ts", "./prompts.ts"]);

interface Module {
  readonly specifier: string;
  readonly dependencies?: readonly {
    readonly code?: { readonly specifier?: string };
    readonly isDynamic?: boolean;
  }[];
}
interface Graph {
  readonly modules: Map<string, Module>;
  readonly redirects: Readonly<Record<string, string>>;
}

async function readGraph(): Promise<Graph> {
  const modules = new Map<string, Module>();
  let redirects: Readonly<Record<string, string>> = {};
  for (const entry of new Set(Object.values(WAYS).flat())) {
    const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["info", "--json", entry], cwd: ROOT })
      .output();
    const graph = JSON.parse(new TextDecoder().decode(stdout)) as {
      modules: Module[];
      redirects: Record<string, string>;
    };
    for (const module of graph.modules) modules.set(module.specifier, module);
    redirects = { ...redirects, ...graph.redirects };
  }
  return { modules, redirects };
}

/** What these modules import, and what that imports, but not what is imported while running. */
function closureOf(entries: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  const waiting = entries.map((entry) => new URL(entry, ROOT).href);
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (seen.has(one)) continue;
    seen.add(one);
    for (const { code, isDynamic } of known.modules.get(one)?.dependencies ?? []) {
      if (code?.specifier === undefined || isDynamic === true) continue;
      waiting.push(known.redirects[code.specifier] ?? code.specifier);
    }
  }
  return [...seen].map((name) => name.replace(ROOT.href, "")).sort();
}
