// The numbers of logged events: what history already holds is dropped, what is missing or comes twice is told once.

import { addNotice } from "./reduce_notice.ts";
import { countAnomaly, type Session } from "./work.ts";

/** More missing numbers than this are not remembered one by one. */
const MISSING_AT_MOST = 10_000;

/** True when the event is to be applied. */
export function acceptSeq(session: Session, seq: number): boolean {
  const { work } = session;
  if (work.throughSeq !== null && seq <= work.throughSeq) return false;
  const last = session.lastSeq;
  if (last === null || seq === last + 1) {
    session.lastSeq = seq;
    return true;
  }
  if (seq > last) {
    const end = Math.min(seq, last + 1 + MISSING_AT_MOST);
    for (let missing = last + 1; missing < end; missing++) work.missingSeqs.add(missing);
    session.lastSeq = seq;
    tellGap(session, `Events are missing: number ${last + 1} was expected, ${seq} came`);
    return true;
  }
  // A late one fills its gap; anything else has been applied before.
  if (work.missingSeqs.delete(seq)) return true;
  tellGap(session, `Event number ${seq} came twice`);
  return false;
}

/** Numbers begin anew behind what a history holds. */
export function restartSeq(session: Session, throughSeq: number | null): void {
  const { work } = session;
  work.throughSeq = throughSeq;
  work.missingSeqs.clear();
  work.gapTold = false;
  session.lastSeq = throughSeq;
  session.wantsHistory = false;
}

function tellGap(session: Session, message: string): void {
  countAnomaly(session, "seq gap or repeat");
  if (session.capabilities.includes("history")) session.wantsHistory = true;
  if (session.work.gapTold) return;
  session.work.gapTold = true;
  addNotice(session, { level: "warn", source: null, message });
}
