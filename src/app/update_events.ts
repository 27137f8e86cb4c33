// One input changes the state and asks for effects: a table by the input's kind. Here stands what happens outside; what
// a person does is update_person.ts, which a first frame does without. What events mean is the transcript's.

import { countIn } from "../transcript/counts.ts";
import type { ParsedEvent } from "../transcript/event.ts";
import { applyParsed, markDisconnected, noteProblem, takeChanges } from "../transcript/reduce.ts";
import { setCandidates } from "../input/completion.ts";
import { loadPrompts } from "../input/composer.ts";
import type { Effect, Input } from "./effect.ts";
import { closeSession, leaveLogin, openSession, pickLogin, showSessionItems } from "./event_picks.ts";
import { giveBackRefused, sendMessage, takeUpAgain } from "./own_messages.ts";
import { restartPause, syncQuestions } from "./questions.ts";
import { beginWhole, type ReadInput, readWhole, restartRecording, showWhole } from "./reading.ts";
import { regionsOf } from "./regions.ts";
import { applyLayoutSettings, isBusy, noteFileProblem, showHint, type State } from "./state.ts";
import { syncLayout } from "../layout/layout.ts";

/** A function for each kind of input. */
export type Handlers = {
  readonly [Kind in Input["kind"]]: (
    state: State,
    input: Extract<Input, { kind: Kind }>,
  ) => readonly Effect[];
};

/** Kinds of input that only a person's doing brings. */
type PersonKind = "key" | "paste" | "mouse" | "edited" | "sessions";

/** What a person does: the handlers, and the search, which only a key opens. */
export interface PersonPart {
  readonly handlers: Pick<Handlers, PersonKind>;
  readonly find: Pick<
    typeof import("./find.ts"),
    "lookOnAndGo" | "moveFindTo" | "noteChanges" | "syncFind"
  >;
}

const NOTHING: readonly Effect[] = [];

let person: PersonPart | null = null;

/** From now on `update` also takes what a person does. */
export function takePersonPart(part: PersonPart): void {
  person = part;
}

const HANDLERS: Omit<Handlers, PersonKind> = {
  focus: (state, input) => {
    state.focused = input.focused;
    return NOTHING;
  },
  answer: () => NOTHING,
  resize: (state, input) => {
    state.columns = Math.max(0, input.columns);
    state.rows = Math.max(0, input.rows);
    applyLayoutSettings(state);
    // What is asked stands elsewhere now, or is seen for the first time: keys on their way do not mean it. Own words do.
    if (state.question?.free === null) restartPause(state);
    return NOTHING;
  },
  events: (state, input) => isOutOfSight(state, input) ? NOTHING : updateEvents(state, input.parsed),
  file_problem: (state, input) => {
    if (isOutOfSight(state, input)) return NOTHING;
    noteFileProblem(state.fileProblems, input.problem);
    noteProblem(state.transcript, input.problem);
    sync(state);
    return NOTHING;
  },
  ignored: (state, input) => {
    if (isOutOfSight(state, input)) return NOTHING;
    countIn(state.ignored, input.what);
    return NOTHING;
  },
  whole_begins: (state) => {
    beginWhole(state);
    return NOTHING;
  },
  progress: (state, input) => {
    if (state.reading !== null) state.reading.share = input.share;
    return NOTHING;
  },
  recording_end: (state) => {
    showWhole(state, person?.find.moveFindTo ?? null);
    syncQuestions(state);
    state.loaded = true;
    const damaged = state.fileProblems.length;
    if (damaged > 0) {
      showHint(
        state,
        `${damaged === 1 ? "1 record is" : `${damaged} records are`} damaged: /status lists them`,
        "warn",
      );
    }
    return NOTHING;
  },
  recording_restarts: (state) => {
    restartRecording(state);
    return NOTHING;
  },
  session_items: (state, input) => {
    showSessionItems(state, input);
    state.loaded = input.isEnd;
    return NOTHING;
  },
  session_opens: (state, input) => {
    if (input.problem !== null) showHint(state, input.problem, "warn");
    else openSession(state);
    return NOTHING;
  },
  session_closes: (state) => {
    closeSession(state);
    return NOTHING;
  },
  agent_end: (state, input) => {
    if (input.asked || state.shutdownAsked) return [{ kind: "quit", code: 0 }];
    markDisconnected(state.transcript, input.what);
    state.attached = false;
    state.busySinceMs = null;
    sync(state);
    return NOTHING;
  },
  notice: (state, input) => {
    const data = {
      level: input.level,
      source: "trifold",
      message: input.message,
      timestamp_ms: null,
      parent_id: null,
    };
    const parsed: ParsedEvent = {
      kind: "event",
      event: { event: "notification", data },
      unknownFields: [],
    };
    applyParsed(state.transcript, parsed);
    state.reading?.notices.push(parsed);
    sync(state);
    return NOTHING;
  },
  files: (state, input) => {
    setCandidates(state.composer.completion, input.request, input.candidates);
    return NOTHING;
  },
  prompts: (state, input) => {
    loadPrompts(state.composer, input.prompts);
    return NOTHING;
  },
  prompt: (state, input) => {
    state.firstPrompt = input.text;
    return sendFirstPrompt(state);
  },
  tick: (state) => {
    if (state.isLooking) person?.find.lookOnAndGo(state);
    return NOTHING;
  },
};

