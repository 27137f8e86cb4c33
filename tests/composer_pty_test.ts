// Typing and pasting into the real program through the bytes of a pseudo-terminal: what the agent receives is exact,
// and every cell of the terminal is what the program says it shows.

import assert from "node:assert/strict";
import { drawFrame } from "../src/app/draw.ts";
import { loadLibraries } from "../src/app/files.ts";
import { openReplay } from "../src/app/io/client_recording.ts";
import { createState } from "../src/app/state.ts";
import { update } from "../src/app/update.ts";
import { createFrame } from "../src/screen/frame.ts";
import { framePicture } from "../src/screen/snapshot.ts";
import { openPtySession } from "./pty_session.ts";
import {
  endsWith,
  homeEnvironment,
  MAIN,
  type Program,
  removeFolder,
  ROOT,
  sees,
  startProgram,
} from "./program_session.ts";

interface Receiving extends Program {
  /** Texts of the messages the agent has received. */
  sent(): string[];
  /** Names of all other methods it has received. */
  others(): string[];
}

function agentCommand(file: string): string[] {
  return [Deno.execPath(), "run", "-A", "--no-check", `${ROOT}tests/receiving_agent.mjs`, file];
}

/** The program in front of an agent that writes down what it receives. */
async function startReceiving(
  options: { home?: string; width?: number; height?: number; flags?: readonly string[] } = {},
): Promise<Receiving> {
  const folder = options.home ?? await Deno.makeTempDir({ prefix: "trifold_received_" });
  const file = `${folder}/received.jsonl`;
  const program = await startProgram(["run", ...options.flags ?? [], "--", ...agentCommand(file)], options);
  await sees(program, "receiver");
  const methods = (): { method: string; params: { input: string } }[] => {
    try {
      return Deno.readTextFileSync(file).split("\n").filter((line) => line !== "").map((line) =>
        JSON.parse(line)
      );
    } catch {
      return [];
    }
  };
  return {
    ...program,
    sent: () => methods().filter(({ method }) => method === "run").map(({ params }) => params.input),
    others: () => methods().map(({ method }) => method).filter((method) => method !== "run"),
  };
}

const silence = (delayMs: number) => new Promise((resolve) => setTimeout(resolve, delayMs));
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Sends what is in the draft and waits until the agent has it; `count` messages in all. */
async function sends(program: Receiving, count: number): Promise<string> {
  program.session.type("\r");
  await program.session.until(`message ${count}`, () => program.sent().length >= count);
  await sees(program, `received ${count}`);
  return program.sent()[count - 1] ?? "";
}

/** Ends program and agent; no Esc or other key was taken for a wish. */
async function shutsDown(program: Receiving): Promise<void> {
  const wishes = program.others().filter((method) => ["pause", "cancel", "resume", "steer"].includes(method));
  assert.deepEqual(wishes, []);
  await endsWith(program, 0, () => program.session.type("\x15\x04"));
}

const PASTE = "alpha\nβeta 日本\n🙂omega";
const STREAM = bytesOf(`x\x1b[200~${PASTE}\x1b[201~y`);

Deno.test("U01: a paste cut at every byte is one paste, and nothing but it", async () => {
  const program = await startReceiving();
  let count = 0;
  for (let cut = 1; cut < STREAM.length; cut++) {
    program.session.type(STREAM.subarray(0, cut));
    await silence(5);
    program.session.type(STREAM.subarray(cut));
    await sees(program, "chars, 3 lines]y");
    assert.equal(program.sent().length, count);
    assert.equal(await sends(program, ++count), `x${PASTE}y`, `cut at byte ${cut}`);
  }
  await shutsDown(program);
});

