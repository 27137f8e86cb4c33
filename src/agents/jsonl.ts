// An agent that is a child process and speaks pod JSONL: methods to its stdin, events from its stdout.
// Processes are child.ts, lines and dialects recordings/; what the events mean is the transcript's business.

import {
  createLineReader,
  end as endLines,
  feed,
  type Record as LineRecord,
} from "../recordings/json_lines.ts";
import { createPodTranslator } from "../recordings/pod_jsonl.ts";
import type { RecordingStep } from "../recordings/translator.ts";
import type { ParsedEvent } from "../transcript/event.ts";
import { type Method, methodLine } from "../transcript/method.ts";
import type { Agent, AgentEndKind, AgentListener } from "./agent.ts";
import { Child, type ChildOptions, type ChildStatus } from "./child.ts";

export interface JsonlOptions extends ChildOptions {
  /** How long to wait for the first event; agents of the wild need up to 25 s. */
  readonly answerWithinMs?: number;
}

/** So many faulty lines with not one event before them, and the program is taken for something else. */
const FAULTY_LINES = 20;
/** Events that say the agent is still getting ready. */
const BEFORE_HELLO: ReadonlySet<string> = new Set(["starting", "auth"]);
const OPENING_LENGTH = 200;
const ANSWER_WITHIN_MS = 60_000;
const EXPECTED = `a first line like {"event":"hello","data":{"protocol":"pod-jsonl","version":1}} on stdout`;

/** Starts the program. Whatever goes wrong, also in starting it, comes as the listener's onEnd. */
export function startJsonlAgent(options: JsonlOptions, listener: AgentListener): Agent {
  const agent = new JsonlAgent(options, listener);
  agent.start();
  return agent;
}

class JsonlAgent implements Agent {
  readonly #options: JsonlOptions;
  readonly #listener: AgentListener;
  readonly #lines = createLineReader();
  readonly #translator = createPodTranslator();
  #child: Child | null = null;
  #answerTimer: ReturnType<typeof setTimeout> | undefined;
  /** What is in the way of an ordinary end: the first reason found stays. */
  #endKind: AgentEndKind | null = null;
  #hasAnswered = false;
  #wasThere = false;
  #saidShutdown = false;
  #isEnded = false;
  #faultyLines = 0;
  /** How its output began, for the person to see what was started. */
  #opening = "";
  #ended = Promise.withResolvers<void>();

  constructor(options: JsonlOptions, listener: AgentListener) {
    this.#options = options;
    this.#listener = listener;
  }

  start(): void {
    try {
      this.#child = new Child(this.#options, {
        onStdout: (bytes) => this.#take(bytes),
        onExit: (status) => this.#exit(status),
      });
    } catch (error) {
      const what = whyNotStarted(this.#options, error);
      queueMicrotask(() => this.#end("not_started", what, null));
      return;
    }
    this.#answerTimer = setTimeout(
      () => this.#giveUp("silent"),
      this.#options.answerWithinMs ?? ANSWER_WITHIN_MS,
    );
  }

  send(method: Method): void {
    this.#child?.write(methodLine(method));
  }

  async close(): Promise<void> {
    this.#endKind ??= "closed";
    await this.#child?.close();
    await this.#ended.promise;
  }

  stderrTail(): readonly string[] {
    return this.#child?.stderrTail() ?? [];
  }

  #take(bytes: Uint8Array): void {
    // It is being ended, and may have an endless lot to say.
    if (this.#endKind === "not_understood") return;
    if (!this.#hasAnswered && this.#opening.length < OPENING_LENGTH) {
      this.#opening += new TextDecoder().decode(bytes.subarray(0, OPENING_LENGTH));
    }
    this.#tell(feed(this.#lines, bytes).flatMap((record) => this.#stepsOf(record)));
  }

  #stepsOf(record: LineRecord): readonly RecordingStep[] {
    return record.kind === "value" ? this.#translator.push(record.value, record.line) : [record];
  }

  #tell(steps: readonly RecordingStep[]): void {
    const parsed = steps.flatMap(asParsed);
    for (const each of parsed) {
      if (each.kind === "event") {
        this.#hasAnswered = true;
        this.#wasThere ||= !BEFORE_HELLO.has(each.event.event);
        if (each.event.event === "shutdown") this.#saidShutdown = true;
      } else if (!this.#hasAnswered) this.#faultyLines++;
    }
    if (this.#hasAnswered) clearTimeout(this.#answerTimer);
    else if (this.#faultyLines >= FAULTY_LINES) this.#giveUp("not_understood");
    if (parsed.length > 0 && !this.#isEnded) this.#listener.onEvents(parsed);
  }

  #giveUp(kind: "silent" | "not_understood"): void {
    if (this.#endKind !== null) return;
    this.#endKind = kind;
    this.#child?.close();
  }

  #exit(status: ChildStatus): void {
    if (this.#endKind !== "not_understood") {
      this.#tell([
        ...endLines(this.#lines).flatMap((record) => this.#stepsOf(record)),
        ...this.#translator.end(),
      ]);
    }
    const kind = this.#endKind ??
      (this.#saidShutdown
        ? "shut_down"
        : !this.#hasAnswered && this.#faultyLines > 0
        ? "not_understood"
        : "exited");
    this.#end(kind, this.#whatHappened(kind, status), status);
  }

  #end(kind: AgentEndKind, what: string, status: ChildStatus | null): void {
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

  #whatHappened(kind: AgentEndKind, status: ChildStatus): string {
    const name = commandLine(this.#options);
    const how = status.signal === null ? `exit code ${status.exitCode}` : `signal ${status.signal}`;
    const said = this.stderrTail().filter((line) => line.trim() !== "").at(-1);
    const stderr = said === undefined ? "" : `; its last line on stderr: ${said}`;
    switch (kind) {
      case "closed":
        return `${name} was closed`;
      case "shut_down":
        return `${name} shut down`;
      case "not_understood":
        return `Cannot talk to ${name}: expected ${EXPECTED}, got: ${
          this.#opening.trim().split("\n")[0]
        }${stderr}`;
      case "silent":
        return `Cannot talk to ${name}: no answer in ${
          Math.round((this.#options.answerWithinMs ?? ANSWER_WITHIN_MS) / 100) / 10
        } s, expected ${EXPECTED}${stderr}`;
      case "exited":
        return this.#wasThere
          ? `${name} ended with ${how}${stderr}`
          : `Cannot talk to ${name}: it ended with ${how} before it ${
            this.#hasAnswered ? "was ready" : "said anything"
          }, expected ${EXPECTED}${stderr}`;
      case "not_started":
        return `Cannot start ${name}`;
    }
  }
}

/** What a live agent's step is to the transcript. Keys, sizes and echoed methods are a recording's, not an agent's. */
function asParsed(step: RecordingStep): readonly ParsedEvent[] {
  switch (step.kind) {
    case "event":
      return [step.parsed];
    case "problem":
      return [{ kind: "problem", what: step.what }];
    default:
      return [];
  }
}

function whyNotStarted(options: JsonlOptions, error: unknown): string {
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

function commandLine(options: JsonlOptions): string {
  return [options.command, ...options.args].join(" ");
}
