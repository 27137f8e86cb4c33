// `deno task bench --peers`: the same transcript, the same terminal, the same deeds, for us and for the libraries that
// other programs draw with. They are installed with npm into a cache outside of this project, in the versions here, and
// run in turn with us, so that a pair of runs meets the same machine: what is printed is the ratio within each pair.

import { pieces, streamedTokens } from "../generate.ts";
import { measureProgram } from "../program.ts";
import { type ComparedFigure, type Comparison, recordPeers } from "../history.ts";
import { endProgram, median, openPlainTerminal } from "../terminal.ts";

interface Peer {
  readonly name: string;
  readonly script: string;
  readonly package: string;
  readonly version: string;
  readonly runtime: "node" | "bun";
  /** Longer transcripts it cannot be waited for. */
  readonly mostRows: number;
}

const PEERS: readonly Peer[] = [
  {
    name: "pi-tui",
    script: "pi_tui.mjs",
    package: "@earendil-works/pi-tui",
    version: "1.6.0",
    runtime: "node",
    mostRows: Infinity,
  },
  {
    name: "OpenTUI",
    script: "opentui.mjs",
    package: "@opentui/core",
    version: "0.8.1",
    runtime: "bun",
    mostRows: Infinity,
  },
  { name: "ink", script: "ink.mjs", package: "ink", version: "8.0.0", runtime: "node", mostRows: Infinity },
  {
    name: "neo-blessed",
    script: "blessed.mjs",
    package: "neo-blessed",
    version: "0.2.0",
    runtime: "node",
    mostRows: 10_000,
  },
  {
    name: "terminal-kit",
    script: "terminal_kit.mjs",
    package: "terminal-kit",
    version: "3.1.4",
    runtime: "node",
    mostRows: 10_000,
  },
];
/** What some of them need beside them. */
const COMPANIONS: Readonly<Record<string, string>> = { react: "19.3.1", "wrap-ansi": "9.0.2" };
const PLATFORM = `${Deno.build.os}-${Deno.build.arch === "x86_64" ? "x64" : "arm64"}`;
const NODE = { package: `node-${PLATFORM}`, version: "24.21.0" };
const BUN = { package: `@oven/bun-${PLATFORM}`, version: "1.4.5" };

const [COLUMNS, ROWS] = [120, 40];
const HERE = new URL("./", import.meta.url).pathname;

/** What one run of the scenario gave; null where the program cannot do it. */
interface Figures {
  readonly startMs: number;
  readonly memoryMb: number;
  readonly idlePercent: number;
  readonly resizeMs: number | null;
  readonly cpuMs: Readonly<Record<Phase, number | null>>;
  readonly bytes: Readonly<Record<Phase, number | null>>;
}

type Phase = typeof PHASES[number];
const PHASES = ["token", "line", "page"] as const;

/** What scenario.mjs leaves behind. */
interface ScenarioResult {
  readonly startMs: number;
  readonly memoryMb: number;
  readonly idlePercent: number;
  readonly resizeMs?: number;
  readonly phases: {
    readonly [Name in Phase]?: { count: number; cpuMs: number | null; from: number; to: number };
  };
}

/** The figures of the table: how each is taken from a run, and how it is written. */
const COLUMNS_SHOWN: readonly {
  readonly title: string;
  readonly digits: number;
  of(figures: Figures): number | null;
}[] = [
  { title: "start ms", digits: 0, of: (one) => one.startMs },
  { title: "token ms", digits: 2, of: (one) => one.cpuMs.token },
  { title: "token B", digits: 0, of: (one) => one.bytes.token },
  { title: "line ms", digits: 2, of: (one) => one.cpuMs.line },
  { title: "line B", digits: 0, of: (one) => one.bytes.line },
  { title: "page ms", digits: 2, of: (one) => one.cpuMs.page },
  { title: "page B", digits: 0, of: (one) => one.bytes.page },
  { title: "resize ms", digits: 1, of: (one) => one.resizeMs },
  { title: "memory MB", digits: 0, of: (one) => one.memoryMb },
];

