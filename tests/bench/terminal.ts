// A pseudo-terminal that shows nothing: bytes are counted and looked through as they come, with their times. For
// measuring, where an emulator would take the time that is measured.

import type { IPty } from "@lydell/node-pty";
import * as nodePty from "@lydell/node-pty";

export interface PlainTerminal {
  readonly pid: number;
  readonly ended: Promise<void>;
  /** When bytes came, and how many. */
  readonly arrivals: readonly { readonly atMs: number; readonly length: number }[];
  /** Bytes so far. */
  length(): number;
  /** All that came, decoded. */
  text(): string;
  type(text: string): void;
  resize(columns: number, rows: number): void;
  /** When `text` has come; throws when it takes longer. Times are those of `performance.now()`. */
  shows(text: string, timeoutMs?: number): Promise<number>;
  /** When anything more comes. */
  more(timeoutMs?: number): Promise<number>;
}

/** Starts a program in a terminal of that size, which answers as a plain one does. */
export function openPlainTerminal(options: {
  readonly command: readonly [string, ...string[]];
  readonly columns: number;
  readonly rows: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly directory?: string;
}): PlainTerminal {
  const [file, ...args] = options.command;
  const { spawn } = "default" in nodePty ? nodePty.default as typeof nodePty : nodePty;
  const pty: IPty = spawn(file, args, {
    name: "xterm-256color",
    cols: options.columns,
    rows: options.rows,
    cwd: options.directory ?? Deno.cwd(),
    env: { ...Deno.env.toObject(), ...options.environment },
  });
  const arrivals: { atMs: number; length: number }[] = [];
  const ended = Promise.withResolvers<void>();
  let text = "";
  let count = 0;
  let look: () => void = () => {};
  pty.onData((data) => {
    const length = new TextEncoder().encode(data).length;
    arrivals.push({ atMs: performance.now(), length });
    count += length;
    text += data;
    // Programs that ask what they stand in wait for the answer.
    if (data.includes("\x1b[c")) pty.write("\x1b[?62;22c");
    if (data.includes("\x1b[6n")) pty.write("\x1b[1;1R");
    look();
  });
  pty.onExit(() => ended.resolve());
  const until = (what: string, isTrue: () => boolean, timeoutMs: number) =>
    new Promise<number>((resolve, reject) => {
      const late = setTimeout(() => {
        look = () => {};
        reject(new Error(`Cannot see ${JSON.stringify(what)} in ${options.command.join(" ")}`));
      }, timeoutMs);
      look = () => {
        if (!isTrue()) return;
        look = () => {};
        clearTimeout(late);
        resolve(arrivals.at(-1)?.atMs ?? performance.now());
      };
      look();
    });
  return {
    pid: pty.pid,
    ended: ended.promise,
    arrivals,
    length: () => count,
    text: () => text,
    type: (typed) => pty.write(typed),
    resize: (columns, rows) => pty.resize(columns, rows),
    shows: (wanted, timeoutMs = 20_000) => until(wanted, () => text.includes(wanted), timeoutMs),
    more: (timeoutMs = 2000) => {
      const before = count;
      return until("more", () => count > before, timeoutMs);
    },
  };
}

/** Ends a program, gently first. */
export async function endProgram(terminal: PlainTerminal, keys: string): Promise<void> {
  terminal.type(keys);
  const late = new Promise((resolve) => setTimeout(resolve, 1500));
  await Promise.race([terminal.ended, late]);
  try {
    Deno.kill(terminal.pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

/** Memory of a process that is in use, in MB. */
export function memoryMb(pid: number): number {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

/** Time that all threads of a process have run for, in ms. */
export function threadsMs(pid: number): number {
  let nanoseconds = 0;
  for (const { name } of Deno.readDirSync(`/proc/${pid}/task`)) {
    nanoseconds += Number(Deno.readTextFileSync(`/proc/${pid}/task/${name}/schedstat`).split(" ")[0]);
  }
  return nanoseconds / 1e6;
}

/** The middle of some numbers. */
export function median(numbers: readonly number[]): number {
  return percentile(numbers, 50);
}

/** The number that so many percent of the others do not exceed. */
export function percentile(numbers: readonly number[], percent: number): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * percent / 100))] ?? 0;
}

/** Waits so many milliseconds; for none, a turn of the event loop. */
export function pause(lengthMs: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.max(0, lengthMs)));
}