/** Changes the state for one input at a time in ms; what must happen outside comes back. */
export function update(state: State, input: Input, nowMs: number): readonly Effect[] {
  state.nowMs = Math.max(state.nowMs, nowMs);
  if (state.hint !== null && state.hint.untilMs <= state.nowMs) state.hint = null;
  const handlers: Partial<Handlers> = isPersons(input.kind) ? person?.handlers ?? {} : HANDLERS;
  const handler = handlers[input.kind] as ((state: State, input: Input) => readonly Effect[]) | undefined;
  if (handler === undefined) throw new Error(`Cannot take ${input.kind}: what people do is not loaded`);
  const effects = handler(state, input);
  person?.find.syncFind(state);
  return effects;
}

function isPersons(kind: Input["kind"]): kind is PersonKind {
  return !Object.hasOwn(HANDLERS, kind);
}

/** Takes what is read while only the recording's tail is shown. */
function isOutOfSight(state: State, input: ReadInput): boolean {
  if (state.reading === null) return false;
  readWhole(state.reading, input);
  return true;
}

/** Hands what changed in the transcript to the layout. */
export function sync(state: State): void {
  const changes = takeChanges(state.transcript);
  syncLayout(state.layout, state.transcript, changes);
  person?.find.noteChanges(state, changes);
  syncQuestions(state);
}

function updateEvents(state: State, events: readonly ParsedEvent[]): readonly Effect[] {
  const effects: Effect[] = [];
  for (const parsed of events) {
    const wasBusy = isBusy(state);
    const wasPaused = state.transcript.status === "paused";
    const wasAsking = state.transcript.questions.length > 0;
    applyParsed(state.transcript, parsed);
    if (parsed.kind === "event") {
      syncRetry(state);
      if (parsed.event.event === "history") {
        takeUpAgain(state);
        leaveLogin(state);
      }
      if (parsed.event.event === "user_message") state.sent.delete(parsed.event.data.message_id ?? "");
      if (parsed.event.event === "auth") pickLogin(state);
      // At once: its name may be asked again before this read is over.
      if (parsed.event.event === "question_closed") syncQuestions(state);
      if (parsed.event.event === "error") giveBackRefused(state, parsed.event.data.message_id);
      if (parsed.event.event === "shutdown" && state.shutdownAsked) effects.push({ kind: "quit", code: 0 });
    }
    const busy = isBusy(state);
    if (busy && !wasBusy && !(wasPaused && state.busySinceMs !== null)) {
      state.busySinceMs = turnStartMs(state);
    }
    if (!busy && state.transcript.status === "idle") state.busySinceMs = null;
    // A turn that ended meanwhile makes a second Ctrl-D a fresh one.
    if (wasBusy && !busy) state.shutdownUntilMs = 0;
    const isAsking = state.transcript.questions.length > 0;
    if (wasBusy && !busy || isAsking && !wasAsking) effects.push(...notice(state, isAsking));
  }
  if (state.transcript.wantsHistory) {
    state.transcript.wantsHistory = false;
    effects.push({ kind: "send", method: { method: "get_history", params: {} } });
  }
  effects.push(...sendFirstPrompt(state));
  sync(state);
  return effects;
}

/** The row of a retry says how long it takes; how long it still takes is the status row's, also for who came later. */
function syncRetry(state: State): void {
  const { retry } = state.transcript;
  if (retry === null) state.retry = null;
  if (retry === null || state.retry?.of === retry) return;
  const { attempt, maxAttempts, waitMs, startedMs } = retry;
  const { epochMs = null } = state.options;
  const beganMs = startedMs === null || epochMs === null
    ? state.nowMs
    : Math.min(state.nowMs, startedMs - epochMs);
  const count = attempt === null ? "" : ` ${attempt}${maxAttempts === null ? "" : `/${maxAttempts}`}`;
  state.retry = { of: retry, text: `retry${count}`, untilMs: beganMs + waitMs };
}

/** Told to who looks elsewhere; a terminal that never says so is taken as looked at. */
function notice(state: State, isAsking: boolean): readonly Effect[] {
  if (state.focused || state.options.recording) return NOTHING;
  return [{ kind: "notify", text: isAsking ? "The agent waits for your answer" : "The turn has ended" }];
}

/** When the running turn began, by this client's ticks: a turn found running at attaching began before. */
function turnStartMs(state: State): number {
  const { transcript } = state;
  // Compacting between two turns has nothing to do with the last one.
  const startedMs = transcript.status === "compacting" ? null : transcript.turns.at(-1)?.startedMs ?? null;
  const { epochMs = null } = state.options;
  return startedMs === null || epochMs === null ? state.nowMs : Math.min(state.nowMs, startedMs - epochMs);
}

/** The command line's prompt goes out as soon as the agent is there. */
function sendFirstPrompt(state: State): readonly Effect[] {
  const { firstPrompt, transcript } = state;
  if (firstPrompt === null || !state.attached || transcript.status === "starting") return NOTHING;
  state.firstPrompt = null;
  const effects = sendMessage(state, firstPrompt);
  sync(state);
  return effects;
}

/** Rows of the transcript's part of the screen. */
export function transcriptHeight(state: State): number {
  return regionsOf(state).transcript.height;
}
