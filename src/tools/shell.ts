// The shell tools: the command behind a "$", the end of what it printed, and how it ended.

import type { ToolCall } from "../transcript/tool_call.ts";
import { toolInput } from "../transcript/tool_names.ts";
import { otherArguments } from "./arguments.ts";
import { exitStatus } from "./exit_status.ts";
import { rendererOf } from "./stages.ts";
import { terminalLook, type TerminalView } from "./terminal_look.ts";

const shellLook = terminalLook(shellView, (call, { width }) => {
  const { command, description, cwd } = toolInput(call);
  // A list of words is not the command as it is shown, but it says the same.
  const names = command === null || call.input === null
    ? []
    : Object.keys(call.input).filter((name) =>
      Array.isArray(call.input?.[name]) && /^(command|cmd)$/.test(name)
    );
  return otherArguments(call, width, { values: [command, description, cwd], names });
});

/** Draws a call that runs a command. */
export const renderShell = rendererOf(shellLook);

function shellView(call: ToolCall): TerminalView {
  const { command, description, cwd } = toolInput(call);
  const notes: string[] = [];
  if (description !== null && description.trim() !== "") notes.push(description);
  if (cwd !== null && cwd.trim() !== "") notes.push(`in ${cwd}`);
  return {
    command: command?.trim() === "" ? null : command,
    notes,
    output: call.output,
    exit: exitStatus(call),
  };
}
