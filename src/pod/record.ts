// A pod's session: each event gets its number and time, goes to the log, and is applied to the transcript that
// histories are made from. Reading a stored log back takes the same path.

import {
  createLineReader,
  end as endLines,
  feed,
  type Record as LineRecord,
} from "../recordings/json_lines.ts";
import type { Transcript } from "../transcript/block.ts";
import { type Event, type EventData, type EventName, parseEvent } from "../transcript/event.ts";
import { applyEvent, createTranscript } from "../transcript/reduce.ts";
import { cutLongStrings } from "../transcript/shorten.ts";
import type { PodLog } from "./log.ts";

/** What was found in a stored log. */
export interface StoredSession {
  readonly transcript: Transcript;
  /** False for a log without its beginning: nothing was stored yet. */
  readonly isBegun: boolean;
  /** Lines that cannot be read and that no earlier start has told of. */
  readonly problems: readonly { readonly line: number; readonly what: string }[];
  /** The last byte is no newline: the last line was cut off while it was written. */
  readonly isTorn: boolean;
  readonly lastSeq: number;
  readonly lastTurn: number;
  /** The pair the last request used. */
  readonly usedModel: { readonly provider: string | null; readonly model: string } | null;
  readonly seenMessages: ReadonlySet<string>;
}

/** The `source` of notifications a pod makes itself. */
export const POD_SOURCE = "pod";
/** A reader takes no longer lines; an event that would be one keeps the head and tail of its texts. */
const LINE_BYTES = 32 << 20;
const ROOMY_BYTES = 30 << 20;
/** The version of the protocol this program writes and reads. */
const VERSION = 1;
/** Lost with the machine, they could not be had again: input of a person, and what a whole turn led to. */
const SYNCED: ReadonlySet<EventName> = new Set([
  "user_message",
  "queue",
  "question_closed",
  "turn_end",
  "shutdown",
]);

const encoder = new TextEncoder();

/** Reads a stored log. Throws when it is of another version. */
export function readSession(log: PodLog): StoredSession {
  const transcript = createTranscript();
  const reader = createLineReader({ lineBytes: LINE_BYTES });
  const found = { isBegun: false, lastSeq: 0, lastTurn: 0 };
  const seenMessages = new Set<string>();
  let usedModel: StoredSession["usedModel"] = null;
  let problems: { line: number; what: string }[] = [];
  let lastByte = 0x0a;
  const take = (record: LineRecord) => {
    if (record.kind === "problem") {
      problems.push({ line: record.line, what: record.what });
      return;
    }
    const parsed = parseEvent(record.value);
    if (parsed.kind === "problem") problems.push({ line: record.line, what: parsed.what });
    if (parsed.kind !== "event") return;
    const { event } = parsed;
    if (event.event === "hello" && event.data.version !== VERSION) {
      throw new Error(
        `Cannot read the log: it is written in version ${event.data.version} of the protocol, this program knows ${VERSION}`,
      );
    }
    found.isBegun = true;
    found.lastSeq = Math.max(found.lastSeq, event.seq ?? 0);
    if (event.event === "turn_start") found.lastTurn = Math.max(found.lastTurn, event.data.turn ?? 0);
    if (event.event === "user_message" && event.data.message_id !== null) {
      seenMessages.add(event.data.message_id);
    }
    const isRequest = event.event === "step_start" ||
      event.event === "model_selected" && event.data.source === "request";
    if (isRequest && event.data.model !== null) {
      usedModel = { provider: event.data.provider, model: event.data.model };
    }
    // Damage is told once: what stands before such a row was told by it.
    if (event.event === "notification" && event.data.source === POD_SOURCE) problems = [];
    applyEvent(transcript, event);
  };
  for (const bytes of log.readAll()) {
    lastByte = bytes.at(-1) ?? lastByte;
    feed(reader, bytes).forEach(take);
  }
  endLines(reader).forEach(take);
  for (const item of transcript.queue) seenMessages.add(item.message_id);
  // A choice that no request has used lives in a pod's memory only.
  const model = usedModel as StoredSession["usedModel"];
  if (model !== null) {
    applyEvent(transcript, { event: "model_selected", data: { ...model, source: "request" } });
  }
  return { transcript, problems, isTorn: lastByte !== 0x0a, usedModel: model, seenMessages, ...found };
}

/** Writes on where a stored session ended. */
export class Recorder {
  readonly transcript: Transcript;
  readonly #log: PodLog;
  readonly #nowMs: () => number;
  /** Called once for each reason why the log cannot be written. */
  readonly #onFault: (what: string) => void;
  #seq: number;
  #fault: string | null = null;

  constructor(
    log: PodLog,
    session: StoredSession,
    options: { readonly nowMs: () => number; readonly onFault: (what: string) => void },
  ) {
    this.#log = log;
    this.transcript = session.transcript;
    this.#seq = session.lastSeq;
    this.#nowMs = options.nowMs;
    this.#onFault = options.onFault;
  }

  /** The log's beginning: without numbers, since a client never gets these two lines from it. */
  begin(hello: EventData<"hello">, history: EventData<"history">): void {
    const ts = this.#nowMs();
    const events: Event[] = [{ event: "hello", data: hello, ts }, { event: "history", data: history, ts }];
    for (const event of events) applyEvent(this.transcript, event);
    this.#append(encoder.encode(events.map(eventLine).join("")), true);
  }

  /** Ends a line that was cut off, so that the next one stands alone. */
  endTornLine(): void {
    this.#append(encoder.encode("\n"), false);
  }

  /** Numbers, logs and applies events; gives their lines back, as they are to be sent. */
  add(events: readonly Event[]): Uint8Array {
    const ts = this.#nowMs();
    const numbered = events.map((event) => ({ ...event, seq: ++this.#seq, ts }));
    const lines = encoder.encode(numbered.map(eventLine).join(""));
    this.#append(lines, numbered.some((event) => SYNCED.has(event.event)));
    for (const event of numbered) applyEvent(this.transcript, event);
    return lines;
  }

  #append(lines: Uint8Array, synced: boolean): void {
    const fault = this.#log.append(lines);
    if (fault === null && synced) this.#log.sync();
    if (fault !== null && fault !== this.#fault) this.#onFault(fault);
    this.#fault = fault;
  }
}

/** An event as one line, newline included; absent fields and null ones say the same, so null ones are left out. */
export function eventLine(event: Event): string {
  const { seq, ts, event: name } = event;
  const data = Object.fromEntries(Object.entries(event.data).filter(([, value]) => value !== null));
  const shown = {
    event: name,
    data,
    ...(seq === undefined ? {} : { seq }),
    ...(ts === undefined ? {} : { ts }),
  };
  const line = JSON.stringify(shown) + "\n";
  // Three bytes a unit at most: short lines need not be counted.
  if (line.length < ROOMY_BYTES / 3 || encoder.encode(line).length <= ROOMY_BYTES) return line;
  return JSON.stringify({ ...shown, data: cutLongStrings(data, ROOMY_BYTES) }) + "\n";
}
