// A pod as the client sees it: an Agent behind a socket. Bytes in become parsed events, methods go out whole, and
// its end says why.

import type { Agent, AgentEnd, AgentEndKind, AgentListener } from "../agents/agent.ts";
import {
  createLineReader,
  end as endLines,
  feed,
  type Record as LineRecord,
} from "../recordings/json_lines.ts";
import { type ParsedEvent, parseEvent } from "../transcript/event.ts";
import { type Method, methodLine } from "../transcript/method.ts";
import { type Connection, writeWholly } from "./socket.ts";

export interface AttachOptions {
  /** For people: "pod ab12". */
  readonly name: string;
  /** Connects; what it throws is told as the end. */
  readonly connect: () => Promise<Connection>;
  /** How long its first word is waited for where not for `ANSWER_MS`, and what is done then beside giving it up. */
  readonly answer?: { readonly withinMs: number; readonly onSilence: () => void };
}

const READ_BYTES = 1 << 16;
/** A pod that says nothing for so long has been stopped, or hangs. */
const ANSWER_MS = 20_000;
/** How long the last words of a client may take: its draft is among them. */
const LAST_WORDS_MS = 500;

/** Attaches to a pod. Whatever goes wrong comes as the listener's onEnd. */
export function attachToPod(options: AttachOptions, listener: AgentListener): Agent {
  const client = new PodClient(options, listener);
  void client.run();
  return client;
}

class PodClient implements Agent {
  readonly #options: AttachOptions;
  readonly #listener: AgentListener;
  readonly #lines = createLineReader();
  readonly #encoder = new TextEncoder();
  readonly #ended = Promise.withResolvers<void>();
  #connection: Connection | null = null;
  #unsent: Uint8Array[] = [];
  /** The writing that runs. */
  #writing: Promise<void> | null = null;
  /** What the first word is waited for with. */
  #silence: Int32Array<SharedArrayBuffer> | null = null;
  #isClosing = false;
  #isEnded = false;
  #wasThere = false;
  #hadSession = false;
  /** What the pod said about its end, or about ours. */
  #shutdownReason: string | null = null;
  #fatal: string | null = null;

  constructor(options: AttachOptions, listener: AgentListener) {
    this.#options = options;
    this.#listener = listener;
  }

  async run(): Promise<void> {
    try {
      this.#connection = await this.#options.connect();
    } catch (error) {
      return this.#end("not_started", error instanceof Error ? error.message : String(error));
    }
    if (this.#isEnded) return this.#disconnect();
    this.#write();
    this.#awaitWord();
    await this.#read(this.#connection);
    const [kind, what] = this.#why();
    this.#end(kind, what);
  }

  /** The engine's own way to wait: the runtime's first timer costs a start five milliseconds and more. */
  #awaitWord(): void {
    const { name, answer } = this.#options;
    const silence = new Int32Array(new SharedArrayBuffer(4));
    this.#silence = silence;
    const waited = Atomics.waitAsync(silence, 0, 0, answer?.withinMs ?? ANSWER_MS);
    void Promise.resolve(waited.value).then((what) => {
      if (what !== "timed-out" || this.#silence !== silence) return;
      this.#fatal = `${name} does not answer: it hangs, or has been suspended`;
      answer?.onSilence();
      this.#disconnect();
    });
  }

  #endSilence(): void {
    if (this.#silence !== null) Atomics.notify(this.#silence, 0);
    this.#silence = null;
  }

  send(method: Method): void {
    if (this.#isClosing) return;
    this.#unsent.push(this.#encoder.encode(methodLine(method)));
    this.#write();
  }

  async close(): Promise<void> {
    if (!this.#isClosing) {
      this.#isClosing = true;
      await Promise.race([this.#writing, new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS))]);
      this.#disconnect();
    }
    // What is not yet connected would hold the program up.
    if (this.#connection === null) this.#end("closed", this.#why()[1]);
    await this.#ended.promise;
  }

  stderrTail(): readonly string[] {
    return [];
  }

  #write(): void {
    if (this.#writing !== null || this.#connection === null || this.#unsent.length === 0) return;
    this.#writing = this.#writeAll(this.#connection).finally(() => {
      this.#writing = null;
    });
  }

  async #writeAll(connection: Connection): Promise<void> {
    try {
      for (let bytes = this.#unsent.shift(); bytes !== undefined; bytes = this.#unsent.shift()) {
        await writeWholly(connection, bytes);
      }
    } catch {
      // A pod that is gone shows as the end of what can be read.
      this.#unsent = [];
    }
  }

  async #read(connection: Connection): Promise<void> {
    const buffer = new Uint8Array(READ_BYTES);
    for (;;) {
      let count: number | null = null;
      try {
        count = await connection.read(buffer);
      } catch {
        // Gone like at its end.
      }
      if (count === null) return this.#tell(endLines(this.#lines));
      this.#tell(feed(this.#lines, buffer.slice(0, count)));
    }
  }

  #tell(records: readonly LineRecord[]): void {
    if (records.length > 0) this.#endSilence();
    const parsed: ParsedEvent[] = [];
    for (const record of records) {
      const one: ParsedEvent = record.kind === "value"
        ? parseEvent(record.value)
        : { kind: "problem", what: record.what };
      if (one.kind === "event") {
        const { event } = one;
        if (event.event === "hello") this.#wasThere = true;
        if (event.event === "history") this.#hadSession = true;
        if (event.event === "shutdown") this.#shutdownReason = event.data.reason ?? "requested";
        if (event.event === "error" && event.data.fatal === true) {
          this.#fatal = event.data.message;
          // Said to this client alone, and no part of the session: it is the end's text. A line that was cut off
          // to say it is no damage.
          if (event.seq === undefined) {
            parsed.splice(0, parsed.length, ...parsed.filter((before) => before.kind !== "problem"));
            continue;
          }
        }
      }
      parsed.push(one);
    }
    if (parsed.length > 0 && !this.#isClosing) this.#listener.onEvents(parsed);
  }

  #why(): [AgentEndKind, string] {
    const { name } = this.#options;
    if (this.#isClosing) return ["closed", `${name} was left`];
    if (this.#shutdownReason === "requested") return ["shut_down", "shut down"];
    if (this.#fatal !== null) {
      const beforeSession = this.#wasThere ? "no_session" : "not_started";
      return [this.#hadSession ? "exited" : beforeSession, this.#fatal];
    }
    if (this.#shutdownReason !== null) return ["exited", `${name} ended: ${this.#shutdownReason}`];
    return ["exited", `${name} is gone`];
  }

  #disconnect(): void {
    try {
      this.#connection?.close();
    } catch {
      // It has gone by itself.
    }
  }

  #end(kind: AgentEndKind, what: string): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#endSilence();
    this.#disconnect();
    this.#isClosing = true;
    const end: AgentEnd = { kind, what, wasThere: this.#wasThere, exitCode: null, signal: null };
    this.#ended.resolve();
    this.#listener.onEnd(end);
  }
}
