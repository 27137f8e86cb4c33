// The life of an agent that is a child process speaking lines of JSON: started, waited for, given up, ended, and what
// people are told of it. What the lines mean is its protocol: jsonl.ts, acp.ts, or start.ts while that is not known.

import {
  createLineReader,
  end as endLines,
  feed,
  type Record as LineRecord,
} from "../recordings/json_lines.ts";
import type { ParsedEvent } from "../transcript/event.ts";
import type { Method } from "../transcript/method.ts";
import type { Agent, AgentEndKind, AgentListener } from "./agent.ts";
import { Child, type ChildOptions, type ChildStatus } from "./child.ts";

export interface ChildAgentOptions extends ChildOptions {
  /** How long to wait for the first answer; agents of the wild need up to 25 s. */
  readonly answerWithinMs?: number;
}

/** What a line protocol is to the process that speaks it. Nothing is called after the end. */
export interface LineProtocol {
  /** What should have come, for people. */
  readonly expected: string;
  /** The process runs. */
  begin(): void;
  take(record: LineRecord): void;
  send(method: Method): void;
  /** No line comes any more: what is owed is told. */
  finish(): void;
}

/** What a protocol may do with the process and the host. */
export interface ProtocolHost {
  write(text: string): void;
  tell(parsed: readonly ParsedEvent[]): void;
  /** The program speaks the protocol; it is waited for no longer. */
  answered(): void;
  /** There is something to show from here on. */
  isThere(): void;
  /** A line that is not of the protocol, before anything was. */
  faulty(): void;
  /** Ends the process. `what` is for people; left out for kinds that explain themselves. */
  end(kind: AgentEndKind, what?: string): void;
}

/** So many faulty lines with not one answer before them, and the program is taken for something else. */
const FAULTY_LINES = 20;
const OPENING_LENGTH = 200;
const ANSWER_WITHIN_MS = 60_000;
/** Ends after which what still comes is of no interest; it may be an endless lot. */
const DEAF: ReadonlySet<AgentEndKind> = new Set(["not_understood", "no_session"]);

/** Starts the program. Whatever goes wrong, also in starting it, comes as the listener's onEnd. */
export function startChildAgent<Protocol extends LineProtocol>(
  options: ChildAgentOptions,
  listener: AgentListener,
  protocolOf: (host: ProtocolHost) => Protocol,
): { readonly agent: Agent; readonly protocol: Protocol } {
  const agent = new ChildAgent(options, listener);
  const protocol = protocolOf(agent.host());
  agent.start(protocol);
  return { agent, protocol };
}

class ChildAgent implements Agent {
  readonly #options: ChildAgentOptions;
  readonly #listener: AgentListener;
  readonly #lines = createLineReader();
  #protocol: LineProtocol | null = null;
  #child: Child | null = null;
  #answerTimer: ReturnType<typeof setTimeout> | undefined;
  /** What is in the way of an ordinary end: the first reason found stays. */
  #end: { readonly kind: AgentEndKind; readonly what: string | null } | null = null;
  #hasAnswered = false;
  #wasThere = false;
  #isEnded = false;
  #faultyLines = 0;
  /** How its output began, for the person to see what was started. */
  #opening = "";
  /** Told while bytes are taken: one call of the listener for all of them. */
  #news: ParsedEvent[] | null = null;
  #ended = Promise.withResolvers<void>();

  constructor(options: ChildAgentOptions, listener: AgentListener) {
    this.#options = options;
    this.#listener = listener;
  }

