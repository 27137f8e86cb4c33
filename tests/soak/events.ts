// An endless agent from a seed: turns with everything in them, in mixed order, now and then a session anew.

import { randomOf } from "../bench/generate.ts";

export type Named = readonly [event: string, data: Readonly<Record<string, unknown>>];

const SENTENCES = [
  "The width is counted in cells, not in characters. ",
  "一二三四五、漢字かな交じり文「折り返し」の試験です。",
  "한글도 섞어서 👨‍👩‍👧‍👦 mixed 🇯🇵 words e\u0301 ",
  "\n\n- one\n- two\n  - nested `code`\n",
  "\n\n```ts\nconst x = 1;\n```\n\n",
  "\n\n| 項目 | state |\n|---|---|\n| 一 | ok |\n| two | 🟡 |\n\n",
  "**bold** and [a link](http://x.invalid) ",
  "\x1b[2J\u202e hostile \u009b6n ",
];
const OUTPUTS = [
  "ok\tpkg/a\t0.01s\nFAIL\tpkg/b\t12.3s\n",
  "\x1b[31mred\x1b[0m plain\rover\n",
  "progress 10%\rprogress 100%\n",
  "日本語の出力\n".repeat(12),
  "x".repeat(700) + "\n",
  "\x1b]0;owned\x07\x1b[?1049l tail\n",
];

/** Gives events in small groups for ever; `sessionEvents` is about how many come before the session begins anew. */
export function* agentEvents(seed: number, sessionEvents: number): Generator<readonly Named[], never, void> {
  const random = randomOf(seed);
  const int = (below: number) => Math.floor(random() * below);
  const pick = <Item>(items: readonly Item[]): Item => items[int(items.length)] as Item;
  let turn = 0;
  let call = 0;
  let batch = 0;
  for (;;) {
    yield [["history", {
      session_id: `s${turn}`,
      status: "idle",
      items: [],
      state: { plan: [], queue: [], questions: [] },
    }]];
    for (let said = 0; said < sessionEvents;) {
      // No agent gives a call of another turn an id that it has used.
      call++;
      const group: readonly Named[] = [
        ["user_message", { message_id: `u${++turn}`, text: pick(SENTENCES), kind: "run" }],
        ["turn_start", { turn }],
        ["status", { status: "running" }],
      ];
      said += group.length;
      yield group;
      for (let left = 3 + int(40); left > 0; left--) {
        const next = step();
        said += next.length;
        yield next;
      }
      said += 2;
      yield [["turn_end", { turn, result: pick(["finished", "cancelled", "error"]) }], ["status", {
        status: "idle",
      }]];
    }
  }

  function step(): readonly Named[] {
    const id = `c${call}`;
    switch (int(16)) {
      case 0:
      case 1:
      case 2:
      case 3:
        return Array.from({ length: 1 + int(6) }, (): Named => ["text_delta", { text: pick(SENTENCES) }]);
      case 4:
        return [["text_done", { text: null }]];
      case 5:
        return [["reasoning_start", { id }], ["reasoning_delta", { id, text: pick(SENTENCES) }], [
          "reasoning_done",
          { id, elapsed_ms: 900 },
        ]];
      case 6: {
        const next = `c${++call}`;
        return [["tool_call_start", { id: next, name: pick(["Read", "Bash", "Grep", "mystery"]) }], [
          "tool_call_args_delta",
          { id: next, json: '{"file_path":"/a' },
        ]];
      }
      case 7:
        return [["tool_call_done", {
          id,
          name: "Bash",
          arguments: JSON.stringify({ command: `echo ${pick(OUTPUTS)}` }),
        }]];
      case 8:
        return [["tool_output", { id, text: pick(OUTPUTS) }]];
      case 9:
        return [["tool_result", {
          id,
          summary: "done",
          output: pick(OUTPUTS).repeat(1 + int(5)),
          is_error: int(5) === 0,
        }]];
      case 10: {
        const next = `c${++call}`;
        const file = `/repo/f${int(30)}.ts`;
        return [
          ["tool_call_done", {
            id: next,
            name: "Write",
            arguments: JSON.stringify({ file_path: file, content: "one\ntwo\n三\nfour\n" }),
          }],
          ["tool_result", { id: next, summary: `Created ${file}` }],
          ["tool_call_done", {
            id: `${next}e`,
            name: "Edit",
            arguments: JSON.stringify({ file_path: file, old_string: "two", new_string: pick(SENTENCES) }),
          }],
          ["tool_result", { id: `${next}e`, summary: "Edited" }],
        ];
      }
      case 11:
        return [["notification", {
          level: pick(["info", "warn", "error"]),
          source: "pod",
          message: pick(SENTENCES),
        }]];
      case 12:
        return [["plan", {
          items: Array.from(
            { length: int(8) },
            (_, at) => ({ id: `${at}`, text: pick(SENTENCES), status: pick(["pending", "completed"]) }),
          ),
        }]];
      case 13:
        return [["question_closed", { batch_id: `q${batch - 4}`, reason: "dismissed", answers: [] }], [
          "question",
          {
            batch_id: `q${++batch}`,
            kind: pick(["permission", null]),
            questions: [{
              id: "a",
              header: "H",
              text: pick(OUTPUTS),
              options: [{ id: "1", label: "yes", effect: "allow_once" }, {
                id: "2",
                label: "no",
                effect: "deny",
              }],
            }],
          },
        ]];
      case 14:
        return [["question_closed", { batch_id: `q${batch}`, reason: "answered", answers: [] }], ["usage", {
          input_tokens: int(9999),
          output_tokens: 5,
        }], ["context", { used_tokens: int(200_000), window_tokens: 200_000 }]];
      default:
        return [[`unknown_${int(100_000)}`, { [`field_${int(100_000)}`]: 1 }], ["queue", {
          items: int(3) === 0 ? [{ message_id: "m", text: pick(SENTENCES) }] : [],
        }]];
    }
  }
}
