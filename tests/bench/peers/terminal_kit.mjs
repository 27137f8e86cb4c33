// terminal-kit: a text buffer with the whole transcript, drawn through a screen buffer that writes differences.

import process from "node:process";
import { run } from "./scenario.mjs";

const { default: kit } = await import(process.env.BENCH_PACKAGE);
const width = Number(process.env.BENCH_COLUMNS);
const height = Number(process.env.BENCH_ROWS) - 1;
kit.terminal.fullscreen(true);
const screen = new kit.ScreenBuffer({ dst: kit.terminal, width, height });
const buffer = new kit.TextBuffer({
  dst: screen,
  width,
  height: 1e7,
  lineWrapWidth: width,
  wordWrap: true,
  x: 0,
  y: 0,
});

const painted = () => {
  buffer.draw();
  screen.draw({ delta: true });
  return new Promise((resolve) => setImmediate(resolve));
};
const follow = () => {
  buffer.y = -Math.max(0, buffer.buffer.length - height);
};

await run({
  mount: (pieces) => {
    buffer.setText(`${pieces.map(({ text }) => text).join("\n")}\nstart`);
    buffer.moveToEndOfBuffer();
    follow();
    return painted();
  },
  append: (token) => {
    buffer.insert(token);
    follow();
    return painted();
  },
  scroll: (rows) => {
    if (buffer.y >= 0) return false;
    buffer.y = Math.min(0, buffer.y - rows);
    return painted();
  },
});