Deno.test("U01: byte by byte, with a long silence in the end marker, and undone in one step", async () => {
  const program = await startReceiving();
  for (const byte of STREAM) {
    program.session.type(Uint8Array.of(byte));
    await silence(1);
  }
  await sees(program, "chars, 3 lines]y");
  assert.equal(await sends(program, 1), `x${PASTE}y`);
  const inMarker = STREAM.length - 4;
  program.session.type(STREAM.subarray(0, inMarker));
  await silence(300);
  program.session.type(STREAM.subarray(inMarker));
  await sees(program, "chars, 3 lines]y");
  assert.equal(await sends(program, 2), `x${PASTE}y`);
  program.session.type(STREAM);
  await sees(program, "chars, 3 lines]y");
  program.session.type("\x1f");
  await program.session.until("y undone", () => /lines\]\s*$/m.test(lastRow(program)));
  program.session.type("\x1f");
  await program.session.until("the paste undone", () => lastRow(program) === "> x");
  program.session.type("\x1f");
  await program.session.until("all undone", () => lastRow(program) === ">");
  await shutsDown(program);
});

Deno.test("a cluster whose cells only string-width knows gets them soon after the first one was typed", async () => {
  const program = await startReceiving();
  // Three jamo of one syllable: 2 cells, and 4 while they are only estimated. What stands behind is placed by them.
  program.session.type("\u1100\u1161\u11a8x");
  const columnOfX = () => {
    const { emulator } = program.session;
    const columns = Array.from({ length: emulator.width }, (_, column) => column);
    return columns.find((column) => emulator.cell(emulator.height - 1, column).text === "x");
  };
  await program.session.until("x behind two cells", () => columnOfX() === 4);
  assert.equal(await sends(program, 1), "\u1100\u1161\u11a8x");
  await shutsDown(program);
});

Deno.test("U02: every newline style in a paste becomes one", async () => {
  const program = await startReceiving();
  const paste = "one\r\ntwo\rthree\nfour\r\n\r\nsix";
  const stream = bytesOf(`\x1b[200~${paste}\x1b[201~`);
  const between = stream.indexOf(0x0a);
  let count = 0;
  for (const cut of [0, between, stream.lastIndexOf(0x0a)]) {
    program.session.type(stream.subarray(0, cut));
    await silence(5);
    program.session.type(stream.subarray(cut));
    await sees(program, "23 chars, 6 lines]");
    assert.equal(program.sent().length, count);
    assert.equal(await sends(program, ++count), "one\ntwo\nthree\nfour\n\nsix");
  }
  await shutsDown(program);
});

Deno.test("U04: every key that means a new line, and those that do not", async () => {
  const program = await startReceiving();
  const { session } = program;
  let count = 0;
  for (const key of ["\x1b[13;2u", "\x1b[27;2;13~", "\x1b\r", "\n", "\x1b[13;2:1u\x1b[13;2:3u"]) {
    session.type("a");
    await silence(30);
    session.type(key);
    await silence(30);
    session.type("b");
    await session.until("two rows", () => lastRow(program) === "  b");
    assert.equal(await sends(program, ++count), "a\nb", JSON.stringify(key));
  }
  session.type("a\x1b[13u");
  await session.until("sent by Enter in the keyboard protocol", () => program.sent().length === count + 1);
  assert.equal(program.sent()[count], "a");
  session.type("\x1b[13;2:3u");
  await silence(60);
  session.type("z");
  await session.until("only z", () => lastRow(program) === "> z");
  await shutsDown(program);
});

const SCRIPTS: readonly (readonly [script: string, text: string])[] = [
  ["Japanese", "日本語の文章、「かぎ括弧」と半角ｶﾅ、長い行の折り返しを試すための文字列です。"],
  ["Chinese", "中文排版没有空格，标点不能在行首，这一行也要足够长才能换行显示。"],
  ["Korean", "한국어 문장과 조합된 글자, 그리고 mixed words 를 섞어서 씁니다."],
  ["emoji", "👨‍👩‍👧‍👦 family, 🇯🇵 flag, 👍🏽 tone, ❤️ heart, e\u0301 accent, 1\ufe0f\u20e3 key"],
];
const LONG = Array.from({ length: 500 }, (_, at) => `line ${at + 1} of 五百 ${"x".repeat(at % 90)}`).join(
  "\n",
);

