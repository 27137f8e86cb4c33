// The rules of panels, each once through the real client and pod: what a person's keys do to what an agent asks.
// Each rule in all its cases is src/app/panels_test.ts's.

import assert from "node:assert/strict";
import { type Program, sees } from "./program_session.ts";
import { KEYS } from "./journeys/journey.ts";
import {
  delay,
  denoCommand,
  leave,
  readLog,
  textOf,
  until,
  withWorld,
  type World,
} from "./journeys/world.ts";

const OPTIONS = [
  { id: "main", label: "main", description: "release line" },
  { id: "dev", label: "dev", description: "integration" },
  { id: "old", label: "old", description: "the one before" },
];
const BODY = Array.from({ length: 40 }, (_, at) => `body ${at}`).join("\n");
const TABLE_TEXT = "| 言語 | cells |\n|---|---|\n| 日本語 | 6 |\n| abc | 3 |\n";

/** What the agent does when it gets a message of that name. */
const TABLE: Readonly<Record<string, readonly unknown[]>> = {
  choice: [question("choice", { allow_text: true })],
  several: [question("several", { multi: true })],
  words: [question("words", { options: [] })],
  batch: [
    question("first", {}, {}),
    { event: "question", data: permission("second", "make release") },
  ],
  permission: [{ event: "question", data: permission("p", "rm -r build") }],
  later: [{ until: "go" }, { event: "question", data: permission("l", "make") }],
  hidden: [{ event: "question", data: permission("h", "echo \u202egnp.exe\u200d\x1b[2J") }],
  long: [{ event: "question", data: permission("long", BODY) }],
  shrunk: [
    ...call("w", "Write", { file_path: "/a", content: "一\n二\n" }),
    { event: "tool_result", data: { id: "w", summary: "Created /a" } },
    ...call("e", "Edit", { file_path: "/a", old_string: "二", new_string: "two 宽" }),
    { event: "tool_result", data: { id: "e", summary: "Edited /a" } },
    { event: "text_done", data: { text: TABLE_TEXT } },
    ...call("b", "Bash", { command: "sleep 9" }),
    { event: "tool_output", data: { id: "b", text: "working 宽\n" } },
    { event: "question", data: permission("s", "make") },
  ],
};

function question(id: string, change: object, second?: object): unknown {
  const one = { id, header: id, text: `Which ${id}?`, options: OPTIONS, ...change };
  const questions = second === undefined
    ? [one]
    : [one, { ...one, id: `${id} two`, header: "two", ...second }];
  return { event: "question", data: { batch_id: id, questions } };
}

function permission(id: string, text: string): unknown {
  const options = [
    { id: "1", label: "Allow once", effect: "allow_once" },
    { id: "2", label: "Always", effect: "allow_always" },
    { id: "3", label: "Deny", effect: "deny" },
  ];
  return { batch_id: id, kind: "permission", questions: [{ id, header: "Bash", text, options }] };
}

function call(id: string, name: string, input: object): unknown[] {
  return [
    { event: "tool_call_start", data: { id, name } },
    { event: "tool_call_done", data: { id, name, arguments: JSON.stringify(input) } },
  ];
}

/** A client whose agent asks; keys wait until a panel may take them. */
interface Person {
  readonly world: World;
  readonly program: Program;
  says(text: string): void;
  presses(...keys: readonly string[]): Promise<void>;
  sees(...texts: readonly string[]): Promise<void>;
  seesNot(text: string): Promise<void>;
  /** Panels that were just seen take keys from now on. */
  pauses(): Promise<void>;
  /** Answers and rejections the agent has got, in words; waits for so many. */
  answers(count: number): Promise<string[]>;
}

async function asPerson(test: (person: Person) => Promise<void>): Promise<void> {
  await withWorld({ "table.json": JSON.stringify(TABLE) }, async (world) => {
    const agent = denoCommand("tests/journeys/asking_agent.ts", "table.json");
    const program = await world.open(["run", "--", ...agent]);
    const person: Person = {
      world,
      program,
      says: (text) => program.session.type(text),
      async presses(...keys) {
        for (const key of keys) program.session.type(KEYS[key] ?? key);
        await Promise.resolve();
      },
      async sees(...texts) {
        for (const text of texts) await sees(program, text, 30_000);
      },
      seesNot: (text) => program.session.until(`no ${text}`, () => !program.screen().includes(text), 30_000),
      pauses: () => delay(520),
      async answers(count) {
        await until(`${count} answers`, () => answersOf(world).length >= count);
        return answersOf(world);
      },
    };
    await person.sees("asker");
    await test(person);
    await leave(program);
  });
}