/** Installs the peers, runs all pairs and prints the table; `isRecorded` also appends it to the recorded comparisons. */
export async function comparePeers(isQuick: boolean, isRecorded: boolean): Promise<void> {
  const cache = await installPeers();
  const pairs = isQuick ? 1 : 3;
  const compared: Comparison[] = [];
  for (const rows of [1000, 10_000, 100_000]) {
    const files = await writeTranscript(cache, rows);
    console.log(`\n${rows.toLocaleString("en")} rows, ${pairs} pair${pairs === 1 ? "" : "s"} of runs each`);
    printRow(["", ...COLUMNS_SHOWN.map(({ title }) => title)]);
    for (const peer of PEERS) {
      if (rows > peer.mostRows) continue;
      const done: Pair[] = [];
      for (let at = 0; at < pairs; at++) {
        const runPeer = () => runScenario(commandOf(cache, peer), files, cache);
        // Who begins changes, so that neither always finds the machine as the other left it.
        const ours = at % 2 === 0 ? await runOurs(files, cache) : null;
        const theirs = await runPeer();
        done.push({ theirs, ours: ours ?? await runOurs(files, cache) });
      }
      const one = { peer: `${peer.name} ${peer.version}`, rows, figures: compareColumns(done) };
      printComparison(peer.name, one);
      compared.push(one);
    }
  }
  if (isRecorded) recordPeers(compared);
}

/** Runs beside each other; null for one that did not come through. */
interface Pair {
  readonly theirs: Figures | null;
  readonly ours: Figures | null;
}

/** The middle of each column over all pairs, and of the ratios within them. */
function compareColumns(pairs: readonly Pair[]): Record<string, ComparedFigure> {
  const compared: Record<string, ComparedFigure> = {};
  for (const { title, of } of COLUMNS_SHOWN) {
    const known = pairs.flatMap(({ theirs, ours }) => {
      if (theirs === null || ours === null) return [];
      const [peer, own] = [of(theirs), of(ours)];
      return peer === null || own === null || own === 0 ? [] : [{ peer, own }];
    });
    if (known.length === 0) continue;
    compared[title] = {
      theirs: median(known.map(({ peer }) => peer)),
      ours: median(known.map(({ own }) => own)),
      ratio: median(known.map(({ peer, own }) => peer / own)),
    };
  }
  return compared;
}

function printComparison(name: string, { figures }: Comparison): void {
  if (Object.keys(figures).length === 0) return printRow([name, "no result"]);
  const cells = (write: (one: ComparedFigure, digits: number) => string) =>
    COLUMNS_SHOWN.map(({ title, digits }) => {
      const figure = figures[title];
      return figure === undefined ? "-" : write(figure, digits);
    });
  printRow([name, ...cells(({ theirs }, digits) => theirs.toFixed(digits))]);
  printRow(["  Trifold", ...cells(({ ours }, digits) => ours.toFixed(digits))]);
  printRow(["  they need", ...cells(({ ratio }) => `x${ratio.toFixed(1)}`)]);
}

function printRow(cells: readonly string[]): void {
  console.log(cells.map((cell, at) => at === 0 ? cell.padEnd(14) : cell.padStart(10)).join(""));
}

/** Our scenario, with the start of the real program on the same transcript. */
async function runOurs(files: Transcript, cache: string): Promise<Figures | null> {
  const command = [Deno.execPath(), "run", "-A", "--no-check", `${HERE}ours.ts`] as const;
  const figures = await runScenario({ command: [...command], environment: {} }, files, cache);
  if (figures === null) return null;
  const { startMs } = await measureProgram(["open", files.recording], "normal", false);
  return { ...figures, startMs };
}

interface Transcript {
  readonly pieces: string;
  readonly recording: string;
}

async function writeTranscript(cache: string, rows: number): Promise<Transcript> {
  const { eventLines } = await import("../generate.ts");
  const files = { pieces: `${cache}/pieces-${rows}.json`, recording: `${cache}/session-${rows}.jsonl` };
  await Deno.writeTextFile(files.pieces, JSON.stringify(pieces(rows)));
  await Deno.writeTextFile(files.recording, eventLines(rows));
  return files;
}

interface ScenarioCommand {
  readonly command: [string, ...string[]];
  readonly environment: Readonly<Record<string, string>>;
}

