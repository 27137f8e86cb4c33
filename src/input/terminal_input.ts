// What comes from a terminal, as one closed union. key_decoder.ts makes it from bytes.

import type { Key } from "./key.ts";

/** What a terminal answered: the names of its queries, "other" for answers to questions nobody here asks. */
export type AnswerName =
  | "da1" // CSI ? Ps c: the fence behind every other query
  | "da2"
  | "da3"
  | "decrpm" // CSI ? mode ; value $ y, params "mode;value"
  | "kitty" // CSI ? flags u: the keyboard protocol's flags now in force
  | "modify_other_keys"
  | "xtversion" // params is the name and version as sent
  | "decrqss"
  | "cursor"
  | "status"
  | "window"
  | "osc" // params is number;text
  | "dcs"
  | "apc"
  | "other";

/** A mouse event; row and column count from 0. Buttons: 0 left, 1 middle, 2 right, 8 and more the extra ones. */
export interface MouseInput {
  readonly kind: "mouse";
  readonly action: "wheel_up" | "wheel_down" | "press" | "release" | "drag";
  readonly row: number;
  readonly column: number;
  readonly button: number;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
}

/** A paste in one piece: LF line ends, no ESC, no C0 but LF and TAB. `cut`: longer than a paste may be, the rest is lost. */
export interface PasteInput {
  readonly kind: "paste";
  readonly text: string;
  readonly cut: boolean;
  /** What ended it: its end marker, silence where the marker never came, or a key pressed into such a silence. */
  readonly endedBy: "marker" | "silence" | "key";
}

/** Anything a terminal sends. */
export type TerminalInput =
  | { readonly kind: "key"; readonly key: Key }
  | PasteInput
  | MouseInput
  | { readonly kind: "focus"; readonly focused: boolean }
  | { readonly kind: "answer"; readonly name: AnswerName; readonly params: string };
