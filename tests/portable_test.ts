// The portable executable's head: unpacks once, in private, whole or not at all, and says plainly where it cannot.
// `deno task test` builds what this runs, where a compiled executable is not to be had.

import assert from "node:assert/strict";
import { compileBundle, tryOut } from "../build/compile.ts";
import { ROOT } from "./program_session.ts";
import { exists } from "./paths.ts";

const EXECUTABLE = `${ROOT}dist/trifold-portable`;
const isBuilt = Deno.env.has("TRIFOLD_DIST") && exists(EXECUTABLE);

function portableTest(name: string, fn: (folder: string) => Promise<void>): void {
  Deno.test({
    name: `portable: ${name}`,
    ignore: !isBuilt,
    async fn() {
      const folder = await Deno.makeTempDir({ prefix: "trifold_portable_" });
      await fn(folder);
      await Deno.remove(folder, { recursive: true });
    },
  });
}

async function start(env: Record<string, string>, options: { file?: string; args?: readonly string[] } = {}) {
  const { code, stdout, stderr } = await new Deno.Command(options.file ?? EXECUTABLE, {
    args: [...options.args ?? ["--version"]],
    clearEnv: true,
    env: { PATH: Deno.env.get("PATH") ?? "", NO_COLOR: "1", ...env },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** One line that names the place and what is wrong; nothing half-unpacked is left in `cache`. */
async function checkRefused(started: ReturnType<typeof start>, what: RegExp, cache: string): Promise<void> {
  const { code, stdout, stderr } = await started;
  assert.equal(code, 1);
  assert.equal(stdout, "");
  assert.match(stderr, what);
  assert.equal(stderr.trim().split("\n").length, 1, stderr);
  if (exists(cache)) assert.deepEqual([...Deno.readDirSync(cache)], []);
}

portableTest(
  "started four times at once in an empty cache, all run and one directory stands there",
  async (folder) => {
    const started = await Promise.all(
      [1, 2, 3, 4].map(() => start({ XDG_CACHE_HOME: folder, HOME: folder })),
    );
    for (const { code, stdout, stderr } of started) {
      assert.equal(stderr, "");
      assert.equal(code, 0);
      assert.match(stdout, /^trifold .*portable/);
    }
    const names = [...Deno.readDirSync(`${folder}/trifold`)].map((entry) => entry.name);
    assert.equal(names.length, 1);
    assert.match(names[0] ?? "", /^[0-9a-f]{16}$/);
    assert.equal((Deno.statSync(`${folder}/trifold`).mode ?? 0) & 0o777, 0o700);
    assert.equal((Deno.statSync(`${folder}/trifold/${names[0]}`).mode ?? 0) & 0o777, 0o700);
  },
);

portableTest("without XDG_CACHE_HOME nothing but ~/.cache/trifold is written", async (folder) => {
  const events = `${ROOT}testdata/first-turn/events.jsonl`;
  const { code, stdout } = await start({ HOME: folder }, { args: ["print", events] });
  assert.equal(code, 0);
  assert.match(stdout, /^== end/);
  assert.deepEqual([...Deno.readDirSync(folder)].map((entry) => entry.name), [".cache"]);
  assert.deepEqual([...Deno.readDirSync(`${folder}/.cache`)].map((entry) => entry.name), ["trifold"]);
});

portableTest("a cache that cannot be written to is named", async (folder) => {
  await Deno.writeTextFile(`${folder}/file`, "");
  await checkRefused(
    start({ XDG_CACHE_HOME: `${folder}/file` }),
    /cannot be written to; XDG_CACHE_HOME=/,
    folder + "/no",
  );
});

portableTest("no home at all is said", async (folder) => {
  await checkRefused(start({}), /neither XDG_CACHE_HOME nor HOME/, folder + "/no");
  await checkRefused(start({ HOME: "relative" }), /neither XDG_CACHE_HOME nor HOME/, folder + "/no");
});

portableTest("a download that was cut off leaves nothing behind", async (folder) => {
  using source = await Deno.open(EXECUTABLE);
  const bytes = new Uint8Array(9_000_000);
  for (let done = 0; done < bytes.length;) done += await source.read(bytes.subarray(done)) ?? bytes.length;
  for (const length of [bytes.length, 6000]) {
    await Deno.writeFile(`${folder}/cut`, bytes.subarray(0, length), { mode: 0o755 });
    await checkRefused(
      start({ XDG_CACHE_HOME: folder }, { file: `${folder}/cut` }),
      /is cut off/,
      `${folder}/trifold`,
    );
  }
});

portableTest("a cache that is mounted noexec is named (needs the right to mount)", async (folder) => {
  const mount = (args: readonly string[]) =>
    new Deno.Command("mount", { args: [...args], stderr: "null" }).output();
  const mounted = await mount(["-t", "tmpfs", "-o", "noexec,size=200m", "none", folder]).catch(() => null);
  if (mounted?.success !== true) return console.log("cannot mount: left out");
  try {
    await checkRefused(
      start({ XDG_CACHE_HOME: folder }),
      /mounted noexec; XDG_CACHE_HOME=/,
      `${folder}/trifold`,
    );
  } finally {
    await new Deno.Command("umount", { args: [folder] }).output();
  }
});

portableTest("programs that it starts find the person's own DENO_DIR, or none", async (folder) => {
  for (const [own, seen] of [[{ DENO_DIR: "/somewhere/else" }, "/somewhere/else"], [{}, "none"]] as const) {
    const script = `echo "\${DENO_DIR-none} \${TRIFOLD_DENO_DIR-none}" >"${folder}/seen"`;
    const child = new Deno.Command("script", {
      args: ["-qec", `"${EXECUTABLE}" run -- sh -c '${script.replaceAll("'", "'\\''")}'`, "/dev/null"],
      clearEnv: true,
      env: {
        PATH: Deno.env.get("PATH") ?? "",
        HOME: folder,
        XDG_RUNTIME_DIR: folder,
        XDG_CACHE_HOME: Deno.env.get("XDG_CACHE_HOME") ?? folder,
        ...own,
      },
      stdin: "null",
      stdout: "null",
      stderr: "null",
    });
    await child.output();
    assert.equal((await Deno.readTextFile(`${folder}/seen`)).trim(), `${seen} none`);
  }
});

Deno.test({
  name: "DENORT_BIN is honoured, and what it makes is tried out",
  ignore: !isBuilt,
  async fn() {
    const folder = await Deno.makeTempDir();
    const output = `${folder}/trifold`;
    Deno.env.set("DENORT_BIN", "/bin/true");
    try {
      assert.equal(await compileBundle(output), null);
      assert.match(await tryOut(output) ?? "", /DENORT_BIN=\/bin\/true does not start$/);
      assert.ok(!exists(output), "what does not start is not left behind");
      Deno.env.set("DENORT_BIN", `${folder}/none`);
      assert.match(await compileBundle(output) ?? "", /^Cannot compile: DENORT_BIN=.* is no runtime/);
    } finally {
      Deno.env.delete("DENORT_BIN");
      await Deno.remove(folder, { recursive: true });
    }
  },
});