  host(): ProtocolHost {
    return {
      write: (text) => this.#child?.write(text),
      tell: (parsed) => this.#tell(parsed),
      answered: () => {
        this.#hasAnswered = true;
        clearTimeout(this.#answerTimer);
      },
      isThere: () => this.#wasThere = true,
      faulty: () => {
        if (!this.#hasAnswered && ++this.#faultyLines >= FAULTY_LINES) this.#giveUp("not_understood");
      },
      end: (kind, what) => this.#giveUp(kind, what),
    };
  }

  start(protocol: LineProtocol): void {
    this.#protocol = protocol;
    try {
      this.#child = new Child(this.#options, {
        onStdout: (bytes) => this.#take(bytes),
        onExit: (status) => this.#exit(status),
      });
    } catch (error) {
      const what = whyNotStarted(this.#options, error);
      queueMicrotask(() => this.#tellEnd("not_started", what, null));
      return;
    }
    this.#answerTimer = setTimeout(() => this.#giveUp("silent"), this.#answerWithinMs());
    // Nothing may be told before start has returned.
    queueMicrotask(() => {
      if (!this.#isEnded) protocol.begin();
    });
  }

  send(method: Method): void {
    if (this.#child !== null && !this.#isEnded) this.#protocol?.send(method);
  }

  async close(): Promise<void> {
    this.#end ??= { kind: "closed", what: null };
    await this.#child?.close();
    await this.#ended.promise;
  }

  stderrTail(): readonly string[] {
    return this.#child?.stderrTail() ?? [];
  }

  #take(bytes: Uint8Array): void {
    if (this.#end !== null && DEAF.has(this.#end.kind)) return;
    if (!this.#hasAnswered && this.#opening.length < OPENING_LENGTH) {
      this.#opening += new TextDecoder().decode(bytes.subarray(0, OPENING_LENGTH));
    }
    this.#together(() => {
      for (const record of feed(this.#lines, bytes)) this.#protocol?.take(record);
    });
  }

  /** Does something and tells all its news at once. */
  #together(work: () => void): void {
    const news: ParsedEvent[] = [];
    this.#news = news;
    try {
      work();
    } finally {
      this.#news = null;
      this.#tell(news);
    }
  }

  #tell(parsed: readonly ParsedEvent[]): void {
    if (this.#news !== null) { for (const one of parsed) this.#news.push(one); }
    else if (parsed.length > 0 && !this.#isEnded) this.#listener.onEvents(parsed);
  }

  #giveUp(kind: AgentEndKind, what: string | null = null): void {
    if (this.#end !== null) return;
    this.#end = { kind, what };
    this.#child?.close();
  }

  #exit(status: ChildStatus): void {
    if (this.#end === null || !DEAF.has(this.#end.kind)) {
      this.#together(() => {
        for (const record of endLines(this.#lines)) this.#protocol?.take(record);
        this.#protocol?.finish();
      });
    }
    const kind = this.#end?.kind ??
      (!this.#hasAnswered && this.#faultyLines > 0 ? "not_understood" : "exited");
    this.#tellEnd(kind, this.#end?.what ?? this.#whatHappened(kind, status), status);
  }

  #tellEnd(kind: AgentEndKind, what: string, status: ChildStatus | null): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    clearTimeout(this.#answerTimer);
    this.#listener.onEnd({
      kind,
      what,
      wasThere: this.#wasThere,
      exitCode: status?.exitCode ?? null,
      signal: status?.signal ?? null,
    });
    this.#ended.resolve();
  }

  #answerWithinMs(): number {
    return this.#options.answerWithinMs ?? ANSWER_WITHIN_MS;
  }

  #whatHappened(kind: AgentEndKind, status: ChildStatus): string {
    const name = commandLine(this.#options);
    const expected = this.#protocol?.expected ?? "an agent";
    const how = status.signal === null ? `exit code ${status.exitCode}` : `signal ${status.signal}`;
    const said = this.stderrTail().filter((line) => line.trim() !== "").at(-1);
    const stderr = said === undefined ? "" : `; its last line on stderr: ${said}`;
    switch (kind) {
      case "closed":
        return `${name} was closed`;
      case "shut_down":
        return `${name} shut down`;
      case "not_understood":
        return `Cannot talk to ${name}: expected ${expected}, got: ${
          this.#opening.trim().split("\n")[0]
        }${stderr}`;
      case "silent":
        return `Cannot talk to ${name}: no answer in ${
          Math.round(this.#answerWithinMs() / 100) / 10
        } s, expected ${expected}${stderr}`;
      case "exited":
        return this.#wasThere
          ? `${name} ended with ${how}${stderr}`
          : `Cannot talk to ${name}: it ended with ${how} before it ${
            this.#hasAnswered ? "was ready" : "said anything"
          }, expected ${expected}${stderr}`;
      case "no_session":
        return `Cannot start a session with ${name}${stderr}`;
      case "not_started":
        return `Cannot start ${name}`;
    }
  }
}

function whyNotStarted(options: ChildOptions, error: unknown): string {
  const name = commandLine(options);
  if (!isDirectory(options.cwd)) return `Cannot start ${name}: no directory ${options.cwd}`;
  if (error instanceof Deno.errors.NotFound) {
    return `Cannot start ${name}: no program "${options.command}" was found; expected a path, or a name on PATH`;
  }
  if (error instanceof Deno.errors.PermissionDenied) {
    return `Cannot start ${name}: "${options.command}" may not be run; expected an executable file`;
  }
  return `Cannot start ${name}: ${error instanceof Error ? error.message : String(error)}`;
}

function isDirectory(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    return false;
  }
}

/** "gemini --acp" */
export function commandLine({ command, args }: Pick<ChildOptions, "command" | "args">): string {
  return [command, ...args].join(" ");
}
