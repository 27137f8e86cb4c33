// `deno task release`: all that a release consists of, in dist/release/: an executable a target, the man page, the
// install scripts, SHA256SUMS. Also what the release workflow asks: `check-tag TAG`, `notes`.

import config from "../deno.json" with { type: "json" };
import { compileBundle, TARGETS } from "./compile.ts";
import { DIST, makeBundle, ROOT } from "./bundle.ts";
import { manPage } from "./man.ts";

const RELEASE = `${DIST}release/`;
/** Stands in install.sh and install.ps1 until a release puts its own there. */
const REPOSITORY_MARK = "@REPOSITORY@";

/** Why `tag` may not be released, or null: it is the version of deno.json, and CHANGELOG tells what is in it. */
export function tagProblem(tag: string, version: string, changelog: string): string | null {
  if (tag !== `v${version}`) {
    return `Cannot release tag ${tag}: deno.json says version ${version}, so it must be v${version}`;
  }
  const notes = releaseNotes(changelog, version);
  if (notes === null) return `Cannot release ${version}: CHANGELOG.md has no section "## ${version}"`;
  if (notes.heading.includes("not released")) {
    return `Cannot release ${version}: CHANGELOG.md says "${notes.heading}"; put the date there`;
  }
  return null;
}

/** The changelog's section of a version: its heading behind the version, and the text below; null where there is none. */
export function releaseNotes(
  changelog: string,
  version: string,
): { readonly heading: string; readonly text: string } | null {
  for (const section of changelog.split(/^## /m).slice(1)) {
    const [heading = "", ...lines] = section.split("\n");
    const [name = "", ...rest] = heading.split(",");
    if (name.trim() === version) return { heading: rest.join(",").trim(), text: lines.join("\n").trim() };
  }
  return null;
}

/** A line a file, as `sha256sum` writes and checks them. */
export async function checksumLines(directory: string, names: readonly string[]): Promise<string> {
  const lines = [];
  for (const name of [...names].sort()) {
    const digest = await crypto.subtle.digest("SHA-256", await Deno.readFile(`${directory}${name}`));
    lines.push(`${new Uint8Array(digest).toHex()}  ${name}\n`);
  }
  return lines.join("");
}

async function makeRelease(): Promise<number> {
  await Deno.mkdir(RELEASE, { recursive: true });
  const names: string[] = [];
  await makeBundle();
  for (const [name, target] of Object.entries(TARGETS)) {
    const file = `trifold-${name}${name.startsWith("windows") ? ".exe" : ""}`;
    const fault = await compileBundle(RELEASE + file, target);
    if (fault !== null) return refuse(`${file}: ${fault}`);
    names.push(file);
    console.log(`dist/release/${file}: ${((await Deno.stat(RELEASE + file)).size / 1e6).toFixed(1)} MB`);
  }
  await Deno.writeTextFile(`${RELEASE}trifold.1`, manPage());
  names.push("trifold.1");
  const repository = Deno.env.get("GITHUB_REPOSITORY");
  if (repository === undefined) console.log("GITHUB_REPOSITORY is not set: no install scripts");
  else {
    for (const script of ["install.sh", "install.ps1"]) {
      const text = await Deno.readTextFile(ROOT + script);
      await Deno.writeTextFile(RELEASE + script, text.replaceAll(REPOSITORY_MARK, repository));
      names.push(script);
    }
  }
  await Deno.writeTextFile(`${RELEASE}SHA256SUMS`, await checksumLines(RELEASE, names));
  return 0;
}

function refuse(text: string): number {
  console.error(text);
  return 1;
}

if (import.meta.main) {
  const [command, argument = ""] = Deno.args;
  const changelog = await Deno.readTextFile(`${ROOT}CHANGELOG.md`);
  if (command === "check-tag") {
    const problem = tagProblem(argument, config.version, changelog);
    Deno.exit(problem === null ? 0 : refuse(problem));
  }
  if (command === "notes") {
    const notes = releaseNotes(changelog, config.version);
    if (notes === null) Deno.exit(refuse(`CHANGELOG.md has no section "## ${config.version}"`));
    console.log(notes.text);
    Deno.exit(0);
  }
  Deno.exit(await makeRelease());
}
