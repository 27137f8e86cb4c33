// `deno task bench`: the program's speed as a table beside its budgets and the last recorded run, and as JSON. Times are
// for people: machines are noisy, so compare figures of one run. Work counts and bytes are tested elsewhere.
// --record adds this run to the history; --peers compares with other terminal libraries instead, --flood looks at a
// message that grows for a minute.

import { MAIN, makeBundle } from "../../build/bundle.ts";
import { CACHED_ENGINE_FLAGS } from "../../build/permissions.ts";
import { loadLibraries } from "../../src/app/files.ts";
import { measureRest } from "../../src/layout/layout.ts";
import { measureAttach } from "./attach.ts";
import { BUDGETS } from "./budgets.ts";
import { type BenchClient, benchClient, byteCount, cpuMs } from "./client.ts";
import { exportText, measureDocument } from "./documents.ts";
import { measureRecordings, writeRecordings } from "./formats.ts";
import { eventLines, streamedTokens } from "./generate.ts";
import { lastRun, recordRun, runOf } from "./history.ts";
import { measureLive } from "./live.ts";
import { type Executable, measureProgram } from "./program.ts";
import { measureSessions, sessionHome } from "./sessions.ts";
import { median, percentile } from "./terminal.ts";

const figures = new Map<string, number>();
const output = Deno.args.find((arg) => arg.startsWith("--json="))?.slice("--json=".length) ?? null;
const quick = Deno.args.includes("--quick");

if (Deno.args.includes("--peers")) {
  const { comparePeers } = await import("./peers/run.ts");
  await comparePeers(quick, Deno.args.includes("--record"));
  Deno.exit(0);
}

const flood = Deno.args.find((arg) => arg === "--flood" || arg.startsWith("--flood="));
if (flood !== undefined) {
  const { floodClient } = await import("./flood.ts");
  await floodClient(flood.slice("--flood=".length), quick ? 12 : 60);
  Deno.exit(0);
}

// First, while this process is small: its own garbage would be counted as others' time.
await measureStarts();
await measureLiveAgent();
await loadLibraries();
// Once for the engine to warm up, once to be counted: what is measured first must not pay for what comes after it.
for (const isCounted of [false, true]) {
  for (const [label, rows] of [["1k", 1000], ["100k", 100_000]] as const) {
    measureClient(label, rows, isCounted);
  }
}
measureLargeFrame();
const last = lastRun();
printTable();
const run = runOf(figures);
if (Deno.args.includes("--record")) recordRun(run);
if (output !== null) Deno.writeTextFileSync(output, JSON.stringify(run, null, 2) + "\n");
Deno.exit(0);

function measureClient(label: "1k" | "100k", rows: number, isCounted: boolean): void {
  const client = benchClient(120, 40);
  const readMs = client.read(eventLines(rows));
  const startMs = cpuMs();
  measureRest(client.state.layout, Infinity);
  note(isCounted && label === "100k", "S2 100k", readMs + cpuMs() - startMs);
  client.frame();
  client.tell("user_message", { text: "go on" });
  const tokens = streamedTokens(400);
  const token = repeat(client, 300, (at) => client.tell("text_delta", { text: tokens[at] ?? "" }));
  note(isCounted, `S3 ${label}`, token.ms);
  note(isCounted && label === "100k", "S3 p99", token.slowestMs);
  note(isCounted && label === "100k", "S4 100k", token.bytes);
  client.press("<PgUp>");
  client.frame();
  const line = repeat(client, 200, () => client.press("<S-Up>"));
  note(isCounted, `S5 ${label}`, line.ms);
  note(isCounted && label === "100k", "S5 bytes", line.bytes);
  if (label !== "100k") return;
  const page = repeat(client, 60, () => client.press("<PgUp>"));
  note(isCounted, "S6 100k", page.ms);
  note(isCounted, "S6 bytes", page.bytes);
  const key = repeat(client, 200, (at) => client.press("abcdefghij"[at % 10] ?? "a"));
  note(isCounted, "S9 100k", key.ms);
  note(isCounted, "S9 bytes", key.bytes);
  note(isCounted, "S7 100k", repeat(client, 6, (at) => client.resize(at % 2 === 0 ? 100 : 120, 40)).ms);
  note(isCounted, "S7 fold", repeat(client, 6, () => client.press("<C-o>")).ms);
  client.resize(90, 40);
  collectGarbage();
  const widthMs = cpuMs();
  measureRest(client.state.layout, Infinity);
  note(isCounted, "S7 all", cpuMs() - widthMs);
  client.press("<C-c>");
  client.give({ kind: "paste", text: "", cut: false, endedBy: "marker" });
  for (let at = 0; at < 2000; at++) client.press("x<C-j>");
  client.frame();
  note(isCounted, "S9 draft", repeat(client, 200, () => client.press("y")).ms);
}

function measureLargeFrame(): void {
  const client = benchClient(200, 60);
  client.read(eventLines(2000));
  client.frame();
  const again = () => client.resize(200, 60);
  repeat(client, 50, again);
  note(true, "S12 paint", repeat(client, 100, again).ms);
  note(true, "S12 same", repeat(client, 200, () => {}).ms);
}

