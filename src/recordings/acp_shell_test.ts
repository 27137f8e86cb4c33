// Where real agents leave the specification in what a command prints and how it ended (quirks 1 and 7).

import assert from "node:assert/strict";
import { running, said } from "./acp_play_test.ts";

/** An update that carries a terminal's piece in `_meta`. */
function piece(key: string, data: string): object {
  return { _meta: { [key]: { terminal_id: "t", data } } };
}

Deno.test("acp quirk 1 (shell output, increments): pi and Codex put terminal pieces in _meta", () => {
  for (const key of ["terminal_output", "terminal_output_delta"]) {
    const one = running();
    one.update("tool_call", {
      toolCallId: "t",
      title: "make all",
      kind: "execute",
      status: "pending",
      content: [{ type: "terminal", terminalId: "t" }],
      _meta: { terminal_info: { terminal_id: "t", cwd: "/repo" } },
    });
    one.update("tool_call_update", { toolCallId: "t", status: "in_progress", ...piece(key, "one\n") });
    one.update("tool_call_update", { toolCallId: "t", status: "in_progress", ...piece(key, "two\n") });
    const told = one.update("tool_call_update", {
      toolCallId: "t",
      status: "failed",
      _meta: {
        [key]: { terminal_id: "t", data: "three\n" },
        terminal_exit: { terminal_id: "t", exit_code: 2, signal: null },
      },
    });
    assert.deepEqual(one.all("tool_output").map((output) => output.text), ["one\n", "two\n", "three\n"]);
    assert.deepEqual(told.map((event) => event.event), ["tool_output", "tool_result"]);
    const result = one.all("tool_result")[0];
    assert.deepEqual([result?.summary, result?.output, result?.is_error], ["exit 2: make all", null, true]);
    assert.deepEqual(JSON.parse(one.all("tool_call_done")[0]?.arguments ?? ""), {
      command: "make all",
      cwd: "/repo",
    });
  }
});

Deno.test("acp quirk 1 (shell output, increments without a terminal): Codex's read and search cards", () => {
  const one = running();
  one.update("tool_call", {
    toolCallId: "r",
    name: "exec_command",
    kind: "search",
    title: "Search for 'x' in .",
    status: "in_progress",
  });
  one.update("tool_call_update", {
    toolCallId: "r",
    status: "completed",
    rawOutput: { exit_code: 0 },
    ...piece("terminal_output_delta", "a:1:x\nb:2:x\n"),
  });
  assert.equal(one.all("tool_output")[0]?.text, "a:1:x\nb:2:x\n");
  assert.equal(one.all("tool_result")[0]?.summary, "2 lines for x");
});

Deno.test("acp quirk 1 (shell output, whole re-sends): OpenCode's growing text is told piece by piece", () => {
  const one = running();
  const rawInput = { command: "seq 3", description: "Count" };
  one.update("tool_call", {
    toolCallId: "b",
    title: "bash",
    kind: "execute",
    status: "pending",
    rawInput: {},
  });
  for (const output of ["1\n", "1\n2\n", "1\n2\n3\n"]) {
    one.update("tool_call_update", {
      toolCallId: "b",
      title: "bash",
      kind: "execute",
      status: "in_progress",
      rawInput,
      content: said(output),
    });
  }
  one.update("tool_call_update", {
    toolCallId: "b",
    status: "completed",
    content: said("1\n2\n3\n"),
    rawOutput: { output: "1\n2\n3\n", metadata: { exit: 0 } },
  });
  assert.deepEqual(one.all("tool_output").map((output) => output.text), ["1\n", "2\n", "3\n"]);
  assert.deepEqual([one.all("tool_result")[0]?.output, one.all("tool_result")[0]?.summary], [
    null,
    "exit 0: seq 3",
  ]);

  // A text that does not continue the one before can only be told by the result.
  one.update("tool_call", {
    toolCallId: "c",
    title: "bash",
    kind: "execute",
    status: "in_progress",
    rawInput,
    content: said("50%"),
  });
  one.update("tool_call_update", { toolCallId: "c", status: "in_progress", content: said("100%") });
  one.update("tool_call_update", { toolCallId: "c", status: "completed", content: said("done") });
  assert.deepEqual(one.all("tool_output").slice(3).map((output) => output.text), ["50%"]);
  assert.equal(one.all("tool_result")[1]?.output, "done");
});

