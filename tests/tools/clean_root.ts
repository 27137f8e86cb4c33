// The session of clean_root.sh: runs the executable inside a root as a person without rights, in a pseudo-terminal,
// says each step, and in the end lists what was left in the file system. Expects what the script has prepared.

import { openPtySession, type PtySession } from "../pty_session.ts";

const [root = ""] = Deno.args;
const PERSON = "4242:4242";
const HOME = "/home/person";
/** What may be left behind: README names these places. */
const DOCUMENTED = [
  /^\/home\/person\/\.cache\/trifold\//,
  /^\/home\/person\/\.local\/state\/trifold\//,
  /^\/tmp\/trifold-4242\//,
  // The demo agent's scratch copies, which it names.
  /^\/tmp\/trifold-demo-[0-9a-f]+\//,
];

/** `env -i`: nothing of this machine's environment. */
function inside(args: readonly string[]): [string, ...string[]] {
  const environment = [
    "env",
    "-i",
    `HOME=${HOME}`,
    "PATH=/usr/local/bin:/usr/bin:/bin",
    "TERM=xterm-256color",
  ];
  return [
    "chroot",
    `--userspec=${PERSON}`,
    root,
    ...environment,
    "sh",
    "-c",
    `cd ~/project && exec "$@"`,
    "sh",
    ...args,
  ];
}

function start(...args: readonly string[]): PtySession {
  return openPtySession({ command: inside(["trifold", ...args]), width: 80, height: 24 });
}

async function sees(session: PtySession, text: string): Promise<void> {
  await session.until(
    JSON.stringify(text),
    () => session.emulator.picture().join("\n").includes(text),
    20_000,
  );
}

/** Types `keys`; the program then ends with 0 and leaves the normal screen. */
async function leave(session: PtySession, keys: string): Promise<void> {
  session.type(keys);
  let exitCode: number | null = null;
  void session.ended.then((end) => exitCode = end.exitCode);
  await session.until("the end", () => exitCode !== null, 10_000);
  if (exitCode !== 0) throw new Error(`It ended with ${exitCode}: ${session.output().slice(-400)}`);
  const { alternateScreen, bracketedPaste, mouse } = session.emulator.modes();
  if (alternateScreen || bracketedPaste || mouse !== "none") {
    throw new Error("The terminal was not given back");
  }
}

/** Answers a permission; what is typed in a panel's first half second answers nothing. */
async function allow(session: PtySession): Promise<void> {
  await sees(session, "Permission");
  await new Promise((resolve) => setTimeout(resolve, 600));
  session.type("\r");
}

async function output(...args: readonly string[]): Promise<string> {
  const [command, ...rest] = inside(args);
  const { success, stdout, stderr } = await new Deno.Command(command, { args: rest, stdin: "null" }).output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`${args.join(" ")}: ${decoder.decode(stderr)}`);
  return decoder.decode(stdout).trim();
}

async function step(name: string, deed: () => Promise<string | void>): Promise<void> {
  const startMs = performance.now();
  let seen: string | void;
  try {
    seen = await deed();
  } catch (error) {
    console.error(`failed  ${name}: ${error instanceof Error ? error.message : String(error)}`);
    // Pods outlive their clients.
    for (const line of await processesOfPerson()) Deno.kill(Number(line.trim().split(" ")[0]), "SIGTERM");
    Deno.exit(1);
  }
  console.log(
    `ok  ${name}${seen === undefined ? "" : `: ${seen}`}  (${Math.round(performance.now() - startMs)} ms)`,
  );
}

const before = await listFiles();
await step("first start, which may unpack", () => output("trifold", "--version"));
await step("second start", () => output("trifold", "--version"));

await step("the demo agent reads and edits", async () => {
  await output("sh", "-c", "printf 'first line\\nsecond line\\n' > notes.txt");
  const session = start();
  await sees(session, "demo/careful-1");
  session.type("read notes.txt\r");
  await sees(session, "= finished");
  session.type("edit notes.txt: second => 2nd\r");
  await allow(session);
  await sees(session, "Done: Edited");
  await session.until(
    "the turn's end",
    () => /Done: Edited[^]*= finished/.test(session.emulator.picture().join("\n")),
  );
  await leave(session, "\x04");
  await output("rm", "notes.txt");
});

await step("a pod-JSONL agent in plain shell", async () => {
  const session = start("run", "--", "/srv/agent.sh");
  await sees(session, "shell");
  session.type("hello in there\r");
  await sees(session, "the shell heard: hello in there");
  await leave(session, "\x04");
});

await step("a recording is opened, folded, printed", async () => {
  const session = start("open", "/srv/session.jsonl");
  await sees(session, "counts cells");
  session.type("\x0f\x0f");
  await sees(session, "overview");
  await leave(session, "/quit\r");
  const printed = await output("trifold", "print", "/srv/session.jsonl", "--size", "80x24", "--text");
  if (!printed.includes("counts cells")) throw new Error(printed);
});

await step("left while it waits for an answer, attached again, answered, shut down", async () => {
  const session = start();
  await sees(session, "demo/careful-1");
  session.type("run echo was-\\here\r");
  await sees(session, "Permission");
  await leave(session, "\x03\x03");
  const [pod] = JSON.parse(await output("trifold", "pods", "--json")) as { readonly id: string }[];
  const again = start("attach", pod?.id ?? "");
  await allow(again);
  await sees(again, "= finished");
  await sees(again, "was-here");
  await leave(again, "\x04");
  return `pod ${pod?.id}`;
});

await step("no process is left", async () => {
  for (let tries = 0;; tries++) {
    const left = await processesOfPerson();
    if (left.length === 0) return;
    if (tries > 50) throw new Error(left.join("\n"));
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
});

await step("only documented places were written to", async () => {
  const left = (await listFiles()).filter((path) => !before.includes(path));
  const foreign = left.filter((path) => !DOCUMENTED.some((place) => place.test(`${path}/`)));
  const folders = new Set(
    left.flatMap((path) => DOCUMENTED.flatMap((place) => place.exec(`${path}/`)?.[0] ?? [])),
  );
  // Folders on the way to a documented one hold nothing else.
  const strange = foreign.filter((path) => !left.some((other) => other.startsWith(`${path}/`)));
  if (strange.length > 0) throw new Error(`Also: ${strange.join(", ")}`);
  return `${left.length} files and folders in ${[...folders].sort().join(", ")}`;
});
Deno.exit(0);

/** Files and folders of the root, without those of the kernel. */
async function listFiles(): Promise<string[]> {
  const { stdout } = await new Deno.Command("find", {
    args: [root, "-xdev", "-not", "-path", `${root}/dev/*`],
  }).output();
  return new TextDecoder().decode(stdout).split("\n").filter((path) => path !== "")
    .map((path) => path.slice(root.length));
}

async function processesOfPerson(): Promise<string[]> {
  const { stdout } = await new Deno.Command("ps", { args: ["-u", "4242", "-o", "pid=,args="] }).output();
  return new TextDecoder().decode(stdout).trim().split("\n").filter((line) => line !== "");
}
