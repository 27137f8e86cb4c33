// install.sh against a release served on 127.0.0.1: every platform is recognised, the checksum decides, and nothing
// half-done is left. install.ps1 is only read here: there is no Windows to run it on.

import assert from "node:assert/strict";
import { TARGETS } from "../build/compile.ts";
import { checksumLines } from "../build/release.ts";
import { ROOT } from "./program_session.ts";
import { isFile } from "./paths.ts";

const SCRIPT = `${ROOT}install.sh`;
const CONTENT = "#!/bin/sh\necho installed program\n";
/** install.sh needs a POSIX shell and one of these. */
const canInstall = Deno.build.os !== "windows" && (inPath("curl") || inPath("wget"));

interface Release {
  readonly address: string;
  /** By path. */
  readonly files: Map<string, string>;
  readonly home: string;
  /** A folder of programs that stand before the system's own. */
  readonly programs: string;
}

interface Installed {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A whole release with right checksums, a home and a system that calls itself `system` and `machine`. */
function installTest(
  name: string,
  fn: (release: Release, install: (env?: Record<string, string>) => Promise<Installed>) => Promise<void>,
  [system, machine]: readonly [string, string] = ["Linux", "x86_64"],
): void {
  Deno.test({
    name: `install.sh: ${name}`,
    ignore: !canInstall,
    async fn() {
      const folder = await Deno.makeTempDir({ prefix: "trifold_install_" });
      const release = {
        files: await releaseFiles(folder),
        home: `${folder}/home`,
        programs: `${folder}/bin`,
      };
      await Deno.mkdir(release.home);
      await Deno.mkdir(release.programs);
      await writeProgram(release.programs, "uname", `[ "$1" = -s ] && echo ${system} || echo ${machine}`);
      const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
        const text = release.files.get(new URL(request.url).pathname.slice(1));
        return text === undefined ? new Response("no such file", { status: 404 }) : new Response(text);
      });
      const address = `http://127.0.0.1:${server.addr.port}`;
      try {
        await fn({ ...release, address }, (env = {}) => runScript({ ...release, address }, env));
      } finally {
        await server.shutdown();
        await Deno.remove(folder, { recursive: true });
      }
    },
  });
}

async function releaseFiles(folder: string): Promise<Map<string, string>> {
  const names = Object.keys(TARGETS).map((name) =>
    `trifold-${name}${name.startsWith("windows") ? ".exe" : ""}`
  );
  const files = new Map<string, string>();
  await Deno.mkdir(`${folder}/release`);
  for (const name of names) {
    files.set(name, `${CONTENT}# ${name}\n`);
    await Deno.writeTextFile(`${folder}/release/${name}`, files.get(name) ?? "");
  }
  files.set("SHA256SUMS", await checksumLines(`${folder}/release/`, names));
  return files;
}

