// Scripts of keys and pastes: what tests, case files and `print --keys` write, for example
// `hello <S-Enter><Paste "two\nlines"><C-x><C-e><Wait 500><Enter>`. The text form of one key is key.ts's.

import { formatKey, type Key, readKey } from "./key.ts";

/** One step of a script. A paste is what a terminal would send between its paste markers; a wait is silence. */
export type ScriptStep =
  | { readonly kind: "key"; readonly key: Key }
  | { readonly kind: "paste"; readonly text: string }
  | { readonly kind: "wait"; readonly ms: number };

/** A script read, or why it could not be. */
export type ParsedScript =
  | { readonly kind: "script"; readonly steps: readonly ScriptStep[] }
  | { readonly kind: "problem"; readonly what: string };

/**
 * Reads a script. Characters stand for themselves (a blank is <Space>), keys stand between angle brackets, "<" is
 * `<lt>`. `<Paste "text">` pastes a JSON string, `<Wait 500>` lets that many milliseconds pass. Line ends between
 * steps are left out, so a long script may stand on several lines.
 */
export function parseKeyScript(text: string): ParsedScript {
  const steps: ScriptStep[] = [];
  for (let at = 0; at < text.length;) {
    const character = text.charAt(at);
    if (character === "\n" || character === "\r") {
      at++;
      continue;
    }
    const read = readStep(text, at);
    if (typeof read === "string") return { kind: "problem", what: read };
    steps.push(read.step);
    at = read.end;
  }
  return { kind: "script", steps };
}

/** The script that says these steps; `parseKeyScript` gives them back. */
export function formatScript(steps: readonly ScriptStep[]): string {
  return steps.map((step) => {
    switch (step.kind) {
      case "key":
        return formatKey(step.key);
      case "paste":
        return `<Paste ${JSON.stringify(step.text)}>`;
      case "wait":
        return `<Wait ${step.ms}>`;
    }
  }).join("");
}

function readStep(text: string, at: number): { step: ScriptStep; end: number } | string {
  if (/^<(?:Paste|Wait)\s/u.test(text.slice(at, at + 7))) {
    const rest = text.slice(at);
    const paste = /^<Paste\s+("(?:[^"\\]|\\.)*")\s*>/su.exec(rest);
    const value = paste === null ? null : parseJsonString(paste[1] ?? "");
    if (paste !== null && value !== null) {
      return { step: { kind: "paste", text: value }, end: at + paste[0].length };
    }
    const wait = /^<Wait\s+(\d{1,9})\s*>/u.exec(rest);
    if (wait !== null) return { step: { kind: "wait", ms: Number(wait[1]) }, end: at + wait[0].length };
    return `Cannot parse keys: character ${at + 1} must begin <Paste "JSON string"> or <Wait milliseconds>`;
  }
  const read = readKey(text, at);
  return typeof read === "string" ? read : { step: { kind: "key", key: read.key }, end: read.end };
}

function parseJsonString(text: string): string | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "string" ? value : null;
  } catch {
    return null;
  }
}
