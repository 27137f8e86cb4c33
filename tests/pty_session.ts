// A program in a real pseudo-terminal, its output shown by the emulator: for tests of what only a terminal shows
// (modes, termios, signals, job control). Knows nothing of what runs in it.

import { Buffer } from "node:buffer";
import type { IPty } from "@lydell/node-pty";
import * as nodePty from "@lydell/node-pty";
import { createEmulator, type Emulator } from "./emulator.ts";

export interface PtySession {
  readonly emulator: Emulator;
  /** All output so far, as it came. */
  readonly output: () => string;
  /** The process started in the terminal: session and group leader. */
  readonly pid: number;
  /** Resolves with what the process ended with; `signal` is 0 when it exited by itself. */
  readonly ended: Promise<{ readonly exitCode: number; readonly signal: number }>;
  type(text: string | Uint8Array): void;
  resize(width: number, height: number): void;
  /** Stops and starts the reading of the program's output: a terminal that is full. */
  pause(): void;
  resume(): void;
  /** Resolves when `isTrue` gives true after some output; throws with the screen when it takes too long. */
  until(what: string, isTrue: () => boolean, timeoutMs?: number): Promise<void>;
  /** Closes the terminal, as a window that is closed. */
  close(): void;
}

/** node-pty takes bytes too, missing in its types. */
type BytesWriter = { write(data: string | Buffer): void };

/** Starts a program; answers of the emulator go to it as a terminal's would. */
export function openPtySession(options: {
  readonly command: readonly [string, ...string[]];
  readonly width: number;
  readonly height: number;
  readonly environment?: Readonly<Record<string, string>>;
  readonly directory?: string;
  /** False: the terminal answers no query. */
  readonly answers?: boolean;
  /** Called when something was shown. */
  readonly onOutput?: (data: string) => void;
}): PtySession {
  const [file, ...args] = options.command;
  const emulator = createEmulator({ width: options.width, height: options.height });
  const { spawn } = "default" in nodePty ? nodePty.default as typeof nodePty : nodePty;
  const pty: IPty = spawn(file, args, {
    name: "xterm-256color",
    cols: options.width,
    rows: options.height,
    cwd: options.directory ?? Deno.cwd(),
    env: { ...Deno.env.toObject(), ...options.environment },
  });
  const chunks: string[] = [];
  const ended = Promise.withResolvers<{ exitCode: number; signal: number }>();
  let answered = 0;
  pty.onData((data) => {
    chunks.push(data);
    emulator.write(data);
    options.onOutput?.(data);
    if (options.answers === false) return;
    for (; answered < emulator.answers.length; answered++) pty.write(emulator.answers[answered] as string);
  });
  pty.onExit(({ exitCode, signal }) => ended.resolve({ exitCode, signal: signal ?? 0 }));
  return {
    emulator,
    output: () => chunks.join(""),
    pid: pty.pid,
    ended: ended.promise,
    type: (text) => (pty as BytesWriter).write(typeof text === "string" ? text : Buffer.from(text)),
    resize(width, height) {
      emulator.resize(width, height);
      pty.resize(width, height);
    },
    pause: () => pty.pause(),
    resume: () => pty.resume(),
    async until(what, isTrue, timeoutMs = 20_000) {
      const startMs = Date.now();
      while (!isTrue()) {
        if (Date.now() - startMs > timeoutMs) {
          throw new Error(
            `Cannot see ${what} after ${timeoutMs} ms: ${JSON.stringify(emulator.picture(), null, 1)}`,
          );
        }
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    // Closes our end of it; the kernel then hangs up on the programs. Public in node-pty, missing in its types.
    close: () => (pty as IPty & { destroy(): void }).destroy(),
  };
}
