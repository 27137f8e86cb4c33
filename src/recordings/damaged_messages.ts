// A session in one JSON value that is no JSON: what is sound of its messages. Brackets and strings cannot be trusted
// behind the damage, so that messages are known by how the first of them begins.

import { fieldsOf, isJson } from "./fields.ts";
import { messageIn } from "./json_session.ts";
import type { SessionDocument } from "./session_document.ts";

const MESSAGES = /"messages"\s*:\s*\[/;
/** A bracket with what stands in front of it since the comma, and the first field's name. */
const OPENING = /\s*\{\s*"[^"\\]{1,40}"\s*:/y;
/** How many times its own length a text is looked through for the ends of its messages. */
const LOOKS = 8;

/** The session in a value's text; null where no message of it is sound. `line` is where the value begins. */
export function damagedSession(text: string, line: number): SessionDocument | null {
  const list = MESSAGES.exec(text);
  if (list === null) return null;
  const front = list.index + list[0].length;
  OPENING.lastIndex = front;
  const opening = OPENING.exec(text)?.[0] ?? null;
  if (opening === null) return null;
  const starts: number[] = [];
  const ends: number[] = [];
  let sound = 0;
  /** What may still be looked through: each broken message may go on to the end of the text. */
  let budget = LOOKS * text.length;
  for (let at = front; at !== -1;) {
    const looked = objectEnd(text, at, at + budget);
    budget -= (looked ?? text.length) - at;
    const isWhole = looked !== null && isJson(text.slice(at, looked));
    const next = nextStart(text, opening, isWhole ? looked : at + opening.length);
    // That the last is cut off is told of the whole.
    if (looked === null && next === -1) break;
    // In front of the next stands a comma.
    const end = isWhole ? looked : next === -1 ? text.length : next - 1;
    if (isWhole || isJson(text.slice(at, end))) sound++;
    starts.push(at);
    ends.push(end);
    at = next;
  }
  if (sound === 0) return null;
  const lines = linesAt(text, starts.map((start) => start + opening.length - opening.trimStart().length));
  const message = (index: number) => {
    const start = starts[index] ?? 0;
    return messageIn(text.slice(start, ends[index] ?? start), () => line + (lines[index] ?? 0));
  };
  const head = headOf(text.slice(0, front), text.slice(ends.at(-1) ?? text.length));
  return {
    head,
    count: starts.length,
    lengthBefore: (index) => starts[index] ?? ends.at(-1) ?? 0,
    messageAt: message,
    whole: () => ({
      ...head,
      messages: starts.map((_, index) => message(index)).flatMap((one) =>
        one.kind === "value" ? [one.value] : []
      ),
    }),
  };
}

/** The fields around the messages; those behind only where they are sound. */
function headOf(front: string, behind: string): SessionDocument["head"] {
  for (const rest of [behind, "]}"]) {
    try {
      return { ...fieldsOf(JSON.parse(front + rest)), messages: [] };
    } catch {
      // Without them.
    }
  }
  return { messages: [] };
}

/** Where the next message begins, blanks included: behind a comma, and as the first does. */
function nextStart(text: string, opening: string, from: number): number {
  for (let at = text.indexOf(opening, from); at !== -1; at = text.indexOf(opening, at + 1)) {
    if (text[at - 1] === ",") return at;
  }
  return -1;
}

/** Behind the object that begins at `start`; null where it does not end before `limit`. */
function objectEnd(text: string, start: number, limit: number): number | null {
  const sign = /["{}[\]]/g;
  sign.lastIndex = start;
  let depth = 0;
  for (let found = sign.exec(text); found !== null && found.index < limit; found = sign.exec(text)) {
    if (found[0] === '"') {
      let quote = text.indexOf('"', found.index + 1);
      while (quote !== -1 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
      if (quote === -1) return null;
      sign.lastIndex = quote + 1;
    } else if (found[0] === "{" || found[0] === "[") depth++;
    else if (--depth <= 0) return found.index + 1;
  }
  return null;
}

function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text[first - 1] === "\\") first--;
  return (at - first) % 2 === 1;
}

/** How many line ends stand in front of each of these places, which are in order. */
function linesAt(text: string, places: readonly number[]): number[] {
  let count = 0;
  let next = text.indexOf("\n");
  return places.map((place) => {
    for (; next !== -1 && next < place; next = text.indexOf("\n", next + 1)) count++;
    return count;
  });
}