for (const [width, height] of [[80, 24], [40, 12]] as const) {
  Deno.test(`a session typed at ${width}x${height}: the text sent is exact, every cell is the program's`, async () => {
    const home = await Deno.makeTempDir({ prefix: "trifold_typed_" });
    const record = `${home}/record.jsonl`;
    await loadLibraries();
    const program = await startReceiving({ home, width, height, flags: ["--record", record] });
    const { session } = program;
    let count = 0;
    for (const [script, text] of SCRIPTS) {
      // As an input method commits: some characters at a time.
      for (const piece of text.match(/.{1,7}/gsu) ?? []) {
        session.type(piece);
        await silence(3);
      }
      await checkCells(program, record, `${script}, typed`);
      assert.equal(await sends(program, ++count), text);
      await checkCells(program, record, `${script}, sent`);
    }
    session.type("before ");
    await typesLong(program, bytesOf(`\x1b[200~${LONG}\x1b[201~ 後`));
    await session.until("the whole paste", () => unwrapped(program).endsWith("29141 chars, 500 lines] 後"));
    await checkCells(program, record, "pasted");
    session.type("\x18\x05");
    await session.until("the end of the paste", () => lastRow(program).endsWith("x 後"));
    await checkCells(program, record, "expanded");
    session.type("\x1b[A\x1b[A\x1b[H\x1b[5~");
    await silence(50);
    await checkCells(program, record, "expanded, moved");
    session.resize(width - 7, height + 3);
    await silence(100);
    await checkCells(program, record, "resized");
    session.type("\x1b[B\x1b[B\x1b[F\x1b[D\x1b[D\x18\x05");
    await session.until("the label again", () => unwrapped(program).endsWith("29141 chars, 500 lines] 後"));
    assert.equal(await sends(program, ++count), `before ${LONG} 後`);
    await checkCells(program, record, "all sent", printed);
    await shutsDown(program);
    await removeFolder(home);
  });
}

Deno.test("prompts of an earlier session come back with Up, those that begin with a blank do not", async () => {
  const home = await Deno.makeTempDir({ prefix: "trifold_history_" });
  const first = await startReceiving({ home });
  first.session.type("one 日本 \x1b[200~two\nlines\x1b[201~");
  await sees(first, "2 lines]");
  await sends(first, 1);
  first.session.type(" secret");
  await sends(first, 2);
  await shutsDown(first);
  await Deno.remove(`${home}/received.jsonl`);
  const second = await startReceiving({ home });
  await second.session.until("the earlier prompt", () => {
    second.session.type("\x1b[A");
    return lastRow(second).includes("[Clipboard #1 | 9 chars, 2 lines]");
  });
  assert.equal(await sends(second, 1), "one 日本 two\nlines");
  await shutsDown(second);
  const kept = [...Deno.readDirSync(`${home}/state/trifold/history`)].map((entry) =>
    Deno.readTextFileSync(`${home}/state/trifold/history/${entry.name}`)
  ).join("");
  assert.ok(kept.includes("日本") && !kept.includes("secret"));
  await removeFolder(home);
});

Deno.test("U03: @ completes a file with the keyboard, the placeholder before it stays", async () => {
  const home = await Deno.makeTempDir({ prefix: "trifold_files_" });
  await Deno.writeTextFile(`${home}/.gitignore`, "*.jsonl\nsession_*\nstate/\n");
  const program = await startReceiving({ home });
  const { session } = program;
  session.type("\x1b[200~B1\nB2\x1b[201~ see @nts");
  await sees(program, "> notes.txt");
  assert.ok(!program.screen().includes("received.jsonl"));
  session.type("\t");
  await session.until("the file in the draft", () => lastRow(program).endsWith("] see @notes.txt"));
  assert.ok(!program.screen().includes("> notes.txt"), "the list is closed");
  assert.equal(await sends(program, 1), "B1\nB2 see @notes.txt ");
  await shutsDown(program);
  await removeFolder(home);
});

/** What does not fit into the terminal's buffer is written by and by: node-pty stops at a full one. */
async function typesLong(program: Program, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; at += 1024) {
    program.session.type(bytes.subarray(at, at + 1024));
    await silence(2);
  }
}

