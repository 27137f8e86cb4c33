// Messages of every shape that grow word by word, always the same: for the test of a frame's work, and for the bench.

/** A stream: what is told before it, and its deltas. */
export interface Stream {
  readonly name: string;
  readonly begin: readonly (readonly [event: string, data: Record<string, unknown>])[];
  delta(at: number): readonly [event: string, data: Record<string, unknown>];
}

const WORDS = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda".split(" ");
const CALL = [["tool_call_done", { id: "t", name: "Bash", arguments: '{"command":"make"}' }]] as const;
const START = [["tool_call_start", { id: "t", name: "Write" }]] as const;

const prose = (at: number) => at % 60 === 59 ? ".\n\n" : at % 15 === 7 ? `\`${word(at)}\` ` : `${word(at)} `;
const paragraph = (at: number) => `${word(at)} `;
const lines = (at: number) => at % 12 === 11 ? "\n" : `${word(at)} `;
const cjk = (at: number) => at % 60 === 59 ? "。\n\n" : "日本語の文章、";
const list = (at: number) => (at % 10 === 0 ? at % 50 === 0 ? "\n- " : "\n  - " : "") + `${word(at)} `;
const fence = (at: number) => at === 0 ? "```ts\n" : lines(at);
const table = (at: number) =>
  at === 0
    ? "| a | b | c |\n|---|---|---|\n"
    : `${at % 9 === 1 ? "| " : ""}${word(at)}${at % 9 === 0 ? " |\n" : at % 3 === 0 ? " | " : " "}`;

export const STREAMS: readonly Stream[] = [
  text("prose", prose),
  text("one paragraph", paragraph),
  text("one paragraph of code marks", (at) => `${at % 9 === 4 ? "**b** `c` " : ""}${word(at)} `),
  text("one fence", fence),
  text("one line in a fence", (at) => at === 0 ? "```\n" : paragraph(at)),
  text("one list", list),
  text("one table", table),
  text("one quote", (at) => `${at % 12 === 0 ? "\n> " : ""}${word(at)} `),
  text("CJK", cjk),
  text("one CJK paragraph", () => "日本語の文章、"),
  reasoning("reasoning", prose),
  reasoning("reasoning of one paragraph", paragraph),
  reasoning("CJK reasoning", () => "日本語の文章、"),
  output("output", lines),
  output("output of one line", paragraph),
  output("coloured output", (at) => at % 12 === 11 ? "\n" : `\x1b[3${at % 8}m${word(at)}\x1b[0m `),
  output("CJK output", cjk),
  output("CJK output of one line", () => "日本語の文章、"),
  {
    name: "a nested agent's answer",
    begin: [["tool_call_done", { id: "t", name: "Task", arguments: '{"prompt":"look"}' }]],
    delta: (at) => ["text_delta", { text: prose(at), parent_id: "t" }],
  },
  {
    name: "arguments",
    begin: START,
    delta: (at) => ["tool_call_args_delta", { id: "t", json: at === 0 ? '{"content":"' : `${word(at)}\\n` }],
  },
];

function text(name: string, write: (at: number) => string): Stream {
  return { name: `an answer, ${name}`, begin: [], delta: (at) => ["text_delta", { text: write(at) }] };
}

function reasoning(name: string, write: (at: number) => string): Stream {
  return { name, begin: [], delta: (at) => ["reasoning_delta", { id: "r", text: write(at) }] };
}

function output(name: string, write: (at: number) => string): Stream {
  return { name, begin: CALL, delta: (at) => ["tool_output", { id: "t", text: write(at) }] };
}

function word(at: number): string {
  return WORDS[(at * 7 + (at >> 3)) % WORDS.length]!;
}
