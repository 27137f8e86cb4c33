// The main module of a bundle: main.ts, with what the sources load by name.

import { runCommandLine } from "../src/app/commands.ts";
import { useBundled } from "../src/app/io/later.ts";
import { useBundledLibraries } from "../src/text/libraries.ts";
import { BUNDLED_LIBRARIES } from "./libraries.ts";

useBundledLibraries(BUNDLED_LIBRARIES);
useBundled({
  acp: () => import("../src/recordings/acp.ts"),
  agent_sessions: () => import("../src/app/io/agent_sessions.ts"),
  agents: () => import("../src/app/io/agents.ts"),
  attach: () => import("../src/app/io/attach.ts"),
  claude: () => import("../src/recordings/claude.ts"),
  codex: () => import("../src/recordings/codex.ts"),
  completions: () => import("../src/app/io/completions.ts"),
  config: () => import("../src/app/config.ts"),
  dsh: () => import("../src/recordings/dsh.ts"),
  editor: () => import("../src/app/io/editor.ts"),
  files: () => import("../src/app/files.ts"),
  gemini: () => import("../src/recordings/gemini.ts"),
  login: () => import("../src/app/io/login.ts"),
  open_document: () => import("../src/app/io/open_document.ts"),
  open_folder: () => import("../src/app/io/open_folder.ts"),
  open_recording: () => import("../src/app/io/open_recording.ts"),
  opencode: () => import("../src/recordings/opencode.ts"),
  pi: () => import("../src/recordings/pi.ts"),
  pick_session: () => import("../src/app/io/pick_session.ts"),
  pod: () => import("../src/pod/main.ts"),
  pods: () => import("../src/app/io/pods.ts"),
  print: () => import("../src/app/io/print.ts"),
  qwen: () => import("../src/recordings/qwen.ts"),
  session_list: () => import("../src/app/io/session_list.ts"),
  sessions: () => import("../src/app/io/sessions.ts"),
  show_pod: () => import("../src/app/io/show_pod.ts"),
  start_agent: () => import("../src/app/io/start_agent.ts"),
  start_command: () => import("../src/pod/start_command.ts"),
  start_demo: () => import("../src/pod/start_demo.ts"),
  typing: () => import("../src/app/io/typing.ts"),
  usage: () => import("../src/app/io/usage.ts"),
  version: () => import("../src/app/io/version.ts"),
  witness: () => import("../src/app/io/witness.ts"),
});

if (import.meta.main) Deno.exit(await runCommandLine(Deno.args));
