// Which call an id means, and making the calls that are only implied so far.

import { appendBlock, type Scope, scopeOf, touch } from "./blocks.ts";
import { longText } from "./long_text.ts";
import { joinReadGroup, lastReadGroup } from "./read_group.ts";
import { closeText } from "./reduce_text.ts";
import { isFinal } from "./tool_call.ts";
import { toolKind } from "./tool_names.ts";
import type { Call, CallOrigin, Session } from "./work.ts";

/** The name of a call whose start has not come. */
export const UNNAMED = "?";

/** A parent id as a key; null is the transcript itself. */
export function parentKey(parentId: string | null): string | null {
  return parentId === "" ? null : parentId;
}

/** The call a nested block stands in; made, unnamed, when it has not been announced. Null for the transcript's own. */
export function parentCall(session: Session, key: string | null): Call | null {
  if (key === null) return null;
  return session.work.calls.get(key) ??
    createCall(session, { id: key, name: "", parentId: null, origin: "child" });
}

/** The oldest call of empty id that passes, open ones first, since such ids cannot tell them apart. */
export function idlessCall(session: Session, passes: (call: Call) => boolean): Call | undefined {
  const { idless } = session.work;
  return idless.find((call) => !isFinal(call.stage) && passes(call)) ?? idless.find(passes);
}

/** Makes a call and its block, or adds it to the read group above. Text above it ends. */
export function createCall(
  session: Session,
  given: {
    readonly id: string;
    readonly name: string;
    readonly parentId: string | null;
    readonly origin: CallOrigin;
  },
): Call {
  const { work } = session;
  const key = given.parentId === given.id ? null : parentKey(given.parentId);
  const scope = scopeOf(session, parentCall(session, key));
  closeText(session, key, true);
  const call = {
    id: given.id,
    name: given.name === "" ? UNNAMED : given.name,
    stage: "pending",
    args: longText(),
    argsFixed: false,
    input: null,
    summary: "",
    output: null,
    presentation: null,
    writeLabel: null,
    changes: null,
    late: false,
    secondResultIgnored: false,
    incompleteReason: null,
    children: [],
    turn: work.openTurn,
    parentId: key,
    started: given.origin === "start" || given.origin === "done",
    resulted: false,
    outputGiven: false,
    fromInFlight: false,
    closedBySurface: false,
    filesSettled: false,
  } as unknown as Call;
  place(session, call, scope);
  if (given.id === "") work.idless.push(call);
  else work.calls.set(given.id, call);
  if (!call.started) noteOrphan(session, call);
  work.openCalls.add(call);
  if (work.mode !== "surface") session.counts.toolCalls++;
  work.journal.push({ kind: "start", call, name: given.name, origin: given.origin });
  return call;
}

/** Gives a call its name, or a better one. An unnamed call that turns out a Read joins a group next to it. */
export function nameCall(session: Session, call: Call, name: string): void {
  if (name === "" || name === call.name) return;
  if (call.block.calls.length > 1 && toolKind(name) !== "read") return;
  call.name = name;
  if (toolKind(name) === "read") joinReadGroup(session, call);
  touch(session, call.block);
}

/** Remembers a call whose beginning an older history page may bring. */
export function noteOrphan(session: Session, call: Call): void {
  const { mode, orphans, liveOrphans } = session.work;
  if (call.id === "" || orphans.has(call.id)) return;
  orphans.set(call.id, call);
  if (mode === "live") liveOrphans.add(call);
}

function place(session: Session, call: Call, scope: Scope): void {
  const group = toolKind(call.name) === "read" ? lastReadGroup(session, scope.list) : null;
  if (group !== null) {
    group.calls.push(call);
    call.block = group;
    touch(session, group);
    return;
  }
  call.block = appendBlock(session, scope, (base) => ({ ...base, kind: "tool_call", calls: [call] }));
}
