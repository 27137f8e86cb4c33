// A child process and its pipes: bytes out, strings in, the end of stderr kept, one exit.
// What the bytes mean is jsonl.ts. The child leads a process group of its own, so that ending it ends what it
// started, and a Ctrl-C in the terminal never reaches it.

/** How to run a program. */
export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Added to our own environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** From SIGTERM to SIGKILL. */
  readonly killAfterMs?: number;
}

export interface ChildListener {
  onStdout(bytes: Uint8Array): void;
  /** Left out by those for whom the kept end is enough. */
  onStderr?(bytes: Uint8Array): void;
  /** Called once, after the last onStdout. */
  onExit(status: ChildStatus): void;
}

export interface ChildStatus {
  readonly exitCode: number;
  readonly signal: string | null;
}

/** Lines of stderr kept, and how much of a line. */
const STDERR_LINES = 200;
const STDERR_LINE_LENGTH = 4000;
/** A grandchild may hold the pipes open after the child is gone: so long we still wait for what is in them. */
const DRAIN_MS = 500;
const KILL_AFTER_MS = 2000;

/** A running program. */
export class Child {
  readonly #process: Deno.ChildProcess;
  readonly #stdin: WritableStreamDefaultWriter<Uint8Array>;
  readonly #killAfterMs: number;
  readonly #stderr: LineRing;
  readonly #ended: Promise<void>;
  #isEnded = false;
  #isTold = false;

  /** Starts the program; throws what Deno.Command throws when it cannot be run. */
  constructor(options: ChildOptions, listener: ChildListener) {
    this.#killAfterMs = options.killAfterMs ?? KILL_AFTER_MS;
    this.#stderr = new LineRing();
    this.#process = new Deno.Command(options.command, {
      args: [...options.args],
      cwd: options.cwd,
      env: { ...options.env },
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
      detached: true,
    }).spawn();
    this.#stdin = this.#process.stdin.getWriter();
    // A broken pipe shows as the child's exit; the writer's own promise must not become an unhandled rejection.
    this.#stdin.closed.catch(() => {});
    this.#ended = this.#run(listener);
  }

  get pid(): number {
    return this.#process.pid;
  }

  /** Queues text for stdin: a child that does not read delays nothing but itself. */
  write(text: string): void {
    if (this.#isEnded) return;
    this.#stdin.write(new TextEncoder().encode(text)).catch(() => {});
  }

  /** Ends what the child can read. Not awaited: a child that reads nothing would hold it up. */
  closeStdin(): void {
    this.#stdin.close().catch(() => {});
  }

  /** Signals the child and what it started. */
  signal(signal: Deno.Signal): void {
    if (!this.#isEnded) signalGroup(this.#process, signal);
  }

  /** TERM to the child's group, KILL when it has not gone in time; resolves after onExit. */
  async close(): Promise<void> {
    if (this.#isEnded || this.#isTold) return await this.#ended;
    this.#isTold = true;
    this.closeStdin();
    this.signal("SIGTERM");
    // A stopped group takes its SIGTERM only once it goes on.
    this.signal("SIGCONT");
    const timer = setTimeout(() => this.signal("SIGKILL"), this.#killAfterMs);
    await this.#ended;
    clearTimeout(timer);
  }

  stderrTail(): readonly string[] {
    return this.#stderr.lines();
  }

  async #run(listener: ChildListener): Promise<void> {
    const stdout = this.#process.stdout.getReader();
    const stderr = this.#process.stderr.getReader();
    const drained = Promise.all([
      readAll(stdout, (bytes) => listener.onStdout(bytes)),
      readAll(stderr, (bytes) => {
        this.#stderr.add(bytes);
        listener.onStderr?.(bytes);
      }),
    ]);
    const status = await this.#process.status;
    this.#isEnded = true;
    await withinMs(drained, DRAIN_MS);
    // What it left in the background ends with it.
    signalGroup(this.#process, "SIGTERM");
    await Promise.allSettled([stdout.cancel(), stderr.cancel(), this.#stdin.abort()]);
    this.#stderr.end();
    listener.onExit({ exitCode: status.code, signal: status.signal });
  }
}

/** The last lines of a stream of bytes. */
class LineRing {
  readonly #decoder = new TextDecoder();
  readonly #lines: string[] = [];
  #open = "";

  add(bytes: Uint8Array): void {
    this.#push(this.#decoder.decode(bytes, { stream: true }));
  }

  end(): void {
    this.#push(this.#decoder.decode());
    if (this.#open !== "") this.#push("\n");
  }

  lines(): readonly string[] {
    return this.#open === "" ? [...this.#lines] : [...this.#lines, this.#open];
  }

  #push(text: string): void {
    const parts = text.split("\n");
    for (const [index, part] of parts.entries()) {
      if (this.#open.length < STDERR_LINE_LENGTH) {
        this.#open += part.slice(0, STDERR_LINE_LENGTH - this.#open.length);
      }
      if (index === parts.length - 1) break;
      this.#lines.push(this.#open.replace(/\r$/, ""));
      this.#open = "";
    }
    this.#lines.splice(0, this.#lines.length - STDERR_LINES);
  }
}

/** Signals the group a detached child leads; the child alone where there are no groups. Being gone is fine. */
function signalGroup(process: Deno.ChildProcess, signal: Deno.Signal): void {
  try {
    Deno.kill(-process.pid, signal);
  } catch {
    try {
      process.kill(signal);
    } catch {
      // It has gone already.
    }
  }
}

async function readAll(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  use: (bytes: Uint8Array) => void,
): Promise<void> {
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      use(value);
    }
  } catch (error) {
    // The pipe went with the child. A fault of our own must not hide in here.
    if (!(error instanceof Deno.errors.BrokenPipe || error instanceof Deno.errors.BadResource)) throw error;
  }
}

async function withinMs(work: Promise<unknown>, ms: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => timer = setTimeout(resolve, ms));
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
