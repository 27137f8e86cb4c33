// /resume: the sessions of this machine, each with the command that opens it.

import { oneLine } from "./one_line.ts";
import { labelled, type Panel } from "./panels/panel.ts";

/** One session as a list shows it; outside text. */
export interface SessionRow {
  readonly id: string;
  readonly title: string;
  readonly agent: string;
  readonly status: string;
  /** Since it was last active: "12 min". */
  readonly age: string;
  readonly directory: string;
  readonly command: string;
}

const LABEL = 22;

/** The list as a text panel. */
export function sessionsPanel(rows: readonly SessionRow[]): Panel {
  const lines = rows.map((row) => {
    const facts = [row.title, row.agent, row.status, row.age, row.directory];
    return labelled(oneLine(row.command), facts.map((fact) => oneLine(fact)).join("  "), LABEL);
  });
  return {
    kind: "text",
    name: "sessions",
    title: "Sessions",
    lines: lines.length === 0 ? [labelled("", "there are none yet", 0)] : lines,
    scroll: 0,
  };
}
