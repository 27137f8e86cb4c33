// Run as a process of its own: `frame FILE` prints how many ms pass from the opening of a recording until the bytes of
// its first frame are written, all modules loaded that the program has loaded by then; `parse FILE` prints what
// JSON.parse alone takes for its text. 120x40, in normal.

import { BUNDLED_LIBRARIES } from "../../build/libraries.ts";
import { type Loaders, useBundled } from "../../src/app/io/later.ts";
import { useBundledLibraries } from "../../src/text/libraries.ts";

// In a bundle nothing is found by its file's name.
useBundled({
  open_document: () => import("../../src/app/io/open_document.ts"),
  opencode: () => import("../../src/recordings/opencode.ts"),
} as Loaders);
useBundledLibraries(BUNDLED_LIBRARIES);

const [what, path = ""] = Deno.args;
const text = what === "parse" ? new TextDecoder().decode(Deno.readFileSync(path)) : "";
const ms = what === "parse" ? parseMs() : await frameMs();
console.log(ms.toFixed(2));
Deno.exit(0);

function parseMs(): number {
  const startMs = performance.now();
  JSON.parse(text);
  return performance.now() - startMs;
}

async function frameMs(): Promise<number> {
  Deno.consoleSize = () => ({ columns: 120, rows: 40 });
  const { openSubject } = await import("../../src/app/io/open_recording.ts");
  const { createState, DEFAULT_SETTINGS } = await import("../../src/app/state.ts");
  const { sync, update } = await import("../../src/app/update.ts");
  const { drawFrame } = await import("../../src/app/draw.ts");
  const { createFrame } = await import("../../src/screen/frame.ts");
  const { BASIC_CAPABILITIES, createEncoder, encodeFrame } = await import("../../src/screen/encode.ts");
  const { createTheme } = await import("../../src/screen/theme.ts");
  const { isMarkdownWanted, loadMarkdown } = await import("../../src/text/markdown.ts");
  const state = createState({
    columns: 120,
    rows: 40,
    recording: true,
    home: null,
    clientId: "b",
    fold: "normal",
    settings: DEFAULT_SETTINGS,
  });
  const frame = createFrame(120, 40);
  const encoder = createEncoder({ theme: createTheme({ color: true }), capabilities: BASIC_CAPABILITIES });
  using terminal = Deno.openSync("/dev/null", { write: true });

  const startMs = performance.now();
  const subject = await openSubject(path, { follow: false, branch: false, fold: "normal", format: null });
  if (subject.kind === "problem") throw new Error(subject.what);
  for (const input of subject.first) update(state, input, 0);
  drawFrame(state, frame);
  if (isMarkdownWanted()) {
    await loadMarkdown();
    sync(state);
    drawFrame(state, frame);
  }
  terminal.writeSync(new TextEncoder().encode(encodeFrame(encoder, frame)));
  return performance.now() - startMs;
}
