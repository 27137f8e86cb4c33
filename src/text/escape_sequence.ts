// Where a terminal control sequence in outside text ends (ECMA-48 5.3-5.6), so that it can be shown as one token.
// Nothing is ever obeyed but SGR, which sgr.ts reads.

const ESC = 0x1b;
const CSI = 0x9b;
/** DCS, SOS, OSC, PM and APC: a string follows, up to its terminator. */
const STRING_OPENERS = new Set([0x90, 0x98, 0x9d, 0x9e, 0x9f]);

const CSI_BODY = /[0-?]*[ -/]*[@-~]/y;
const SHORT_BODY = /[ -/]*[0-~]/y;
/** Up to BEL or ST; another sequence, CAN or SUB cancel the string. */
const STRING_BODY =
  // deno-lint-ignore no-control-regex
  /[^\x07\x18\x1a\x1b\x90\x98\x9b-\x9f]*(?:\x07|\x9c|\x18|\x1a|\x1b\\|(?=[\x1b\x90\x98\x9b\x9d-\x9f]))/y;
// deno-lint-ignore no-control-regex
const SGR = /^(?:\x1b\[|\x9b)([0-9;:]*)m$/;

/**
 * The end of the sequence that the control at `at` begins, at least `at + 1`. A sequence that is cut off or malformed
 * ends behind its introducer: what follows is text.
 */
export function sequenceEnd(text: string, at: number): number {
  const first = text.charCodeAt(at);
  if (first !== ESC) return bodyEnd(text, at + 1, first);
  const second = text.charCodeAt(at + 1);
  // ESC and a sign of columns 4 and 5 is the 7-bit form of a C1 control.
  if (second >= 0x40 && second <= 0x5f) return bodyEnd(text, at + 2, second + 0x40);
  return matchEnd(SHORT_BODY, text, at + 1);
}

/** The parameters of a sequence that sets colours and attributes, or null for any other. */
export function sgrParameters(sequence: string): string | null {
  return SGR.exec(sequence)?.[1] ?? null;
}

/** Where the body behind a control ends; `control` is its C1 form. */
function bodyEnd(text: string, from: number, control: number): number {
  if (control === CSI) return matchEnd(CSI_BODY, text, from);
  return STRING_OPENERS.has(control) ? matchEnd(STRING_BODY, text, from) : from;
}

function matchEnd(body: RegExp, text: string, from: number): number {
  body.lastIndex = from;
  return body.test(text) ? body.lastIndex : from;
}

// deno-lint-ignore no-control-regex
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

/** The text without terminal control sequences; other controls than tab and line end are left out too, CR LF is LF. */
export function withoutSequences(text: string): string {
  const kept: string[] = [];
  let at = 0;
  const lines = text.replace(/\r\n?/g, "\n");
  CONTROL.lastIndex = 0;
  for (let match = CONTROL.exec(lines); match !== null; match = CONTROL.exec(lines)) {
    kept.push(lines.slice(at, match.index));
    at = sequenceEnd(lines, match.index);
    CONTROL.lastIndex = at;
  }
  kept.push(lines.slice(at));
  return kept.join("").toWellFormed();
}
