// What one client is still to get: bytes in order, written as fast as it reads and no faster. A client that lets too
// much pile up is cut off and told; nobody waits for it.

import type { Connection } from "./socket.ts";

export interface OutboxOptions {
  /** So many bytes of `push` may wait. */
  readonly limitBytes: number;
  /** The last line for a client that is cut off. */
  readonly farewell: Uint8Array;
  /** The client reads too slowly and is cut off: only the farewell still waits for it. */
  onCutOff(): void;
  /** The connection is over; called once. */
  onGone(): void;
}

interface Waiting {
  readonly bytes: Uint8Array;
  /** What it counts for the limit. */
  readonly weight: number;
}

/** Bytes of one write at most: small pieces are joined up to it. */
const WRITE_BYTES = 1 << 18;
const NEWLINE = 0x0a;

export class Outbox {
  readonly #connection: Connection;
  readonly #options: OutboxOptions;
  #state: "open" | "cut off" | "ending" | "gone" = "open";
  #waiting: Waiting[] = [];
  #weight = 0;
  /** Made only when all before is written: the pages of a history, which may be many. */
  #later: (() => Uint8Array)[] = [];
  #lastByte = NEWLINE;
  #isTold = false;
  #isWriting = false;
  readonly #closed = Promise.withResolvers<void>();

  constructor(connection: Connection, options: OutboxOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  /** Whole lines. */
  push(lines: Uint8Array): void {
    this.#add(lines, lines.length);
    if (this.#state === "open" && this.#weight > this.#options.limitBytes) this.#cutOff();
  }

  /** A history, which no client could have kept from piling up: it does not count for the limit. */
  pushHistory(line: Uint8Array, pages: readonly (() => Uint8Array)[]): void {
    if (this.#state !== "open") return;
    this.#later = [...pages];
    this.#add(line, 0);
  }

  /** Writes what waits, then closes; resolves when that is done or the client is gone. */
  end(): Promise<void> {
    if (this.#state === "open") {
      this.#state = "ending";
      this.#later = [];
      void this.#write();
    }
    return this.#closed.promise;
  }

  close(): void {
    if (this.#state === "gone") return;
    this.#state = "gone";
    this.#waiting = [];
    this.#later = [];
    try {
      this.#connection.close();
    } catch {
      // It has gone by itself.
    }
    this.#closed.resolve();
    this.#options.onGone();
  }

  #add(bytes: Uint8Array, weight: number): void {
    if (this.#state !== "open") return;
    this.#waiting.push({ bytes, weight });
    this.#weight += weight;
    void this.#write();
  }

  #cutOff(): void {
    this.#state = "cut off";
    this.#waiting = [];
    this.#later = [];
    this.#options.onCutOff();
  }

  /** The one writer. It never throws: a client that is gone is no fault of the pod. */
  async #write(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    try {
      for (let next = this.#next(); next !== null; next = this.#next()) {
        const state = this.#state;
        const count = await this.#connection.write(next.bytes);
        this.#lastByte = next.bytes[count - 1] ?? this.#lastByte;
        // What a client that was cut off meanwhile has not taken is not for it any more.
        if (count === next.bytes.length || this.#state !== state) continue;
        const rest = next.bytes.subarray(count);
        this.#waiting.unshift({ bytes: rest, weight: next.weight === 0 ? 0 : rest.length });
        this.#weight += this.#waiting[0]?.weight ?? 0;
      }
    } catch {
      return this.close();
    } finally {
      this.#isWriting = false;
    }
    if (this.#state !== "open") this.close();
  }

  #next(): Waiting | null {
    if (this.#state === "gone") return null;
    if (this.#waiting.length > 0) return this.#takeJoined();
    if (this.#state === "cut off" && !this.#isTold) {
      this.#isTold = true;
      const newline = this.#lastByte === NEWLINE ? [] : [NEWLINE];
      return { bytes: new Uint8Array([...newline, ...this.#options.farewell]), weight: 0 };
    }
    const make = this.#later.shift();
    return make === undefined ? null : { bytes: make(), weight: 0 };
  }

  #takeJoined(): Waiting {
    let count = 0;
    let length = 0;
    for (; count < this.#waiting.length; count++) {
      const next = this.#waiting[count]?.bytes.length ?? 0;
      if (count > 0 && length + next > WRITE_BYTES) break;
      length += next;
    }
    const taken = this.#waiting.splice(0, count);
    const weight = taken.reduce((sum, one) => sum + one.weight, 0);
    this.#weight -= weight;
    const [first] = taken;
    if (taken.length === 1 && first !== undefined) return first;
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const one of taken) {
      bytes.set(one.bytes, at);
      at += one.bytes.length;
    }
    return { bytes, weight };
  }
}