Deno.test("acp quirk 1 (shell output, final text): Gemini, Qwen and Claude", () => {
  const one = running();
  // Claude: first the description as content, at the end the output in a fence.
  one.update("tool_call", {
    toolCallId: "c",
    title: "Terminal",
    name: "Bash",
    kind: "execute",
    status: "pending",
    rawInput: {},
    content: [],
  });
  one.update("tool_call_update", {
    toolCallId: "c",
    rawInput: { command: "ls" },
    title: "ls",
    content: said("List files"),
  });
  one.update("tool_call_update", {
    toolCallId: "c",
    status: "completed",
    rawOutput: "a\nb",
    content: said("```console\na\nb\n```"),
  });
  assert.equal(one.all("tool_result")[0]?.output, "a\nb");
  // Gemini: an empty content for a failing command; what described the call before is not its output.
  one.agent("session/request_permission", {
    toolCall: {
      toolCallId: "run_shell_command__1",
      title: "cat /x; exit 3",
      kind: "execute",
      status: "pending",
      content: said("[current working directory /repo]"),
    },
    options: [],
  }, 1);
  one.update("tool_call_update", {
    toolCallId: "run_shell_command__1",
    status: "completed",
    title: "cat /x; exit 3",
    content: [],
    kind: "execute",
  });
  assert.deepEqual([one.all("tool_result")[1]?.output, one.all("tool_result")[1]?.is_error], [null, false]);
  // Qwen: the output also as data, without the words around it.
  one.update("tool_call", {
    toolCallId: "q",
    title: "Shell",
    kind: "execute",
    status: "pending",
    rawInput: {},
    _meta: { toolName: "run_shell_command" },
  });
  one.update("tool_call_update", {
    toolCallId: "q",
    status: "failed",
    rawInput: { command: "cat /x" },
    content: said("Command: cat /x\nDirectory: (root)\nOutput: no such file\nExit Code: 3"),
    rawOutput: { type: "shell_result", output: "no such file", exitCode: 3, signal: null },
  });
  assert.deepEqual([one.all("tool_result")[2]?.output, one.all("tool_result")[2]?.summary], [
    "no such file",
    "exit 3: cat /x",
  ]);
});

Deno.test("acp quirk 7 (failed commands): the exit decides, wherever it stands", () => {
  const one = running();
  const start = (id: string) =>
    one.update("tool_call", {
      toolCallId: id,
      title: "bash",
      kind: "execute",
      status: "in_progress",
      rawInput: { command: "exit 3" },
    });
  start("opencode");
  one.update("tool_call_update", {
    toolCallId: "opencode",
    status: "completed",
    rawOutput: { output: "", metadata: { exit: 3 } },
  });
  start("codex");
  one.update("tool_call_update", {
    toolCallId: "codex",
    status: "failed",
    _meta: { terminal_exit: { exit_code: 3, signal: null } },
  });
  start("pi");
  one.update("tool_call_update", {
    toolCallId: "pi",
    status: "failed",
    _meta: {
      terminal_output: { data: "\n\nCommand exited with code 3" },
      terminal_exit: { exit_code: 1, signal: null },
    },
  });
  start("killed");
  one.update("tool_call_update", {
    toolCallId: "killed",
    status: "failed",
    _meta: { terminal_exit: { exit_code: null, signal: "SIGTERM" } },
  });
  assert.deepEqual(one.all("tool_result").map(({ summary, is_error }) => [summary, is_error]), [
    ["exit 3: exit 3", true],
    ["exit 3: exit 3", true],
    ["exit 3: exit 3", true],
    ["killed by signal SIGTERM: exit 3", true],
  ]);
});
