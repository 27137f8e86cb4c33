// The draft in the person's own editor: a private file, the editor, and the file read back. The terminal is lent by
// the loop; whatever goes wrong, the draft stays as it was and the reason is a text for people.

/** What came out of the editor. */
export type EditedText =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "problem"; readonly what: string };

/** Said where no editor is known. */
const NO_EDITOR = "No editor is set: VISUAL or EDITOR names one, such as EDITOR=vi";

/** What the environment names as the editor, as a line for the shell; null when nothing. */
function editorCommand(
  environment: (name: string) => string | undefined = (name) => Deno.env.get(name),
): string | null {
  for (const name of ["VISUAL", "EDITOR"]) {
    const command = environment(name)?.trim() ?? "";
    if (command !== "") return command;
  }
  return null;
}

/** Lets a person edit `text` in the terminal that `lend` gives away. Never throws. */
export async function editInTerminal(
  text: string,
  lend: (run: (stop: AbortSignal) => Promise<EditedText>) => Promise<EditedText>,
): Promise<EditedText> {
  const command = editorCommand();
  if (command === null) return { kind: "problem", what: NO_EDITOR };
  try {
    return await lend((stop) => editText(text, command, stop));
  } catch (error) {
    return { kind: "problem", what: failureText(error) };
  }
}

/** Lets a person edit `text` with `command`; `stop` ends the editor. The file is gone afterwards, whatever happens. */
async function editText(text: string, command: string, stop: AbortSignal): Promise<EditedText> {
  let path: string;
  try {
    // Readable by its owner only: makeTempFile gives it mode 0600.
    path = await Deno.makeTempFile({ prefix: "trifold-", suffix: ".md" });
  } catch (error) {
    return problem(`no file can be made for it: ${failureText(error)}`);
  }
  const remove = () => {
    try {
      Deno.removeSync(path);
    } catch {
      // An editor may have moved it, and it is removed again when the editor ended.
    }
  };
  // The program may be gone before an editor that takes its time to end.
  stop.addEventListener("abort", remove);
  try {
    await Deno.writeTextFile(path, text);
    const fault = await runEditor(command, path, stop);
    return fault ?? await readBack(path);
  } catch (error) {
    return problem(failureText(error));
  } finally {
    stop.removeEventListener("abort", remove);
    remove();
  }
}

async function runEditor(command: string, path: string, stop: AbortSignal): Promise<EditedText | null> {
  const status = await startEditor(command, path, stop).status;
  if (status.success) return null;
  if (stop.aborted) return problem("the program was told to end");
  // POSIX shells: 126 it cannot be run, 127 it is not found.
  if (status.code === 127 && status.signal === null) return problem(`there is no program "${command}"`);
  if (status.code === 126 && status.signal === null) return problem(`"${command}" cannot be run`);
  return problem(`"${command}" ended with ${status.signal ?? status.code}`);
}

function startEditor(command: string, path: string, stop: AbortSignal): Deno.ChildProcess {
  if (Deno.build.os === "windows") {
    const [file = "", ...args] = command.split(/\s+/);
    return new Deno.Command(file, { args: [...args, path], stdin: "inherit", signal: stop }).spawn();
  }
  // A plain command takes the shell's place, so that ending it ends the editor itself.
  const isPlain = /^([\w./~+-]+|'[^']*'|"[^"]*")(\s|$)/.test(command) && !/[;&|]/.test(command);
  // Standard input may be a recording.
  const keys = Deno.stdin.isTerminal() ? "" : " </dev/tty";
  const script = `${isPlain ? "exec " : ""}${command} "$1"${keys}`;
  return new Deno.Command("sh", { args: ["-c", script, "editor", path], stdin: "inherit", signal: stop })
    .spawn();
}

async function readBack(path: string): Promise<EditedText> {
  try {
    const bytes = await Deno.readFile(path);
    return { kind: "text", text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch (error) {
    if (error instanceof TypeError) return problem("what it wrote is not UTF-8");
    return problem(`what it wrote cannot be read: ${failureText(error)}`);
  }
}

function problem(why: string): EditedText {
  return { kind: "problem", what: `The editor failed, the draft is as it was: ${why}` };
}

function failureText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
