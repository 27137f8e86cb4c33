// `trifold sessions` on a terminal: the sessions as a list to pick one from, which is then shown. Titles fill in while
// they are read.

import { loadMarkdown } from "../../text/markdown.ts";
import { formatAge, formatBytes } from "../../layout/format.ts";
import type { Call } from "../commands.ts";
import type { Input } from "../effect.ts";
import type { PickerItem } from "../panels/picker_panel.ts";
import { showClient } from "../run.ts";
import type { SessionsSubject } from "./subject.ts";
import { openSubject } from "./open_recording.ts";
import type { SessionDetails } from "./session_details.ts";
import { findHere, listDetails, sayWhatIsMissing, shortDirectory, titleOf } from "./sessions.ts";
import type { FoundSession } from "./session_places.ts";

/** Least time between two updates of the list, in ms. */
const UPDATE_MS = 80;

/** Shows the list, and then what is picked from it. */
export async function pickSession(call: Call): Promise<number> {
  const skipped: string[] = [];
  const hints: string[] = [];
  const subject: SessionsSubject = {
    kind: "sessions",
    list: async (give, isOver) => {
      const found = await findHere();
      skipped.push(...found.skipped);
      hints.push(...found.hints);
      const home = Deno.env.get("HOME") ?? null;
      const wanted = call.flags.here ? Deno.cwd() : null;
      const known = new Map<FoundSession, SessionDetails>();
      let read = 0;
      // What was read and gave nothing is left out; of which directory a session is, only reading tells.
      const listed = () =>
        found.sessions.filter((one, at) => known.has(one) || at >= read && wanted === null);
      const items = (isEnd: boolean): Input => ({
        kind: "session_items",
        items: listed().map((session) => itemOf(session, known.get(session) ?? null, home)),
        isEnd,
      });
      await give(items(false));
      let dueMs = performance.now() + UPDATE_MS;
      for await (const { session, details } of listDetails(found.sessions, { directory: wanted, skipped })) {
        if (isOver()) return;
        known.set(session, details);
        read = found.sessions.indexOf(session, read) + 1;
        if (performance.now() < dueMs) continue;
        await give(items(false));
        // Making many items takes its time too: most of it is for reading on.
        dueMs = performance.now() + UPDATE_MS;
      }
      read = Infinity;
      if (!isOver()) await give(items(true));
    },
    open: async (path) => {
      await loadMarkdown();
      return await openSubject(path, call.flags);
    },
  };
  const code = await showClient(subject, call.flags);
  sayWhatIsMissing(skipped, hints);
  return code;
}

function itemOf(session: FoundSession, details: SessionDetails | null, home: string | null): PickerItem {
  const facts = [
    formatAge(Date.now() - session.modifiedMs),
    session.agent,
    session.byteLength === null ? "" : formatBytes(session.byteLength),
    details === null ? "" : shortDirectory(details.directory, home),
  ];
  const name = session.path.replace(/^.*[\\/]/, "");
  return {
    id: session.path,
    label: details === null ? name : titleOf({ session, details }),
    detail: facts.filter((fact) => fact !== "").join("  "),
    isCurrent: false,
  };
}
