// The pods of this machine: each has a directory with its log, its meta.json (what lists show) and pod.log (what went
// wrong). Whether one runs is told by the lock on its log, never by the pid in its meta.json.

import { agentName, type AgentSpec, parseAgentSpec } from "./agents.ts";
import { isLogHeld } from "./log.ts";
import { type Places, socketPathOf } from "./places.ts";
import { canConnect } from "./socket.ts";

/** What is known of a pod without asking it. */
export interface PodMeta {
  readonly id: string;
  readonly agent: AgentSpec;
  readonly cwd: string;
  readonly sessionId: string;
  /** The agent's own id of the session, by which it can be asked to go on. */
  readonly agentSessionId: string | null;
  readonly socket: string;
  readonly createdMs: number;
  readonly title: string;
  readonly lastActiveMs: number;
  /** What it does, true while it runs: starting, idle, running, paused, compacting, waiting. */
  readonly status: string;
  /** For people only: a pid may belong to another program by now. */
  readonly pid: number | null;
  /** Minutes without work and clients after which it ends. */
  readonly idleEndMinutes: number;
}

/** The files of one pod. */
export interface PodFiles {
  readonly directory: string;
  readonly log: string;
  readonly meta: string;
  readonly draft: string;
  readonly errors: string;
}

export interface PodEntry {
  readonly meta: PodMeta;
  readonly isRunning: boolean;
}

/** Without letters and digits that are taken for one another. */
const ID_SIGNS = "abcdefghjkmnpqrstuvwxyz23456789";
const LETTERS = ID_SIGNS.search(/\d/);
const ID_LENGTH = 4;
const META_VERSION = 1;

export function filesOf(directory: string): PodFiles {
  return {
    directory,
    log: `${directory}/log.jsonl`,
    meta: `${directory}/meta.json`,
    draft: `${directory}/draft.json`,
    errors: `${directory}/pod.log`,
  };
}

export function podDirectory(places: Places, id: string): string {
  return `${places.pods}/${id}`;
}

/** Makes a new pod's directory and meta.json; the pod itself is not started. */
export function createPod(
  places: Places,
  options: {
    readonly agent: AgentSpec;
    readonly cwd: string;
    readonly idleEndMinutes: number;
    /** A session the agent remembers, to go on with. */
    readonly agentSessionId?: string;
  },
): PodMeta {
  Deno.mkdirSync(places.pods, { recursive: true, mode: 0o700 });
  const id = takeId(places);
  const nowMs = Date.now();
  const meta: PodMeta = {
    id,
    agent: options.agent,
    cwd: options.cwd,
    sessionId: `${options.agent.kind === "demo" ? "demo" : "pod"}-${crypto.randomUUID().slice(0, 8)}`,
    agentSessionId: options.agentSessionId ?? null,
    socket: socketPathOf(places, id),
    createdMs: nowMs,
    title: "",
    lastActiveMs: nowMs,
    status: "idle",
    pid: null,
    idleEndMinutes: options.idleEndMinutes,
  };
  writeMeta(filesOf(podDirectory(places, id)), meta);
  return meta;
}

/** Writes meta.json in one step: a reader sees the old one or the new one. */
export function writeMeta(files: PodFiles, meta: PodMeta): void {
  const text = JSON.stringify(
    {
      version: META_VERSION,
      id: meta.id,
      title: meta.title,
      agent: meta.agent,
      cwd: meta.cwd,
      session_id: meta.sessionId,
      agent_session_id: meta.agentSessionId,
      socket: meta.socket,
      created_ms: meta.createdMs,
      last_active_ms: meta.lastActiveMs,
      status: meta.status,
      pid: meta.pid,
      idle_end_minutes: meta.idleEndMinutes,
    },
    null,
    2,
  );
  writeWhole(files.meta, text + "\n");
}

/** Replaces a file in one step, readable by its owner only. */
export function writeWhole(path: string, text: string): void {
  Deno.writeTextFileSync(`${path}.new`, text, { mode: 0o600 });
  Deno.renameSync(`${path}.new`, path);
}

