// The real terminal: taken in raw mode, read, written, and given back on every way out: the end, an error, a signal,
// a suspend, another program. What its bytes mean is input's business, what is drawn encode.ts's.

import type { Capabilities } from "./encode.ts";
import { createFences, fencesAnswered, forgetFences, openFence, readFences } from "./fences.ts";
import {
  answeredCapabilities,
  capabilityQueries,
  enterModes,
  environmentCapabilities,
  FENCE,
  leaveModes,
  type ModeOptions,
} from "./terminal_modes.ts";
import { createWriteQueue, dropWaiting, isIdle, send, settled, type WriteQueue } from "./write_queue.ts";

/** Cells of the whole screen; may be 0. */
export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

/** What the loop needs of a terminal; tests give it one of their own. */
export interface Terminal {
  size(): TerminalSize;
  capabilities(): Capabilities;
  /** Takes an answer of the terminal; true when the capabilities changed by it. */
  takeAnswer(name: string, params: string): boolean;
  /** False while an earlier frame is still being written: wait for `onDrain`, then draw the newest state. */
  canWrite(): boolean;
  /** Writes a frame, all of it and after what was written before. */
  write(frame: string): void;
  /** Tells a person who looks elsewhere: a bell, or a notification of the desktop (OSC 9, or OSC 777 with a title). */
  notify(how: "bell" | "osc9" | "osc777", notice: { readonly title: string; readonly text: string }): void;
  /** Gives text to the terminal's clipboard (OSC 52), if it takes any: it does not say. */
  copy(text: string): void;
  /** Lends the terminal to another program while `run` lasts. `stop` aborts when we are told to end meanwhile. */
  lend<Result>(run: (stop: AbortSignal) => Promise<Result>): Promise<Result>;
  /** Stops this program's process group until the shell continues it; false where no shell could. */
  suspend(): Promise<boolean>;
  /** Gives the terminal back for good. The process ends with `Deno.exit`: a read of the keyboard still waits. */
  close(): Promise<void>;
}

/** What the terminal tells. A throw in one of these ends the program like any other. */
export interface TerminalEvents {
  /** Bytes that were typed or answered; the array is used again afterwards. */
  onInput(bytes: Uint8Array): void;
  /** The size changed; what is on the screen is unknown. */
  onResize(size: TerminalSize): void;
  /** What was on the screen is gone, and the size may be another one: paint everything again. */
  onRepaint(): void;
  /** A frame can be written again. */
  onDrain(): void;
  /** Queries with DA1 behind them were sent: answers will come. */
  onQueries(): void;
  /** A signal or a hang-up ends the program with `code`; the terminal is given back already. Half a second at most. */
  onEnd?(code: number): void | Promise<void>;
}

/** A terminal's keyboard: stdin, or /dev/tty where stdin is a recording. */
export interface Keyboard {
  read(buffer: Uint8Array): Promise<number | null>;
  setRaw(isRaw: boolean): void;
  isTerminal(): boolean;
}

export interface TerminalOptions extends Partial<ModeOptions> {
  readonly events: TerminalEvents;
  readonly keyboard?: Keyboard;
}

const SIGNAL_CODES = [["SIGTERM", 143], ["SIGHUP", 129], ["SIGINT", 130], ["SIGQUIT", 131]] as const;
const HANG_UP = 129;
const READ_BYTES = 65536;
/** How long the last frame may still take when we end, and another program when it is told to. */
const SETTLE_MS = 200;
/** How long answers are awaited before someone else gets the terminal, and with it what comes too late. */
const FENCE_MS = 250;
/** A terminal that did not answer for so long will not. */
const SILENT_MS = 2000;
const END_MS = 500;

/** Takes the terminal. Throws, with nothing taken, when the keyboard or the screen is none. */
export function openTerminal(options: TerminalOptions): Terminal {
  const terminal = new OwnedTerminal(options);
  terminal.take();
  return terminal;
}

/** Who has the terminal now. */
type Owner = "us" | "another program" | "the shell";

