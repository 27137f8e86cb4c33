// What a person types, from bytes to inputs. A first frame does without it, and without what those inputs do: both are
// loaded behind it, and bytes that come before wait.

import "../update.ts";
import { createDecoder, decode, expectAnswers, nextDeadline, tick } from "../../input/key_decoder.ts";
import type { TerminalInput } from "../../input/terminal_input.ts";
import { createKeyClock } from "./key_clock.ts";

export interface Typing {
  /** What the bytes of one read mean. */
  read(bytes: Uint8Array): readonly TerminalInput[];
  /** When silence has to be judged, in ms from now; null when not at all. */
  waitMs(): number | null;
  /** What silence alone has made certain. */
  silence(): readonly TerminalInput[];
  /** Queries have just been sent, with DA1 behind them. */
  expectAnswers(): void;
}

/** `escapeMs`: after how much silence ESC is a key. */
export function createTyping(escapeMs: number): Typing {
  const decoder = createDecoder({ escapeMs });
  const clock = createKeyClock(() => performance.now());
  return {
    read: (bytes) => {
      clock.catchUp(nextDeadline(decoder));
      return decode(decoder, bytes, clock.now());
    },
    waitMs: () => {
      const dueMs = nextDeadline(decoder);
      return dueMs === null ? null : dueMs - clock.now();
    },
    // When that is long past, bytes that wait are read first.
    silence: () => clock.catchUp(nextDeadline(decoder)) ? [] : tick(decoder, clock.now()),
    expectAnswers: () => expectAnswers(decoder, clock.now()),
  };
}