function answersOf(world: World): string[] {
  return textOf(`${world.home}/received.jsonl`).split("\n").flatMap((line) => {
    if (line === "") return [];
    const { method, params } = JSON.parse(line);
    if (method === "dismiss_question") return [`${params.batch_id} rejected`];
    if (method !== "answer") return [];
    const said = params.answers.map((one: { selected: string[]; text: string | null }) =>
      [...one.selected, ...(one.text === null ? [] : [`"${one.text}"`])].join("+")
    );
    return [`${params.batch_id} ${said.join(" ")}`];
  });
}

const RULES: Readonly<Record<string, (person: Person) => Promise<void>>> = {
  "Up and Down go around, a digit marks, only Enter answers; Tab and c open own words, Esc closes them":
    async (
      person,
    ) => {
      person.says("choice\r");
      await person.sees("── Question", "> 1. main");
      await person.pauses();
      await person.presses("Up");
      await person.sees("> 3. old");
      await person.presses("Down");
      await person.sees("> 1. main");
      await person.presses("2");
      await person.sees("> 2. dev");
      await person.presses("Tab");
      await person.sees("Enter answers, Esc back");
      await person.presses("Esc");
      await person.sees("> 2. dev");
      assert.deepEqual(answersOf(person.world), []);
      await person.presses("c");
      await person.sees("Enter answers, Esc back");
      await person.presses("3", "c", "Enter");
      assert.deepEqual(await person.answers(1), ['choice "3c"']);
    },
  "Space checks several; nothing checked is no answer; Esc rejects": async (person) => {
    person.says("several\r");
    await person.sees("── Question", "1. [ ] main");
    await person.pauses();
    await person.presses("Enter");
    await person.sees("Check an option first");
    await person.presses("Space", "Down", "Space", "Enter");
    assert.deepEqual(await person.answers(1), ["several main+dev"]);
    await person.seesNot("── Question");
    person.says("several\r");
    await person.sees("── Question");
    await person.pauses();
    await person.presses("Esc");
    assert.deepEqual(await person.answers(2), ["several main+dev", "several rejected"]);
  },
  "no options: own words at once, and an empty answer is none": async (person) => {
    person.says("words\r");
    await person.sees("── Question", "Enter answers, Esc rejects");
    await person.pauses();
    await person.presses("Enter");
    await person.sees("Type an answer first");
    person.says("1c \x1b[200~two\nlines\x1b[201~\r");
    assert.deepEqual(await person.answers(1), ['words "1c two lines"']);
  },
  "batches wait for one another; the header counts what is unanswered": async (person) => {
    person.says("batch\r");
    await person.sees("── Question 1/2 (2 unanswered) · first");
    await person.pauses();
    await person.presses("Enter");
    await person.sees("── Question 2/2 (1 unanswered) · two");
    await person.presses("Down", "Enter");
    await person.sees("── Permission · Bash", "make release");
    await person.pauses();
    await person.presses("Down", "Enter");
    assert.deepEqual(await person.answers(2), ["first main dev", "second 2"]);
  },
  "Esc denies a permission; Tab and F6 leave it, the draft has the keys, F6 enters again": async (person) => {
    person.says("permission\r");
    await person.sees("── Permission · Bash", "Enter answers, Esc denies");
    await person.presses("Tab");
    await person.sees("the message keeps the keys");
    person.says("1 typed");
    await person.sees("> 1 typed");
    await person.presses("F6");
    await person.sees("the history has the keys");
    await person.presses("F6");
    await person.sees("Enter answers, Esc denies");
    await person.presses("F6");
    await person.sees("again to this; the message keeps the keys");
    person.says("!");
    await person.sees("> 1 typed!");
    await person.presses("Tab", "Tab");
    await person.sees("Enter answers, Esc denies");
    await person.presses("Esc");
    assert.deepEqual(await person.answers(1), ["p 3"]);
    await person.sees("> 1 typed!");
  },
  "a draft with text keeps the keys when a panel comes; Ctrl-C answers nothing; nor does a click": async (
    person,
  ) => {
    person.says("later\r");
    await person.sees("Esc interrupts");
    person.says("half");
    await person.sees("> half");
    Deno.writeTextFileSync(`${person.world.home}/go`, "");
    await person.sees("── Permission", "the message keeps the keys");
    await person.pauses();
    await person.presses("1", "Enter");
    await person.sees("1 queued");
    assert.deepEqual(answersOf(person.world), []);
    await person.presses("C-c");
    await person.sees("Ctrl-C again leaves");
    const row = person.program.session.emulator.picture().findIndex((text) => text.includes("3. Deny")) + 1;
    // The window's focus comes back, and a click with it.
    person.says(`\x1b[O\x1b[I\x1b[<0;6;${row}M\x1b[<0;6;${row}m`);
    await person.sees("Enter answers, Esc denies");
    await person.pauses();
    assert.deepEqual(answersOf(person.world), []);
    await person.presses("Enter");
    assert.deepEqual(await person.answers(1), ["l 1"]);
  },
  "what is to be approved shows every hidden sign, and says so": async (person) => {
    person.says("hidden\r");
    await person.sees("echo <U+202E>gnp.exe<U+200D>\\x1b[2J", "! it holds control or invisible characters");
    await person.pauses();
    await person.presses("Esc");
    assert.deepEqual(await person.answers(1), ["h 3"]);
  },
  "a panel taller than its room scrolls, its options stay": async (person) => {
    person.says("long\r");
    await person.sees("── Permission", "body 0", "3. Deny");
    await person.pauses();
    await person.presses("PgDn");
    await person.seesNot("body 0 ");
    await person.sees("3. Deny");
    await person.presses("PgUp");
    await person.sees("body 0 ", "3. Deny");
    await person.presses("Enter");
    assert.deepEqual(await person.answers(1), ["long 1"]);
  },
  "keys typed before a panel was there for half a second are not for it": async (person) => {
    for (let tries = 1;; tries++) {
      person.says("permission\r");
      await person.sees("── Permission");
      await person.presses("Enter");
      await person.pauses();
      await person.sees("Enter answers, Esc denies");
      if (answersOf(person.world).length === 0) break;
      // On a machine that was busy for so long the key really came late.
      const log = readLog(person.world.logText()).filter(({ event }) => event.startsWith("question"));
      const [asked, closed] = log.slice(-2).map(({ ts }) => ts ?? 0);
      assert.ok((closed ?? 0) - (asked ?? 0) >= 500 && tries < 5, "a key answered what was just asked");
    }
    await person.presses("Enter");
    await person.answers(1);
  },
  "U15 shrunk to nothing and back: the same screen, the typed keys in the draft, nothing answered": shrink,
};

