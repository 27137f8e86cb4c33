// `trifold sessions` on a terminal: the sessions as a list to pick one from, which is then shown. They are there by
// their files' names as soon as they are found; titles fill in while they are read, newest first.

import { formatAge, formatBytes } from "../../layout/format.ts";
import { loadMarkdown } from "../../text/markdown.ts";
import type { Call } from "../commands.ts";
import type { Input } from "../effect.ts";
import type { PickerItem } from "../panels/picker_panel.ts";
import { showClient } from "../run.ts";
import { later } from "./later.ts";
import type { SessionDetails } from "./session_details.ts";
import type { Here } from "./session_here.ts";
import type { FoundSession, FoundSessions } from "./session_places.ts";
import { findHere, hereAsked } from "./sessions.ts";
import type { SessionsSubject } from "./subject.ts";

/** Sessions whose details fill a screen: they are shown before others are read. */
const FIRST_ROWS = 60;
/** Time after which the first are shown, as many as there are, in ms. */
const FIRST_MS = 30;
/** Time between two updates of the list, in ms. Making many items takes its time: most of it is for reading on. */
const UPDATE_MS = 120;

/** Shows the list, and then what is picked from it. */
export async function pickSession(call: Call): Promise<number> {
  const skipped: string[] = [];
  const hints: string[] = [];
  const here = await hereAsked(call);
  const list = listSessions({ here, find: (look) => findHere(here, look), skipped, hints });
  const subject: SessionsSubject = {
    kind: "sessions",
    list,
    open: async (path) => {
      await loadMarkdown();
      return await (await later("open_recording")).openSubject(path, call.flags);
    },
  };
  const code = await showClient(subject, call.flags);
  const { sayWhatIsMissing } = await later("session_list");
  await sayWhatIsMissing(skipped, hints);
  return code;
}

interface SessionsToList {
  /** Only sessions of this directory; null for all. */
  readonly here: Here | null;
  readonly find: (look: (sessions: readonly FoundSession[]) => Promise<void>) => Promise<FoundSessions>;
  /** What cannot be read is added to it, and what is to be known of what was not found. */
  readonly skipped: string[];
  readonly hints: string[];
}

/** How the list is made, step by step. */
export function listSessions({ here, find, skipped, hints }: SessionsToList): SessionsSubject["list"] {
  return async ({ give, isOver, ready }) => {
    const home = Deno.env.get("HOME") ?? null;
    const giveUnread = (sessions: readonly FoundSession[]) =>
      give(itemsInput(sessions.map(unreadItem), false));
    // Of which directory a session is, only reading tells.
    const isShownUnread = here === null;
    // What reads them is not needed for rows by their files' names, and is for any other.
    const loading = isShownUnread ? null : later("session_list");
    const found = await find(async (sessions) => {
      if (isShownUnread) await giveUnread(sessions);
    });
    if (isOver()) return;
    skipped.push(...found.skipped);
    hints.push(...found.hints);
    if (isShownUnread) await giveUnread(found.sessions);

    const { listDetails, shortDirectory, titleOf } = await (loading ?? later("session_list"));
    const unread = isShownUnread ? found.sessions.map(unreadItem) : [];
    const read: PickerItem[] = [];
    let at = 0;
    // What was read and gave nothing is left out.
    const listed = () => itemsInput([...read, ...unread.slice(at)], false);
    let dueMs = performance.now() + FIRST_MS;
    for await (const { session, details } of listDetails(found.sessions, { here, skipped })) {
      if (isOver()) return;
      const facts = {
        title: titleOf({ session, details }),
        directory: shortDirectory(details.directory, home),
      };
      read.push(itemOf(session, facts));
      at = found.sessions.indexOf(session, at) + 1;
      if (read.length !== FIRST_ROWS && performance.now() < dueMs) continue;
      await give(listed());
      if (read.length >= FIRST_ROWS) ready();
      dueMs = performance.now() + UPDATE_MS;
    }
    if (!isOver()) await give(itemsInput(read, true));
  };
}

function itemsInput(items: readonly PickerItem[], isEnd: boolean): Input {
  return { kind: "session_items", items: [...items], isEnd };
}

function unreadItem(session: FoundSession): PickerItem {
  return itemOf(session, null);
}

function itemOf(
  session: FoundSession,
  details: Pick<SessionDetails, "title" | "directory"> | null,
): PickerItem {
  const facts = [
    formatAge(Date.now() - session.modifiedMs),
    session.agent,
    session.byteLength === null ? "" : formatBytes(session.byteLength),
    details?.directory ?? "",
  ];
  const name = session.path.replace(/^.*[\\/]/, "");
  return {
    id: session.path,
    label: details?.title ?? name,
    detail: facts.filter((fact) => fact !== "").join("  "),
    isCurrent: false,
  };
}
