// Which queries the terminal has still to answer: DA1 stands behind each, and every terminal answers it. Until then
// an answer could be typed into a shell or into another program. What answers mean is input's business.

/** What DA1's answer looks like, in bytes read as Latin-1. */
const ANSWER = /\[\?[0-9;]*c/g;
/** Longer answers are none. */
const LONGEST = 64;

export interface Fences {
  /** Fences sent and not answered. */
  open: number;
  /** The end of what was read, where an answer may have begun. */
  rest: string;
  waiters: (() => void)[];
}

export function createFences(): Fences {
  return { open: 0, rest: "", waiters: [] };
}

/** One more fence was sent. */
export function openFence(fences: Fences): void {
  if (fences.open++ === 0) fences.rest = "";
}

/** Looks for answers in what was read; they may come in pieces. */
export function readFences(fences: Fences, bytes: Uint8Array): void {
  if (fences.open === 0) return;
  let text = fences.rest;
  for (const byte of bytes) text += String.fromCharCode(byte);
  let end = 0;
  for (const match of text.matchAll(ANSWER)) {
    end = match.index + match[0].length;
    fences.open--;
  }
  fences.rest = text.slice(Math.max(end, text.length - LONGEST));
  if (fences.open <= 0) forgetFences(fences);
}

/** Resolves when every fence is answered, or forgotten. */
export function fencesAnswered(fences: Fences): Promise<void> {
  return fences.open === 0 ? Promise.resolve() : new Promise((resolve) => fences.waiters.push(resolve));
}

/** Waits for none any more. */
export function forgetFences(fences: Fences): void {
  fences.open = 0;
  fences.rest = "";
  for (const resolve of fences.waiters.splice(0)) resolve();
}
