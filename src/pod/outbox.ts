// What one client is still to get: bytes in order, written as fast as it reads and no faster. A client that lets too
// much pile up is cut off and told; nobody waits for it.

import { joinBytes } from "../recordings/bytes.ts";
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
  /** Pages of a history, which may be many, are made only when it is their turn, one by one. */
  readonly bytes: Uint8Array | Iterator<Uint8Array, void>;
  /** What it counts for the limit. */
  readonly weight: number;
}

/** Bytes of one write at most: small pieces are joined up to it. */
const WRITE_BYTES = 1 << 18;
const NEWLINE = 0x0a;

export class Outbox {
  readonly #connection: Connection;
  readonly #options: OutboxOptions;
  /** "deaf": it takes no more, but what it said last may still be on its way. */
  #state: "open" | "cut off" | "ending" | "deaf" | "gone" = "open";
  #waiting: Waiting[] = [];
  #weight = 0;
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

  /**
   * A history and its older pages, which no client could have kept from piling up: they do not count for the limit.
   * Pages of an earlier one that still wait are not needed any more.
   */
  pushHistory(line: Uint8Array, pages: Iterator<Uint8Array, void>): void {
    this.#waiting = this.#waiting.filter((one) => one.bytes instanceof Uint8Array);
    this.#add(line, 0);
    this.#add(pages, 0);
  }

  /** Writes what waits, then closes; resolves when that is done or the client is gone. */
  end(): Promise<void> {
    if (this.#state === "deaf") this.close();
    if (this.#state === "open") {
      this.#state = "ending";
      void this.#write();
    }
    return this.#closed.promise;
  }

  close(): void {
    if (this.#state === "gone") return;
    this.#state = "gone";
    this.#waiting = [];
    try {
      this.#connection.close();
    } catch {
      // It has gone by itself.
    }
    this.#closed.resolve();
    this.#options.onGone();
  }

  #add(bytes: Waiting["bytes"], weight: number): void {
    if (this.#state !== "open") return;
    this.#waiting.push({ bytes, weight });
    this.#weight += weight;
    void this.#write();
  }

  #cutOff(): void {
    this.#state = "cut off";
    this.#waiting = [];
    this.#options.onCutOff();
  }

  /** The one writer. It never throws: a client that is gone is no fault of the pod. */
  async #write(): Promise<void> {
    if (this.#isWriting) return;
    this.#isWriting = true;
    try {
      for (let next = this.#next(); next !== null; next = this.#next()) {
        const state = this.#state;
        const { bytes } = next;
        const count = await this.#connection.write(bytes);
        this.#lastByte = bytes[count - 1] ?? this.#lastByte;
        // What a client that was cut off meanwhile has not taken is not for it any more.
        if (count === bytes.length || this.#state !== state && this.#state === "cut off") continue;
        const rest = bytes.subarray(count);
        const weight = Math.min(next.weight, rest.length);
        this.#waiting.unshift({ bytes: rest, weight });
        this.#weight += weight;
      }
    } catch {
      return this.#goDeaf();
    } finally {
      this.#isWriting = false;
    }
    if (this.#state === "cut off" || this.#state === "ending") this.close();
  }

  /** Whoever reads from the client closes this when that is over: not before its last words were heard. */
  #goDeaf(): void {
    if (this.#state !== "open") return this.close();
    this.#state = "deaf";
    this.#waiting = [];
    this.#weight = 0;
  }

  #next(): { readonly bytes: Uint8Array; readonly weight: number } | null {
    if (this.#state === "gone" || this.#state === "deaf") return null;
    if (this.#waiting.length > 0) return this.#takeJoined();
    if (this.#state !== "cut off" || this.#isTold) return null;
    this.#isTold = true;
    const newline = this.#lastByte === NEWLINE ? [] : [NEWLINE];
    return { bytes: new Uint8Array([...newline, ...this.#options.farewell]), weight: 0 };
  }

  /** Null when all that waited were pages of which none is left. */
  #takeJoined(): { readonly bytes: Uint8Array; readonly weight: number } | null {
    const parts: Uint8Array[] = [];
    let length = 0;
    let weight = 0;
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      if (!(next.bytes instanceof Uint8Array)) {
        if (parts.length > 0) break;
        const page = next.bytes.next();
        if (page.done !== true) return { bytes: page.value, weight: 0 };
        this.#waiting.shift();
        continue;
      }
      if (parts.length > 0 && length + next.bytes.length > WRITE_BYTES) break;
      parts.push(next.bytes);
      length += next.bytes.length;
      weight += next.weight;
      this.#waiting.shift();
    }
    this.#weight -= weight;
    if (parts.length === 0) return null;
    return { bytes: joinBytes(parts), weight };
  }
}
