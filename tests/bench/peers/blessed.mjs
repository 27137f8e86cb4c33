// neo-blessed: one box that scrolls, with the whole transcript in it.

import process from "node:process";
import { coloured, run, whenResized } from "./scenario.mjs";

const { default: blessed } = await import(process.env.BENCH_PACKAGE);
const screen = blessed.screen({ smartCSR: true, fullUnicode: true, warnings: false });
let box;
let before = "";
let text = "start";

const painted = () => {
  screen.render();
  return new Promise((resolve) => setImmediate(resolve));
};
const showEnd = () => {
  box.setContent(`${before}\n${text}`);
  box.setScrollPerc(100);
};

await run({
  mount: (pieces) => {
    box = blessed.box({
      top: 0,
      left: 0,
      width: "100%",
      height: "100%-1",
      scrollable: true,
      alwaysScroll: true,
      wrap: true,
    });
    screen.append(box);
    screen.append(blessed.text({ bottom: 0, left: 0, height: 1, content: "> prompt" }));
    before = pieces.map(coloured).join("\n");
    box.setContent(`${before}\n${text}`);
    screen.render();
    box.setScrollPerc(100);
    return painted();
  },
  append: (token) => {
    text += token;
    showEnd();
    return painted();
  },
  scroll: (rows) => {
    if (box.getScroll() <= 0) return false;
    box.scroll(rows);
    return painted();
  },
  resized: () => whenResized((done) => screen.once("resize", done), painted),
});
