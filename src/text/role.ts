// The closed list of style roles: what a piece of text means, never how it looks.
// screen/theme.ts gives each role its look; a snapshot prints the role's name.

/** Every role. The order is the numeric id used in frames; append at the end of a group freely, ids are never stored. */
export const ROLES = [
  "default",
  // Marks in the gutter and heads of blocks.
  "turn.mark",
  "turn.stats",
  "turn.problem",
  "model",
  "user.mark",
  "user.text",
  "user.pending",
  "user.steer",
  "greeting.name",
  "greeting.label",
  "greeting.text",
  "reasoning.mark",
  "reasoning.head",
  "reasoning.text",
  "selected.mark",
  "more", // "+N rows": what a fold hides
  "token", // a control or invisible character shown as text
  // Markdown.
  "md.heading",
  "md.strong",
  "md.emphasis",
  "md.strong_emphasis",
  "md.strike",
  "md.code",
  "md.fence",
  "md.fence_mark",
  "md.link",
  "md.link_target",
  "md.quote",
  "md.quote_mark",
  "md.rule",
  "md.list_mark",
  "md.table_border",
  "md.table_head",
  "md.html",
  // Tool calls.
  "status.pending",
  "status.streaming",
  "status.executing",
  "status.done",
  "status.failed",
  "status.incomplete",
  "tool.name",
  "tool.argument",
  "tool.summary",
  "tool.args",
  "tool.output",
  "tool.error",
  "tool.path",
  "tool.note",
  "tool.label",
  "tool.created",
  "tool.overwrote",
  "tool.command",
  "tool.exit",
  "diff.added",
  "diff.removed",
  "diff.context",
  "diff.hunk",
  "diff.path",
  "diff.line_number",
  // Other rows of the transcript.
  "note.info",
  "note.warn",
  "note.error",
  "compact.mark",
  "compact.text",
  "question.mark",
  "question.text",
  "question.answer",
  // Status row, plan, queue, composer, panels.
  "status.left",
  "status.warn",
  "status.hint",
  "status.spinner",
  "status.fold",
  "plan.done",
  "plan.active",
  "plan.pending",
  "queue.text",
  "composer.mark",
  "composer.text",
  "composer.placeholder",
  "composer.selection",
  "composer.hint",
  "panel.border",
  "panel.title",
  "panel.text",
  "panel.label",
  "panel.selected",
  "panel.hint",
  "panel.warn",
  "panel.key",
  // What was looked for and found; the one that the view went to.
  "find.hit",
  "find.current",
  // Colour a tool's own output asked for, as the nearest of the 16 ANSI colours.
  "ansi.bold",
  "ansi.dim",
  "ansi.italic",
  "ansi.underline",
  "ansi.reverse",
  "ansi.strike",
  "ansi.black",
  "ansi.red",
  "ansi.green",
  "ansi.yellow",
  "ansi.blue",
  "ansi.magenta",
  "ansi.cyan",
  "ansi.white",
  "ansi.bright_black",
  "ansi.bright_red",
  "ansi.bright_green",
  "ansi.bright_yellow",
  "ansi.bright_blue",
  "ansi.bright_magenta",
  "ansi.bright_cyan",
  "ansi.bright_white",
  // A background colour, drawn as reverse video of that colour.
  "ansi.on_black",
  "ansi.on_red",
  "ansi.on_green",
  "ansi.on_yellow",
  "ansi.on_blue",
  "ansi.on_magenta",
  "ansi.on_cyan",
  "ansi.on_white",
] as const;

/** A style by meaning. */
export type Role = typeof ROLES[number];

const ids = new Map<string, number>(ROLES.map((role, id) => [role, id]));

/** The numeric id of a role, 0 for "default"; frames store it. */
export function roleId(role: Role): number {
  return ids.get(role) ?? 0;
}

/** The role with that id; "default" when there is none. */
export function roleOf(id: number): Role {
  return ROLES[id] ?? "default";
}
