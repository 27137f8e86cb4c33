// The older store of OpenCode, a file per session, message and part, put together as one exported session. Reading
// the folder is source.ts: it asks here which files it needs.

import { fieldAt, type Fields, fieldsOf, isFields, numberOf, textOf } from "./fields.ts";
import type { DocumentMessage, SessionDocument } from "./session_document.ts";

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

/** The files of a store, by paths relative to it. */
export interface StoreFiles {
  /** JSON files below a folder, `depth` folders deep, none when it is not there. */
  list(folder: string, depth: number): readonly string[];
  /** Throws what JSON.parse throws. */
  read(path: string): unknown;
}

/** A message stands for so many bytes where only its file's name is known. */
const MESSAGE_LENGTH = 1 << 12;

/** The session as `opencode export` writes it, with the sessions of nested agents beside: read as it is asked for. */
export function storeDocument(choice: StoreChoice, files: StoreFiles): SessionDocument {
  const [, messageFolder, partFolder] = STORE_FOLDERS;
  /** The oldest store kept the parts of all messages in one folder. */
  const loose = new Map<string, { readonly path: string; readonly part: Fields }[]>();
  /** Nobody knows whose they were: told with the first message. */
  const lost: string[] = [];
  for (const path of files.list(partFolder, 0)) {
    const part = readFields(files, path);
    if (part === null) lost.push(path);
    const owner = part === null ? null : textOf(part.messageID);
    if (part !== null && owner !== null) put(loose, owner, { path, part });
  }
  const partsOf = (message: Fields, missing: string[]): readonly Fields[] => {
    const id = textOf(message.id) ?? "";
    const own = isPlainName(id) ? files.list(`${partFolder}/${id}`, 1) : [];
    const parts = own.flatMap((path) => {
      const part = readFields(files, path);
      if (part === null) missing.push(path);
      return part === null ? [] : [{ path, part }];
    });
    return sorted([...parts, ...loose.get(id) ?? []]).map(({ part }) => part);
  };
  const pathsOf = (session: Fields): readonly string[] =>
    isPlainName(session.id) ? [...files.list(`${messageFolder}/${session.id}`, 1)].sort() : [];
  const messageIn = (path: string): DocumentMessage => {
    const info = readFields(files, path);
    if (info === null) return { kind: "problem", what: noObject(path), line: 1 };
    const missing = path === paths[0] ? [...lost] : [];
    const value = { info, parts: partsOf(info, missing) };
    return { kind: "value", value, missing: missing.map(noObject) };
  };
  const messagesIn = (paths: readonly string[]): readonly Fields[] =>
    paths.map(messageIn).flatMap((message) => message.kind === "value" ? [message.value] : []);

  const paths = pathsOf(choice.session);
  const head = {
    info: choice.session,
    messages: [],
    children: choice.children.map((info) => ({
      info,
      // Most of a long session is told without any of them.
      get messages() {
        return messagesIn(pathsOf(info));
      },
    })),
  };
  return {
    head,
    count: paths.length,
    lengthBefore: (index) => index * MESSAGE_LENGTH,
    messageAt: (index) => messageIn(paths[index] ?? ""),
    whole: () => ({ ...head, messages: messagesIn(paths) }),
  };
}

function noObject(path: string): string {
  return `${path} is no JSON object`;
}

function readFields(files: StoreFiles, path: string): Fields | null {
  try {
    const value = files.read(path);
    return isFields(value) ? value : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Ids come from files: one that is more than a name would lead out of the store. */
export function isPlainName(id: unknown): id is string {
  return typeof id === "string" && id !== "" && !/[/\\]|^\.+$/.test(id);
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
