// OpenTUI on bun: a scroll box of texts that follows its end, culled to the view.

import process from "node:process";
import { createFrames, run, whenResized } from "./scenario.mjs";

const { bold, createCliRenderer, fg, ScrollBoxRenderable, StyledText, TextRenderable } = await import(
  process.env.BENCH_PACKAGE
);
const COLOURS = { "+": "#00ff00", "-": "#ff0000", "@": "#00ffff" };
const frames = createFrames();
let renderer, view, tail;
let text = "start";

function content({ kind, text }) {
  if (kind === "user") return new StyledText([bold(fg("#00ffff")(`> ${text}`))]);
  if (kind === "tool") return new StyledText([fg("#888888")(text)]);
  if (kind !== "diff") return text;
  return new StyledText(text.split("\n").map((line) => fg(COLOURS[line[0]] ?? "#dddddd")(`${line}\n`)));
}

const frame = (deed) =>
  frames.after(() => {
    deed();
    renderer.requestRender();
  });

await run({
  mount: async (pieces) => {
    renderer = await createCliRenderer({
      targetFps: 1000,
      maxFps: 1000,
      debounceDelay: 0,
      exitOnCtrlC: false,
      consoleMode: "disabled",
    });
    renderer.on("frame", frames.wake);
    view = new ScrollBoxRenderable(renderer, {
      flexGrow: 1,
      stickyScroll: true,
      stickyStart: "bottom",
      viewportCulling: true,
    });
    const add = (content) => {
      const one = new TextRenderable(renderer, { content, wrapMode: "word", width: "100%" });
      view.add(one);
      return one;
    };
    for (const piece of pieces) add(content(piece));
    tail = add(text);
    renderer.root.add(view);
    renderer.root.add(new TextRenderable(renderer, { content: "> prompt", height: 1 }));
    // The first lays out, the second follows the end.
    await frame(() => {});
    await frame(() => {});
  },
  append: (token) =>
    frame(() => {
      text += token;
      tail.content = text;
    }),
  scroll: (rows) => view.scrollTop <= 0 ? false : frame(() => view.scrollBy(rows)),
  resized: () => whenResized((done) => renderer.once("resize", done), () => frames.after(() => {})),
  close: () => renderer.destroy(),
});
