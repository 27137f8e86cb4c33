// What update takes and what it asks the loop to do: the closed lists of inputs and effects.

import type { Candidate, CompletionRequest } from "../input/completion.ts";
import type { DraftPart } from "../input/draft_text.ts";
import type { TerminalInput } from "../input/key_decoder.ts";
import type { PickerItem } from "./panels/picker_panel.ts";
import type { SessionRow } from "./sessions_panel.ts";
import type { FileProblem } from "./state.ts";
import type { AuthMethod, ParsedEvent } from "../transcript/event.ts";
import type { Method } from "../transcript/method.ts";

/** Anything that enters update. Time comes beside it as a tick in ms. */
export type Input =
  | TerminalInput
  | { readonly kind: "resize"; readonly columns: number; readonly rows: number }
  | { readonly kind: "events"; readonly parsed: readonly ParsedEvent[] }
  | { readonly kind: "file_problem"; readonly problem: FileProblem }
  /** A record of a recording that holds nothing to show. */
  | { readonly kind: "ignored"; readonly what: string }
  /** What was read so far is only a recording's tail: the whole follows, from its beginning. */
  | { readonly kind: "whole_begins" }
  /** How much of the recording has been read, from 0 to 1. */
  | { readonly kind: "progress"; readonly share: number }
  /** The whole recording was read. */
  | { readonly kind: "recording_end" }
  /** The recording was replaced by another: nothing of what was read holds any more. */
  | { readonly kind: "recording_restarts" }
  /** The sessions of this machine that can be picked from; `isEnd`: these are all, with what is known of them. */
  | { readonly kind: "session_items"; readonly items: readonly PickerItem[]; readonly isEnd: boolean }
  /** The picked session is about to be shown, or why it cannot be. */
  | { readonly kind: "session_opens"; readonly problem: string | null }
  /** The list that the recording was picked from is shown again. */
  | { readonly kind: "session_closes" }
  /** The agent, or the pod that holds it, is gone. */
  | { readonly kind: "agent_end"; readonly what: string; readonly asked: boolean }
  | { readonly kind: "notice"; readonly level: "info" | "warn" | "error"; readonly message: string }
  /** A draft comes back from the external editor; null when it failed. */
  | { readonly kind: "edited"; readonly text: string | null; readonly what: string | null }
  /** Files for the open "@" completion. */
  | { readonly kind: "files"; readonly request: CompletionRequest; readonly candidates: readonly Candidate[] }
  /** Prompts of earlier clients in this directory, oldest first. */
  | { readonly kind: "prompts"; readonly prompts: readonly (readonly DraftPart[])[] }
  /** The prompt of the command line: sent as soon as the agent is there. */
  | { readonly kind: "prompt"; readonly text: string }
  /** The sessions of this machine, for the panel that was asked for. */
  | { readonly kind: "sessions"; readonly rows: readonly SessionRow[] }
  | { readonly kind: "tick" };

/** Work update asks for. */
export type Effect =
  | { readonly kind: "send"; readonly method: Method }
  | { readonly kind: "quit"; readonly code: number }
  | { readonly kind: "reconnect" }
  | { readonly kind: "list_sessions" }
  /** Show this recording instead of the list it was picked from. */
  | { readonly kind: "open_recording"; readonly path: string }
  /** Show the list again that the recording was picked from. */
  | { readonly kind: "close_recording" }
  | { readonly kind: "redraw" }
  /** Give this text to the terminal's clipboard. */
  | { readonly kind: "copy"; readonly text: string }
  | { readonly kind: "suspend" }
  | { readonly kind: "edit"; readonly text: string }
  /** Give the terminal to the program that logs in, then say so to the agent. */
  | {
    readonly kind: "login";
    readonly methodId: string;
    readonly terminal: NonNullable<AuthMethod["terminal"]>;
  }
  | { readonly kind: "find_files"; readonly request: CompletionRequest }
  /** What was submitted, to be kept for later clients. */
  | { readonly kind: "remember"; readonly parts: readonly DraftPart[] }
  /** Something a person who looks elsewhere waits for. */
  | { readonly kind: "notify"; readonly text: string };
