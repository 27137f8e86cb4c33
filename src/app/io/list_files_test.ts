// Listing a real tree of some thousand files: what is ignored, with git and without, and how it leaves room for keys.

import assert from "node:assert/strict";
import { listFiles, type Pace, walkFiles } from "./list_files.ts";

/** A tree of 1,500 files to list, 1,000 that are ignored, and rules in three places. */
async function makeTree(): Promise<{ readonly root: string; readonly wanted: readonly string[] }> {
  const root = await Deno.makeTempDir({ prefix: "trifold_files_" });
  const wanted: string[] = [];
  const write = (path: string, isWanted: boolean, text = "") => {
    Deno.mkdirSync(`${root}/${path}`.replace(/\/[^/]*$/, ""), { recursive: true });
    Deno.writeTextFileSync(`${root}/${path}`, text);
    if (isWanted) wanted.push(path);
  };
  write(".gitignore", true, "# build results\n*.log\n/out/\nnode_modules\ndocs/*.tmp\n!keep.log\n");
  write("sub/.gitignore", true, "secret.*\n!important.log\n");
  write("sub/deep/.gitignore", true, "*\n!.gitignore\n!shown.txt\n");
  for (let at = 0; at < 1500; at++) write(`src/${at % 60}/file_${at}.ts`, true);
  for (let at = 0; at < 500; at++) write(`node_modules/p${at % 30}/index_${at}.js`, false);
  for (let at = 0; at < 500; at++) write(`out/${at % 10}/x_${at}`, false);
  write("debug.log", false);
  write("keep.log", true);
  write("src/out/inner.ts", true);
  write("docs/a.tmp", false);
  write("docs/more/a.tmp", true);
  write("sub/secret.key", false);
  write("sub/important.log", true);
  write("sub/other.log", false);
  write("sub/deep/hidden.txt", false);
  write("sub/deep/shown.txt", true);
  write("with blank/日本語.md", true);
  Deno.symlinkSync(`${root}/src`, `${root}/link`);
  wanted.push("link");
  // Nothing to read: no file that a message could name.
  Deno.listen({ transport: "unix", path: `${root}/socket.sock` }).close();
  return { root, wanted: wanted.sort() };
}

async function listed(list: (take: (paths: readonly string[]) => void) => Promise<void>): Promise<string[]> {
  const paths: string[] = [];
  await list((more) => paths.push(...more));
  return paths.sort();
}

Deno.test("without git the tree is walked by its .gitignore files, a link is no directory", async () => {
  const { root, wanted } = await makeTree();
  const { signal } = new AbortController();
  assert.deepEqual(await listed((take) => listFiles(root, take, signal)), wanted);
  await Deno.remove(root, { recursive: true });
});

Deno.test({
  name: "with git both known and new files are listed, the same as by walking",
  ignore: !hasGit(),
  fn: async () => {
    const { root, wanted } = await makeTree();
    const git = (...args: readonly string[]) =>
      new Deno.Command("git", { args: ["-C", root, ...args], stdout: "null", stderr: "null" }).outputSync();
    assert.ok(git("init").success);
    assert.ok(git("add", "src/1", "keep.log").success);
    const { signal } = new AbortController();
    assert.deepEqual(await listed((take) => listFiles(root, take, signal)), wanted);
    assert.deepEqual(
      await listed((take) => listFiles(`${root}/sub`, take, signal)),
      wanted.filter((path) => path.startsWith("sub/")).map((path) => path.slice(4)),
      "below the directory only",
    );
    await Deno.remove(root, { recursive: true });
  },
});

Deno.test("the walk pauses as soon as a slice is over, and ends when told to", async () => {
  const { root, wanted } = await makeTree();
  // Every look at the clock is the end of a slice: one pause a directory, or for 200 entries.
  let pauses = 0;
  let nowMs = 0;
  const pace: Pace = { now: () => nowMs += 9, pause: () => Promise.resolve(void pauses++) };
  const most: number[] = [];
  const { signal } = new AbortController();
  const paths = await listed((take) =>
    walkFiles(root, (more) => {
      most.push(more.length);
      take(more);
    }, { stop: signal, pace })
  );
  assert.deepEqual(paths, wanted);
  assert.ok(pauses >= 60, `${pauses} pauses`);
  assert.ok(Math.max(...most) <= 200);
  const stop = new AbortController();
  const some = await listed((take) =>
    walkFiles(root, take, {
      stop: stop.signal,
      pace: { now: () => nowMs += 9, pause: () => Promise.resolve(stop.abort()) },
    })
  );
  assert.ok(some.length < 10, `${some.length} paths`);
  await Deno.remove(root, { recursive: true });
});

Deno.test("a directory that is not there has no files", async () => {
  const { signal } = new AbortController();
  assert.deepEqual(await listed((take) => listFiles("/nowhere/at/all", take, signal)), []);
});

function hasGit(): boolean {
  try {
    return new Deno.Command("git", { args: ["--version"], stdout: "null" }).outputSync().success;
  } catch {
    return false;
  }
}
