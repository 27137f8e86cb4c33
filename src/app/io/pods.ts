// The commands about pods that show no client: stop, and the list of pods. Those that do are attach.ts.

import { agentName } from "../../pod/agents.ts";
import {
  filesOf,
  isPodRunning,
  listPods,
  podDirectory,
  type PodEntry,
  type PodMeta,
} from "../../pod/directory.ts";
import { connectTo, writeWholly } from "../../pod/socket.ts";
import { formatAge } from "../../layout/format.ts";
import { safeText } from "../../text/outside_text.ts";
import { methodLine } from "../../transcript/method.ts";
import type { Call } from "../commands.ts";
import { choosePodOf } from "./attach.ts";
import type { SessionRow } from "../sessions_panel.ts";
import { NO_PLACE, podPlaces } from "./pod_places.ts";
import { refuse } from "./refuse.ts";
import { tableLines } from "./text_table.ts";

/** How long a pod has to end when it is told to. */
const STOP_MS = 10_000;
/** Cells that a column of the list reserves. */
const MOST_CELLS = 40;

/** `trifold stop POD`. */
export async function stopCommand(call: Call): Promise<number> {
  const places = podPlaces();
  if (places === null) return refuse(NO_PLACE);
  const found = await choosePodOf(places, call.words[0], true);
  if ("problem" in found) return refuse(found.problem);
  const { meta } = found;
  if (!found.isRunning) return refuse(`Cannot stop pod ${meta.id}: it does not run`);
  try {
    const connection = await connectTo(meta.socket);
    await writeWholly(
      connection,
      new TextEncoder().encode(methodLine({ method: "shutdown", params: {} })),
    );
    // What it says to clients is read away, so that it ends with nobody to wait for.
    const buffer = new Uint8Array(1 << 16);
    const reading = (async () => {
      while (await connection.read(buffer) !== null);
    })();
    await Promise.race([reading, new Promise((resolve) => setTimeout(resolve, STOP_MS))]);
    connection.close();
  } catch (error) {
    return refuse(`Cannot stop pod ${meta.id}: ${error instanceof Error ? error.message : String(error)}`);
  }
  const files = filesOf(podDirectory(places, meta.id));
  for (const untilMs = Date.now() + STOP_MS; await isPodRunning(files, meta);) {
    if (Date.now() > untilMs) return refuse(`Pod ${meta.id} was told to end, and has not in 10 s`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  console.log(`Pod ${meta.id} has ended; trifold resume ${meta.id} starts it again`);
  return 0;
}

/** `trifold pods`. */
export async function podsCommand(call: Call): Promise<number> {
  const places = podPlaces();
  if (places === null) return refuse(NO_PLACE);
  const cwd = Deno.cwd();
  const entries = (await listPods(places)).filter((entry) => call.flags.all || entry.meta.cwd === cwd);
  if (call.flags.json) {
    console.log(JSON.stringify(entries.map(toJson), null, 2));
    return 0;
  }
  if (entries.length === 0) {
    console.log(
      call.flags.all
        ? "There are no pods"
        : "There are no pods in this directory; --all shows those of others",
    );
    return 0;
  }
  const rows = [
    ["POD", "STATUS", "AGE", "AGENT", "TITLE", "DIRECTORY"],
    ...entries.map((entry) => {
      const row = sessionRow(entry);
      return [row.id, row.status, row.age, row.agent, row.title, row.directory].map((cell) => safeText(cell));
    }),
  ];
  for (const line of tableLines(rows, MOST_CELLS)) console.log(line);
  return 0;
}

/** What /resume lists: the pods of every directory, this one's first. */
export async function listSessions(): Promise<readonly SessionRow[]> {
  const places = podPlaces();
  if (places === null) return [];
  const cwd = Deno.cwd();
  const entries = await listPods(places);
  return [
    ...entries.filter((entry) => entry.meta.cwd === cwd),
    ...entries.filter((entry) => entry.meta.cwd !== cwd),
  ].map(sessionRow);
}

function sessionRow({ meta, isRunning }: PodEntry): SessionRow {
  return {
    id: meta.id,
    title: meta.title === "" ? "untitled" : meta.title,
    agent: agentName(meta.agent),
    status: statusText(meta, isRunning),
    age: formatAge(Date.now() - meta.lastActiveMs),
    directory: meta.cwd,
    command: `trifold ${isRunning ? "attach" : "resume"} ${meta.id}`,
  };
}

function toJson({ meta, isRunning }: PodEntry): Record<string, unknown> {
  return {
    id: meta.id,
    title: meta.title,
    agent: agentName(meta.agent),
    status: statusText(meta, isRunning),
    running: isRunning,
    cwd: meta.cwd,
    session_id: meta.sessionId,
    created_ms: meta.createdMs,
    last_active_ms: meta.lastActiveMs,
    pid: isRunning ? meta.pid : null,
  };
}

/** Only a pod that runs does what its meta.json says it did last. */
function statusText(meta: PodMeta, isRunning: boolean): string {
  return isRunning ? meta.status : "stopped";
}
