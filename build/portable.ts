// The portable executable: a POSIX shell head, the bundle and the Deno that builds it, in one file. It stands in for a
// compiled one where the runtime that `deno compile` needs cannot be had. What the head does is in portable_head.sh.

import { gzipSync } from "node:zlib";
import { DIST, ROOT } from "./bundle.ts";
import { CACHED_ENGINE_FLAGS, PERMISSIONS } from "./permissions.ts";

const OUTPUT = `${DIST}trifold-portable`;
/** Nothing is looked for outside the bundle. */
const FLAGS = [
  "--no-config",
  "--no-lock",
  "--no-npm",
  "--no-remote",
  "--cached-only",
  // What Deno says of modules that it loads would stand in the screen.
  "--quiet",
  ...CACHED_ENGINE_FLAGS,
  ...PERMISSIONS,
];
/** Digits that an offset takes in the head, so that its length does not depend on them. */
const OFFSET_DIGITS = 10;
/** Fast: the difference to the best is a tenth of the size and six seconds. */
const COMPRESSION = 1;

/** Makes dist/trifold-portable of the bundle's files; gives its path. One that is up to date is left as it is. */
export async function makePortable(bundle: readonly string[], version: string): Promise<string> {
  const [head, place, launcher, deno] = await Promise.all([
    readBuildFile("portable_head.sh"),
    readBuildFile("portable_place.js"),
    readBuildFile("portable_launcher.sh"),
    Deno.readFile(Deno.execPath()),
  ]);
  const files: Record<string, string> = {};
  for (const name of bundle) files[`app/${name}`] = await Deno.readTextFile(`${DIST}app/${name}`);
  // Last, for it says that the others are there.
  files.trifold = launcher.replace("@FLAGS@", FLAGS.join(" "));
  const app = new TextEncoder().encode(JSON.stringify(files));
  const hash = await contentHash(new TextEncoder().encode(head + place), app, deno);
  if (await isUpToDate(hash)) return OUTPUT;

  const packedApp = gzipSync(app, { level: 9 });
  const fill = (values: Readonly<Record<string, string>>) =>
    head.replace(/@([A-Z_]+)@/g, (all, name: string) => values[name] ?? all);
  const { os, arch } = Deno.build;
  const values = {
    VERSION: version,
    PLATFORM: `${os} ${arch}`,
    HASH: hash,
    CACHE: os === "darwin" ? "Library/Caches" : ".cache",
    PLACE: placeScript(place),
    APP_LENGTH: String(packedApp.length),
  };
  const length = new TextEncoder().encode(
    fill({ ...values, APP_AT: offset(0), DENO_AT: offset(0) }),
  ).length;
  const whole = fill({
    ...values,
    APP_AT: offset(length),
    // tail counts from 1.
    DENO_AT: offset(length + packedApp.length + 1),
  });
  const made = `${OUTPUT}.new`;
  const file = await Deno.open(made, { write: true, create: true, truncate: true, mode: 0o755 });
  for (const part of [new TextEncoder().encode(whole), packedApp, gzipSync(deno, { level: COMPRESSION })]) {
    for (let done = 0; done < part.length;) done += await file.write(part.subarray(done));
  }
  file.close();
  await Deno.chmod(made, 0o755);
  await Deno.rename(made, OUTPUT);
  return OUTPUT;
}

async function readBuildFile(name: string): Promise<string> {
  return await Deno.readTextFile(`${ROOT}build/${name}`);
}

/** The script without its comments; it must fit between apostrophes. */
function placeScript(source: string): string {
  const script = source.replace(/^ *\/\/.*\n/gm, "");
  if (script.includes("'")) {
    throw new Error("Cannot put portable_place.js into the head: it has an apostrophe");
  }
  return script.trim();
}

function offset(at: number): string {
  return String(at).padStart(OFFSET_DIGITS, "0");
}

/** Names all that is unpacked: 16 hexadecimal digits. */
async function contentHash(...parts: readonly Uint8Array<ArrayBuffer>[]): Promise<string> {
  const digests = await Promise.all(parts.map((part) => crypto.subtle.digest("SHA-256", part)));
  const all = new Uint8Array(await new Blob(digests).arrayBuffer());
  return new Uint8Array(await crypto.subtle.digest("SHA-256", all)).toHex().slice(0, 16);
}

async function isUpToDate(hash: string): Promise<boolean> {
  try {
    using file = await Deno.open(OUTPUT);
    const start = new Uint8Array(4096);
    const length = await file.read(start);
    return new TextDecoder().decode(start.subarray(0, length ?? 0)).includes(`home=$cache/${hash}\n`);
  } catch {
    return false;
  }
}
