// The smallest full-screen program: opens the terminal, shows what it was told, and ends in the way a key asks for.
// Run by terminal_pty_test.ts inside a pseudo-terminal; the first argument is a file for its process id.

import { createEncoder, encodeFrame, invalidate, setCapabilities } from "../src/screen/encode.ts";
import { createFrame, paintLine, resizeFrame } from "../src/screen/frame.ts";
import { isInteractive } from "../src/app/io/refuse.ts";
import { openTerminal, type Terminal } from "../src/screen/terminal.ts";
import { createTheme } from "../src/screen/theme.ts";

const [pidFile = "", lendTo = "true"] = Deno.args;
if (!isInteractive()) {
  console.error("Cannot start: stdin and stdout must be a terminal");
  Deno.exit(1);
}

const theme = createTheme({ color: true });
const frame = createFrame(0, 0);
let encoder = createEncoder({
  theme,
  capabilities: { synchronizedOutput: false, title: true, scrollRegions: true },
});
const rows: string[] = ["ready"];
let terminal: Terminal | null = null;
let isStale = false;

function draw(): void {
  if (terminal === null) return;
  if (!terminal.canWrite()) {
    isStale = true;
    return;
  }
  isStale = false;
  const { columns, rows: height } = terminal.size();
  resizeFrame(frame, columns, height);
  if (rows.at(-1) === "fail while drawing") throw new Error("drawing failed");
  for (const [row, text] of rows.slice(-height).entries()) {
    paintLine(frame, { row, column: 0, width: columns }, { spans: [{ text, role: "md.heading" }] });
  }
  frame.cursor = { row: Math.min(rows.length, height) - 1, column: 0, shape: "bar" };
  frame.title = "inside";
  terminal.write(encodeFrame(encoder, frame));
}

function say(text: string): void {
  rows.push(text);
  draw();
}

const KEYS: Record<string, () => void | Promise<void>> = {
  q: async () => {
    await terminal?.close();
    await terminal?.close();
    Deno.exit(0);
  },
  e: () =>
    void setTimeout(() => {
      throw new Error("thrown by a timer");
    }),
  r: () => void Promise.reject(new Error("rejected")),
  d: () => say("fail while drawing"),
  x: () => Deno.exit(7),
  z: async () => {
    if (await terminal?.suspend() === false) say("no job control");
  },
  l: async () => {
    await terminal?.lend(async (stop) => {
      const command = new Deno.Command("sh", { args: ["-c", lendTo], stdin: "inherit", signal: stop });
      await command.spawn().status;
    });
    say("back");
  },
  // More than a terminal takes at once while nobody reads.
  f: () => {
    for (let count = 0; count < 200; count++) terminal?.write(`\x1b[H${"x".repeat(5000)}`);
    if (encoder !== null) invalidate(encoder);
  },
};

terminal = openTerminal({
  events: {
    onInput(bytes) {
      const text = new TextDecoder().decode(bytes);
      // deno-lint-ignore no-control-regex
      for (const [, mode = ""] of text.matchAll(/\x1b\[\?([0-9;]+)\$y/g)) {
        if (!terminal?.takeAnswer("decrpm", mode)) continue;
        setCapabilities(encoder, terminal.capabilities());
        say("synchronized");
      }
      // Answers may come in one read with keys.
      // deno-lint-ignore no-control-regex
      const keys = text.replace(/\x1b\[\??[0-9;]*\$?[a-zA-Z]/g, "");
      for (const key of keys) {
        say(`read ${key}`);
        void KEYS[key]?.();
      }
    },
    onResize(size) {
      say(`size ${size.columns}x${size.rows}`);
    },
    onRepaint() {
      invalidate(encoder);
      say("repaint");
    },
    onDrain() {
      if (isStale) draw();
    },
    onQueries() {},
  },
});
encoder = createEncoder({ theme, capabilities: terminal.capabilities() });
Deno.writeTextFileSync(pidFile, String(Deno.pid));
draw();
