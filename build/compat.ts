// `deno task compat`: the sources on Deno 2.5, whose runtime people may put into DENORT_BIN: type-checked, run without
// a terminal, and in a real pseudo-terminal with a pod. The version comes from the npm registry and needs Node's npx.

import { endsWith, kill, sees, startProgram } from "../tests/program_session.ts";
import { ROOT, run } from "./bundle.ts";

const VERSION = "2.5.7";
/** That version reads a machine's own certificates only when told to. */
const ENVIRONMENT = { DENO_TLS_CA_STORE: "system", DENO_NO_UPDATE_CHECK: "1" };

const deno =
  (await run("npx", ["-y", `deno@${VERSION}`, "eval", "console.log(Deno.execPath())"], ENVIRONMENT)).trim();

await step("type check", () => run(deno, ["check", "-q", "--no-lock", `${ROOT}main.ts`], ENVIRONMENT));

await step("trifold print", async () => {
  const events = `${ROOT}testdata/first-turn/events.jsonl`;
  const args = ["-A", `${ROOT}main.ts`, "print", events, "--size", "80x24", "--text"];
  const [there, here] = await Promise.all([
    run(deno, ["run", "--no-lock", ...args], ENVIRONMENT),
    run(Deno.execPath(), ["run", ...args]),
  ]);
  if (there !== here) throw new Error(`The screens differ:\n${there}\n${here}`);
});

await step("demo agent and pod in a terminal", async () => {
  const program = await startProgram([], { environment: { ...ENVIRONMENT, DENO: deno } });
  await sees(program, "demo/careful-1", 30_000);
  program.session.type("read notes.txt\r");
  await sees(program, "Read 1 file");
  await sees(program, "= finished");
  program.session.resize(40, 20);
  program.session.resize(80, 24);
  const errors = await endsWith(program, 0, () => program.session.type("/quit\r"));
  if (errors !== "") throw new Error(errors);
});

await step("ended by SIGTERM", async () => {
  const program = await startProgram([], { environment: { ...ENVIRONMENT, DENO: deno } });
  await sees(program, "demo/careful-1", 30_000);
  await endsWith(program, 143, () => kill(program, "SIGTERM"));
});

await step("left and attached again", async () => {
  const home = await Deno.makeTempDir();
  const options = { home, environment: { ...ENVIRONMENT, DENO: deno } };
  const program = await startProgram([], options);
  await sees(program, "demo/careful-1", 30_000);
  program.session.type("run echo was-\\here\r");
  await sees(program, "Permission");
  await endsWith(program, 0, () => program.session.type("/quit\r"), { podsGoOn: true });
  const again = await startProgram(["attach"], options);
  await sees(again, "Permission", 30_000);
  // What is typed in a panel's first half second answers nothing.
  await new Promise((resolve) => setTimeout(resolve, 600));
  again.session.type("\r");
  await sees(again, "was-here");
  await sees(again, "= finished");
  await endsWith(again, 0, () => again.session.type("\x04"));
  await Deno.remove(home, { recursive: true });
});

console.log(`Deno ${VERSION}: all well`);
Deno.exit(0);

async function step(name: string, deed: () => Promise<unknown>): Promise<void> {
  const startMs = performance.now();
  try {
    await deed();
  } catch (error) {
    console.error(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    Deno.exit(1);
  }
  console.log(`${name}: ok (${((performance.now() - startMs) / 1000).toFixed(1)} s)`);
}
