// How this program is run once more, whichever form it has: Deno with the sources, an executable of `deno compile`,
// or a portable executable, which is a launcher in the person's cache. What is then run there is not its concern.

/** What this process is. */
export type ProgramForm = "sources" | "compiled" | "portable";

/** A command line up to its arguments. */
export interface SelfCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * Set by the launcher of a portable executable to the DENO_DIR that the person had, empty where there was none:
 * the launcher needs DENO_DIR for itself, programs that we start must find the person's own.
 */
const SAVED_VARIABLE = "TRIFOLD_DENO_DIR";
/**
 * A flag of Deno for the engine, of clients and pods in every form. Without a bound the youngest generation of its heap
 * grows to 48 MB while a session is read, and an idle program never gives it back: a pod of 100,000 rows has 81 MB with
 * it and 124 without. With 2 MB reading takes the CPU it takes with 4, and the longest pauses that keys wait for are half
 * as long (a 75 MB recording: nine of ten within 3 ms, not 6); with 1 MB it takes 8 % more. And a regular expression is
 * compiled once, for the machine at once, and not for an interpreter first: a first frame with Markdown in it comes
 * 15 ms earlier.
 */
export const ENGINE_FLAG = "--v8-flags=--max-semi-space-size=2,--no-regexp-tier-up";
/**
 * The same where Deno keeps a code cache, for the sources and for a portable executable: every function is compiled when
 * its module is, and so is in the cache. Without, each start compiles anew what it calls first, a thousand functions: 25
 * ms of 120 from sources. It costs 2 MB of memory; without a cache all would be compiled at each start. All processes
 * that share a cache need the same flags, or each throws away what the other one kept.
 */
export const CACHED_ENGINE_FLAG = `${ENGINE_FLAG},--no-lazy`;
/** The launcher of a portable executable, seen from its main module. */
const LAUNCHER = "../trifold";
/** The main module of a bundle; that of the sources is main.ts. */
const BUNDLE = /\.mjs$/;

export function programForm(): ProgramForm {
  if (Deno.build.standalone) return "compiled";
  return BUNDLE.test(Deno.mainModule) ? "portable" : "sources";
}

/** How to run this program again. */
export function selfCommand(): SelfCommand {
  switch (programForm()) {
    case "compiled":
      return { command: Deno.execPath(), args: [] };
    case "portable":
      return { command: pathOf(new URL(LAUNCHER, Deno.mainModule)), args: [] };
    case "sources":
      return { command: Deno.execPath(), args: ["run", "-A", CACHED_ENGINE_FLAG, Deno.mainModule] };
  }
}

/** Takes back what the launcher of a portable executable did to the environment. Harmless in other forms. */
export function restoreEnvironment(): void {
  const saved = Deno.env.get(SAVED_VARIABLE);
  if (saved === undefined) return;
  Deno.env.delete(SAVED_VARIABLE);
  if (saved === "") Deno.env.delete("DENO_DIR");
  else Deno.env.set("DENO_DIR", saved);
}

function pathOf(url: URL): string {
  return decodeURIComponent(url.pathname);
}