/** The screen without the blanks between rows of a wrapped line. */
function unwrapped(program: Program): string {
  return program.session.emulator.picture().map((row) => row.trim()).join("");
}

/** The last row without the blanks at its end. */
function lastRow(program: Program): string {
  return program.session.emulator.picture().at(-1)?.trimEnd() ?? "";
}

/** The terminal shows, cell for cell and with the same cursor, what the recording of this session prints. */
async function checkCells(
  program: Program,
  record: string,
  when: string,
  print: (record: string) => Screen | Promise<Screen> = played,
): Promise<void> {
  const { emulator } = program.session;
  for (let tries = 0;; tries++) {
    // Nothing comes any more: what was typed has been drawn.
    for (let length = -1; length !== program.session.output().length;) {
      length = program.session.output().length;
      await silence(60);
    }
    const told = await print(record);
    const { row, column, visible } = emulator.cursor();
    const shown = { rows: emulator.picture(), cursor: visible ? { row, column } : null };
    // On a busy machine the next frame may still be under way.
    const isSame = JSON.stringify(shown) === JSON.stringify(told);
    if (!isSame && tries < 20) continue;
    assert.deepEqual(shown, told, when);
    return;
  }
}

interface Screen {
  readonly rows: readonly string[];
  readonly cursor: { readonly row: number; readonly column: number } | null;
}

/** The recording played by the functions of `trifold print`. */
function played(record: string): Screen {
  const bytes = Deno.readFileSync(record);
  const replay = openReplay(bytes);
  assert.ok(replay !== null && replay !== "more");
  const state = createState(replay.options);
  for (const { input, nowMs } of [...replay.push(bytes), ...replay.end()]) {
    update(state, { kind: "tick" }, nowMs);
    update(state, input, nowMs);
  }
  const frame = createFrame(state.columns, state.rows);
  drawFrame(state, frame);
  return screenOf(framePicture(frame));
}

/** The recording printed by the command itself. */
async function printed(record: string): Promise<Screen> {
  const { stdout, stderr, code } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", MAIN, "print", record, "--json"],
    env: { NO_COLOR: "1" },
  }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  return screenOf(JSON.parse(new TextDecoder().decode(stdout)));
}

function screenOf({ rows, cursor }: Screen): Screen {
  return { rows, cursor: cursor === null ? null : { row: cursor.row, column: cursor.column } };
}

Deno.test("a key and a paste cut while the program stands still are whole: what waits is read before time counts", async () => {
  const home = await Deno.makeTempDir({ prefix: "trifold_late_" });
  const file = `${home}/received.jsonl`;
  const session = openPtySession({
    command: [
      Deno.execPath(),
      "run",
      "-A",
      "--no-check",
      "--config",
      `${ROOT}deno.json`,
      MAIN,
      "run",
      "--",
      ...agentCommand(file),
    ],
    width: 80,
    height: 24,
    directory: home,
    environment: { ...homeEnvironment(home), NO_COLOR: "1" },
  });
  const row = () => session.emulator.picture().at(-1)?.trimEnd() ?? "";
  /** Types the beginning, stands still for longer than anything waits, then finds the rest. */
  const cut = async (beginning: string, rest: string) => {
    session.type(beginning);
    await silence(10);
    Deno.kill(session.pid, "SIGSTOP");
    await silence(1500);
    session.type(rest);
    await silence(20);
    Deno.kill(session.pid, "SIGCONT");
  };
  await session.until("the agent", () => session.emulator.picture().join().includes("receiver"), 15_000);
  session.type("ab");
  await session.until("ab", () => row() === "> ab");
  await cut("\x1b", "[D");
  session.type("c");
  await session.until("c between", () => row() === "> acb");
  await cut("\x1b[200~one\ntw", "o\x1b[201~");
  await session.until("one paste", () => row() === "> ac[Clipboard #1 | 7 chars, 2 lines]b");
  session.type("\x05\x15\x04");
  await session.ended;
  await removeFolder(home);
});
