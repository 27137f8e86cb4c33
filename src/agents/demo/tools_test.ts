// Real files in a folder made for the test. Each tool: what it does, what it refuses, how it says so.

import assert from "node:assert/strict";
import type { ToolUse } from "./steps.ts";
import { runTool, type ToolResult } from "./tools.ts";
import {
  openWorkspace,
  scratchOf,
  showableFiles,
  type Workspace,
  workspaceFiles,
  workspaceRoot,
} from "./workspace.ts";

const base = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "trifold-test-" }));
globalThis.addEventListener("unload", () => Deno.removeSync(base, { recursive: true }));
let folders = 0;

/** A workspace with these files; a text of null is a link out of it. */
function workspaceWith(files: Readonly<Record<string, string | null>>): Workspace {
  const root = `${base}/${++folders}`;
  Deno.mkdirSync(`${root}/home`, { recursive: true });
  Deno.mkdirSync(`${root}/scratch`);
  Deno.writeTextFileSync(`${root}/secret.txt`, "secret");
  for (const [path, text] of Object.entries(files)) {
    const file = `${root}/home/${path}`;
    Deno.mkdirSync(file.slice(0, file.lastIndexOf("/")), { recursive: true });
    if (text === null) Deno.symlinkSync(`${root}/secret.txt`, file);
    else Deno.writeTextFileSync(file, text);
  }
  return openWorkspace(`${root}/home`, `${root}/scratch`);
}

async function run(
  workspace: Workspace,
  tool: ToolUse["tool"],
  input: Record<string, unknown>,
  pieces: string[] = [],
): Promise<ToolResult> {
  return await runTool({ tool, input }, workspace, {
    onOutput: (stream, text) => pieces.push(`${stream}:${text}`),
    onCommand: () => {},
  });
}

Deno.test("tools: Read numbers lines and counts them", async () => {
  const workspace = workspaceWith({ "a.txt": "one\ntwo\nthree", "empty.txt": "" });
  assert.deepEqual(await run(workspace, "Read", { file_path: "a.txt" }), {
    summary: "Read 3 line(s) from a.txt",
    output: "     1\tone\n     2\ttwo\n     3\tthree",
    isError: false,
  });
  assert.deepEqual(await run(workspace, "Read", { file_path: "./a.txt", offset: 2, limit: 1 }), {
    summary: "Read 1 line(s) from a.txt",
    output: "     2\ttwo\n",
    isError: false,
  });
  assert.deepEqual(await run(workspace, "Read", { file_path: "empty.txt" }), {
    summary: "Read 0 line(s) from empty.txt",
    output: "",
    isError: false,
  });
});

Deno.test("tools: Read refuses what is no text of this directory", async () => {
  const workspace = workspaceWith({ "bin": "a\0b", "dir/a": "", "link": null });
  for (
    const [path, expected] of [
      ["nope", /^Cannot read nope: there is no such file$/],
      ["bin", /^Cannot read bin: it is not text/],
      ["dir", /^Cannot read dir: it is a directory$/],
      ["../secret.txt", /is outside .*; the demo agent keeps to files below it$/],
      [`${base}/1/secret.txt`, /is outside/],
      ["link", /is outside/],
    ] as const
  ) {
    const result = await run(workspace, "Read", { file_path: path });
    assert.ok(result.isError, path);
    assert.match(result.summary, expected);
    assert.doesNotMatch(result.output ?? "", /^secret$/);
  }
});

Deno.test("tools: changes go to a scratch copy, and reads follow them", async () => {
  const workspace = workspaceWith({ "a.txt": "one\ntwo\n" });
  assert.deepEqual(
    (await run(workspace, "Write", { file_path: "new/b.txt", content: "x\ny" })).summary,
    "Created new/b.txt (2 lines)",
  );
  assert.equal(
    (await run(workspace, "Write", { file_path: "new/b.txt", content: "x" })).summary,
    "Overwrote new/b.txt (1 line)",
  );
  assert.equal(
    (await run(workspace, "Edit", { file_path: "a.txt", old_string: "two", new_string: "2" })).summary,
    "Edited a.txt",
  );
  assert.equal((await run(workspace, "Read", { file_path: "a.txt" })).output, "     1\tone\n     2\t2\n");
  // The same file by the name it has at home.
  assert.equal((await run(workspace, "Read", { file_path: `${workspace.home}/a.txt` })).isError, false);
  assert.equal(Deno.readTextFileSync(`${workspace.home}/a.txt`), "one\ntwo\n");
  assert.deepEqual([...Deno.readDirSync(workspace.home)].map((entry) => entry.name), ["a.txt"]);
  assert.deepEqual(await workspaceFiles(workspace), ["a.txt", "new/b.txt"]);
});

Deno.test("tools: Write and Edit keep inside, through links as well", async () => {
  const workspace = workspaceWith({ "a.txt": "one" });
  await scratchOf(workspace);
  Deno.symlinkSync("/", `${workspaceRoot(workspace)}/root`);
  Deno.symlinkSync("../gone.txt", `${workspaceRoot(workspace)}/dangling`);
  for (const path of ["../b.txt", "/tmp/b.txt", "root/tmp/trifold-b.txt", "dangling"]) {
    const result = await run(workspace, "Write", { file_path: path, content: "x" });
    assert.match(result.summary, /^Cannot write: .* is outside/, path);
  }
});

