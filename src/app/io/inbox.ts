// Bytes of the terminal on their way to inputs. What they mean is typing.ts, which is loaded behind the first frame:
// until then they wait here.

import type { TerminalInput } from "../../input/terminal_input.ts";
import { later } from "./later.ts";
import type { Typing } from "./typing.ts";

export interface Inbox {
  /** The bytes of one read; what they mean goes to `typed`, now or when that can be told. */
  take(bytes: Uint8Array): void;
  /** Queries have just been sent: answers will come. */
  expectAnswers(): void;
  /** Makes ready to tell what bytes mean, and tells of those that came before. */
  open(): Promise<void>;
  /** When silence has to be judged, in ms from now; null when not at all. */
  waitMs(): number | null;
  /** What silence alone has made certain. */
  silence(): readonly TerminalInput[];
}

/** `escapeMs`: after how much silence ESC is a key. */
export function createInbox(escapeMs: number, typed: (inputs: readonly TerminalInput[]) => void): Inbox {
  let typing: Typing | null = null;
  let opening: Promise<void> | null = null;
  let hasAsked = false;
  const waiting: Uint8Array[] = [];
  return {
    take: (bytes) => {
      // The array is used again afterwards.
      if (typing === null) waiting.push(bytes.slice());
      else typed(typing.read(bytes));
    },
    expectAnswers: () => {
      hasAsked = true;
      typing?.expectAnswers();
    },
    open: () =>
      opening ??= later("typing").then(({ createTyping }) => {
        typing = createTyping(escapeMs);
        if (hasAsked) typing.expectAnswers();
        for (const bytes of waiting.splice(0)) typed(typing.read(bytes));
      }),
    waitMs: () => typing?.waitMs() ?? null,
    silence: () => typing?.silence() ?? [],
  };
}
