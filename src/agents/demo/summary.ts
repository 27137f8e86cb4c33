// Short words for long talk: a session's title, and the summary that a compaction leaves. Pure.

import type { SessionRecord } from "./record.ts";

/** The first line of a message, cut at a word where it is long. */
export function titleOf(text: string): string {
  const line = text.trim().split("\n")[0] ?? "";
  return line.length <= 60 ? line : `${line.slice(0, 60).replace(/\s+\S*$/, "")}…`.toWellFormed();
}

/** What was asked, for the model to go on with; null when nothing was said. */
export function summaryText(record: SessionRecord): string | null {
  const said = record.entries
    .filter(({ item }) => item.type === "message" && item.role === "user")
    .map(({ item }) => titleOf((item.content as { text: string }[])[0]?.text ?? ""));
  if (said.length === 0) return null;
  const newest = said.slice(-5).map((text) => `- ${text}`).join("\n");
  return `[summary] What was asked so far (${said.length} in all, the newest last):\n${newest}`;
}
