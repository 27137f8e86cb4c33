// The help panel: the key table, the commands and the status row's figures, from the tables that they are made of.

import { keyTable } from "../input/key_table.ts";
import { cellWidth } from "../text/graphemes.ts";
import { oneLine } from "./one_line.ts";
import { heading, labelled, type Panel, type PanelLine } from "./panels/panel.ts";
import { SLASH_COMMANDS } from "./slash.ts";
import type { State } from "./state.ts";
import { STATUS_FIGURES } from "./status_row.ts";

const BLANK: PanelLine = { line: { spans: [] }, indent: 0 };

/** Keys, commands and figures; what was asked for comes first. */
export function helpPanel(state: State, first: "keys" | "commands" = "keys"): Panel {
  const rows = keyTable(state.keymap).filter((row) => row.keys !== "");
  const width = Math.min(34, Math.max(...rows.map((row) => cellWidth(row.keys))) + 2);
  const [keys, commands] = [keyLines(rows, width), commandLines(state, width)];
  const lines = first === "keys" ? [...keys, BLANK, ...commands] : [...commands, BLANK, ...keys];
  lines.push(BLANK, heading("status row"));
  for (const [figure, meaning] of STATUS_FIGURES) lines.push(labelled(figure, meaning, width));
  return { kind: "text", name: "help", title: "Help", lines, scroll: 0 };
}

function keyLines(rows: ReturnType<typeof keyTable>, width: number): readonly PanelLine[] {
  const lines: PanelLine[] = [];
  let group = "";
  for (const row of rows) {
    if (row.group !== group) {
      if (group !== "") lines.push(BLANK);
      lines.push(heading(row.group));
    }
    group = row.group;
    lines.push(labelled(row.keys, row.label, width));
  }
  return lines;
}

/** Ours, then the agent's own. */
function commandLines(state: State, width: number): readonly PanelLine[] {
  const lines = [heading("commands")];
  for (const [name, command] of Object.entries(SLASH_COMMANDS)) {
    lines.push(labelled(`/${name} ${command.hint}`.trim(), command.label, width));
  }
  for (const command of state.transcript.commands) {
    lines.push(labelled(`/${oneLine(command.name)}`, oneLine(command.description), width));
  }
  return lines;
}