async function runScript(release: Release, env: Record<string, string>): Promise<Installed> {
  const { code, stdout, stderr } = await new Deno.Command("sh", {
    args: [SCRIPT],
    clearEnv: true,
    env: {
      PATH: `${release.programs}:${Deno.env.get("PATH")}`,
      HOME: release.home,
      TRIFOLD_DOWNLOADS: release.address,
      ...env,
    },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

async function writeProgram(folder: string, name: string, script: string): Promise<void> {
  await Deno.writeTextFile(`${folder}/${name}`, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

function filesIn(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map((entry) => entry.name);
  } catch {
    return [];
  }
}

/** It failed with one line, and what was there before is all there is. */
function checkRefused(installed: Installed, what: RegExp, { home }: Release): void {
  assert.equal(installed.code, 1, installed.stdout);
  assert.match(installed.stderr, what);
  assert.deepEqual(filesIn(`${home}/.local/bin`), []);
}

const PLATFORMS = [
  [["Linux", "x86_64"], "linux-x64"],
  [["Linux", "aarch64"], "linux-arm64"],
  [["Darwin", "x86_64"], "macos-x64"],
  [["Darwin", "arm64"], "macos-arm64"],
] as const;

for (const [system, target] of PLATFORMS) {
  installTest(`${system.join(" ")} gets ${target}`, async ({ home }, install) => {
    const { code, stdout, stderr } = await install();
    assert.equal(code, 0, stderr);
    const path = `${home}/.local/bin/trifold`;
    assert.equal(await Deno.readTextFile(path), `${CONTENT}# trifold-${target}\n`);
    assert.equal((Deno.statSync(path).mode ?? 0) & 0o777, 0o755);
    assert.deepEqual(filesIn(`${home}/.local/bin`), ["trifold"]);
    assert.match(stdout, /^next: .*\/trifold$/m);
    assert.match(stdout, /is not in PATH/);
  }, system);
}

installTest("a shell under Rosetta gets macos-arm64", async ({ home, programs }, install) => {
  await writeProgram(programs, "sysctl", "echo 1");
  assert.equal((await install()).code, 0);
  assert.match(await Deno.readTextFile(`${home}/.local/bin/trifold`), /macos-arm64/);
}, ["Darwin", "x86_64"]);

installTest(
  "a file that is not what SHA256SUMS says is refused, the older program stays",
  async (release, install) => {
    release.files.set("trifold-linux-x64", `${CONTENT}# changed on its way\n`);
    checkRefused(
      await install(),
      /^install\.sh: Refused trifold-linux-x64: its checksum is [0-9a-f]{64}/,
      release,
    );
    await Deno.writeTextFile(`${release.home}/.local/bin/trifold`, "older");
    assert.equal((await install()).code, 1);
    assert.equal(await Deno.readTextFile(`${release.home}/.local/bin/trifold`), "older");
    assert.deepEqual(filesIn(`${release.home}/.local/bin`), ["trifold"]);
  },
);

installTest(
  "an older program is replaced; a directory in PATH needs no advice",
  async ({ home }, install) => {
    const directory = `${home}/tools`;
    await Deno.mkdir(directory);
    await Deno.writeTextFile(`${directory}/trifold`, "older");
    const { code, stdout } = await install({
      TRIFOLD_INSTALL_DIR: directory,
      PATH: `${home}/../bin:${directory}:${Deno.env.get("PATH")}`,
    });
    assert.equal(code, 0);
    assert.match(await Deno.readTextFile(`${directory}/trifold`), /linux-x64/);
    assert.match(stdout, /^next: trifold$/m);
    assert.doesNotMatch(stdout, /not in PATH/);
  },
);

installTest("checksums that do not name the file, or are not there", async (release, install) => {
  const sums = release.files.get("SHA256SUMS") ?? "";
  release.files.set("SHA256SUMS", sums.replace(/^.*linux-x64\n/m, ""));
  checkRefused(await install(), /SHA256SUMS does not name it/, release);
  release.files.delete("SHA256SUMS");
  checkRefused(await install(), /Cannot download http:.*SHA256SUMS/, release);
  release.files.set("SHA256SUMS", sums);
  release.files.delete("trifold-linux-x64");
  checkRefused(await install(), /Cannot download http:.*trifold-linux-x64/, release);
});

installTest("other systems and machines are told what there is", async (release, install) => {
  for (
    const [system, machine, what] of [
      ["FreeBSD", "amd64", /for FreeBSD: there are files for Linux, macOS and Windows/],
      ["Linux", "riscv64", /for riscv64: there are files for x64 and arm64/],
      ["MINGW64_NT-10.0", "x86_64", /install\.ps1/],
    ] as const
  ) {
    await writeProgram(release.programs, "uname", `[ "$1" = -s ] && echo ${system} || echo ${machine}`);
    checkRefused(await install(), what, release);
  }
  await writeProgram(release.programs, "uname", '[ "$1" = -s ] && echo Linux || echo x86_64');
  await writeProgram(release.programs, "ldd", "echo 'musl libc (x86_64)' >&2; exit 1");
  checkRefused(await install(), /for musl/, release);
});

installTest("no home, no repository, a directory that cannot be", async (release, install) => {
  checkRefused(await install({ HOME: "" }), /HOME is not set/, release);
  checkRefused(await install({ TRIFOLD_DOWNLOADS: "" }), /belongs to no release/, release);
  checkRefused(
    await install({ TRIFOLD_INSTALL_DIR: "/dev/null/here" }),
    /Cannot write to \/dev\/null\/here/,
    release,
  );
});

installTest("wget where curl is not there", async ({ home, programs }, install) => {
  if (!inPath("wget")) return console.log("wget is not there: left out");
  // Only what the script needs, without curl.
  for (const name of ["wget", "grep", "mkdir", "rm", "mv", "chmod", "sha256sum", "sh"]) {
    await writeProgram(programs, name, `PATH='${Deno.env.get("PATH")}' exec ${name} "$@"`);
  }
  const { code, stderr } = await install({ PATH: programs });
  assert.equal(code, 0, stderr);
  assert.match(await Deno.readTextFile(`${home}/.local/bin/trifold`), /linux-x64/);
});

Deno.test("install.sh cut off anywhere does nothing", { ignore: !canInstall }, async () => {
  const script = await Deno.readTextFile(SCRIPT);
  const home = await Deno.makeTempDir();
  const lines = script.split("\n");
  for (let count = 1; count < lines.length - 2; count += 7) {
    const child = new Deno.Command("sh", {
      args: ["-c", lines.slice(0, count).join("\n")],
      env: { HOME: home, TRIFOLD_DOWNLOADS: "http://127.0.0.1:9" },
      stdin: "null",
    });
    await child.output();
    assert.deepEqual(filesIn(home), []);
  }
  await Deno.remove(home);
});

function inPath(name: string): boolean {
  return (Deno.env.get("PATH") ?? "").split(":").some((folder) => isFile(`${folder}/${name}`));
}