class OwnedTerminal implements Terminal {
  readonly #events: TerminalEvents;
  readonly #keyboard: Keyboard;
  readonly #modes: ModeOptions;
  readonly #queue: WriteQueue;
  readonly #fences = createFences();
  readonly #hooks: (() => void)[] = [];
  #capabilities: Capabilities;
  #size: TerminalSize = { columns: 80, rows: 24 };
  #owner: Owner = "the shell";
  #isClosed = false;
  #isEnding = false;
  /** When the last queries were sent. */
  #queriedMs = 0;
  /** Set while no further read may begin. */
  #pause: Pause | null = null;
  /** The loan that runs. */
  #loan: { readonly stop: AbortController; readonly ended: Promise<unknown> } | null = null;

  constructor(options: TerminalOptions) {
    this.#events = options.events;
    this.#keyboard = options.keyboard ?? Deno.stdin;
    this.#modes = { mouse: options.mouse ?? true, keyboardProtocol: options.keyboardProtocol ?? true };
    this.#capabilities = environmentCapabilities({ TERM: Deno.env.get("TERM") });
    this.#queue = createWriteQueue({
      writeSync: (bytes) => Deno.stdout.writeSync(bytes),
      write: (bytes) => Deno.stdout.write(bytes),
      wait: delay,
    }, { onDrain: () => this.#drained(), onGone: () => void this.#end(HANG_UP) });
  }

  take(): void {
    this.#size = Deno.consoleSize();
    this.#keyboard.setRaw(true);
    this.#hook();
    this.#own();
    void this.#read();
  }

  size(): TerminalSize {
    return this.#size;
  }

  capabilities(): Capabilities {
    return this.#capabilities;
  }

  takeAnswer(name: string, params: string): boolean {
    const known = this.#capabilities;
    this.#capabilities = answeredCapabilities(known, name, params);
    return this.#capabilities !== known;
  }

  canWrite(): boolean {
    return this.#owner === "us" && !this.#isClosed && isIdle(this.#queue);
  }