async function measureStarts(): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "trifold_bench_" });
  const starts = quick ? 3 : 7;
  const times: number[] = [];
  for (let at = 0; at < starts; at++) times.push((await measureProgram([], "careful-1", false)).startMs);
  note(true, "S1 demo", median(times));
  await measureExecutable(starts, folder);
  const bundle = await bundled(folder);
  for (const [label, rows] of [["1k", 1000], ["10k", 10_000], ["100k", 100_000]] as const) {
    const path = `${folder}/${label}.jsonl`;
    await Deno.writeTextFile(path, eventLines(rows));
    for (const [form, executable] of [["", null], [" built", bundle]] as const) {
      const open = (isWhole: boolean) => measureProgram(["open", path], "normal", isWhole, executable);
      const runs: number[] = [];
      for (let at = 0; at < (label === "10k" ? 0 : starts); at++) runs.push((await open(false)).startMs);
      if (runs.length > 0) {
        note(true, `S1 ${label}${form}`, median(runs));
        const attachMs = await measureAttach(eventLines(rows), { starts, executable });
        note(true, `S1 attach ${label}${form}`, attachMs);
      }
      const whole = await open(true);
      note(true, `S8 ${label}${form}`, whole.memoryMb);
      if (label !== "100k" || form !== "") continue;
      note(true, "S10", whole.idlePercent);
      note(true, "S10 bytes", whole.idleBytes);
      note(true, "S9 wall", whole.echoMs);
      note(true, "S9 p99", whole.slowEchoMs);
    }
  }
  const paths = await writeRecordings(folder);
  for (const [form, executable] of [["", null], [" built", bundle]] as const) {
    const medians = await measureRecordings(paths, starts, executable);
    note(true, `S1 formats${form}`, median(medians));
    note(true, `S1 slowest${form}`, Math.max(...medians));
  }
  const home = await sessionHome(folder, 4000);
  for (const [id, isHere] of [["S1 sessions", false], ["S1 here", true]] as const) {
    for (const [form, executable] of [["", null], [" built", bundle]] as const) {
      const runs: number[] = [];
      for (let at = 0; at < starts; at++) runs.push(await measureSessions(home, isHere, executable));
      note(true, id + form, median(runs));
    }
  }
  for (const [label, rows] of [["12", 150_000], ["50", 625_000]] as const) {
    const path = `${folder}/export${label}.json`;
    await Deno.writeTextFile(path, exportText(rows));
    const { frameMs, parseMs } = await measureDocument(path, starts, folder);
    note(true, `S1 doc ${label}`, frameMs / parseMs);
    note(label === "12", "S1 doc ms", frameMs);
    if (label === "50") {
      note(true, "S8 doc 50", (await measureProgram(["open", path], "normal", true)).memoryMb);
    }
  }
  await Deno.remove(folder, { recursive: true });
}

async function measureLiveAgent(): Promise<void> {
  const live = await measureLive(quick ? 8 : 20);
  note(true, "live event", live.eventMs);
  note(true, "live flood", live.floodLagMs);
  note(true, "live key", live.floodKeyMs);
  note(true, "live memory", live.floodMb);
}

/** The program as it is shipped: bundled. */
async function bundled(cache: string): Promise<Executable> {
  await makeBundle();
  const flags = ["-A", "--no-check", "--no-config", "--no-lock", ...CACHED_ENGINE_FLAGS];
  return { command: [Deno.execPath(), "run", ...flags, MAIN], cache };
}

/** The executable that `deno task compile` left, if there is one: its size, and its start beside that of the sources. */
async function measureExecutable(starts: number, cache: string): Promise<void> {
  const dist = new URL("../../dist/", import.meta.url).pathname;
  for (const name of ["trifold", "trifold-portable"]) {
    const path = dist + name;
    const size = await Deno.stat(path).then((info) => info.size, () => null);
    if (size === null) continue;
    note(true, "size", size / 1e6);
    const times: number[] = [];
    for (let at = 0; at <= starts; at++) {
      times.push((await measureProgram([], "careful-1", false, { command: [path], cache })).startMs);
    }
    // The first start of a portable executable unpacks it.
    note(true, "S1 dist", median(times.slice(1)));
    return;
  }
}

/** Mean CPU time and bytes of a deed and its frame; of a hundred deeds the slowest but one, by the clock. */
function repeat(
  client: BenchClient,
  times: number,
  deed: (at: number) => void,
): { readonly ms: number; readonly bytes: number; readonly slowestMs: number } {
  let bytes = 0;
  const took: number[] = [];
  const startMs = cpuMs();
  for (let at = 0; at < times; at++) {
    const beganMs = performance.now();
    deed(at);
    bytes += byteCount(client.frame());
    took.push(performance.now() - beganMs);
  }
  return { ms: (cpuMs() - startMs) / times, bytes: bytes / times, slowestMs: percentile(took, 99) };
}

/** What was measured before must not be paid for by what is measured now. */
function collectGarbage(): void {
  (globalThis as { gc?: () => void }).gc?.();
}

function note(isCounted: boolean, id: string, figure: number): void {
  if (isCounted) figures.set(id, figure);
}

function printTable(): void {
  const row = (cells: readonly string[]) =>
    `| ${cells[0]?.padEnd(20)} | ${cells[1]?.padEnd(50)} | ${
      cells.slice(2).map((cell) => cell.padStart(10)).join(" | ")
    } |`;
  console.log(row(["#", "operation", "figure", "budget", "recorded"]));
  console.log(row(["-".repeat(20), "-".repeat(50), ...Array(3).fill("-".repeat(10))]));
  for (const { id, what, unit, most } of BUDGETS) {
    const figure = figures.get(id);
    if (figure === undefined) continue;
    const before = last?.figures[id];
    const cells = [
      id,
      `${what}${unit === "ms CPU" ? " (CPU)" : ""}`,
      `${round(figure)} ${unit.split(" ")[0]}`,
      most === Infinity ? "-" : String(most),
      before === undefined ? "-" : round(before),
    ];
    console.log(row(cells) + (figure > most ? " over" : ""));
  }
  if (last !== null) console.log(`recorded: ${last.date.slice(0, 10)}, ${last.machine}`);
}

function round(figure: number): string {
  return figure >= 100 ? figure.toFixed(0) : figure >= 10 ? figure.toFixed(1) : figure.toFixed(2);
}
