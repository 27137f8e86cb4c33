// The terminal's keys where standard input is a recording: /dev/tty, or the terminal that is drawn on where the
// executable's permissions do not reach /dev/tty.

import type { Keyboard } from "../../screen/terminal.ts";

/** File descriptor of standard output. */
const SCREEN = 1;

/** The keyboard of the terminal; null where there is none. */
export async function openTerminalKeys(): Promise<Keyboard | null> {
  try {
    return Deno.openSync("/dev/tty", { read: true, write: true });
  } catch (error) {
    // Deno gives devices only to programs that may do everything.
    const mayTry = error instanceof Deno.errors.NotCapable && Deno.stdout.isTerminal();
    return mayTry ? await keysOfScreen() : null;
  }
}

/** Reads what is typed into the terminal that standard output is; Deno 2.5 cannot. */
async function keysOfScreen(): Promise<Keyboard | null> {
  // deno-lint-ignore layers/imports -- Deno's own interface has no reading of descriptor 1; loaded only here.
  const { ReadStream } = await import("node:tty");
  let stream: InstanceType<typeof ReadStream>;
  try {
    stream = new ReadStream(SCREEN);
  } catch {
    return null;
  }
  stream.pause();
  let rest: Uint8Array = new Uint8Array();
  return {
    isTerminal: () => stream.isTTY,
    setRaw: (isRaw) => void stream.setRawMode(isRaw),
    async read(buffer) {
      const bytes = rest.length > 0 ? rest : await nextBytes(stream);
      if (bytes === null) return null;
      const count = Math.min(bytes.length, buffer.length);
      buffer.set(bytes.subarray(0, count));
      rest = bytes.subarray(count);
      return count;
    },
  };
}

interface ByteStream {
  once(event: string, listener: (value: Uint8Array) => void): unknown;
  off(event: string, listener: (value: Uint8Array) => void): unknown;
  resume(): unknown;
  pause(): unknown;
}

/** One piece; nothing is read ahead of it, for it may be meant for another program. Null at the end. */
function nextBytes(stream: ByteStream): Promise<Uint8Array | null> {
  return new Promise((resolve) => {
    const take = (bytes: Uint8Array) => settle(bytes);
    const end = () => settle(null);
    function settle(result: Uint8Array | null): void {
      stream.pause();
      stream.off("data", take);
      for (const event of ["end", "close", "error"]) stream.off(event, end);
      resolve(result);
    }
    stream.once("data", take);
    for (const event of ["end", "close", "error"]) stream.once(event, end);
    stream.resume();
  });
}
