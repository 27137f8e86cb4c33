// All a client knows: the transcript, how it is looked at, and what is being typed. Changed by update only.

import { type Composer, createComposer } from "../input/composer.ts";
import type { Key } from "../input/key.ts";
import { createKeymap, type Keymap } from "../input/keymap.ts";
import { changeSettings, createLayout, type Layout } from "../layout/layout.ts";
import { createViewport, type Viewport } from "../layout/viewport.ts";
import { safeText } from "../text/outside_text.ts";
import type { Block, BlockId, FoldMode, RetryWait, Transcript } from "../transcript/block.ts";
import { createTranscript } from "../transcript/reduce.ts";
import type { FindPanel } from "./panels/find_panel.ts";
import type { Panel } from "./panels/panel.ts";
import type { PickerPanel } from "./panels/picker_panel.ts";
import type { QuestionPanel } from "./panels/question_panel.ts";
import { PANEL_PAUSE_MS } from "./panels/shown_panel.ts";
import type { Reading } from "./reading.ts";
import type { Settings } from "./settings.ts";

export { DEFAULT_SETTINGS, type Settings } from "./settings.ts";

/** A part of a recording that could not be used. `line` counts from 1; null where no line is to blame. */
export interface FileProblem {
  readonly line: number | null;
  readonly what: string;
}

/** What the world tells a client once, at its start. */
export interface StateOptions {
  readonly columns: number;
  readonly rows: number;
  /** A recording takes slash commands only. */
  readonly recording: boolean;
  /** Shown instead of the home directory's path as "~". */
  readonly home: string | null;
  /** Epoch time (ms) at which this client's ticks count from 0: tells how long a turn found running has run. Null: not known. */
  readonly epochMs?: number | null;
  /** In front of the message ids this client makes; differs between clients. */
  readonly clientId: string;
  /** The pod that the session runs in, as `trifold attach` takes it. Null: in none. */
  readonly podId?: string | null;
  readonly fold: FoldMode;
  readonly settings: Settings;
}

/** A hint takes the left of the status row until its time is over; it never enters the history. */
export interface Hint {
  readonly text: string;
  readonly untilMs: number;
  readonly level: "info" | "warn";
}

export interface State {
  readonly options: StateOptions;
  columns: number;
  rows: number;
  nowMs: number;
  /** Another one only when the whole of a recording takes its tail's place. */
  transcript: Transcript;
  readonly layout: Layout;
  readonly viewport: Viewport;
  readonly keymap: Keymap;
  fold: FoldMode;
  showReasoning: boolean;
  showPlan: boolean;
  readonly overrides: Map<BlockId, FoldMode>;
  focus: "composer" | "history";
  selected: BlockId | null;
  readonly composer: Composer;
  /** What the person opened: help, /status, a list to pick from, a search. */
  panel: Panel | PickerPanel | FindPanel | null;
  /** The list that the recording was picked from, and whether it was whole; null where there was none. */
  sessionList: { readonly panel: PickerPanel; readonly isWhole: boolean } | null;
  /** The list of sessions while help stands before it. */
  listBelow: PickerPanel | null;
  /** What was looked for last; empty when nothing was. */
  lastFound: string;
  /** The search as it was behind the last input. */
  openFind: FindPanel | null;
  /** A block that was unfolded to show a place in it, and its own fold before. */
  unfolded: { readonly block: Block; readonly before: FoldMode | undefined } | null;
  /** True while the transcript is looked through: each tick looks on. */
  isLooking: boolean;
  /** What the agent asks; the oldest open batch. */
  question: QuestionPanel | null;
  /** Whether the person went into the panel or out of it; auto: the rule decides. */
  panelFocus: "auto" | "entered" | "left";
  /** Batches answered here, whatever the agent says of them later. */
  readonly answered: Set<string>;
  /** When something was last typed into the draft. */
  lastTypedMs: number;
  hint: Hint | null;
  /** Until when a second Ctrl-C leaves. */
  leaveUntilMs: number;
  /** Until when a second Ctrl-D shuts a running pod down; 0 when not asked. */
  shutdownUntilMs: number;
  /** Set when this client asked for the shutdown: the pod's end then ends the client with 0. */
  shutdownAsked: boolean;
  /** When the running turn began, by this client's clock; null when idle. */
  busySinceMs: number | null;
  /** What `of` the transcript is on the status row, by this client's clock. */
  retry: { readonly of: RetryWait; readonly text: string; readonly untilMs: number } | null;
  /** Number of the next message this client sends. */
  nextMessage: number;
  /** False from the end of a connection until the next one's history. */
  attached: boolean;
  /** Texts of messages sent and not yet confirmed, by id: given back when they are refused. */
  readonly sent: Map<string, string>;
  /** The first of them. */
  readonly fileProblems: FileProblem[];
  /** Records of a recording that hold nothing to show, by what they are. */
  readonly ignored: Map<string, number>;
  /** False while a recording is still being read. */
  loaded: boolean;
  /** The whole of a recording of which the tail is shown; null when all that was read is shown. */
  reading: Reading | null;
  focused: boolean;
  /** The command line's prompt, until the agent is there. */
  firstPrompt: string | null;
  /** Blocks up to this one were cleared from this view by /clear; attaching again shows all. */
  clearedThrough: BlockId | null;
  /** Keys of a chord begun. */
  pendingKeys: readonly Key[];
}

