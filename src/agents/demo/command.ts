// A shell command of the demo agent: output as it comes, paused and killed with all it started.

import { Child } from "../child.ts";

export interface CommandEnd {
  readonly exitCode: number;
  readonly signal: string | null;
  /** Both streams as they came; of long output the head and tail. */
  readonly output: string;
}

export interface RunningCommand {
  readonly done: Promise<CommandEnd>;
  pause(): void;
  resume(): void;
  /** Resolves when it is gone. */
  kill(): Promise<void>;
}

/** Of the output so much is kept for the result, half of it from either end. */
const KEPT_LENGTH = 256 * 1024;
const KILL_AFTER_MS = 1000;

/** Starts `command` in the shell; throws when there is none. */
export function runCommand(
  command: string,
  cwd: string,
  onOutput: (stream: "stdout" | "stderr", text: string) => void,
): RunningCommand {
  const ended = Promise.withResolvers<CommandEnd>();
  const kept = keepEnds();
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  function take(stream: "stdout" | "stderr", bytes?: Uint8Array): void {
    const text = decoders[stream].decode(bytes, { stream: bytes !== undefined });
    if (text === "") return;
    kept.add(text);
    onOutput(stream, text);
  }
  const child = new Child({
    ...shellFor(command),
    cwd,
    // Nobody is there to leave a pager.
    env: { PAGER: "cat", GIT_PAGER: "cat", TERM: "dumb" },
    killAfterMs: KILL_AFTER_MS,
  }, {
    onStdout: (bytes) => take("stdout", bytes),
    onStderr: (bytes) => take("stderr", bytes),
    onExit: ({ exitCode, signal }) => {
      take("stdout");
      take("stderr");
      ended.resolve({ exitCode, signal, output: kept.text() });
    },
  });
  child.closeStdin();
  return {
    done: ended.promise,
    pause: () => child.signal("SIGSTOP"),
    resume: () => child.signal("SIGCONT"),
    kill: () => child.close(),
  };
}

function shellFor(command: string): { command: string; args: string[] } {
  return Deno.build.os === "windows"
    ? { command: "cmd", args: ["/d", "/c", command] }
    : { command: "sh", args: ["-c", command] };
}

/** Text of which only the ends are kept; what is left out is said in its place. */
function keepEnds(): { add(text: string): void; text(): string } {
  let head = "";
  let tail = "";
  let left = 0;
  return {
    add(text) {
      const room = KEPT_LENGTH / 2 - head.length;
      if (room > 0) {
        head += text.slice(0, room);
        text = text.slice(room);
      }
      tail += text;
      if (tail.length <= KEPT_LENGTH) return;
      left += tail.length - KEPT_LENGTH / 2;
      tail = tail.slice(-KEPT_LENGTH / 2);
    },
    text: () => (left === 0 ? head + tail : `${head}\n[${left} characters left out]\n${tail}`).toWellFormed(),
  };
}
