// The pod's door: takes clients in, reads their methods line by line, and knows who is there. What a method does is
// the host's.

import { createLineReader, feed } from "../recordings/json_lines.ts";
import { type Method, parseMethod } from "../transcript/method.ts";
import { Outbox } from "./outbox.ts";
import { type Connection, listenAt, type SocketServer } from "./socket.ts";

/** One attached client. */
export interface ServedClient {
  readonly number: number;
  readonly outbox: Outbox;
}

export interface ServerOptions {
  readonly path: string;
  /** Bytes that may wait for one client. */
  readonly limitBytes: number;
  readonly farewell: Uint8Array;
  onJoin(client: ServedClient): void;
  onMethod(client: ServedClient, method: Method): void;
  /** A line that is no method; unknown names are ignored. */
  onProblem(client: ServedClient, what: string): void;
  /** The client went, or was cut off. */
  onLeave(client: ServedClient): void;
  /** For pod.log. */
  onFault(what: string): void;
  /** From time to time, for what else is to be looked after. */
  onLook(): void;
}

/** A method's line may be larger than an event's: a paste comes in it. */
const METHOD_BYTES = 64 << 20;
const READ_BYTES = 1 << 16;
/** How often it is looked whether the socket is still there: whoever clears its directory must not lock clients out. */
const LOOK_MS = 2000;

export class PodServer {
  readonly #options: ServerOptions;
  readonly #clients = new Map<number, ServedClient>();
  #socket: SocketServer;
  /** Ends some time after the socket was closed; only then is its path surely not touched any more. */
  #accepting: Promise<void>;
  #number = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  #isClosed = false;
  #isLooking = false;
  /** Why it could not listen anew: said once. */
  #fault = "";

  /** Listens. The caller holds the lock of the pod's log. */
  static async open(options: ServerOptions): Promise<PodServer> {
    return new PodServer(options, await listenAt(options.path));
  }

  private constructor(options: ServerOptions, socket: SocketServer) {
    this.#options = options;
    this.#socket = socket;
    this.#accepting = this.#accept(socket);
  }

  /** Looks after the socket from now on. */
  watch(): void {
    if (!this.#isClosed) this.#timer ??= setInterval(() => void this.#look(), LOOK_MS);
  }

  get clients(): readonly ServedClient[] {
    return [...this.#clients.values()];
  }

  isConnected(number: number): boolean {
    return this.#clients.has(number);
  }

  /** To every client: the bytes are shared, not copied. */
  broadcast(lines: Uint8Array): void {
    for (const client of this.#clients.values()) client.outbox.push(lines);
  }

  /** Takes no more clients, lets those that are there read what they are owed, for at most `patienceMs`. */
  async close(patienceMs: number): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    this.#socket.close();
    await this.#accepting;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => timer = setTimeout(resolve, patienceMs));
    const clients = this.clients;
    await Promise.race([Promise.all(clients.map((client) => client.outbox.end())), late]);
    clearTimeout(timer);
    for (const client of clients) client.outbox.close();
  }

  async #accept(socket: SocketServer): Promise<void> {
    for (;;) {
      const connection = await socket.accept();
      if (connection === null) return;
      this.#join(connection);
    }
  }

  #join(connection: Connection): void {
    const number = ++this.#number;
    const leave = () => {
      if (this.#clients.delete(number)) this.#options.onLeave(client);
    };
    const outbox = new Outbox(connection, {
      limitBytes: this.#options.limitBytes,
      farewell: this.#options.farewell,
      onCutOff: leave,
      onGone: leave,
    });
    const client = { number, outbox };
    this.#clients.set(number, client);
    this.#options.onJoin(client);
    void this.#read(client, connection);
  }

  async #read(client: ServedClient, connection: Connection): Promise<void> {
    const reader = createLineReader({ lineBytes: METHOD_BYTES });
    const buffer = new Uint8Array(READ_BYTES);
    for (;;) {
      let count: number | null = null;
      try {
        count = await connection.read(buffer);
      } catch {
        // Gone like at its end.
      }
      if (count === null || this.#isClosed) return client.outbox.close();
      if (!this.isConnected(client.number)) continue;
      for (const record of feed(reader, buffer.slice(0, count))) {
        if (record.kind === "problem") this.#options.onProblem(client, record.what);
        else this.#take(client, record.value);
      }
    }
  }

  #take(client: ServedClient, value: unknown): void {
    const parsed = parseMethod(value);
    if (parsed.kind === "method") this.#options.onMethod(client, parsed.method);
    else if (parsed.kind === "problem") this.#options.onProblem(client, parsed.what);
  }

  /** Listens anew where the socket's path was taken away. Those who are connected notice nothing. */
  async #look(): Promise<void> {
    if (this.#isClosed || this.#isLooking) return;
    this.#options.onLook();
    if (this.#socket.isReachable()) return;
    this.#isLooking = true;
    try {
      // Closed first: closing removes the path, whoever's it is by then.
      this.#socket.close();
      await this.#accepting;
      this.#socket = await listenAt(this.#options.path);
      if (this.#isClosed) this.#socket.close();
      else this.#accepting = this.#accept(this.#socket);
      this.#fault = "";
    } catch (error) {
      const fault = `Cannot listen again: ${error instanceof Error ? error.message : String(error)}`;
      if (fault !== this.#fault) this.#options.onFault(fault);
      this.#fault = fault;
    } finally {
      this.#isLooking = false;
    }
  }
}
