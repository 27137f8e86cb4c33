// What a person's message asks of the demo agent: pure parsing. How requests become model steps is steps.ts.

/** One thing asked for. `wish` tells how it is written. */
export type DemoRequest =
  | { readonly kind: "read"; readonly paths: readonly ReadRange[] }
  | {
    readonly kind: "edit";
    readonly path: string;
    readonly oldText: string;
    readonly newText: string;
    readonly all: boolean;
  }
  | { readonly kind: "write"; readonly path: string; readonly text: string }
  | { readonly kind: "grep"; readonly pattern: string }
  | { readonly kind: "glob"; readonly pattern: string }
  | { readonly kind: "run"; readonly command: string }
  | { readonly kind: "plan"; readonly items: readonly string[] }
  | { readonly kind: "ask" }
  | { readonly kind: "tour" }
  | { readonly kind: "help" }
  | { readonly kind: "chat"; readonly text: string }
  | { readonly kind: "unclear"; readonly text: string; readonly wish: string };

/** A file, or the lines `first` to `last` of it (from 1, both included). */
export interface ReadRange {
  readonly path: string;
  readonly first: number | null;
  readonly last: number | null;
}

interface Verb {
  readonly words: readonly string[];
  /** How it is written; also the help text. */
  readonly usage: string;
  readonly does: string;
  /** True where further lines that begin with no verb belong to it. */
  readonly takesLines: boolean;
  readonly parse: (rest: string) => DemoRequest | null;
}

/** Everything the demo agent understands, in the order help shows it. */
export const VERBS: readonly Verb[] = [
  {
    words: ["read", "cat"],
    usage: "read FILE",
    does: "read files: `a.ts, b.ts` or lines: `a.ts:10-20`",
    takesLines: false,
    parse: parseRead,
  },
  {
    words: ["grep", "search"],
    usage: "grep PATTERN",
    does: "search all files for a regular expression",
    takesLines: false,
    parse: parseGrep,
  },
  {
    words: ["glob"],
    usage: "glob PATTERN",
    does: "list files: `src/**/*.ts`",
    takesLines: false,
    parse: parseGlob,
  },
  {
    words: ["edit"],
    usage: "edit FILE: old => new",
    does: "replace text that occurs once; `edit all` for every place",
    takesLines: true,
    parse: parseEdit,
  },
  {
    words: ["write"],
    usage: "write FILE: text",
    does: "write a file; further lines and \\n are new lines",
    takesLines: true,
    parse: parseWrite,
  },
  {
    words: ["run", "$"],
    usage: "run COMMAND",
    does: "run a shell command",
    takesLines: true,
    parse: parseRun,
  },
  {
    words: ["plan"],
    usage: "plan: one, two",
    does: "make a plan and work through it",
    takesLines: false,
    parse: parsePlan,
  },
  {
    words: ["ask"],
    usage: "ask",
    does: "ask questions back",
    takesLines: false,
    parse: bare({ kind: "ask" }),
  },
  {
    words: ["tour"],
    usage: "tour",
    does: "show one of everything",
    takesLines: false,
    parse: bare({ kind: "tour" }),
  },
  { words: ["help"], usage: "help", does: "this list", takesLines: false, parse: bare({ kind: "help" }) },
];

const WORDS = VERBS.flatMap((verb) => verb.words).map((word) => word.replace("$", "\\$")).join("|");
/** Courtesy and list marks in front of a verb. */
const LEAD = String.raw`(?:(?:please|now|and|also|first|next|finally|then|-|\*|\d+[.)])[\s,]+)*`;
const REQUEST = new RegExp(`^\\s*${LEAD}/?(${WORDS})(?=[\\s:]|[.!?]*$):?\\s*([^]*)$`, "i");
/** A joint between two requests of one line: only where a verb follows, so that commands and texts may hold ";" and "then". */
const JOINT = new RegExp(`(?:\\s*;\\s+|,?\\s+(?:and\\s+)?then\\s+)(?=${LEAD}(?:${WORDS})(?:[\\s:]|$))`, "i");

