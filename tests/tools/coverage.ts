// `deno task coverage [TEST FILES]`: runs the tests and prints how many lines and branches of each folder they ran.
// What runs in processes of its own (pods, the program in a terminal) is not seen.

const root = new URL("../../", import.meta.url).pathname;
const profile = await Deno.makeTempDir({ prefix: "trifold_coverage_" });
await run(["test", "-A", "--no-check", "--parallel", "-q", `--coverage=${profile}`, ...Deno.args]);
const report = new TextDecoder().decode(
  await run(["coverage", "--lcov", "--include=/src/", profile], "piped"),
);
await Deno.remove(profile, { recursive: true });

interface Count {
  files: number;
  lines: number;
  linesRun: number;
  branches: number;
  branchesRun: number;
}

const folders = new Map<string, Count>();
let folder = "";
for (const line of report.split("\n")) {
  const [name = "", value = ""] = line.split(/:(.*)/s);
  if (name === "SF") folder = folderOf(value);
  const count = folders.get(folder) ?? { files: 0, lines: 0, linesRun: 0, branches: 0, branchesRun: 0 };
  if (folder !== "") folders.set(folder, count);
  if (name === "SF") count.files++;
  else if (name === "LF") count.lines += Number(value);
  else if (name === "LH") count.linesRun += Number(value);
  else if (name === "BRF") count.branches += Number(value);
  else if (name === "BRH") count.branchesRun += Number(value);
}

console.log(`${"folder".padEnd(20)}${"files".padStart(7)}${"lines".padStart(9)}${"branches".padStart(10)}`);
const all: Count = { files: 0, lines: 0, linesRun: 0, branches: 0, branchesRun: 0 };
for (const [name, count] of [...folders].sort(([first], [second]) => first < second ? -1 : 1)) {
  printRow(name, count);
  for (const part of Object.keys(all) as (keyof Count)[]) all[part] += count[part];
}
printRow("all", all);

function printRow(name: string, { files, lines, linesRun, branches, branchesRun }: Count): void {
  const share = (part: number, whole: number) => whole === 0 ? "-" : `${(100 * part / whole).toFixed(1)} %`;
  console.log(
    name.padEnd(20) + String(files).padStart(7) + share(linesRun, lines).padStart(9) +
      share(branchesRun, branches).padStart(10),
  );
}

function folderOf(path: string): string {
  const inside = path.slice(path.indexOf("/src/") + 1);
  return inside.slice(0, inside.lastIndexOf("/"));
}

async function run(args: readonly string[], stdout: "inherit" | "piped" = "inherit"): Promise<Uint8Array> {
  const command = new Deno.Command(Deno.execPath(), {
    args: [...args],
    cwd: root,
    stdout,
    stderr: "inherit",
  });
  const output = await command.spawn().output();
  return stdout === "piped" ? output.stdout : new Uint8Array(0);
}