/** The meta.json of a pod, or why it cannot be used. */
export function readMeta(files: PodFiles): PodMeta | { readonly problem: string } {
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(Deno.readTextFileSync(files.meta));
  } catch (error) {
    const why = error instanceof Deno.errors.NotFound ? "it is not there" : "it is damaged";
    return { problem: `Cannot read ${files.meta}: ${why}` };
  }
  if (value.version !== META_VERSION) {
    return {
      problem:
        `Cannot read ${files.meta}: its version is ${value.version}, this program knows ${META_VERSION}`,
    };
  }
  const agent = parseAgentSpec(value.agent);
  const { id, cwd, session_id, socket } = value;
  if (
    agent === null || typeof id !== "string" || typeof cwd !== "string" || typeof session_id !== "string" ||
    typeof socket !== "string"
  ) return { problem: `Cannot read ${files.meta}: it is damaged` };
  const number = (field: string, otherwise: number) =>
    typeof value[field] === "number" ? value[field] : otherwise;
  return {
    id,
    agent,
    cwd,
    sessionId: session_id,
    agentSessionId: typeof value.agent_session_id === "string" ? value.agent_session_id : null,
    socket,
    createdMs: number("created_ms", 0),
    title: typeof value.title === "string" ? value.title : "",
    lastActiveMs: number("last_active_ms", 0),
    status: typeof value.status === "string" ? value.status : "idle",
    pid: typeof value.pid === "number" ? value.pid : null,
    idleEndMinutes: number("idle_end_minutes", 720),
  };
}

/** All pods that run or have something to resume, newest first. */
export async function listPods(places: Places): Promise<PodEntry[]> {
  const entries: PodEntry[] = [];
  for (const id of podIds(places)) {
    const entry = await podWithId(places, id);
    if (entry !== null) entries.push(entry);
  }
  return entries.sort((a, b) => b.meta.lastActiveMs - a.meta.lastActiveMs);
}

/** One pod by its whole id; null where there is none that runs or has something to resume. Looks at no other. */
export async function podWithId(places: Places, id: string): Promise<PodEntry | null> {
  const files = filesOf(podDirectory(places, id));
  const meta = readMeta(files);
  if ("problem" in meta || meta.id !== id) return null;
  const isRunning = await isPodRunning(files, meta);
  return isRunning || hasContent(files.log) ? { meta, isRunning } : null;
}

/** Asks the lock; where locks cannot be tried, the socket. */
export async function isPodRunning(files: PodFiles, meta: PodMeta): Promise<boolean> {
  return isLogHeld(files.log) ?? await canConnect(meta.socket);
}

/** The pod meant by a word (an id or the beginning of one), or by none: the newest of the directory. Or why there is none. */
export function choosePod(
  entries: readonly PodEntry[],
  word: string | undefined,
  wish: { readonly cwd: string; readonly running: boolean },
): PodEntry | { readonly problem: string } {
  if (word !== undefined) {
    const exact = entries.find((entry) => entry.meta.id === word);
    const found = exact === undefined ? entries.filter((entry) => entry.meta.id.startsWith(word)) : [exact];
    if (found.length === 1 && found[0] !== undefined) return found[0];
    return {
      problem: found.length === 0
        ? `There is no pod ${word}: trifold pods --all lists them`
        : `Several pods begin with ${word}: ${found.map((entry) => entry.meta.id).join(", ")}`,
    };
  }
  const here = entries.filter((entry) => entry.meta.cwd === wish.cwd);
  const fit = here.find((entry) => entry.isRunning === wish.running) ?? (wish.running ? undefined : here[0]);
  if (fit !== undefined) return fit;
  const other = here[0] ?? entries[0];
  const hint = other === undefined
    ? "trifold starts one"
    : other.isRunning
    ? `trifold attach ${other.meta.id} goes to ${agentName(other.meta.agent)} in ${other.meta.cwd}`
    : `trifold resume ${other.meta.id} goes on with the newest one${
      here.length > 0 ? "" : `, of ${other.meta.cwd}`
    }`;
  return { problem: `No pod ${wish.running ? "runs" : "is stored"} in this directory; ${hint}` };
}

/** Removes a pod whose session never began: there is nothing in it that anybody could come back to. */
export function discardUnbegun(places: Places, id: string): void {
  const { directory, log } = filesOf(podDirectory(places, id));
  if (hasContent(log) || isLogHeld(log) === true) return;
  try {
    Deno.removeSync(directory, { recursive: true });
  } catch {
    // The pod has done it itself.
  }
}

/** Makes the directory of a new id: the file system sees to it that no two pods get the same. */
function takeId(places: Places): string {
  for (let attempt = 0;; attempt++) {
    const random = crypto.getRandomValues(new Uint8Array(ID_LENGTH + Math.floor(attempt / 8)));
    // A letter first: no id is taken for a number.
    const id = [...random].map((byte, at) => ID_SIGNS[byte % (at === 0 ? LETTERS : ID_SIGNS.length)]).join(
      "",
    );
    try {
      Deno.mkdirSync(podDirectory(places, id), { mode: 0o700 });
      return id;
    } catch (error) {
      if (!(error instanceof Deno.errors.AlreadyExists)) throw error;
    }
  }
}

function podIds(places: Places): string[] {
  try {
    return [...Deno.readDirSync(places.pods)].filter((entry) => entry.isDirectory).map((entry) => entry.name);
  } catch {
    return [];
  }
}

function hasContent(path: string): boolean {
  try {
    return Deno.statSync(path).size > 0;
  } catch {
    return false;
  }
}
