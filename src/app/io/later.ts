// Modules that a start does without until it knows what it is to do. Deno reads a module that a literal import()
// names together with its importer, at once, run or not: 14 ms for a start that needs none of them. So here the names
// are no literals. A bundle has to know what belongs to it: build/main.ts hands the modules in.

/** What may be loaded later, by name. */
export interface LaterModules {
  readonly acp: typeof import("../../recordings/acp.ts");
  readonly agent_sessions: typeof import("./agent_sessions.ts");
  readonly agents: typeof import("./agents.ts");
  readonly attach: typeof import("./attach.ts");
  readonly claude: typeof import("../../recordings/claude.ts");
  readonly codex: typeof import("../../recordings/codex.ts");
  readonly completions: typeof import("./completions.ts");
  readonly config: typeof import("../config.ts");
  readonly dsh: typeof import("../../recordings/dsh.ts");
  readonly editor: typeof import("./editor.ts");
  readonly files: typeof import("../files.ts");
  readonly gemini: typeof import("../../recordings/gemini.ts");
  readonly login: typeof import("./login.ts");
  readonly open_document: typeof import("./open_document.ts");
  readonly open_folder: typeof import("./open_folder.ts");
  readonly open_recording: typeof import("./open_recording.ts");
  readonly opencode: typeof import("../../recordings/opencode.ts");
  readonly pi: typeof import("../../recordings/pi.ts");
  readonly pick_session: typeof import("./pick_session.ts");
  readonly pod: typeof import("../../pod/main.ts");
  readonly pods: typeof import("./pods.ts");
  readonly print: typeof import("./print.ts");
  readonly qwen: typeof import("../../recordings/qwen.ts");
  readonly session_list: typeof import("./session_list.ts");
  readonly sessions: typeof import("./sessions.ts");
  readonly show_pod: typeof import("./show_pod.ts");
  readonly start_agent: typeof import("./start_agent.ts");
  readonly start_command: typeof import("../../pod/start_command.ts");
  readonly start_demo: typeof import("../../pod/start_demo.ts");
  readonly typing: typeof import("./typing.ts");
  readonly usage: typeof import("./usage.ts");
  readonly version: typeof import("./version.ts");
  readonly witness: typeof import("./witness.ts");
}

/** How each is loaded. */
export type Loaders = { readonly [Name in keyof LaterModules]: () => Promise<LaterModules[Name]> };

/** Where they are not beside this file. */
const ELSEWHERE: { readonly [Name in keyof LaterModules]?: string } = {
  acp: "../../recordings/acp.ts",
  claude: "../../recordings/claude.ts",
  codex: "../../recordings/codex.ts",
  config: "../config.ts",
  dsh: "../../recordings/dsh.ts",
  files: "../files.ts",
  gemini: "../../recordings/gemini.ts",
  opencode: "../../recordings/opencode.ts",
  pi: "../../recordings/pi.ts",
  pod: "../../pod/main.ts",
  qwen: "../../recordings/qwen.ts",
  start_command: "../../pod/start_command.ts",
  start_demo: "../../pod/start_demo.ts",
};

let bundled: Loaders | null = null;

/** Loads them from a bundle from now on. */
export function useBundled(loaders: Loaders): void {
  bundled = loaders;
}

/** Loads one of them. */
export function later<Name extends keyof LaterModules>(name: Name): Promise<LaterModules[Name]> {
  return bundled?.[name]() ?? import(ELSEWHERE[name] ?? `./${name}.ts`);
}
