// pi-tui: a scroll view over one text a piece, in the alternate screen.

import process from "node:process";
import { coloured, createFrames, run, whenResized } from "./scenario.mjs";

const { Container, ProcessTerminal, ScrollView, Text, TuiAltScreen, VStack } = await import(
  process.env.BENCH_PACKAGE
);
const tui = new TuiAltScreen(new ProcessTerminal());
// Its 16 ms between two frames are no work.
for (let type = TuiAltScreen; type; type = Object.getPrototypeOf(type)) {
  if (Object.hasOwn(type, "MIN_RENDER_INTERVAL_MS")) type.MIN_RENDER_INTERVAL_MS = 0;
}
const frames = createFrames();
const render = tui.doRender.bind(tui);
tui.doRender = () => {
  render();
  frames.wake();
};
const all = new Container();
const tail = new Text("start", 1, 0);
let text = "start";

await run({
  mount: (pieces) => {
    for (const piece of pieces) all.addChild(new Text(coloured(piece), 1, 0));
    all.addChild(tail);
    const view = new ScrollView(all, { follow: "end", primary: true });
    tui.setLayoutRoot(
      new VStack([
        { component: view, grow: 1, basis: 0 },
        { component: new Text("> prompt", 0, 0), basis: 1 },
      ]),
    );
    return frames.after(() => tui.start());
  },
  append: (token) =>
    frames.after(() => {
      text += token;
      tail.setText(text);
      tui.requestRender();
    }),
  scroll: (rows) => tui.viewportTop === 0 ? false : frames.after(() => tui.scrollBy(rows)),
  resized: () => whenResized((done) => process.stdout.once("resize", done), () => frames.after(() => {})),
});
