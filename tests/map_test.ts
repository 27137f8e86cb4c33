// The map in ARCHITECTURE.md and the files agree: each path it names exists, and each file under src is named.
// A line at the left edge gives root files or a folder; an indented one files of that folder. A name with "*" stands
// for several files, and a subfolder's name ("demo/") for all in it.

import assert from "node:assert/strict";

const ROOT = new URL("../", import.meta.url);
const MAP = readMap();

Deno.test("map: both kinds of line are read", () => {
  const sample = [
    "main.ts                reads arguments",
    "README.md LICENSE",
    "",
    "src/text/              LEAF: no screen (platform.md)",
    "  line.ts role.ts      spans",
    "                       with a role, see wrap.ts",
    "  reduce*.ts           one a family",
    "src/agents/            ADAPTERS",
    "  jsonl.ts demo/       a child; built in",
    "goldens/<case>.screen  the picture",
  ].join("\n");
  assert.deepEqual(parseMap(sample), [
    "main.ts",
    "README.md",
    "LICENSE",
    "src/text/",
    "src/text/line.ts",
    "src/text/role.ts",
    "src/text/wrap.ts",
    "src/text/reduce*.ts",
    "src/agents/",
    "src/agents/jsonl.ts",
    "src/agents/demo/",
  ]);
});

Deno.test("map: what a name covers", () => {
  assert.ok(covers("src/text/line.ts", "src/text/line.ts"));
  assert.ok(covers("src/transcript/reduce*.ts", "src/transcript/reduce_tools.ts"));
  assert.ok(covers("src/agents/demo/", "src/agents/demo/script.ts"));
  assert.ok(!covers("src/agents/", "src/agents/jsonl.ts"), "a room's own name covers none of its files");
  assert.ok(!covers("src/text/*.ts", "src/text/deep/line.ts"));
});

Deno.test({
  name: "map: each path in ARCHITECTURE.md exists",
  ignore: MAP === null,
  fn() {
    const files = listFiles("");
    const missing = parseMap(MAP ?? "").filter((path) =>
      path.includes("*") || path.endsWith("/")
        ? !files.some((file) => path.endsWith("/") ? file.startsWith(path) : covers(path, file))
        : !files.includes(path)
    );
    assert.deepEqual(missing, []);
  },
});

Deno.test({
  name: "map: each file under src is in ARCHITECTURE.md",
  ignore: MAP === null,
  fn() {
    const named = parseMap(MAP ?? "");
    const unnamed = listFiles("src/")
      .filter((file) => file.endsWith(".ts") && !/_(test|test_helper|bench)\.ts$/.test(file))
      .filter((file) => !named.some((name) => covers(name, file)));
    assert.deepEqual(unnamed, []);
  },
});

/** Every path the map names, from the root. */
function parseMap(map: string): string[] {
  const paths: string[] = [];
  let folder = "";
  for (const line of map.split("\n")) {
    if (/^\S/.test(line)) {
      const names = (line.split(/\s{2,}/)[0] ?? "").split(" ").filter((name) => !/[<>]/.test(name));
      folder = names.find((name) => name.endsWith("/")) ?? "";
      paths.push(...names);
      paths.push(...tsNames(line.slice(names.join(" ").length)).map((name) => folder + name));
      continue;
    }
    const names = (/^ {2}(\S+(?: \S+)*)/.exec(line)?.[1] ?? "").split(" ").filter((name) =>
      name.endsWith("/")
    );
    const found = [...tsNames(line), ...names];
    paths.push(...found.map((name) => folder + name));
  }
  return [...new Set(paths)];
}

function tsNames(text: string): string[] {
  // "x_test.ts" and its like speak of no one file.
  return (text.match(/[\w*/.-]+\.ts\b/g) ?? []).filter((name) => !name.startsWith("x_"));
}

function covers(name: string, file: string): boolean {
  if (name.endsWith("/")) return name.split("/").length > 3 && file.startsWith(name);
  const pattern = name.replace(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", "[^/]*");
  return new RegExp(`^${pattern}$`).test(file);
}

function readMap(): string | null {
  try {
    const text = Deno.readTextFileSync(new URL("ARCHITECTURE.md", ROOT));
    return /^## .*\bmap\b.*\n[^]*?```\w*\n([^]*?)```/mi.exec(text)?.[1] ?? "";
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
}

/** Files under `folder` ("" = root), as paths from the root; what git does not keep is left out. */
function listFiles(folder: string): string[] {
  const left = new Set([".git", "node_modules", "coverage", "dist"]);
  return [...Deno.readDirSync(new URL(folder === "" ? "." : folder, ROOT))].flatMap((entry) => {
    if (left.has(entry.name)) return [];
    return entry.isDirectory ? listFiles(`${folder}${entry.name}/`) : [folder + entry.name];
  });
}
