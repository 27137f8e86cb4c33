// What a client shows: a live agent, a recording, or the list of sessions to pick one from.

import type { Agent, AgentListener } from "../../agents/agent.ts";
import type { Input } from "../effect.ts";

/** What the client shows: a live agent, started anew by Enter when it is gone, or a recording. */
export type Subject =
  | {
    readonly kind: "agent";
    readonly start: (listener: AgentListener) => Agent;
    readonly prompt: string | null;
    /** Named when it goes on working after the client has left. */
    readonly podId: string;
  }
  | RecordingSubject
  | SessionsSubject;

/** A recording. */
export interface RecordingSubject {
  readonly kind: "recording";
  readonly opening: Opening;
  /** What the first frame shows. */
  readonly first: readonly Input[];
  readonly read: Reader;
}

/** The sessions of this machine, to pick a recording from, which is then shown instead. */
export interface SessionsSubject {
  readonly kind: "sessions";
  /** Finds them, handing on what there is so far, until `isOver`; `ready`: what a screen shows is there. */
  readonly list: (
    to: {
      readonly give: (input: Input) => Promise<void>;
      readonly isOver: () => boolean;
      readonly ready: () => void;
    },
  ) => Promise<void>;
  readonly open: (
    path: string,
  ) => Promise<RecordingSubject | { readonly kind: "problem"; readonly what: string }>;
}

/** What a recording's first inputs are: all of it, its beginning as far as it was there, or its end. */
export type Opening = "whole" | "beginning" | "tail";

/** Reads a recording from its beginning, or on from its first inputs, handing on what it holds; resolves with what ended it early, or null. */
export type Reader = (give: (inputs: readonly Input[]) => Promise<void>) => Promise<string | null>;
