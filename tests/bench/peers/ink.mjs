// ink in the alternate screen, the way it is fastest: the program wraps the text and hands ink the rows in view only.

import process from "node:process";
import { coloured, createFrames, run, whenResized } from "./scenario.mjs";

const { Box, render, Text } = await import(process.env.BENCH_PACKAGE);
const { createElement } = await import("react").then((module) => module.default);
const { default: wrap } = await import("wrap-ansi");
const frames = createFrames(250);
let pieces = [];
let lines = [];
let text = "start";
let top = Infinity;
let instance;

const wrapped = (text) => wrap(text, process.stdout.columns - 2, { hard: true, trim: false }).split("\n");

function App() {
  const tail = wrapped(text);
  const height = process.stdout.rows - 1;
  const count = lines.length + tail.length;
  const first = Math.max(0, Math.min(count - height, top));
  const shown = Array.from({ length: Math.min(height, count - first) }, (_, at) => {
    const row = first + at;
    const line = row < lines.length ? lines[row] : tail[row - lines.length];
    return createElement(Text, { key: at, wrap: "truncate" }, line || " ");
  });
  return createElement(
    Box,
    { flexDirection: "column", height: height + 1 },
    createElement(Box, { flexDirection: "column", height, overflow: "hidden" }, ...shown),
    createElement(Text, null, "> prompt"),
  );
}

const paint = () =>
  frames.after(() => {
    if (instance !== undefined) return instance.rerender(createElement(App));
    instance = render(createElement(App), {
      alternateScreen: true,
      incrementalRendering: true,
      maxFps: 1000,
      patchConsole: false,
      exitOnCtrlC: false,
      onRender: frames.wake,
    });
  });
const rewrap = () => {
  lines = pieces.flatMap((piece) => wrapped(coloured(piece)));
};

await run({
  mount: (given) => {
    pieces = given;
    rewrap();
    return paint();
  },
  append: (token) => {
    text += token;
    return paint();
  },
  scroll: (rows) => {
    const wanted = (top === Infinity ? lines.length - process.stdout.rows : top) + rows;
    if (wanted < 0) return false;
    top = wanted;
    return paint();
  },
  resized: () =>
    whenResized((done) => process.stdout.once("resize", done), () => {
      rewrap();
      return paint();
    }),
});
