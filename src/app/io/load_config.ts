// The configuration of this run: the file that was named, or the person's own.

import { DEFAULT_CONFIG, type ReadConfig } from "../settings.ts";
import { ownDirectory } from "./directories.ts";
import { later } from "./later.ts";

/** The configuration at `path`, which must be there; without a path the person's own file, which need not be. */
export async function loadConfig(path: string | null): Promise<ReadConfig> {
  const directory = path === null ? ownDirectory("config") : null;
  const file = path ?? (directory === null ? null : `${directory}/config.json`);
  if (file === null) return { kind: "config", config: DEFAULT_CONFIG };
  try {
    // Most people have none. Asked for at once, that is known a turn of the event loop sooner.
    const text = Deno.readTextFileSync(file);
    // What reads and doubts one is loaded only here.
    return (await later("config")).parseConfig(text, file);
  } catch (error) {
    const isAbsent = error instanceof Deno.errors.NotFound;
    if (isAbsent && path === null) return { kind: "config", config: DEFAULT_CONFIG };
    const why = isAbsent ? "there is no such file" : error instanceof Error ? error.message : String(error);
    return { kind: "problem", what: `Cannot read config ${JSON.stringify(file)}: ${why}` };
  }
}