Deno.test("tools: Edit wants its text once, or all of them", async () => {
  const workspace = workspaceWith({ "a.txt": "x x\r\ny\r\n" });
  const edit = (input: Record<string, unknown>) => run(workspace, "Edit", { file_path: "a.txt", ...input });
  assert.match((await edit({ old_string: "z", new_string: "" })).summary, /the old text is not in it$/);
  assert.match((await edit({ old_string: "x", new_string: "" })).summary, /occurs 2 times/);
  assert.equal(
    (await edit({ old_string: "x", new_string: "w", replace_all: true })).summary,
    "Edited a.txt (2 places)",
  );
  assert.equal((await edit({ old_string: "w\ny", new_string: "v\nu" })).summary, "Edited a.txt");
  assert.equal(Deno.readTextFileSync(`${workspaceRoot(workspace)}/a.txt`), "w v\r\nu\r\n");
});

Deno.test("tools: Grep and Glob list, and say when there is nothing", async () => {
  const workspace = workspaceWith({
    "a.ts": "one\nTODO two\n",
    "s/b.ts": "todo\nTODO\n",
    "c.bin": "TODO\0",
    ".git/x": "TODO",
  });
  assert.deepEqual(await run(workspace, "Grep", { pattern: "TODO" }), {
    summary: "Found 2 matches in 2 files",
    output: "a.ts:2:TODO two\ns/b.ts:2:TODO\n",
    isError: false,
  });
  assert.equal((await run(workspace, "Grep", { pattern: "nowhere" })).summary, "No match for nowhere");
  assert.match((await run(workspace, "Grep", { pattern: "(" })).summary, /not a regular expression/);
  assert.equal((await run(workspace, "Glob", { pattern: "**/*.ts" })).output, "a.ts\ns/b.ts\n");
  assert.equal((await run(workspace, "Glob", { pattern: "*.py" })).summary, "No file matches *.py");
});

Deno.test("tools: Bash streams, and its exit code is the result", async () => {
  const workspace = workspaceWith({});
  const pieces: string[] = [];
  assert.deepEqual(await run(workspace, "Bash", { command: "pwd; echo bad >&2; exit 3" }, pieces), {
    summary: "pwd; echo bad >&2; exit 3: exit 3",
    output: pieces.map((piece) => piece.slice("stdout:".length)).join(""),
    isError: true,
  });
  assert.deepEqual(pieces.sort(), [`stderr:bad\n`, `stdout:${workspaceRoot(workspace)}\n`]);
  assert.equal((await run(workspace, "Bash", { command: "true" })).isError, false);
  assert.match(
    (await run(workspace, "Bash", { command: "kill -9 $$" })).summary,
    /: killed by signal SIGKILL$/,
  );
});

Deno.test("tools: of very long output the ends are kept", async () => {
  const workspace = workspaceWith({});
  const { output } = await run(workspace, "Bash", {
    command: "echo first; head -c 2000000 /dev/zero | tr '\\0' x; echo; echo last",
  });
  assert.match(output ?? "", /^first\nx+\n\[\d+ characters left out\]\nx+\nlast\n$/);
  assert.ok((output ?? "").length < 600_000);
});

Deno.test("tools: what a command leaves in the background ends with it", async () => {
  const workspace = workspaceWith({});
  const startMs = performance.now();
  const { output } = await run(workspace, "Bash", { command: "sleep 60 & echo $!" });
  assert.ok(performance.now() - startMs < 30_000);
  const pid = Number((output ?? "").trim());
  for (let tries = 0; isAlive(pid); tries++) {
    assert.ok(tries < 100, `process ${pid} still runs`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
});

Deno.test("tools: too many files to copy leaves everything readable and nothing changed", async () => {
  const workspace = workspaceWith({ "a.txt": "one" });
  for (let n = 0; n < 2000; n++) Deno.writeTextFileSync(`${workspace.home}/${n}`, "");
  for (
    const [tool, input] of [["Write", { file_path: "b", content: "" }], ["Bash", {
      command: "touch b",
    }]] as const
  ) {
    const result = await run(workspace, tool, input);
    assert.ok(result.isError);
    assert.match(result.summary, /this directory has more than 2000 files.*so I only read$/);
  }
  assert.equal((await run(workspace, "Read", { file_path: "a.txt" })).isError, false);
  assert.equal((await run(workspace, "Read", { file_path: "b" })).isError, true);
});

Deno.test("tools: in a git repository what is tracked is copied, links are not", async () => {
  const workspace = workspaceWith({
    "kept.txt": "one",
    "ignored.log": "x",
    "link": null,
    "README.md": "#",
    "gone.txt": "",
    "new.txt": "",
    ".gitignore": "*.log\n.gitignore\n",
  });
  const git = async (...args: string[]) =>
    assert.ok(
      (await new Deno.Command("git", { args, cwd: workspace.home, stdout: "null", stderr: "null" }).output())
        .success,
    );
  await git("init", "-q");
  await git("add", "kept.txt", "link", "README.md", "gone.txt");
  Deno.removeSync(`${workspace.home}/gone.txt`);
  assert.deepEqual(await showableFiles(workspace), ["README.md", "kept.txt", "new.txt"]);
  assert.deepEqual(await workspaceFiles(workspace), ["README.md", "kept.txt", "link", "new.txt"]);
  const scratch = await scratchOf(workspace);
  assert.ok(scratch.kind === "ready");
  assert.deepEqual([...Deno.readDirSync(scratch.root)].map((entry) => entry.name).sort(), [
    "README.md",
    "kept.txt",
  ]);
  assert.deepEqual([scratch.files, scratch.skippedLinks], [2, 1]);
});

/** A process that has ended but that nobody has collected yet is not alive. */
function isAlive(pid: number): boolean {
  try {
    if (Deno.build.os === "linux") return !/\) Z/.test(Deno.readTextFileSync(`/proc/${pid}/stat`));
    Deno.kill(pid, "SIGCONT");
    return true;
  } catch {
    return false;
  }
}
