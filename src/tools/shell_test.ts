import assert from "node:assert/strict";
import { longText } from "../transcript/long_text.ts";
import { exitSpan, exitStatus } from "./exit_status.ts";
import { isLongPart } from "./renderer.ts";
import { callOf, type CallSketch, partsOf, pictureOf } from "./testing.ts";

const OUTPUT = Array.from({ length: 9 }, (_, index) => `out ${index + 1}`).join("\n") + "\n";

const ran = (more: Partial<CallSketch> = {}) =>
  callOf({ name: "Bash", args: { command: "deno test -A" }, output: OUTPUT, ...more });

Deno.test("normal: the command, how it ended, the last five rows and how many are hidden", () => {
  assert.deepEqual(pictureOf(ran({ summary: "exit 0" }), "normal"), [
    "$ deno test -A  exit 0  +4 rows",
    "  out 5",
    "  out 6",
    "  out 7",
    "  out 8",
    "  out 9",
  ]);
  assert.deepEqual(pictureOf(ran(), "overview"), ["$ deno test -A"]);
  assert.deepEqual(pictureOf(ran({ output: OUTPUT + "[exit code: 2]" }), "overview"), [
    "$ deno test -A  exit 2",
  ]);
});

Deno.test("a failing command is an error of four rows, its end shown", () => {
  const failed = ran({ stage: "error", summary: "deno test: exit 1" });
  assert.deepEqual(pictureOf(failed, "normal"), [
    "$ deno test -A  exit 1  +6 rows",
    "  out 7",
    "  out 8",
    "  out 9",
  ]);
  assert.deepEqual(pictureOf(failed, "overview"), ["deno test: exit 1"]);
  const refused = ran({ stage: "error", summary: "Permission denied", output: null });
  assert.deepEqual(pictureOf(refused, "normal"), ["$ deno test -A  error", "  Permission denied"]);
});

Deno.test("a command of several lines: the first in normal with the count of the others, all in detail", () => {
  const args = {
    command: "cd src &&\n  deno test\nls",
    description: "Runs tests",
    timeout: 5000,
    cwd: "/repo",
  };
  const call = ran({ args, output: "ok\n", summary: "exit 0" });
  assert.deepEqual(pictureOf(call, "normal"), ["$ cd src &&  exit 0  (+2 lines)", "  ok"]);
  assert.deepEqual(pictureOf(call, "detail"), [
    "$ cd src &&",
    "    deno test",
    "  ls",
    "  Runs tests",
    "  in /repo",
    "  timeout: 5000",
    "  ok",
    "  exit 0",
  ]);
});

Deno.test("while it runs the output so far is shown whole", () => {
  const running = ran({ stage: "executing" });
  assert.equal(pictureOf(running, "normal").length, 10);
  assert.deepEqual(pictureOf(running, "overview"), ["$ deno test -A"]);
  assert.deepEqual(pictureOf(ran({ stage: "streaming", args: '{"command":"de', output: null }), "normal"), [
    "Bash",
    '{"command":"de',
  ]);
});

Deno.test("commands show every control and joiner", () => {
  const call = ran({ args: { command: "rm \u202e-r \u200dx\ty" } });
  assert.match(pictureOf(call, "normal")[0]!, /^\$ rm <U\+202E>-r <U\+200D>x\\x09y/);
  assert.match(pictureOf(call, "detail")[0]!, /^\$ rm <U\+202E>-r <U\+200D>x\\x09y/);
  const long = ran({ args: { command: "echo \u202e".repeat(5000) } });
  const [, command] = partsOf([long], "detail", 80);
  assert.ok(
    command !== undefined && isLongPart(command) && command.text.chunks[0]!.startsWith("echo <U+202E>"),
  );
});

Deno.test("exit codes and signals are found where tools say them, and nowhere else", () => {
  const status = (output: string | null, summary = "") => {
    const found = exitStatus(callOf({ name: "Bash", args: { command: "x" }, output, summary }));
    return found === null ? null : exitSpan(found).text;
  };
  assert.equal(status("a\n[exit code: 3]\n"), "exit 3");
  assert.equal(status("a\n[killed by signal: SIGKILL]"), "signal SIGKILL");
  assert.equal(status("Exit code 1\nstderr text"), "exit 1");
  assert.equal(status("Error: Exit code 127\nnot found"), "exit 127");
  assert.equal(status("Exit code: 0\nWall time: 0.1 seconds\nOutput:\nhello"), "exit 0");
  assert.equal(
    status("Chunk ID: 1\nWall time: 0.05 seconds\nProcess exited with code 2\nOutput:\nx"),
    "exit 2",
  );
  assert.equal(status("Output: x\nExit Code: 3\nSignal: (none)\nBackground PIDs: (none)"), "exit 3");
  assert.equal(status("oops\nCommand exited with code 4"), "exit 4");
  assert.equal(status("x", "deno test: exit 1"), "exit 1");
  assert.equal(status("x", "exited with code 5"), "exit 5");
  assert.equal(status("the exit code: 3 of it\nlast"), null);
  assert.equal(status("Exit code 1 means failure\nmore"), null);
  assert.equal(status(null), null);
  assert.equal(status("", "12 tests"), null);
});

Deno.test("a command given as words is one line", () => {
  assert.equal(
    pictureOf(ran({ args: { command: ["bash", "-lc", "ls -l"] }, output: null }), "normal")[0],
    "$ ls -l",
  );
  assert.equal(
    pictureOf(ran({ args: { command: ["bash", "-lc", "ls -l"] }, output: null }), "detail")[1],
    "  no output",
  );
});

Deno.test("edge 67 output of 50 MiB: the last rows, hidden lines counted", () => {
  const output = longText();
  const piece = "0123456789\n".repeat(95_000);
  output.chunks.push(...longText(piece).chunks);
  for (let at = 0; at < 49; at++) output.chunks.push(...longText(piece).chunks);
  output.length = piece.length * 50;
  output.newlines = 95_000 * 50;
  const rows = pictureOf(ran({ output: null, more: { output } }), "normal");
  assert.deepEqual(rows, [`$ deno test -A  +${95_000 * 50 - 5} lines`, ...Array(5).fill("  0123456789")]);
});
