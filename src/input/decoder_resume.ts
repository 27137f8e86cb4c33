// Rests of sequences whose beginning was given up for its age. A slow line may cut an answer or a key behind its ESC
// for longer than an ESC may wait; the rest must not be typed. Nobody types several such signs within one read.

/** By what was behind the ESC when it was given up: how a rest begins that is certainly no typing. */
const RESTS: Readonly<Record<string, RegExp>> = {
  "": new RegExp(
    [
      String.raw`^\[[?<=>](?:\d[\d;:]*(?:[ -/]*[@-~]|$)|$)`,
      String.raw`^\[\d[\d;:]*(?:[~uRcntABCDFHPQSMm]|\$y|$)`,
      String.raw`^\[[A-DFHIOZ]$`,
      String.raw`^O[A-DFHMP-S]$`,
      String.raw`^P(?:>\||!\||[01][$+]r)`,
      String.raw`^\]\d+;`,
      String.raw`^_G`,
    ].join("|"),
    "u",
  ),
  "[": /^(?:[?<=>]\d[\d;:]*(?:[ -/]*[@-~]|$)|\d[\d;:]*(?:[~uRcnt]|\$y)|\d[\d;:]+$)/u,
  P: /^(?:>\||!\||[01][$+]r)/u,
  "]": /^\d+;/u,
  _: /^G/u,
  // ESC \ ends a string; its second half.
  "\\": /^\\/u,
};

/** The same while answers are awaited: one sign is enough then. */
const AWAITED: Readonly<Record<string, RegExp>> = {
  "": /^[[\]P]/u,
  "[": /^[?<=>\d]/u,
  P: /^[>!01]/u,
  "]": /^\d/u,
};

const END_MARKER = "[201~";

/** Whether a read that begins with `text` goes on with what was given up behind an ESC as `prefix`. */
export function isRest(prefix: string, text: string, awaited: boolean): boolean {
  if (prefix.length > 1) return text.startsWith(END_MARKER.slice(prefix.length));
  return RESTS[prefix]?.test(text) === true || awaited && AWAITED[prefix]?.test(text) === true;
}

/** By what stands unfinished behind an ESC: what may go on with it when it comes later than the Esc key waits. */
const LATE: Readonly<Record<string, RegExp>> = {
  "[": /^[?<=>\dA-DFHIOZM[]/u,
  P: /^[>!01]/u,
  "]": /^\d/u,
  _: /^G/u,
};

/** Whether a late read that begins with `text` may go on with an unfinished sequence; else its beginning was typed. */
export function mayGoOn(introducer: string, text: string): boolean {
  return LATE[introducer]?.test(text) === true;
}