/** The requests of one message in order; at least one. */
export function parseRequests(message: string): DemoRequest[] {
  const texts: string[] = [];
  for (const line of message.replace(/\r\n?/g, "\n").split("\n")) {
    if (REQUEST.test(line)) {
      texts.push(...line.split(JOINT));
      continue;
    }
    const last = texts.at(-1);
    if (last !== undefined && (takesLines(last) || !REQUEST.test(last))) {
      texts[texts.length - 1] = `${last}\n${line}`;
    } else if (line.trim() !== "" || texts.length === 0) texts.push(line);
  }
  return texts.map(parseRequest);
}

function parseRequest(text: string): DemoRequest {
  const [, word = "", rest = ""] = REQUEST.exec(text) ?? [];
  const verb = VERBS.find((each) => each.words.includes(word.toLowerCase()));
  if (verb === undefined) return { kind: "chat", text: text.trim() };
  return verb.parse(rest) ?? { kind: "unclear", text: text.trim(), wish: verb.usage };
}

function takesLines(text: string): boolean {
  const word = REQUEST.exec(text)?.[1]?.toLowerCase() ?? "";
  return VERBS.some((verb) => verb.takesLines && verb.words.includes(word));
}

function bare(request: DemoRequest): Verb["parse"] {
  return (rest) => /^[.!?]*$/.test(rest.trim()) ? request : null;
}

function parseRead(rest: string): DemoRequest | null {
  const names = rest.trim().match(/"[^"]+"|`[^`]+`|(?:[^,\s]|\s(?!and\s))+/g) ?? [];
  const paths = names
    .map((name) => name.replace(/^\s*and\s+/i, "").trim())
    .filter((name) => name !== "")
    .map(parseRange);
  // "read this carefully" is a sentence: a bare name of several words needs quotes.
  const isSentence = paths.some(({ path }) => /\s/.test(path) && !/["`]/.test(rest));
  return paths.length === 0 || isSentence ? null : { kind: "read", paths };
}

function parseRange(name: string): ReadRange {
  const path = unquote(name);
  const [, file, first, last] = /^(.+):(\d+)(?:-(\d+))?$/.exec(path) ?? [];
  if (file === undefined || first === undefined) return { path, first: null, last: null };
  return { path: file, first: Math.max(1, Number(first)), last: Number(last ?? first) };
}

function parseGrep(rest: string): DemoRequest | null {
  const pattern = unquote(rest.trim());
  return pattern === "" ? null : { kind: "grep", pattern };
}

function parseGlob(rest: string): DemoRequest | null {
  const pattern = unquote(rest.trim());
  return pattern === "" ? null : { kind: "glob", pattern };
}

function parseEdit(rest: string): DemoRequest | null {
  const [, all, path, oldText, newText] = /^(all\s+)?([^:\n]+):\s*([^]+?)\s*=>[ \t]?([^]*)$/i.exec(rest) ??
    [];
  if (path === undefined || oldText === undefined || newText === undefined) return null;
  return {
    kind: "edit",
    path: unquote(path.trim()),
    oldText: unescapeText(oldText),
    newText: unescapeText(newText),
    all: all !== undefined,
  };
}

function parseWrite(rest: string): DemoRequest | null {
  const [, path, text] = /^([^:\n]+):(?:[ \t]|\n)?([^]*)$/.exec(rest) ?? [];
  if (path === undefined || text === undefined) return null;
  return { kind: "write", path: unquote(path.trim()), text: unescapeText(text) };
}

function parseRun(rest: string): DemoRequest | null {
  const command = unquote(rest.trim());
  // "run the tests" names no command.
  return command === "" || /^(the|all|my|our|these|those|this)\s/i.test(command)
    ? null
    : { kind: "run", command };
}

function parsePlan(rest: string): DemoRequest {
  const items = rest.split(/[,;]/).map((item) => item.trim()).filter((item) => item !== "");
  return { kind: "plan", items };
}

/** The text without one pair of quotes or backticks around all of it. */
function unquote(text: string): string {
  const [, , inner] = /^(["'`])([^]*)\1$/.exec(text) ?? [];
  return inner === undefined || inner.includes(text[0] ?? "") ? text : inner;
}

/** `\n`, `\t` and `\\` written as two characters become one. */
function unescapeText(text: string): string {
  return text.replace(/\\([nt\\])/g, (_, sign: string) => sign === "n" ? "\n" : sign === "t" ? "\t" : "\\");
}
