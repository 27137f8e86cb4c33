// The modes we hold the terminal in, what is asked of it, and what its answers and the environment tell. Control
// sequences stand here without their introducer (CSI): sending them, and giving everything back on every way out,
// is terminal.ts's business.

import { BASIC_CAPABILITIES, type Capabilities } from "./encode.ts";

/** Modes a person can do without. */
export interface ModeOptions {
  /** Wheel and clicks (1000, 1002, in the form of 1006). Off leaves selecting text to the terminal. */
  readonly mouse: boolean;
  /** Keys that plain bytes cannot tell apart: the kitty keyboard protocol, and xterm's modifyOtherKeys. */
  readonly keyboardProtocol: boolean;
}

interface Mode {
  readonly label: string;
  readonly on: readonly string[];
  readonly off: readonly string[];
  /** What must be wanted, or known to work; without it the mode is always used. */
  readonly needs?: "mouse" | "keyboardProtocol" | "title";
}

/** In the order they are taken; given back in the opposite one. */
const MODES: readonly Mode[] = [
  { label: "window title", on: ["22;2t"], off: ["23;2t"], needs: "title" },
  { label: "alternate screen", on: ["?1049h"], off: ["?1049l"] },
  { label: "cursor shape and visibility", on: [], off: ["0 q", "?25h"] },
  { label: "autowrap", on: ["?7l"], off: ["?7h"] },
  { label: "focus", on: ["?1004h"], off: ["?1004l"] },
  { label: "bracketed paste", on: ["?2004h"], off: ["?2004l"] },
  {
    label: "mouse",
    on: ["?1000h", "?1002h", "?1006h"],
    off: ["?1006l", "?1002l", "?1000l"],
    needs: "mouse",
  },
  { label: "modifyOtherKeys", on: [">4;1m"], off: [">4m"], needs: "keyboardProtocol" },
  { label: "kitty keyboard protocol", on: [">1u"], off: ["<u"], needs: "keyboardProtocol" },
  { label: "a frame that was cut", on: [], off: ["?2026l", "m", "r"] },
];

/** Takes the terminal. */
export function enterModes(options: ModeOptions, capabilities: Capabilities): string[] {
  return chosenModes(options, capabilities).flatMap((mode) => mode.on);
}

/** Gives the terminal back. */
export function leaveModes(options: ModeOptions, capabilities: Capabilities): string[] {
  return chosenModes(options, capabilities).reverse().flatMap((mode) => mode.off);
}

/** DA1, which every terminal answers: the end of the answers to what was asked before it. */
export const FENCE = "c";

/**
 * Asks for synchronized output (DECRQM) and the keyboard flags now in force. Sent before the first frame: a terminal
 * that prints a query it does not know is painted over. Never asks where the cursor is.
 */
export function capabilityQueries(options: ModeOptions): string[] {
  return ["?2026$p", ...(options.keyboardProtocol ? ["?u"] : []), FENCE];
}

/** What can be said before the terminal has answered. */
export function environmentCapabilities(environment: { readonly TERM: string | undefined }): Capabilities {
  const term = environment.TERM ?? "";
  if (term === "linux") return { ...BASIC_CAPABILITIES, title: false };
  if (term === "dumb" || term === "") return { ...BASIC_CAPABILITIES, title: false, scrollRegions: false };
  return BASIC_CAPABILITIES;
}

/** The capabilities with what an answer adds; the same object when it adds nothing. DECRPM 1 to 3: the mode is known. */
export function answeredCapabilities(capabilities: Capabilities, name: string, params: string): Capabilities {
  const [mode, state = ""] = params.split(";");
  if (name !== "decrpm" || mode !== "2026") return capabilities;
  const synchronizedOutput = ["1", "2", "3"].includes(state);
  return synchronizedOutput === capabilities.synchronizedOutput
    ? capabilities
    : { ...capabilities, synchronizedOutput };
}

function chosenModes(options: ModeOptions, capabilities: Capabilities): Mode[] {
  const has = { ...options, title: capabilities.title };
  return MODES.filter((mode) => mode.needs === undefined || has[mode.needs]);
}
