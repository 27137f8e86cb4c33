// What lists and later clients know of a pod beside its log: meta.json and the draft, written when they change, soon
// but not each time.

import type { Transcript } from "../transcript/block.ts";
import type { DraftPart } from "../transcript/method.ts";
import { type PodFiles, type PodMeta, writeMeta, writeWhole } from "./directory.ts";
import { statusOf } from "./resume.ts";

export interface FactsOptions {
  readonly nowMs: () => number;
  /** A line for pod.log. */
  say(text: string): void;
}

/** Least time between two writes of what is only good to know: a title, the time of the last work. */
const META_MS = 200;
/** Writes at once, of what lists must not have wrong, in that time: an agent may change its status without end. */
const AT_ONCE = 30;

export class PodFacts {
  readonly #files: PodFiles;
  readonly #options: FactsOptions;
  #meta: PodMeta;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** When meta.json last followed the session. */
  #touchedMs = -Infinity;
  /** Writes at once since it began to count. */
  #atOnce = { count: 0, sinceMs: -Infinity };
  #isEnded = false;

  constructor(files: PodFiles, meta: PodMeta, options: FactsOptions) {
    this.#files = files;
    this.#meta = meta;
    this.#options = options;
  }

  begin(): void {
    this.#write({ pid: Deno.pid, status: "starting" });
  }

  /** The session has changed. */
  touch(transcript: Transcript, agentSessionId: () => string | null): void {
    if (this.#isEnded) return;
    const write = () => {
      // Before its first client is greeted a pod touches no timer: the first one costs 5 ms.
      if (this.#timer !== undefined) clearTimeout(this.#timer);
      this.#timer = undefined;
      this.#touchedMs = performance.now();
      this.#write({
        title: transcript.title,
        sessionId: transcript.sessionId ?? this.#meta.sessionId,
        agentSessionId: agentSessionId() ?? this.#meta.agentSessionId,
        status: statusOf(transcript),
        lastActiveMs: this.#options.nowMs(),
      });
    };
    // What it does, and by which id its agent can be asked to go on.
    const isOld = statusOf(transcript) !== this.#meta.status ||
      (agentSessionId() ?? this.#meta.agentSessionId) !== this.#meta.agentSessionId;
    if (isOld && this.#mayWriteAtOnce()) return write();
    if (this.#timer !== undefined) return;
    const waitMs = this.#touchedMs + META_MS - performance.now();
    if (waitMs <= 0) write();
    else this.#timer = setTimeout(write, waitMs);
  }

  #mayWriteAtOnce(): boolean {
    const nowMs = performance.now();
    if (nowMs - this.#atOnce.sinceMs > META_MS) this.#atOnce = { count: 0, sinceMs: nowMs };
    return ++this.#atOnce.count <= AT_ONCE;
  }

  end(transcript: Transcript): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    const { title } = transcript;
    this.#write({ pid: null, status: "stopped", title, lastActiveMs: this.#options.nowMs() });
  }

  keepDraft(parts: readonly DraftPart[]): void {
    this.#attempt("keep the draft", () => writeWhole(this.#files.draft, JSON.stringify(parts)));
  }

  /** The draft an earlier pod kept; empty where there is none that can be read. */
  keptDraft(): DraftPart[] {
    try {
      const value: unknown = JSON.parse(Deno.readTextFileSync(this.#files.draft));
      if (!Array.isArray(value)) return [];
      return value.filter((part): part is DraftPart =>
        typeof part?.text === "string" && (part.type === "text" || part.type === "paste")
      );
    } catch {
      return [];
    }
  }

  #write(change: Partial<PodMeta>): void {
    this.#meta = { ...this.#meta, ...change };
    this.#attempt("write meta.json", () => writeMeta(this.#files, this.#meta));
  }

  /** None of these files is worth a session: what cannot be written is said. */
  #attempt(what: string, write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#options.say(`Cannot ${what}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
