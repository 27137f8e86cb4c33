// A strict reader of what a client writes while it draws: text that shows itself, and the few sequences of
// src/screen/encode.ts, each with bounded numbers. Shares nothing with the encoder; anything else is a fault.

/** Controls, bidi controls, lone surrogates, tags, line separators, and signs without a look of their own. */
const FORBIDDEN =
  // deno-lint-ignore no-control-regex
  /[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\u{e0000}-\u{e007f}]/u;
/** The only tags terminals know: the flags of England, Scotland and Wales. */
const TAG_FLAGS =
  /\u{1f3f4}\u{e0067}\u{e0062}(?:\u{e0065}\u{e006e}\u{e0067}|\u{e0073}\u{e0063}\u{e0074}|\u{e0077}\u{e006c}\u{e0073})\u{e007f}/gu;

/** Sequences behind ESC [ by their final byte: which parameters they may have. */
const FINALS: Readonly<Record<string, RegExp>> = {
  H: /^(?:\d{0,4};)?\d{0,4}$/,
  G: /^\d{1,4}$/,
  A: /^\d{0,4}$/,
  B: /^\d{0,4}$/,
  C: /^\d{0,4}$/,
  D: /^\d{0,4}$/,
  K: /^$/,
  S: /^\d{0,4}$/,
  T: /^\d{0,4}$/,
  r: /^(?:\d{0,4};\d{1,4})?$/,
  m: /^(?:(?:[0-9]|3[0-79]|9[0-7])(?:;(?:[0-9]|3[0-79]|9[0-7]))*)?$/,
  h: /^\?(?:25|2026)$/,
  l: /^\?(?:25|2026)$/,
  q: /^[26] $/,
};

/** Sequences of src/screen/terminal_modes.ts: sent once around a session, never while drawing. */
const MODES: ReadonlySet<string> = new Set([
  ...["22;2t", "23;2t", "?1049h", "?1049l", "0 q", "?25h", "?7l", "?7h", "?1004h", "?1004l", "?2004h"],
  ...["?2004l", "?1000h", "?1002h", "?1006h", "?1006l", "?1002l", "?1000l", ">4;1m", ">4m", ">1u", "<u"],
  ...["?2026l", "m", "r", "?2026$p", "?u", "c"],
]);

export interface GrammarOptions {
  /** Modes and queries of a whole session are allowed too. */
  readonly session?: boolean;
}

/** What in `output` is not ours, each with its surroundings; empty when all is. */
export function foreignOutput(output: string, options: GrammarOptions = {}): string[] {
  const faults: string[] = [];
  let text = "";
  const fault = (at: number, what: string) =>
    faults.push(`${what} at ${at}: ${JSON.stringify(output.slice(Math.max(0, at - 20), at + 40))}`);
  const flush = (end: number) => {
    const plain = text.replaceAll(TAG_FLAGS, "");
    const found = FORBIDDEN.exec(plain);
    if (found !== null) fault(end, `sign U+${found[0].codePointAt(0)?.toString(16)}`);
    text = "";
  };
  for (let at = 0; at < output.length;) {
    const sign = output[at] as string;
    if (sign !== "\x1b") {
      // The encoder's own two moves; in a session also what the shell around it prints.
      const isMove = sign === "\r" || sign === "\b" || options.session === true && sign === "\n";
      if (isMove) flush(at);
      else text += sign;
      at++;
      continue;
    }
    flush(at);
    const end = sequenceEnd(output, at, options);
    if (end === null) {
      fault(at, "a sequence of no kind of ours");
      at++;
    } else at = end;
  }
  flush(output.length);
  return faults;
}

/** Behind the sequence of ours that begins at `at`; null when it is none. */
function sequenceEnd(output: string, at: number, options: GrammarOptions): number | null {
  if (output.startsWith("\x1b]2;", at)) {
    const end = output.indexOf("\x1b", at + 4);
    if (end === -1 || output[end + 1] !== "\\") return null;
    const title = output.slice(at + 4, end);
    return /(?:^| - )Trifold$/.test(title) && title.length <= 300 &&
        !FORBIDDEN.test(title.replaceAll(TAG_FLAGS, ""))
      ? end + 2
      : null;
  }
  // deno-lint-ignore no-control-regex
  const match = /^\x1b\[([0-9;?<>]*[ $]?)([@-~])/.exec(output.slice(at, at + 40));
  if (match === null) return null;
  const [whole, parameters = "", final = ""] = match;
  const isDrawn = Object.hasOwn(FINALS, final) && FINALS[final]?.test(parameters) === true;
  const isMode = options.session === true && MODES.has(parameters + final);
  return isDrawn || isMode ? at + whole.length : null;
}
