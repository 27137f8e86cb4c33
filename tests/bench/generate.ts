// A deterministic transcript of about N wrapped rows at 120 columns, as pod JSONL: 12 % user, 43 % assistant text with
// CJK and emoji, 30 % tool output of 5-200 lines, 15 % diffs. The same N gives the same bytes on every machine.

/** Numbers in [0, 1) from a seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

type Random = () => number;

const WORDS =
  ("the of and request render buffer token stream layout module function return value error line column width cache parse " +
    "update session agent tool result file path import export const async await deno terminal screen scroll resize repaint " +
    "compositor transcript fold").split(" ");
const IDEOGRAPHS = [
  ..."检查函数的返回值因为它在重绘时会闪烁所以先读取文件内容然后修改布局缓存并且测试滚动性能日本語の文章も含めて幅を計算する한국어문장도포함한다",
];
const EMOJI = ["🎉", "🚀", "✅", "👩‍💻", "🇯🇵", "⚠️", "🔥", "👍🏽"];
/** Cells that text takes of 120: gutter and indent left out. */
const TEXT_WIDTH = 118;

/** One piece of a transcript. */
export interface Piece {
  readonly kind: "user" | "assistant" | "tool" | "diff";
  readonly text: string;
}

/** Pieces of about `rows` rows in all, made from the newest backwards: a longer transcript ends exactly like a shorter one. */
export function pieces(rows: number, seed = 7): readonly Piece[] {
  const random = randomOf(seed);
  const made: Piece[] = [];
  for (let sum = 0; sum < rows;) {
    const kind = kindOf(random());
    const text = MAKE[kind](random).join("\n");
    made.push({ kind, text });
    sum += estimateRows(text) + 1;
  }
  return made.reverse();
}

/** One event of pod JSONL. */
export interface PodEvent {
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What a pod would say of these pieces. */
export function pieceEvents(given: readonly Piece[]): readonly PodEvent[] {
  const events: PodEvent[] = [
    {
      event: "hello",
      data: { protocol: "pod-jsonl", version: 1, agent: "bench", capabilities: ["history", "steer"] },
    },
    { event: "history", data: { session_id: "bench", status: "idle", items: [] } },
  ];
  let turn = 0;
  given.forEach((piece, at) => {
    if (piece.kind === "user") {
      if (turn > 0) events.push({ event: "turn_end", data: { turn, result: "finished" } });
      turn++;
      events.push({ event: "user_message", data: { message_id: `u${turn}`, text: piece.text } });
      events.push({ event: "turn_start", data: { turn } });
    } else if (piece.kind === "assistant") events.push({ event: "text_done", data: { text: piece.text } });
    else {
      const id = `c${at}`;
      const command = piece.kind === "tool" ? "grep -rn width src" : "git diff";
      events.push({
        event: "tool_call_done",
        data: { id, name: "Bash", arguments: JSON.stringify({ command }) },
      });
      events.push({ event: "tool_result", data: { id, summary: `${command}: exit 0`, output: piece.text } });
    }
  });
  return events;
}

/** A transcript as lines of pod JSONL: what a pod's log would hold, seq included. */
export function eventLines(rows: number, seed = 7): string {
  return pieceEvents(pieces(rows, seed)).map((event, seq) => JSON.stringify({ ...event, seq }) + "\n").join(
    "",
  );
}

/** About 4 characters a token, a line end every 25 tokens. */
export function streamedTokens(count: number, seed = 99): readonly string[] {
  const random = randomOf(seed);
  return Array.from({ length: count }, () => {
    if (random() < 0.04) return "\n";
    return random() < 0.15 ? ideographs(random, 2) : pick(WORDS, random) + " ";
  });
}

function kindOf(chance: number): Piece["kind"] {
  return chance < 0.12 ? "user" : chance < 0.55 ? "assistant" : chance < 0.85 ? "tool" : "diff";
}

const MAKE: Readonly<Record<Piece["kind"], (random: Random) => string[]>> = {
  user: (random) => [words(random, 4 + int(random, 40))],
  assistant: (random) => {
    const paragraphs = Array.from({ length: 1 + int(random, 5) }, () => paragraph(random));
    return paragraphs.flatMap((text, at) => at === 0 ? [text] : ["", text]);
  },
  tool: (random) =>
    Array.from(
      { length: 5 + Math.floor(random() * random() * 195) },
      () =>
        random() < 0.5
          ? `src/${hex(random, 6)}/${pick(WORDS, random)}.ts:${int(random, 900)}:${
            words(random, 3 + int(random, 12))
          }`
          : `${hex(random, 8)} ${words(random, 2 + int(random, 14))}`,
    ),
  diff: (random) => {
    const count = 8 + int(random, 50);
    const head = `@@ -${int(random, 900)},${count} +${int(random, 900)},${count} @@`;
    const rows = Array.from({ length: count }, () => {
      const chance = random();
      const mark = chance < 0.2 ? "-" : chance < 0.45 ? "+" : " ";
      return mark + "  ".repeat(int(random, 5)) + words(random, 3 + int(random, 10));
    });
    return [head, ...rows];
  },
};

function paragraph(random: Random): string {
  return random() < 0.2 ? ideographs(random, 20 + int(random, 160)) : words(random, 12 + int(random, 90));
}

function words(random: Random, count: number): string {
  return Array.from({ length: count }, () => pick(WORDS, random)).join(" ");
}

function ideographs(random: Random, count: number): string {
  let text = "";
  for (let at = 0; at < count; at++) {
    text += pick(IDEOGRAPHS, random);
    if (random() < 0.06) text += "，";
    if (random() < 0.04) text += pick(EMOJI, random);
    if (random() < 0.05) text += ` ${pick(WORDS, random)} `;
  }
  return text;
}

function estimateRows(text: string): number {
  let rows = 0;
  for (const line of text.split("\n")) {
    let width = 0;
    for (const sign of line) width += sign.codePointAt(0)! > 0x1100 ? 2 : 1;
    rows += Math.max(1, Math.ceil(width / TEXT_WIDTH));
  }
  return rows;
}

function hex(random: Random, length: number): string {
  return Array.from({ length }, () => int(random, 16).toString(16)).join("");
}

function int(random: Random, below: number): number {
  return Math.floor(random() * below);
}

function pick(list: readonly string[], random: Random): string {
  return list[int(random, list.length)] ?? "";
}
