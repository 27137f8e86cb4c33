// The import table and the purity column of ARCHITECTURE.md as data. How the rules look at source is in layers.ts.

/** Files that follow the same rules. The first entry whose `files` matches a path is the file's room. */
export interface Room {
  readonly name: string;
  /** Paths from the project's root. */
  readonly files: RegExp;
  /** Targets it may import besides its own room; "all" = anything under src. */
  readonly imports: readonly RegExp[] | "all";
  /** Targets refused although they are in its own folder, or allowed by `imports`. */
  readonly refused?: readonly RegExp[];
  /** False where I/O and the clock are allowed. */
  readonly pure: boolean;
}

const TEXT = /^src\/text\//;
const TRANSCRIPT = /^src\/transcript\//;
/** What an adapter needs of the transcript: its vocabulary. */
const VOCABULARY = /^src\/transcript\/(event|method|item|tool_names)\.ts$/;
const TOOLS = /^src\/tools\//;
const LAYOUT = /^src\/layout\//;
const TERMINAL = /^src\/screen\/terminal\.ts$/;
const SCREEN = /^src\/screen\//;
const INPUT = /^src\/input\//;
const SOURCE = /^src\/recordings\/source\.ts$/;
const RECORDINGS = /^src\/recordings\//;
const AGENTS = /^src\/agents\//;
const POD = /^src\/pod\//;
const SHELL = /^src\/app\/((run|commands|files|config)\.ts$|io\/)/;
const APP = /^src\/app\//;

/** File-level exceptions stand before their folder. */
export const ROOMS: readonly Room[] = [
  { name: "text", files: TEXT, imports: [], pure: true },
  { name: "transcript", files: TRANSCRIPT, imports: [], pure: true },
  { name: "screen/terminal.ts", files: TERMINAL, imports: [TEXT, SCREEN], pure: false },
  { name: "screen", files: SCREEN, imports: [TEXT], refused: [TERMINAL], pure: true },
  { name: "input", files: INPUT, imports: [TEXT], pure: true },
  { name: "tools", files: TOOLS, imports: [TEXT, TRANSCRIPT], pure: true },
  { name: "layout", files: LAYOUT, imports: [TEXT, TRANSCRIPT, TOOLS], pure: true },
  { name: "recordings/source.ts", files: SOURCE, imports: [VOCABULARY, RECORDINGS], pure: false },
  { name: "recordings", files: RECORDINGS, imports: [VOCABULARY], refused: [SOURCE], pure: true },
  { name: "agents", files: AGENTS, imports: [VOCABULARY, RECORDINGS], refused: [SOURCE], pure: false },
  { name: "pod", files: POD, imports: [TRANSCRIPT, AGENTS, RECORDINGS], pure: false },
  { name: "app shell", files: SHELL, imports: "all", pure: false },
  {
    name: "app",
    files: APP,
    imports: [TEXT, TRANSCRIPT, TOOLS, LAYOUT, SCREEN, INPUT],
    refused: [TERMINAL, SHELL],
    pure: true,
  },
  { name: "main.ts", files: /^main\.ts$/, imports: [/^src\/app\/commands\.ts$/], pure: false },
];

/** Names a pure room may not use, and what each would bring in. */
export const IMPURE_NAMES: ReadonlyMap<string, string> = new Map([
  ["Deno", "I/O"],
  ["process", "I/O"],
  ["Buffer", "a name of Node"],
  ["console", "I/O"],
  ["fetch", "I/O"],
  ["WebSocket", "I/O"],
  ["Worker", "I/O"],
  ["navigator", "I/O"],
  ["localStorage", "I/O"],
  ["sessionStorage", "I/O"],
  ["performance", "the clock"],
  ["setTimeout", "the clock"],
  ["setInterval", "the clock"],
  ["clearTimeout", "the clock"],
  ["clearInterval", "the clock"],
  ["crypto", "randomness"],
]);

/** Members of otherwise pure globals. Date.parse, Date.UTC and `new Date(ms)` read no clock. */
export const IMPURE_MEMBERS: ReadonlyMap<string, string> = new Map([
  ["Date.now", "the clock"],
  ["Math.random", "randomness"],
]);

/** The only files that may hold an escape sequence in a string. */
export const ESCAPE_WRITERS: readonly RegExp[] = [/^src\/screen\/encode\.ts$/, TERMINAL];

/** Files no rule looks at. */
export const EXEMPT: readonly RegExp[] = [
  /_test(_helper)?\.ts$/,
  /_bench\.ts$/,
  /^tests\//,
  /^build\//,
  /^examples\//,
];

/** The room of a path from the project's root; null when it is in none. */
export function roomOf(path: string): Room | null {
  return ROOMS.find((room) => room.files.test(path)) ?? null;
}

/** True when `room` may import `target`; `typeOnly` when no value comes with it. */
export function mayImport(room: Room, target: string, typeOnly: boolean): boolean {
  // Our own name and version.
  if (target === "deno.json") return !room.pure;
  if (!target.startsWith("src/")) return room.imports === "all" && !/^(tests|build)\//.test(target);
  if (EXEMPT.some((exempt) => exempt.test(target))) return false;
  if (room.imports === "all") return true;
  const isOwn = target.split("/")[1] === folderOf(room);
  if (room.refused?.some((refused) => refused.test(target))) return isOwn && typeOnly;
  return isOwn || room.imports.some((allowed) => allowed.test(target));
}

function folderOf(room: Room): string {
  return room.name.split(/[/ ]/)[0] ?? "";
}
