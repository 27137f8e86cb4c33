// A pod's log: the one file it writes its session to, append-only, locked as long as the pod lives, so that no two
// pods ever write one log. What the lines mean is record.ts.
//
// When it is synced: a line is written (it survives the pod's death) before any client sees its event. It is forced
// to the disk (it survives the machine's) at the end of a turn and when input was taken, never for each delta: a sync
// takes 0.2 ms here and several elsewhere, and a stream has thousands of deltas a second.

/** The log of a pod, open and locked. */
export interface PodLog {
  /** Its bytes from the start, in pieces. */
  readAll(): Iterable<Uint8Array>;
  /** Adds whole lines. What cannot be written is kept and tried again before the next; the reason is given back. */
  append(lines: Uint8Array): string | null;
  sync(): void;
  /** Bytes that wait for room on the disk. */
  waitingBytes(): number;
  /** False when the file was removed, or replaced, since it was opened: what is written then is lost with us. */
  isInPlace(): boolean;
  close(): void;
}

/** How long a lock held by another is waited for: a list of pods holds it for an instant. */
const LOCK_MS = 300;
const CHUNK_BYTES = 1 << 18;

/** Only newer versions of Deno have it. */
interface TryLock {
  tryLockSync(exclusive: boolean): boolean;
}

/** Opens the log, making it where it is missing; null when another pod holds it. */
export async function openLog(path: string): Promise<PodLog | null> {
  const file = Deno.openSync(path, { read: true, append: true, create: true, mode: 0o600 });
  if (await takeLock(file)) return createLog(file, path);
  file.close();
  return null;
}

/** Whether a pod holds the log; null where that cannot be asked without waiting for the lock. */
export function isLogHeld(path: string): boolean | null {
  let file: Deno.FsFile;
  try {
    file = Deno.openSync(path, { read: true });
  } catch {
    return false;
  }
  try {
    return canTry(file) ? !file.tryLockSync(false) : null;
  } finally {
    file.close();
  }
}

function createLog(file: Deno.FsFile, path: string): PodLog {
  const { ino } = file.statSync();
  let waiting: Uint8Array[] = [];
  /** Of those that wait, how many are written; and bytes of the others: a full disk may let many wait. */
  let written = 0;
  let waitingBytes = 0;
  const flush = (): string | null => {
    while (written < waiting.length) {
      const bytes = waiting[written] as Uint8Array;
      try {
        const count = file.writeSync(bytes);
        waitingBytes -= count;
        if (count === bytes.length) written++;
        else waiting[written] = bytes.subarray(count);
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    }
    waiting = [];
    written = 0;
    return null;
  };
  return {
    *readAll() {
      file.seekSync(0, Deno.SeekMode.Start);
      for (;;) {
        const buffer = new Uint8Array(CHUNK_BYTES);
        const count = file.readSync(buffer);
        if (count === null || count === 0) return;
        yield buffer.subarray(0, count);
      }
    },
    append(lines) {
      waiting.push(lines);
      waitingBytes += lines.length;
      return flush();
    },
    sync() {
      try {
        file.syncDataSync();
      } catch {
        // Some file systems cannot; the lines are written all the same.
      }
    },
    waitingBytes: () => waitingBytes,
    isInPlace() {
      try {
        return Deno.statSync(path).ino === ino;
      } catch {
        return false;
      }
    },
    close() {
      flush();
      waiting = [];
      file.close();
    },
  };
}

/** Takes the exclusive lock, which the system frees when the process ends in whatever way. */
async function takeLock(file: Deno.FsFile): Promise<boolean> {
  const untilMs = Date.now() + LOCK_MS;
  if (canTry(file)) {
    while (!file.tryLockSync(true)) {
      if (Date.now() >= untilMs) return false;
      await delay(10);
    }
    return true;
  }
  // Cannot be called off: a caller that gets false is expected to end.
  const locked = (file as Deno.FsFile).lock(true).then(() => true, () => false);
  return await Promise.race([locked, delay(LOCK_MS).then(() => false)]);
}

function canTry(file: Deno.FsFile): file is Deno.FsFile & TryLock {
  return typeof (file as Partial<TryLock>).tryLockSync === "function";
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
