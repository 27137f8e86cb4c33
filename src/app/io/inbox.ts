// Bytes of the terminal on their way to inputs. What they mean is typing.ts, which is loaded behind the first frame:
// until then they wait here.

import type { TerminalInput } from "../../input/terminal_input.ts";
import { later } from "./later.ts";
import type { Typing } from "./typing.ts";

export interface Inbox extends Omit<Typing, "read"> {
  /** The bytes of one read; what they mean goes to `typed`, now or when that can be told. */
  take(bytes: Uint8Array): void;
  /** Makes ready to tell what bytes mean, and tells of those that came before. */
  open(): Promise<void>;
}

/** `escapeMs`: after how much silence ESC is a key. */
export function createInbox(escapeMs: number, typed: (inputs: readonly TerminalInput[]) => void): Inbox {
  let typing: Typing | null = null;
  let opening: Promise<void> | null = null;
  let hasAsked = false;
  let isFirst = true;
  const waiting: Uint8Array[] = [];
  return {
    take: (bytes) => {
      const read = isFirst ? withEnter(bytes) : bytes;
      isFirst = false;
      // The array is used again afterwards.
      if (typing === null) waiting.push(read.slice());
      else typed(typing.read(read));
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

const NEWLINE = 10;
const RETURN = 13;
const ESC = 27;

/**
 * What was typed ahead, before the terminal was ours: it has made a newline of Enter then. One behind some text, with
 * nothing typed after it, was Enter; several lines may as well be a paste, which nobody wants to see sent.
 */
function withEnter(bytes: Uint8Array): Uint8Array {
  const at = bytes.indexOf(NEWLINE);
  const isEnter = at > 0 && !bytes.subarray(0, at).includes(ESC) &&
    (at === bytes.length - 1 || bytes[at + 1] === ESC) && !bytes.includes(NEWLINE, at + 1);
  return isEnter ? bytes.with(at, RETURN) : bytes;
}
