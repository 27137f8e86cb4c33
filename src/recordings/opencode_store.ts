// The older store of OpenCode, a file per session, message and part, put together as one exported session. Reading
// the folder is source.ts: it asks here which files it needs.

import { fieldAt, type Fields, fieldsOf, firstText, isFields, numberOf, textOf } from "./fields.ts";

/** One JSON file of the store; `path` is relative to it, with "/". */
export interface StoreFile {
  readonly path: string;
  readonly value: unknown;
}

/** The sessions to be read: the wanted one, and those of its nested agents. */
export interface StoreChoice {
  readonly session: Fields;
  readonly children: readonly Fields[];
}

/** Folders of the store. */
export const STORE_FOLDERS = ["session", "message", "part"] as const;

/** The session of that id, else the newest that no other session started; null when there is none. */
export function chooseSession(
  sessions: readonly StoreFile[],
  wanted: string | null = null,
): StoreChoice | null {
  const infos = sessions.map(({ value }) => value).filter((value): value is Fields =>
    isFields(value) && typeof value.id === "string"
  );
  const roots = infos.filter((info) => wanted === null ? textOf(info.parentID) === null : info.id === wanted);
  let session: Fields | null = null;
  for (const info of roots) {
    if (session === null || updatedAt(info) > updatedAt(session)) session = info;
  }
  if (session === null) return null;
  const children: Fields[] = [];
  const known = new Set([session.id]);
  for (let found = true; found;) {
    found = false;
    for (const info of infos) {
      if (known.has(info.id) || !known.has(info.parentID)) continue;
      known.add(info.id);
      children.push(info);
      found = true;
    }
  }
  return { session, children };
}

/** What a session's own file says of it; empty where it does not. */
export function storeFacts(
  info: unknown,
): { readonly title: string; readonly firstWords: string; readonly directory: string } {
  const fields = fieldsOf(info);
  return { title: textOf(fields.title) ?? "", firstWords: "", directory: textOf(fields.directory) ?? "" };
}

/** One value as `opencode export` writes it, with the sessions of nested agents beside. */
export function assembleStore(choice: StoreChoice, files: readonly StoreFile[]): Fields {
  const messages = new Map<string, { readonly path: string; readonly info: Fields }[]>();
  const parts = new Map<string, { readonly path: string; readonly part: Fields }[]>();
  for (const { path, value } of files) {
    const [folder = "", owner = ""] = path.split("/");
    if (!isFields(value)) continue;
    if (folder === "message") put(messages, firstText(value.sessionID) ?? owner, { path, info: value });
    if (folder === "part") put(parts, firstText(value.messageID) ?? owner, { path, part: value });
  }
  const sessionOf = (info: Fields): Fields => ({
    info,
    messages: sorted(messages.get(textOf(info.id) ?? "") ?? []).map(({ info: message }) => ({
      info: message,
      parts: sorted(parts.get(textOf(message.id) ?? "") ?? []).map(({ part }) => part),
    })),
  });
  return { ...sessionOf(choice.session), children: choice.children.map(sessionOf) };
}

/** Names rise with time; so does what is kept. */
function sorted<Row extends { readonly path: string }>(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
}

function put<Row>(map: Map<string, Row[]>, key: string, row: Row): void {
  const rows = map.get(key);
  if (rows === undefined) map.set(key, [row]);
  else rows.push(row);
}

function updatedAt(info: Fields): number {
  const time = fieldsOf(info.time);
  return numberOf(time.updated) ?? numberOf(fieldAt(time, "created")) ?? 0;
}