function commandOf(cache: string, peer: Peer): ScenarioCommand {
  const modules = `${cache}/node_modules`;
  const runtime = peer.runtime === "node"
    ? `${modules}/${NODE.package}/bin/node`
    : `${modules}/${BUN.package}/bin/bun`;
  return { command: [runtime, `${cache}/${peer.script}`], environment: { BENCH_PACKAGE: peer.package } };
}

/** Null when the program ended without a result, or took too long. */
async function runScenario(
  { command, environment }: ScenarioCommand,
  files: Transcript,
  cache: string,
): Promise<Figures | null> {
  const output = await Deno.makeTempFile({ prefix: "trifold_peer_" });
  const startMs = performance.now();
  const terminal = openPlainTerminal({
    command,
    columns: COLUMNS,
    rows: ROWS,
    directory: cache,
    environment: {
      ...environment,
      BENCH_COLUMNS: String(COLUMNS),
      BENCH_ROWS: String(ROWS),
      BENCH_OUTPUT: output,
      BENCH_TRANSCRIPT: files.pieces,
      BENCH_TOKENS: JSON.stringify(streamedTokens(400)),
      NODE_ENV: "production",
    },
  });
  const asked = setInterval(() => {
    try {
      Deno.removeSync(`${output}.resize`);
      terminal.resize(COLUMNS - 20, ROWS);
    } catch {
      // Not yet.
    }
  }, 2);
  await Promise.race([terminal.ended, new Promise((resolve) => setTimeout(resolve, SCENARIO_MS))]);
  clearInterval(asked);
  await endProgram(terminal, "");
  const text = await Deno.readTextFile(output);
  await Deno.remove(output);
  if (text === "") return null;
  return figuresOf(JSON.parse(text) as ScenarioResult, terminal.arrivals, startMs);
}

const SCENARIO_MS = 90_000;

function figuresOf(
  result: ScenarioResult,
  arrivals: readonly { readonly atMs: number; readonly length: number }[],
  startMs: number,
): Figures {
  const cpuMs: Partial<Record<Phase, number | null>> = {};
  const bytes: Partial<Record<Phase, number | null>> = {};
  for (const name of PHASES) {
    const phase = result.phases[name];
    cpuMs[name] = phase?.cpuMs ?? null;
    bytes[name] = null;
    if (phase === undefined || phase.count === 0) continue;
    const [from, to] = [phase.from - performance.timeOrigin, phase.to - performance.timeOrigin];
    const during = arrivals.filter(({ atMs }) => atMs >= from && atMs <= to);
    bytes[name] = during.reduce((sum, { length }) => sum + length, 0) / phase.count;
  }
  return {
    startMs: result.startMs - performance.timeOrigin - startMs,
    memoryMb: result.memoryMb,
    idlePercent: result.idlePercent,
    resizeMs: result.resizeMs ?? null,
    cpuMs: cpuMs as Figures["cpuMs"],
    bytes: bytes as Figures["bytes"],
  };
}

/** The peers' folder, with everything installed. */
async function installPeers(): Promise<string> {
  const base = Deno.env.get("XDG_CACHE_HOME") ?? `${Deno.env.get("HOME")}/.cache`;
  const cache = `${base}/trifold-bench-peers`;
  const dependencies = {
    ...COMPANIONS,
    ...Object.fromEntries([...PEERS, NODE, BUN].map((one) => [one.package, one.version])),
  };
  const wanted = JSON.stringify({ private: true, type: "module", dependencies }, null, 2);
  await Deno.mkdir(cache, { recursive: true });
  for (const { name } of Deno.readDirSync(HERE)) {
    if (name.endsWith(".mjs")) await Deno.copyFile(`${HERE}${name}`, `${cache}/${name}`);
  }
  const present = await Deno.readTextFile(`${cache}/installed.json`).catch(() => "");
  if (present === wanted) return cache;
  console.log(`installing ${PEERS.map((peer) => `${peer.name} ${peer.version}`).join(", ")} into ${cache}`);
  await Deno.writeTextFile(`${cache}/package.json`, wanted);
  const { success, stderr } = await new Deno.Command("npm", {
    args: ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
    cwd: cache,
    stdout: "null",
    stderr: "piped",
  }).output();
  if (!success) throw new Error(`Cannot install the peers: ${new TextDecoder().decode(stderr).trim()}`);
  await Deno.writeTextFile(`${cache}/installed.json`, wanted);
  return cache;
}
