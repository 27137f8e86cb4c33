// What a client uses of the directory it stands in: its files for completion, and the prompts written there before.
// Both are loaded only when they are first wanted.

import type { CompletionRequest } from "../../input/completion.ts";
import type { DraftPart } from "../../input/draft_text.ts";
import type { Input } from "../effect.ts";
import type { FileFinder } from "./find_files.ts";
import type { PromptStore } from "./prompts.ts";

/** The directory as one client uses it. What it finds comes back as inputs. */
export interface Workplace {
  /** Answers with "files", as often as better ones are found. */
  findFiles(request: CompletionRequest): void;
  /** Answers with "prompts" once. Nothing is kept before this was called. */
  loadPrompts(): void;
  remember(parts: readonly DraftPart[]): void;
  /** Ends every search; resolves when what was to be kept is, or `KEEP_MS` are over. */
  close(): Promise<void>;
}

export interface WorkplaceOptions {
  /** Asked when the directory is first wanted. */
  readonly directory: () => string;
  readonly give: (input: Input) => void;
  /** False: prompts are kept, but those of earlier clients are not shown. */
  readonly recallsPrompts: boolean;
}

/** A disk that hangs keeps nobody here for longer, in ms. */
const KEEP_MS = 500;

/** The workplace of a client. */
export function openWorkplace(options: WorkplaceOptions): Workplace {
  const { give } = options;
  let known: string | null = null;
  const directory = () => known ??= options.directory();
  let finder: FileFinder | null = null;
  let isClosed = false;
  const store = Promise.withResolvers<PromptStore | null>();
  /** All that was to be kept so far is. */
  let kept: Promise<void> = Promise.resolve();
  let hasComplained = false;

  async function find(request: CompletionRequest): Promise<void> {
    const { createFileFinder } = await import("./find_files.ts");
    if (isClosed) return;
    finder ??= createFileFinder({
      directory: directory(),
      give: (answered, candidates) => give({ kind: "files", request: answered, candidates }),
    });
    finder.find(request);
  }

  async function load(): Promise<void> {
    const { openPromptStore } = await import("./prompts.ts");
    const opened = openPromptStore(directory());
    store.resolve(opened);
    if (opened === null || !options.recallsPrompts) return;
    const { prompts, notice } = await opened.load();
    if (isClosed) return;
    give({ kind: "prompts", prompts });
    if (notice !== null) give({ kind: "notice", level: "warn", message: notice });
  }

  async function keep(parts: readonly DraftPart[]): Promise<void> {
    const fault = await (await store.promise)?.add(parts) ?? null;
    if (fault === null || hasComplained || isClosed) return;
    hasComplained = true;
    give({ kind: "notice", level: "warn", message: fault });
  }

  return {
    findFiles: (request) => void find(request),
    loadPrompts: () => void load(),
    remember: (parts) => {
      const before = kept;
      kept = keep(parts).then(() => before);
    },
    close: async () => {
      isClosed = true;
      finder?.close();
      await Promise.race([kept, new Promise((resolve) => setTimeout(resolve, KEEP_MS))]);
    },
  };
}

/** Where the agent works, as it names it; for one that names none, where we stand. */
export function workDirectory(named: string): string {
  try {
    if (Deno.statSync(named).isDirectory) return Deno.realPathSync(named);
  } catch {
    // It names none, or one of another machine.
  }
  return Deno.cwd();
}
