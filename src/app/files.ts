// Recordings of any format on their way into the client, and what a client without a terminal needs: all libraries
// at once, and what its snapshot says. Reading is recordings/source.ts, the formats are recordings/detect.ts.

import { isFollowing, rowTotals, visibleRows } from "../layout/viewport.ts";
import { detectFormat, formatNamed } from "../recordings/detect.ts";
import { RECORDS_LOOKED_AT } from "../recordings/likely_format.ts";
import type { SnapshotState } from "../screen/snapshot.ts";
import { loadClusterWidths } from "../text/graphemes.ts";
import { loadLineDiff } from "../text/line_diff.ts";
import { loadMarkdown } from "../text/markdown.ts";
import { type Choose, createFeedOf, type Feed, type FeedOptions } from "./io/feed.ts";
import type { State } from "./state.ts";
import { transcriptHeight } from "./update.ts";

/** The libraries that the first frame does without: with them everything is exact. */
export async function loadLibraries(): Promise<void> {
  await Promise.all([loadMarkdown(), loadClusterWidths(), loadLineDiff()]);
}

/** A feed of the named format, or of the one that the first good records have. */
export function createFeed(format: string | null, options: FeedOptions = {}): Feed {
  return createFeedOf(chooseFormat(format), options);
}

/** The named format; without a name it is told from the records. */
export function chooseFormat(name: string | null): Choose {
  if (name !== null) {
    const named = formatNamed(name);
    return (values, isEnd) => {
      if (named.kind === "problem" || values.some((value) => named.format.isRecord(value))) return named;
      if (!isEnd && values.length < RECORDS_LOOKED_AT) return null;
      const seen = Math.min(values.length, RECORDS_LOOKED_AT);
      const what =
        `Cannot read the recording as ${name}: none of its first ${seen} records is of that format`;
      return { kind: "problem", what: `${what}; without --format it is found out` };
    };
  }
  return (values, isEnd) => {
    if (isEnd || values.length >= RECORDS_LOOKED_AT) return detectFormat(values);
    // A pod's own log says hello on its first line; nothing else needs to be waited for.
    const found = values.length === 0 ? null : detectFormat(values);
    return found?.kind === "format" ? found : null;
  };
}

/** What a snapshot's state line says; measures every block. */
export function snapshotState(state: State): SnapshotState {
  const height = transcriptHeight(state);
  const inView = visibleRows(state.layout, state.viewport, height).length;
  const { top, total } = rowTotals(state.layout, state.viewport, height);
  return {
    rowsStart: top,
    rowsEnd: top + inView,
    rowCount: total,
    isFollowing: isFollowing(state.viewport),
    focus: state.focus,
    panel: state.panel?.name ?? null,
  };
}
