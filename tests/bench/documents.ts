// A recording that is one JSON document: how long its first frame takes, beside what JSON.parse alone takes for its
// text. Both in processes of their own, the client bundled as it is shipped; see first_frame.ts for what is counted.

import { ENGINE_FLAGS } from "../../build/permissions.ts";
import { type Piece, pieces } from "./generate.ts";
import { median } from "./terminal.ts";

/** First frames and parses, in ms: medians of `runs` processes each, one after the other in turn. */
export async function measureDocument(
  path: string,
  runs: number,
  folder: string,
): Promise<{ readonly frameMs: number; readonly parseMs: number }> {
  const script = await bundled(folder);
  const frames: number[] = [];
  const parses: number[] = [];
  for (let at = 0; at < runs; at++) {
    parses.push(await figure(script, ["parse", path]));
    frames.push(await figure(script, ["frame", path]));
  }
  return { frameMs: median(frames), parseMs: median(parses) };
}

/** An OpenCode export of about `rows` rows, as `opencode export` indents it. */
export function exportText(rows: number): string {
  const messages = pieces(rows).map((piece, at) => messageOf(piece, `m${String(at).padStart(8, "0")}`));
  return JSON.stringify({ info: { id: "ses_1", directory: "/repo", title: "Long" }, messages }, null, 2);
}

function messageOf({ kind, text }: Piece, id: string): object {
  if (kind === "user") return { info: { id, role: "user" }, parts: [{ id, type: "text", text }] };
  const part = kind === "assistant" ? { type: "text", text } : {
    type: "tool",
    callID: id,
    tool: "bash",
    state: { status: "completed", input: { command: "make" }, output: text, metadata: { exit: 0 } },
  };
  return { info: { id, role: "assistant", modelID: "m", providerID: "p" }, parts: [{ id, ...part }] };
}

async function figure(script: string, args: readonly string[]): Promise<number> {
  const flags = ["-A", "--no-check", "--no-config", "--no-lock", ...ENGINE_FLAGS];
  const { stdout, success } = await new Deno.Command(Deno.execPath(), {
    args: ["run", ...flags, script, ...args],
    stderr: "inherit",
  }).output();
  if (!success) throw new Error(`Cannot measure ${args.join(" ")}`);
  return Number(new TextDecoder().decode(stdout));
}

/** The client without its loop, as modules that Deno does not take for CommonJS. */
async function bundled(folder: string): Promise<string> {
  const directory = `${folder}/first_frame`;
  const entry = new URL("first_frame.ts", import.meta.url).pathname;
  const args = ["bundle", "-q", "--platform", "deno", "--code-splitting", "--outdir", directory, entry];
  const { success } = await new Deno.Command(Deno.execPath(), { args, stderr: "inherit" }).output();
  if (!success) throw new Error("Cannot bundle the client");
  for (const { name } of [...Deno.readDirSync(directory)]) {
    const text = await Deno.readTextFile(`${directory}/${name}`);
    const renamed = text.replace(/(["'])(\.\/[\w.-]+)\.js\1/g, "$1$2.mjs$1");
    await Deno.writeTextFile(`${directory}/${name.replace(/\.js$/, ".mjs")}`, `${renamed}\nexport {};\n`);
  }
  return `${directory}/first_frame.mjs`;
}