/** A client before its first event. */
export function createState(options: StateOptions): State {
  const overrides = new Map<BlockId, FoldMode>();
  const state: State = {
    options,
    columns: options.columns,
    rows: options.rows,
    nowMs: 0,
    transcript: createTranscript(),
    layout: createLayout({
      width: Math.max(1, options.columns),
      fold: options.fold,
      showReasoning: options.settings.showReasoning,
      previewHead: options.settings.previewHead,
      previewTail: options.settings.previewTail,
      overrides,
      clearedThrough: null,
    }),
    viewport: createViewport(),
    keymap: createKeymap(options.settings.keys).keymap,
    fold: options.fold,
    showReasoning: options.settings.showReasoning,
    showPlan: true,
    overrides,
    focus: "composer",
    selected: null,
    composer: createComposer({ pasteThreshold: options.settings.pasteThreshold }),
    panel: null,
    sessionList: null,
    listBelow: null,
    lastFound: "",
    openFind: null,
    unfolded: null,
    isLooking: false,
    question: null,
    panelFocus: "auto",
    answered: new Set(),
    lastTypedMs: -Infinity,
    hint: null,
    leaveUntilMs: 0,
    shutdownUntilMs: 0,
    shutdownAsked: false,
    busySinceMs: null,
    retry: null,
    nextMessage: 1,
    attached: false,
    sent: new Map(),
    fileProblems: [],
    ignored: new Map(),
    loaded: !options.recording,
    reading: null,
    focused: true,
    firstPrompt: null,
    clearedThrough: null,
    pendingKeys: [],
  };
  return state;
}

/** Tells the layout about a changed width, mode, override or reasoning switch. */
export function applyLayoutSettings(state: State): void {
  changeSettings(state.layout, {
    ...state.layout.settings,
    width: Math.max(1, state.columns),
    fold: state.fold,
    showReasoning: state.showReasoning,
    overrides: state.overrides,
    clearedThrough: state.clearedThrough,
  });
}

/** Problems of a file kept for /status; the notice in the transcript counts them all. */
export const MOST_FILE_PROBLEMS = 1000;

/** Keeps a problem for /status. */
export function noteFileProblem(kept: FileProblem[], problem: FileProblem): void {
  if (kept.length < MOST_FILE_PROBLEMS) kept.push(problem);
}

/** Shows a hint for three seconds. It may repeat outside text. */
export function showHint(state: State, text: string, level: Hint["level"] = "info"): void {
  state.hint = { text: safeText(text), level, untilMs: state.nowMs + 3000 };
}

/** True while the agent works on a turn. */
export function isBusy(state: State): boolean {
  return state.transcript.status === "running" || state.transcript.status === "compacting";
}

/** True when something goes on that leaving does not end. */
export function keepsWorking(state: State): boolean {
  const { status, questions } = state.transcript;
  // Questions of a pod that is gone stay on the screen, but nothing waits for them any more.
  return !state.shutdownAsked && status !== "disconnected" && (isBusy(state) || questions.length > 0);
}

/** When update wants a tick even if nothing happens; null: never. */
export function nextDeadline(state: State): number | null {
  const times: number[] = [];
  if (state.hint !== null) times.push(state.hint.untilMs);
  if (state.isLooking) times.push(state.nowMs);
  // What was recorded runs no more.
  if (isBusy(state) && !state.options.recording) {
    times.push((Math.floor(state.nowMs / SPINNER_MS) + 1) * SPINNER_MS);
  }
  // A question that waits takes the keys half a second after it came, or after the last key typed.
  if (state.question !== null) {
    const dueMs = Math.max(state.question.shownMs, state.lastTypedMs) + PANEL_PAUSE_MS;
    if (dueMs > state.nowMs) times.push(dueMs);
  }
  return times.length === 0 ? null : Math.min(...times);
}

/** Length of one step of the spinner. */
export const SPINNER_MS = 120;
