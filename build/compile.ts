// `deno task compile [--portable]`: the program for this platform as one file in dist/. `deno compile` needs a runtime
// that it downloads, or finds in DENORT_BIN; where there is none that is said, and --portable makes the other form.

import config from "../deno.json" with { type: "json" };
import { DIST, MAIN, makeBundle, run } from "./bundle.ts";
import { ENGINE_FLAGS, PERMISSIONS } from "./permissions.ts";

/** Targets of `deno compile`, and what a downloaded file is called by. */
export const TARGETS: Readonly<Record<string, string>> = {
  "linux-x64": "x86_64-unknown-linux-gnu",
  "linux-arm64": "aarch64-unknown-linux-gnu",
  "macos-x64": "x86_64-apple-darwin",
  "macos-arm64": "aarch64-apple-darwin",
  "windows-x64": "x86_64-pc-windows-msvc",
};

/** Compiles the bundle into `output`; a text for people where the runtime cannot be had. Throws for other faults. */
export async function compileBundle(output: string, target: string | null = null): Promise<string | null> {
  const targetFlags = target === null ? [] : ["--target", target];
  try {
    // The code cache would be a file beside others' in the temporary directory.
    const flags = ["--no-check", "--no-config", "--no-lock", "--no-code-cache", "--output", output];
    await run(Deno.execPath(), ["compile", ...flags, ...targetFlags, ...ENGINE_FLAGS, ...PERMISSIONS, MAIN]);
    return null;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    if (!/denort|base binary/i.test(text)) throw error;
    const given = Deno.env.get("DENORT_BIN");
    return given === undefined
      ? `Cannot compile: the runtime "denort" of Deno ${Deno.version.deno} cannot be downloaded, and DENORT_BIN names none`
      : `Cannot compile: DENORT_BIN=${given} is no runtime that deno compile can use`;
  }
}

async function compileHere(args: readonly string[]): Promise<number> {
  const unknown = args.find((arg) => arg !== "--portable" && arg !== "--portable=only");
  if (unknown !== undefined) {
    console.error(`Cannot read ${unknown}: usage: deno task compile [--portable | --portable=only]`);
    return 2;
  }
  const startMs = performance.now();
  const bundle = await makeBundle();
  const compiled = `${DIST}trifold${Deno.build.os === "windows" ? ".exe" : ""}`;
  if (!args.includes("--portable=only")) {
    const fault = await compileBundle(compiled) ?? await tryOut(compiled);
    if (fault === null) return report(compiled, "compiled", startMs);
    if (args.length === 0) console.error(`${fault}; --portable makes a portable executable instead`);
    else {console.log(
        `${fault.replace(/^Cannot compile: /, "Not compiled, for ")}; making a portable executable`,
      );}
  }
  if (args.length === 0) return 1;
  if (Deno.build.os === "windows") {
    console.error("Cannot make a portable executable on Windows: it begins with a POSIX shell script");
    return 1;
  }
  const { makePortable } = await import("./portable.ts");
  return report(await makePortable(bundle, config.version), "portable", startMs);
}

/** A runtime of another version, or anything else in DENORT_BIN, makes a file that does not run. */
export async function tryOut(executable: string): Promise<string | null> {
  const said = await run(executable, ["--version"]).catch(() => "");
  if (said.startsWith("trifold ")) return null;
  await Deno.remove(executable);
  const given = Deno.env.get("DENORT_BIN");
  const which = given === undefined ? "with the runtime that was downloaded" : `with DENORT_BIN=${given}`;
  return `Cannot compile: the executable made ${which} does not start`;
}

async function report(path: string, form: string, startMs: number): Promise<number> {
  const megabytes = ((await Deno.stat(path)).size / 1e6).toFixed(1);
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  console.log(`dist/${path.slice(DIST.length)}: ${form}, ${megabytes} MB, ${seconds} s`);
  return 0;
}

if (import.meta.main) {
  try {
    Deno.exit(await compileHere(Deno.args));
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    Deno.exit(1);
  }
}
