// `trifold sessions`: the sessions that the known agents keep on this machine, newest first: as a list, as JSON, or
// on a terminal as a list to pick one from and read it. Here they are only found; what reads them is loaded later.

import type { Call } from "../commands.ts";
import { later } from "./later.ts";
import { podPlaces } from "./pod_places.ts";
import { isInteractive } from "./refuse.ts";
import { type Here, hereOf } from "./session_here.ts";
import { findSessions, type FoundSession, type FoundSessions } from "./session_places.ts";

/** `trifold sessions`. */
export async function sessionsCommand(call: Call): Promise<number> {
  const { json } = call.flags;
  if (!json && isInteractive()) return await (await later("pick_session")).pickSession(call);
  const here = await hereAsked(call);
  const found = await findHere(here);
  const skipped = [...found.skipped];
  const { listDetails, sayWhatIsMissing, writeJson, writeList } = await later("session_list");
  const list = listDetails(found.sessions, { here, skipped });
  const isWhole = json ? await writeJson(list) : await writeList(list);
  if (!isWhole) return 0;
  await sayWhatIsMissing(skipped, found.hints);
  return 0;
}

/** The directory that sessions are asked for of; null for all. */
export async function hereAsked(call: Call): Promise<Here | null> {
  return call.flags.here ? await hereOf(Deno.cwd(), Deno.env.get("PWD") ?? null) : null;
}

/** The sessions of this machine. */
export function findHere(
  here: Here | null,
  look?: (sessions: readonly FoundSession[]) => Promise<void>,
): Promise<FoundSessions> {
  return findSessions({
    environment: (name) => Deno.env.get(name),
    pods: podPlaces()?.pods ?? null,
    here,
    ...look === undefined ? {} : { look },
  });
}
