// For tests of this folder: a pod in this process with an agent the test speaks for, in a directory of its own, and
// clients that keep all they are sent.

import type { Agent, AgentEnd, AgentListener } from "../agents/agent.ts";
import { createLineReader, feed } from "../recordings/json_lines.ts";
import type { Transcript } from "../transcript/block.ts";
import { type Event, type EventName, type ParsedEvent, parseEvent } from "../transcript/event.ts";
import { type Method, methodLine, type MethodName } from "../transcript/method.ts";
import { applyEvent, createTranscript } from "../transcript/reduce.ts";
import { createPod, filesOf, podDirectory, type PodFiles, type PodMeta, readMeta } from "./directory.ts";
import { type HostOptions, type PodHost, startPod } from "./host.ts";
import type { Places } from "./places.ts";
import { type Connection, connectTo, writeWholly } from "./socket.ts";

/** An agent that says what the test tells it to, and keeps what it is asked. */
export class SpokenAgent implements Agent {
  readonly listener: AgentListener;
  readonly asked: Method[] = [];
  isClosed = false;

  constructor(listener: AgentListener) {
    this.listener = listener;
  }

  /** Events by name and data, all in one piece. */
  say(...events: readonly (readonly [EventName, unknown?])[]): void {
    this.tell(events.map(([event, data]) => parseEvent({ event, data: data ?? {} })));
  }

  tell(parsed: readonly ParsedEvent[]): void {
    this.listener.onEvents(parsed);
  }

  hello(capabilities: readonly string[] = [], history: Record<string, unknown> = {}): void {
    this.say(["hello", { protocol: "pod-jsonl", version: 1, agent: "spoken", capabilities }], [
      "history",
      history,
    ]);
  }

  end(end: Partial<AgentEnd> = {}): void {
    this.isClosed = true;
    this.listener.onEnd({
      kind: "exited",
      what: "spoken ended with exit code 3",
      wasThere: true,
      exitCode: 3,
      signal: null,
      ...end,
    });
  }

  send(method: Method): void {
    this.asked.push(method);
  }

  close(): Promise<void> {
    if (!this.isClosed) this.end({ kind: "closed", what: "closed" });
    return Promise.resolve();
  }

  stderrTail(): readonly string[] {
    return [];
  }

  /** Methods of that name so far. */
  of(name: MethodName): Method[] {
    return this.asked.filter((method) => method.method === name);
  }
}

/** A client that keeps all it is sent. */
export class WatchingClient {
  readonly events: Event[] = [];
  readonly problems: string[] = [];
  readonly transcript: Transcript = createTranscript();
  readonly connection: Connection;
  isEnded = false;
  /** Called with each event as it comes. */
  onEvent: (event: Event) => void = () => {};
  readonly #lines = createLineReader();

  constructor(connection: Connection) {
    this.connection = connection;
  }

  async read(): Promise<void> {
    const buffer = new Uint8Array(1 << 16);
    for (;;) {
      const count = await this.connection.read(buffer).catch(() => null);
      if (count === null) break;
      for (const record of feed(this.#lines, buffer.slice(0, count))) {
        if (record.kind === "problem") this.problems.push(record.what);
        else this.#take(parseEvent(record.value));
      }
    }
    this.isEnded = true;
  }

  async send(method: MethodName, params: Record<string, unknown> = {}, id?: string | number): Promise<void> {
    const line = methodLine({ method, params, ...(id === undefined ? {} : { id }) } as Method);
    await writeWholly(this.connection, new TextEncoder().encode(line));
  }

  async write(text: string): Promise<void> {
    await writeWholly(this.connection, new TextEncoder().encode(text));
  }

  of<Name extends EventName>(name: Name): Extract<Event, { event: Name }>[] {
    return this.events.filter((event) => event.event === name) as Extract<Event, { event: Name }>[];
  }

  leave(): void {
    try {
      this.connection.close();
    } catch {
      // Closed by the pod.
    }
  }

  #take(parsed: ParsedEvent): void {
    if (parsed.kind !== "event") {
      this.problems.push(JSON.stringify(parsed));
      return;
    }
    this.events.push(parsed.event);
    applyEvent(this.transcript, parsed.event);
    this.onEvent(parsed.event);
  }
}

export interface TestPod {
  readonly places: Places;
  readonly meta: PodMeta;
  readonly files: PodFiles;
  readonly host: PodHost;
  readonly agent: SpokenAgent;
  /** What went to pod.log. */
  readonly said: string[];
  readonly ended: Promise<{ readonly code: number; readonly isStored: boolean }>;
  connect(): Promise<WatchingClient>;
  /** The lines of the log, parsed. */
  logged(): Record<string, unknown>[];
}

/** A place for pods that is removed afterwards. */
export async function withPlaces(test: (places: Places, root: string) => Promise<void>): Promise<void> {
  const root = Deno.makeTempDirSync({ prefix: "pod-test-" });
  try {
    await test({ pods: `${root}/pods`, sockets: `${root}/run`, shortSockets: `${root}/short` }, root);
  } finally {
    Deno.removeSync(root, { recursive: true });
  }
}

/** A pod in that place, new or that of `meta` again. */
export async function openTestPod(
  places: Places,
  options: Partial<HostOptions> & { readonly idleEndMinutes?: number } = {},
): Promise<TestPod> {
  const { idleEndMinutes = 60, ...given } = options;
  const made = given.meta ?? createPod(places, { agent: { kind: "demo" }, cwd: "/", idleEndMinutes });
  const files = filesOf(podDirectory(places, made.id));
  const said: string[] = [];
  const ended = Promise.withResolvers<{ code: number; isStored: boolean }>();
  let agent: SpokenAgent | null = null;
  const host = await startPod({
    files,
    startAgent: (_context, listener) => Promise.resolve(agent = new SpokenAgent(listener)),
    say: (text) => said.push(text),
    onEnd: (end) => ended.resolve(end),
    ...given,
    meta: made,
  });
  return {
    places,
    meta: made,
    files,
    host,
    agent: agent as unknown as SpokenAgent,
    said,
    ended: ended.promise,
    connect: async () => {
      const meta = readMeta(files);
      if ("problem" in meta) throw new Error(meta.problem);
      const client = new WatchingClient(await connectTo(meta.socket));
      void client.read();
      return client;
    },
    logged: () => logLines(files.log),
  };
}

/** A pod that is ended afterwards, whatever happens. */
export async function withPod(
  options: Partial<HostOptions> & { readonly idleEndMinutes?: number },
  test: (pod: TestPod) => Promise<void>,
): Promise<void> {
  await withPlaces(async (places) => {
    const pod = await openTestPod(places, options);
    try {
      await test(pod);
    } finally {
      await pod.host.end("test is over");
      await pod.ended;
    }
  });
}

/** The lines of a log that can be parsed. */
export function logLines(path: string): Record<string, unknown>[] {
  return Deno.readTextFileSync(path).split("\n").flatMap((line) => {
    try {
      return line === "" ? [] : [JSON.parse(line)];
    } catch {
      return [];
    }
  });
}

/** Waits until it is true. */
export async function until(what: string, isTrue: () => boolean, timeoutMs = 20_000): Promise<void> {
  for (const endMs = Date.now() + timeoutMs; !isTrue();) {
    if (Date.now() > endMs) throw new Error(`Cannot see ${what} after ${timeoutMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}
