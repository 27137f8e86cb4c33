// Bytes to a terminal that may be slow, full or gone: small writes at once, large ones without stopping the loop,
// never two at a time. Where they go and how long to wait is the port's; which frame is newest, the caller's.

/** Where bytes go. Both writes may take less than they were given, or throw an error named WouldBlock. */
export interface WritePort {
  writeSync(bytes: Uint8Array): number;
  write(bytes: Uint8Array): Promise<number>;
  wait(delayMs: number): Promise<void>;
}

export interface WriteQueue {
  readonly port: WritePort;
  /** Called when the last waiting byte is written. */
  readonly onDrain: () => void;
  /** Called once, when the terminal takes nothing any more; all further bytes are dropped. */
  readonly onGone: (error: unknown) => void;
  waiting: Uint8Array[];
  /** The write that runs, null when none does. */
  running: Promise<void> | null;
  isGone: boolean;
}

/** Larger writes can block for milliseconds when the reader sleeps. */
const SYNC_BYTES = 4096;
/** Waits between tries at a full terminal grow up to this. */
const LONGEST_WAIT_MS = 16;

const encoder = new TextEncoder();

export function createWriteQueue(
  port: WritePort,
  events: { readonly onDrain: () => void; readonly onGone: (error: unknown) => void },
): WriteQueue {
  return { port, ...events, waiting: [], running: null, isGone: false };
}

/** True when what is sent now is written at once: the moment to draw the newest frame. */
export function isIdle(queue: WriteQueue): boolean {
  return queue.running === null;
}

/** Writes the text after everything sent before it. Nothing is ever dropped while the terminal is there. */
export function send(queue: WriteQueue, text: string): void {
  if (text === "" || queue.isGone) return;
  let bytes = encoder.encode(text);
  if (queue.running === null && bytes.length <= SYNC_BYTES) {
    bytes = bytes.subarray(tryWrite(queue, bytes));
    if (bytes.length === 0 || queue.isGone) return;
  }
  queue.waiting.push(bytes);
  queue.running ??= pump(queue);
}

/** Forgets what is not being written yet; what is, goes out whole. */
export function dropWaiting(queue: WriteQueue): void {
  queue.waiting = [];
}

/** Resolves when nothing waits any more, or the terminal is gone. */
export async function settled(queue: WriteQueue): Promise<void> {
  while (queue.running !== null) await queue.running;
}

function tryWrite(queue: WriteQueue, bytes: Uint8Array): number {
  try {
    return queue.port.writeSync(bytes);
  } catch (error) {
    if (!isTemporary(error)) giveUp(queue, error);
    return 0;
  }
}

async function pump(queue: WriteQueue): Promise<void> {
  for (let bytes = queue.waiting.shift(); bytes !== undefined; bytes = queue.waiting.shift()) {
    await writeAll(queue, bytes);
    if (queue.isGone) return;
  }
  queue.running = null;
  queue.onDrain();
}

async function writeAll(queue: WriteQueue, bytes: Uint8Array): Promise<void> {
  let waitMs = 1;
  for (let at = 0; at < bytes.length;) {
    let written = 0;
    try {
      written = await queue.port.write(bytes.subarray(at));
    } catch (error) {
      if (!isTemporary(error)) return giveUp(queue, error);
    }
    at += written;
    waitMs = written > 0 ? 1 : Math.min(LONGEST_WAIT_MS, waitMs * 2);
    if (written === 0) await queue.port.wait(waitMs);
  }
}

function giveUp(queue: WriteQueue, error: unknown): void {
  if (queue.isGone) return;
  queue.isGone = true;
  queue.waiting = [];
  queue.running = null;
  queue.onGone(error);
}

/** A full terminal (a non-blocking one that was inherited) or an interrupted call: the next try may work. */
function isTemporary(error: unknown): boolean {
  return error instanceof Error && (error.name === "WouldBlock" || error.name === "Interrupted");
}
