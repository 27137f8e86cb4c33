// What a frame costs between state and bytes: painting, comparing, encoding; budgets S3, S5, S6 and S12.
// Prints the bytes of each case once: those repeat exactly, the times do not.

import { loadClusterWidths } from "../text/graphemes.ts";
import { type Line, lineOf } from "../text/line.ts";
import { createEncoder, encodeFrame, invalidate } from "./encode.ts";
import { clearFrame, createFrame, type Frame, paintLine } from "./frame.ts";
import { createTheme } from "./theme.ts";

await loadClusterWidths();

const ASCII = "The quick brown fox jumps over the lazy dog, and then some more of it is told at length ";
const MIXED = "日本語の文章と emoji 🙂 が 混ざる行 👨‍👩‍👧 한글도 섞어서 naïve café ";

/** Distinct rows in the mix of a real screen: marks, names, text, colours. */
function makeLines(count: number, width: number, text: string): Line[] {
  return Array.from({ length: count }, (_, row) => {
    const start = (row * 7) % 40;
    const body = text.repeat(4).slice(
      start,
      start + Math.floor(width * 0.4) + (row * 13) % Math.floor(width * 0.2),
    );
    return lineOf(
      ["✓ ", "status.done"],
      [`row ${row} `, "tool.name"],
      [body, row % 3 === 0 ? "tool.output" : "default"],
      [" src/a.ts", "tool.path"],
    );
  });
}

function paintAll(frame: Frame, lines: readonly Line[], from: number): void {
  clearFrame(frame);
  for (let row = 0; row < frame.height - 2; row++) {
    paintLine(frame, { row, column: 0, width: frame.width }, lines[(from + row) % lines.length] as Line);
  }
  const region = { row: frame.height - 2, column: 0, width: frame.width };
  paintLine(frame, region, lineOf(["~/repo ctx 12%", "status.left"]));
  paintLine(
    frame,
    { ...region, row: frame.height - 1 },
    lineOf(["> ", "composer.mark"], ["draft", "composer.text"]),
  );
  frame.cursor = { row: frame.height - 1, column: 7, shape: "bar" };
}

for (const [width, height] of [[120, 40], [200, 60]] as const) {
  const group = `${width}x${height}`;
  for (const [kind, text] of [["ASCII", ASCII], ["mixed", MIXED]] as const) {
    const lines = makeLines(1000, width, text);
    const frame = createFrame(width, height);
    const capabilities = { synchronizedOutput: true, title: true, scrollRegions: true };
    const encoder = createEncoder({ theme: createTheme({ color: true }), capabilities });
    const painted = createEncoder({
      theme: createTheme({ color: true }),
      capabilities: { ...capabilities, scrollRegions: false },
    });
    let from = 0;
    const next = (by: number) => {
      from += by;
      paintAll(frame, lines, from);
    };
    const bytesOf = (output: string) => new TextEncoder().encode(output).length;

    next(0);
    const whole = bytesOf(encodeFrame(encoder, frame));
    const nothing = bytesOf(encodeFrame(encoder, frame));
    next(1);
    const line = bytesOf(encodeFrame(encoder, frame));
    next(height - 3);
    const page = bytesOf(encodeFrame(encoder, frame));
    encodeFrame(painted, frame);
    console.log(
      `${group} ${kind}: whole ${whole} B, nothing ${nothing} B, a line ${line} B, a page ${page} B`,
    );

    Deno.bench(`${kind}: fill`, { group }, () => next(1));
    Deno.bench(`${kind}: fill, encode everything`, { group }, () => {
      next(1);
      invalidate(encoder);
      encodeFrame(encoder, frame);
    });
    Deno.bench(`${kind}: encode, nothing changed, 10 times`, { group }, (bench) => {
      encodeFrame(encoder, frame);
      bench.start();
      for (let count = 0; count < 10; count++) encodeFrame(encoder, frame);
      bench.end();
    });
    Deno.bench(`${kind}: fill, scroll a line`, { group }, () => {
      next(1);
      encodeFrame(encoder, frame);
    });
    Deno.bench(`${kind}: fill, scroll a line by painting`, { group }, () => {
      next(1);
      encodeFrame(painted, frame);
    });
  }
}
