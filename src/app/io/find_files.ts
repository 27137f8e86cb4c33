// Files for the "@" completion: listed once and again when a new word begins, matched in slices so that keys are
// answered meanwhile, and shown as soon as there is something good, not only when all was looked at.

import type { Candidate, CompletionRequest } from "../../input/completion.ts";
import {
  createFuzzySearch,
  type FuzzySearch,
  isFuzzyDone,
  refineFuzzySearch,
  scanFuzzy,
} from "../../input/fuzzy.ts";
import { listFiles, type Pace, REAL_PACE, SLICE_MS, type TakePaths } from "./list_files.ts";

/** Answers requests, each as often as better candidates are found; a new request ends the one before. */
export interface FileFinder {
  find(request: CompletionRequest): void;
  close(): void;
}

export interface FileFinderOptions {
  readonly directory: string;
  readonly give: (request: CompletionRequest, candidates: readonly Candidate[]) => void;
  /** For tests: another list of files, another clock. */
  readonly list?: (take: TakePaths, stop: AbortSignal) => Promise<void>;
  readonly pace?: Pace;
}

/** Paths looked at before the clock is. */
const PATHS_AT_ONCE = 500;
/** What was found so far is shown after this, and then as often. */
const FIRST_MS = 15;
const AGAIN_MS = 120;
/** A list this old is made anew when a new word begins. */
const STALE_MS = 5000;
const CANDIDATES = 50;

/** A list of files, complete or growing. */
interface Listing {
  readonly paths: string[];
  isDone: boolean;
  doneMs: number;
  /** Resolves when there are more paths, or all. */
  more: PromiseWithResolvers<void>;
}

/** A finder for the files below a directory. */
export function createFileFinder(options: FileFinderOptions): FileFinder {
  return new Finder(options);
}

class Finder implements FileFinder {
  readonly #options: FileFinderOptions;
  readonly #pace: Pace;
  readonly #stop = new AbortController();
  #listing: Listing | null = null;
  #isListing = false;
  #request: CompletionRequest | null = null;
  /** Looked at everything; a longer query goes on from it. */
  #complete: FuzzySearch | null = null;
  /** Grows with every request: an older search then ends. */
  #turn = 0;

  constructor(options: FileFinderOptions) {
    this.#options = options;
    this.#pace = options.pace ?? REAL_PACE;
  }

  find(request: CompletionRequest): void {
    const isNewWord = this.#request === null || !request.query.startsWith(this.#request.query);
    this.#request = request;
    void this.#answer(request, isNewWord);
  }

  close(): void {
    this.#turn++;
    this.#stop.abort();
  }

  /** The first list is used while it grows; a later one only when it is complete. */
  async #list(): Promise<void> {
    if (this.#isListing) return;
    this.#isListing = true;
    const listing: Listing = { paths: [], isDone: false, doneMs: 0, more: Promise.withResolvers() };
    this.#listing ??= listing;
    const { directory, list = (take, stop) => listFiles(directory, take, stop) } = this.#options;
    try {
      await list((paths) => {
        for (const path of paths) listing.paths.push(path);
        listing.more.resolve();
        listing.more = Promise.withResolvers();
      }, this.#stop.signal);
    } finally {
      this.#isListing = false;
      listing.isDone = true;
      listing.doneMs = this.#pace.now();
      listing.more.resolve();
    }
    if (this.#listing === listing) return;
    this.#listing = listing;
    this.#complete = null;
    if (this.#request !== null) void this.#answer(this.#request);
  }

  /** Nothing is done before the key that asks is on the screen. */
  async #answer(request: CompletionRequest, isNewWord = false): Promise<void> {
    const turn = ++this.#turn;
    await this.#pace.pause();
    if (turn !== this.#turn) return;
    const { isDone = false, doneMs = 0 } = this.#listing ?? {};
    const isStale = isNewWord && isDone && this.#pace.now() - doneMs > STALE_MS;
    if (this.#listing === null || isStale) void this.#list();
    if (this.#listing !== null) await this.#search(request, { listing: this.#listing, turn });
  }

  async #search(
    request: CompletionRequest,
    { listing, turn }: { readonly listing: Listing; readonly turn: number },
  ): Promise<void> {
    const before = this.#complete;
    const search = before !== null && before.items === listing.paths
      ? refineFuzzySearch(before, request.query)
      : createFuzzySearch(listing.paths, request.query, CANDIDATES);
    let dueMs = this.#pace.now() + FIRST_MS;
    let shown = 0;
    while (turn === this.#turn) {
      const sliceEndMs = this.#pace.now() + SLICE_MS;
      while (!isFuzzyDone(search) && this.#pace.now() < sliceEndMs) scanFuzzy(search, PATHS_AT_ONCE);
      const isComplete = isFuzzyDone(search) && listing.isDone;
      const isNew = search.matched.length > shown;
      const nowMs = this.#pace.now();
      if (isComplete || (isNew && nowMs >= dueMs)) {
        this.#options.give(request, candidatesOf(search));
        shown = search.matched.length;
        dueMs = nowMs + AGAIN_MS;
      }
      if (isComplete) {
        this.#complete = search;
        return;
      }
      if (!isFuzzyDone(search)) await this.#pace.pause();
      else if (isNew && nowMs < dueMs) {
        await Promise.race([listing.more.promise, this.#pace.pause(dueMs - nowMs)]);
      } else await listing.more.promise;
    }
  }
}

function candidatesOf(search: FuzzySearch): readonly Candidate[] {
  return search.best.map(({ index }) => {
    const path = search.items[index] ?? "";
    return { label: path, text: path };
  });
}
