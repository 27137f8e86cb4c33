// The speed table of README.md, as Markdown, from the newest recorded runs: each figure beside its budget, beside what
// the peers needed for the same deed.

import { type Budget, BUDGETS } from "../bench/budgets.ts";
import {
  type Comparison,
  type RecordedPeers,
  recordedPeers,
  type RecordedRun,
  recordedRuns,
} from "../bench/history.ts";

/** Which column of the comparison stands beside which of our figures. */
const COMPARED: Readonly<Record<string, string>> = {
  "S1 100k": "start ms",
  "S3 100k": "token ms",
  "S4 100k": "token B",
  "S5 100k": "line ms",
  "S5 bytes": "line B",
  "S6 100k": "page ms",
  "S6 bytes": "page B",
  "S7 100k": "resize ms",
  "S8 100k": "memory MB",
};
/** Peers that cannot be waited for with more are shown with this many rows. */
const FEWER_ROWS = 10_000;
const SHIPPED = " built";

/** README with its speed table as it ought to be; throws when the marks or the recorded runs are missing. */
export function withSpeed(readme: string): string {
  const marks = /(<!-- speed -->\n\n)[^]*?(<!-- \/speed -->)/;
  const [run, peers] = [recordedRuns().at(-1), recordedPeers().at(-1)];
  if (!marks.test(readme) || run === undefined || peers === undefined) {
    throw new Error(
      "Cannot write the speed table: README.md has no <!-- speed --> marks, or nothing is recorded",
    );
  }
  return readme.replace(marks, (_all, head: string, tail: string) => head + readmeSpeed(run, peers) + tail);
}

function readmeSpeed(run: RecordedRun, peers: RecordedPeers): string {
  const names = [...new Set(peers.compared.map(({ peer }) => peer))];
  const rows = BUDGETS.filter(({ id }) => !id.endsWith(SHIPPED) && run.figures[id] !== undefined)
    .map((budget) => [
      budget.id.split(" ")[0] ?? "",
      `${budget.what}${budget.unit.endsWith("CPU") && budget.unit !== "% CPU" ? ", CPU" : ""}`,
      budget.most === Infinity ? "" : `${budget.most} ${unitOf(budget)}`,
      written(run.figures[budget.id], budget),
      written(run.figures[budget.id + SHIPPED], budget),
      ...names.map((name) => peerCell(peers.compared.filter(({ peer }) => peer === name), budget)),
    ]);
  const table = tableOf([["", "", "budget", "Trifold", "as shipped", ...names], ...rows]);
  return `Ours: ${run.date.slice(0, 10)}, ${run.machine}. Peers: ${
    peers.date.slice(0, 10)
  }, ${peers.machine}.\n\n` +
    table + "\n";
}

function peerCell(compared: readonly Comparison[], budget: Budget): string {
  const column = COMPARED[budget.id];
  if (column === undefined) return "";
  const whole = compared.find(({ rows }) => rows === 100_000)?.figures[column];
  const fewer = compared.find(({ rows }) => rows === FEWER_ROWS)?.figures[column];
  const figure = whole ?? fewer;
  if (figure === undefined) return "";
  const ratio = figure.ratio >= 10 ? figure.ratio.toFixed(0) : figure.ratio.toFixed(1);
  return `${written(figure.theirs, budget)} (x${ratio})${whole === undefined ? " ¹" : ""}`;
}

function unitOf(budget: Budget): string {
  return budget.unit === "bytes" ? "B" : budget.unit.split(" ")[0] ?? "";
}

function written(figure: number | undefined, budget: Budget): string {
  if (figure === undefined) return "";
  const digits = figure >= 100 || Number.isInteger(figure) ? 0 : figure >= 10 ? 1 : 2;
  return `${figure.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${
    unitOf(budget)
  }`;
}

/** In the shape that `deno fmt` gives tables. */
function tableOf(all: readonly (readonly string[])[]): string {
  const widths = (all[0] ?? []).map((_cell, column) =>
    Math.max(3, ...all.map((row) => (row[column] ?? "").length))
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  const [head = [], ...rows] = all;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n") + "\n";
}