async function shrink(person: Person): Promise<void> {
  const { session } = person.program;
  person.says("shrunk\r");
  await person.sees("── Permission", "日本語", "two 宽", "working 宽");
  person.says("日本語😀abc");
  await person.sees("> 日本語😀abc", "the message keeps the keys");
  /** Without what tells the time. */
  const still = () => session.emulator.picture().filter((row) => !row.includes("Esc interrupts"));
  const before = still();
  const sizes = [[40, 20], [20, 12], [10, 8], [7, 6], [5, 5], [3, 3], [2, 2], [1, 1], [1, 24], [
    80,
    1,
  ]] as const;
  let typed = "";
  for (const [at, [width, height]] of sizes.entries()) {
    session.resize(width, height);
    const key = String.fromCharCode(0x61 + at);
    person.says(key);
    typed += key;
    if (at % 2 === 0) await delay(5);
  }
  session.resize(80, 24);
  const expected = before.map((row) =>
    row.startsWith("> 日本語😀abc") ? row.replace("abc" + " ".repeat(typed.length), `abc${typed}`) : row
  );
  await session.until("the same screen", () => still().join("\n") === expected.join("\n"), 30_000)
    .catch(() => assert.deepEqual(still(), expected));
  const rows = session.emulator.picture();
  assert.equal(rows.filter((row) => row.includes("waiting for your answer")).length, 1, "one status row");
  assert.equal(rows.filter((row) => row.startsWith("> 日本語")).length, 1, "one composer");
  assert.equal(session.emulator.scrollbackLength(), 0);
  assert.deepEqual(answersOf(person.world), []);
  const closed = readLog(person.world.logText()).filter(({ event }) => event === "question_closed");
  assert.deepEqual(closed, [], "still unanswered");
}

// Side by side, since most of it is waiting: what one has open would count as another's leak.
Deno.test({
  name: "panels, in the program",
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async (test) => {
    const waiting = Object.entries(RULES);
    const work = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const [name, rule] = next;
        await test.step({
          name,
          fn: () => asPerson(rule),
          sanitizeOps: false,
          sanitizeResources: false,
          sanitizeExit: false,
        });
      }
    };
    await Promise.all(Array.from({ length: 4 }, work));
  },
});
