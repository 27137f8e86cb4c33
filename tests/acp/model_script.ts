// What a scripted model says: steps without any provider's names, and how a wish for a tool becomes a call of whatever
// tools an agent declares.

/** Something to be done with a tool; each agent has its own for it. */
export type ToolWish =
  | { readonly kind: "read"; readonly file: string }
  | { readonly kind: "write"; readonly file: string; readonly text: string }
  | { readonly kind: "edit"; readonly file: string; readonly from: string; readonly to: string }
  | { readonly kind: "shell"; readonly command: string };

/** One answer of the model. */
export interface ModelStep {
  readonly thinking?: string;
  readonly text?: string;
  readonly wishes?: readonly ToolWish[];
  /** Instead of an answer. */
  readonly error?: { readonly status: number; readonly message: string };
  /** Between two pieces of text. */
  readonly paceMs?: number;
}

/** Scripts by name; a prompt says "#name" to be answered by one. */
export type ModelScripts = Readonly<Record<string, readonly ModelStep[]>>;

/** A tool as an agent declares it to the model. */
export interface DeclaredTool {
  readonly name: string;
  /** Names of its parameters. */
  readonly parameters: readonly string[];
  readonly required: readonly string[];
}

export interface ToolCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** What was asked of the model. */
export interface ModelRequest {
  /** The last message with a script's name in it; empty for a request beside the conversation (titles, routing). */
  readonly prompt: string;
  /** Answers given since. */
  readonly answers: number;
  readonly tools: readonly DeclaredTool[];
  readonly isStream: boolean;
}

/** Tools that can grant a wish, the best first. */
const TOOLS: Readonly<Record<ToolWish["kind"], readonly string[]>> = {
  read: ["read", "Read", "read_file", "view"],
  write: ["write", "Write", "write_file"],
  edit: ["edit", "Edit", "replace"],
  shell: ["bash", "Bash", "run_shell_command", "shell", "exec_command", "shell_command"],
};

const SCRIPT_NAME = /#([a-z]+)\b/g;

/** The name of the script a text asks for; null when it asks for none. */
export function scriptName(text: string): string | null {
  return [...text.matchAll(SCRIPT_NAME)].at(-1)?.[1] ?? null;
}

/** The answer to a request. */
export function stepFor(scripts: ModelScripts, request: ModelRequest): ModelStep {
  const script = scripts[scriptName(request.prompt) ?? ""];
  if (script === undefined || request.tools.length === 0) return { text: "A title" };
  return script[Math.min(request.answers, script.length - 1)] ?? { text: "Nothing is left to say." };
}

/** The calls for a step's wishes; one that no tool can grant is left out. Paths become absolute. */
export function callsOf(step: ModelStep, tools: readonly DeclaredTool[], cwd: string): ToolCall[] {
  return (step.wishes ?? []).flatMap((wish) => {
    const tool = TOOLS[wish.kind].map((name) => tools.find((one) => one.name === name)).find((one) => one);
    return tool === undefined ? [] : [{ name: tool.name, args: argumentsOf(wish, tool, cwd) }];
  });
}

function argumentsOf(wish: ToolWish, { parameters, required }: DeclaredTool, cwd: string) {
  const args: Record<string, unknown> = {};
  const set = (names: readonly string[], value: unknown) => {
    const name = names.find((one) => parameters.includes(one));
    if (name !== undefined) args[name] = value;
  };
  if ("file" in wish) set(["file_path", "filePath", "absolute_path", "path"], `${cwd}/${wish.file}`);
  switch (wish.kind) {
    case "write":
      set(["content"], wish.text);
      break;
    case "edit":
      set(["old_string", "oldString", "oldText"], wish.from);
      set(["new_string", "newString", "newText"], wish.to);
      if (parameters.includes("edits")) args.edits = [{ oldText: wish.from, newText: wish.to }];
      set(["instruction"], "Change it");
      break;
    case "shell":
      set(["command", "cmd"], wish.command);
      set(["description"], "Run a command");
      if (required.includes("is_background")) args.is_background = false;
      break;
    case "read":
  }
  return args;
}