  write(frame: string): void {
    if (this.#owner === "us" && !this.#isClosed) send(this.#queue, frame);
  }

  notify(how: "bell" | "osc9" | "osc777", notice: { readonly title: string; readonly text: string }): void {
    const title = plainNotice(notice.title).replaceAll(";", ",");
    const text = plainNotice(notice.text);
    const sequences = {
      bell: "\x07",
      osc9: `\x1b]9;${title}: ${text}\x07`,
      osc777: `\x1b]777;notify;${title};${text}\x07`,
    };
    this.write(sequences[how]);
  }

  copy(text: string): void {
    this.write(`\x1b]52;c;${new TextEncoder().encode(text).toBase64()}\x07`);
  }

  async lend<Result>(run: (stop: AbortSignal) => Promise<Result>): Promise<Result> {
    if (this.#owner !== "us") throw new Error(`Cannot lend the terminal: ${this.#owner} has it`);
    await this.#stopReading();
    await settled(this.#queue);
    if (this.#isEnding || this.#isClosed) throw new Error("Cannot lend the terminal: the program ends");
    this.#disown("another program");
    const stop = new AbortController();
    const result = run(stop.signal);
    this.#loan = { stop, ended: result };
    try {
      return await result;
    } finally {
      this.#loan = null;
      if (!this.#isEnding && !this.#isClosed) this.#takeBack();
    }
  }

  async suspend(): Promise<boolean> {
    if (this.#owner !== "us" || !hasJobControl()) return false;
    await this.#awaitAnswers();
    await settled(this.#queue);
    this.#disown("the shell");
    stopGroup();
    return true;
  }

  async close(): Promise<void> {
    await this.#awaitAnswers();
    await this.#finishWriting();
    this.#restore();
    // Who leaves with one Ctrl-C more than needed leaves all the same; the last words to the pod are still on their way.
    attempt(() => Deno.addSignalListener("SIGINT", () => {}));
    for (const unhook of this.#hooks.splice(0)) attempt(unhook);
  }

  /** Modes, queries; raw mode is on already. */
  #own(): void {
    this.#owner = "us";
    send(this.#queue, control(enterModes(this.#modes, this.#capabilities)));
    forgetFences(this.#fences);
    this.#query(capabilityQueries(this.#modes));
  }

  /** Sends queries that end with the fence. */
  #query(parts: readonly string[]): void {
    openFence(this.#fences);
    this.#queriedMs = Date.now();
    send(this.#queue, control(parts));
    this.#events.onQueries();
  }

  /** What is answered after we are gone would be typed into the shell. */
  async #awaitAnswers(): Promise<void> {
    if (Date.now() - this.#queriedMs > SILENT_MS) return;
    await Promise.race([fencesAnswered(this.#fences), delay(FENCE_MS)]);
  }

  /** Gives the terminal back, for now. Every step stands alone: a terminal that is gone throws at each. */
  #disown(to: Owner): void {
    this.#owner = to;
    attempt(() =>
      writeWhole(control(leaveModes(this.#modes, this.#capabilities)), this.#queue.running !== null)
    );
    attempt(() => this.#keyboard.setRaw(false));
  }

  #takeBack(): void {
    attempt(() => this.#keyboard.setRaw(true));
    this.#own();
    this.#continueReading();
    this.#measure();
    this.#events.onRepaint();
  }

  /**
   * Lets the last frame out. A terminal that takes nothing would hold a synchronous write, and with it the end, for
   * ever: it gets the rest without our waiting for it, and later frames not at all.
   */
  async #finishWriting(): Promise<void> {
    if (await this.#settlesSoon() || this.#isClosed) return;
    this.#isClosed = true;
    dropWaiting(this.#queue);
    send(this.#queue, control(leaveModes(this.#modes, this.#capabilities)));
    // To leave raw mode waits for the output too; Deno does it at the exit without waiting.
    if (await this.#settlesSoon()) attempt(() => this.#keyboard.setRaw(false));
  }

  #settlesSoon(): Promise<boolean> {
    return Promise.race([settled(this.#queue).then(() => true), delay(SETTLE_MS).then(() => false)]);
  }

  /** For good, and only once. */
  #restore(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#disown("the shell");
  }

  #measure(): boolean {
    const before = this.#size;
    attempt(() => this.#size = Deno.consoleSize());
    const { columns, rows } = this.#size;
    return columns !== before.columns || rows !== before.rows;
  }

  #drained(): void {
    if (this.#owner === "us" && !this.#isClosed) this.#events.onDrain();
  }

  #hook(): void {
    for (const [signal, code] of SIGNAL_CODES) {
      // Another program's Ctrl-C reaches us too; it is meant for that one.
      this.#onSignal(signal, () => {
        if (signal !== "SIGINT" || this.#loan === null) void this.#end(code);
      });
    }
    this.#onSignal("SIGWINCH", () => {
      if (this.#measure() && this.#owner === "us") this.#events.onResize(this.#size);
    });
    // Another program that stops takes its whole job with it, and so us.
    this.#onSignal("SIGTSTP", () => void (this.#loan === null ? this.suspend() : stopGroup()));
    this.#onSignal("SIGCONT", () => this.#continued());
    // A throw and a rejection do not run `unload`, Deno.exit and the loop's end run nothing else.
    for (const event of ["error", "unhandledrejection", "unload"]) {
      const restore = () => this.#restore();
      globalThis.addEventListener(event, restore);
      this.#hooks.push(() => globalThis.removeEventListener(event, restore));
    }
  }

  #onSignal(signal: Deno.Signal, listener: () => void): void {
    // Systems know different signals.
    attempt(() => {
      Deno.addSignalListener(signal, listener);
      this.#hooks.push(() => Deno.removeSignalListener(signal, listener));
    });
  }

  /** Also after a stop we did not ask for: the shell may have changed anything meanwhile. */
  #continued(): void {
    if (this.#isClosed || this.#isEnding || this.#loan !== null) return;
    if (this.#owner === "us") this.#disown("the shell");
    this.#takeBack();
  }

  async #end(code: number): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    if (this.#loan !== null) {
      this.#loan.stop.abort();
      await Promise.race([this.#loan.ended.catch(() => {}), delay(SETTLE_MS)]);
    }
    await this.#awaitAnswers();
    await this.#finishWriting();
    this.#restore();
    await Promise.race([attemptAsync(() => this.#events.onEnd?.(code)), delay(END_MS)]);
    Deno.exit(code);
  }

  async #read(): Promise<void> {
    const buffer = new Uint8Array(READ_BYTES);
    while (!this.#isClosed) {
      let count: number | null = null;
      try {
        count = await this.#keyboard.read(buffer);
      } catch {
        // Gone like at its end.
      }
      if (this.#isClosed) return;
      if (count === null) return void this.#end(HANG_UP);
      const bytes = buffer.subarray(0, count);
      readFences(this.#fences, bytes);
      if (this.#owner === "us") this.#events.onInput(bytes);
      // Not ours any more: the answer never came, and this read has taken the other program's first keys.
      if (this.#fences.open === 0 || this.#owner !== "us") await this.#pause?.hold();
    }
  }

  /**
   * A read that waits would take the other program's first keys. It cannot be called off, so the terminal is asked
   * something, and after its answer no further read is begun.
   */
  async #stopReading(): Promise<void> {
    const pause = createPause();
    this.#pause = pause;
    this.#query([FENCE]);
    await Promise.race([pause.held, delay(FENCE_MS)]);
  }

  #continueReading(): void {
    this.#pause?.proceed();
    this.#pause = null;
  }
}

/** Holds the reading until it may go on. */
interface Pause {
  /** Resolves when the reading is held. */
  readonly held: Promise<void>;
  hold(): Promise<void>;
  proceed(): void;
}

function createPause(): Pause {
  const held = Promise.withResolvers<void>();
  const proceeded = Promise.withResolvers<void>();
  return {
    held: held.promise,
    hold() {
      held.resolve();
      return proceeded.promise;
    },
    proceed: () => proceeded.resolve(),
  };
}

/**
 * True when a shell could continue us. Without job control our process group is the one of the session's leader;
 * where that cannot be read (macOS) a shell is taken for granted.
 */
function hasJobControl(): boolean {
  if (Deno.build.os === "windows") return false;
  try {
    // Read by a child, which is in our group: Deno gives /proc only to programs that may do everything.
    const { stdout } = new Deno.Command("/bin/sh", {
      args: ["-c", 'read -r status </proc/self/stat && echo "$status"'],
      stdin: "null",
      stderr: "null",
    }).outputSync();
    const status = new TextDecoder().decode(stdout);
    if (status === "") return true;
    const [, , group, session] = status.slice(status.lastIndexOf(")") + 2).split(" ");
    return group !== session;
  } catch {
    return true;
  }
}

/** Not SIGTSTP: under `deno task` the parent would not stop with us, and the shell would wait for it. */
function stopGroup(): void {
  Deno.kill(0, "SIGSTOP");
}

/** Control sequences from what stands behind their introducer. */
function control(...parts: readonly (readonly string[])[]): string {
  return parts.flat().map((part) => "\x1b[" + part).join("");
}

/** One short line without controls: nothing in it can end the sequence it stands in. */
function plainNotice(text: string): string {
  // deno-lint-ignore no-control-regex
  return text.replace(/[\x00-\x1f\x7f-\x9f]+/g, " ").slice(0, 200);
}

/** Writes all of it now. `isCut`: it may land inside an unfinished sequence, which is called off first. */
function writeWhole(text: string, isCut: boolean): void {
  const bytes = new TextEncoder().encode(isCut ? "\x18\x1b\\" + text : text);
  for (let at = 0, tries = 0; at < bytes.length && tries < 1000; tries++) {
    try {
      at += Deno.stdout.writeSync(bytes.subarray(at));
    } catch (error) {
      if (!(error instanceof Deno.errors.WouldBlock)) throw error;
    }
  }
}

function attempt(step: () => void): void {
  try {
    step();
  } catch {
    // The terminal may be gone, or never have known this.
  }
}

async function attemptAsync(step: () => void | Promise<void>): Promise<void> {
  try {
    await step();
  } catch {
    // The program ends; the terminal is given back already.
  }
}

function delay(delayMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}
