// Pictures of README are what the goldens show: deno task pictures.

import assert from "node:assert/strict";
import { drawPictures, pictureSvg } from "./tools/pictures.ts";

Deno.test("the pictures in docs/pictures are up to date: deno task pictures", async () => {
  for (const { path, svg } of await drawPictures()) {
    assert.equal(Deno.readTextFileSync(path), svg, `${path.pathname} is out of date`);
  }
});

Deno.test("pictures: wide signs stand alone, reverse is drawn behind, markup in text is text", () => {
  const golden = [
    "# case: what it proves",
    "== end | normal | 12x2 ==",
    'cursor 1,2 bar   rows 0-1 of 1 follow   focus composer   title "a <b> & c"',
    "00 │<宽>  x     │",
    "01▸│> ab        │",
    "-- roles",
    "00  diff.added*4",
    "01  composer.mark*1 _*1 composer.selection*2",
    "",
  ].join("\n");
  const svg = pictureSvg(golden, "end | normal | 12x2");
  assert.match(svg, /<title>a &lt;b&gt; &amp; c<\/title>/);
  assert.match(svg, /<text class="c2" x="0" y="13.5" textLength="8.4">&lt;<\/text>/);
  assert.match(svg, /<text class="c2" x="8.4" y="13.5" textLength="16.8">宽<\/text>/);
  assert.match(
    svg,
    /<text x="50.4" y="13.5" textLength="8.4">x<\/text>/,
    "behind a wide sign columns are right",
  );
  assert.match(svg, /<rect x="16.8" y="18" width="16.8" height="18"\/>\n<text class="reverse"/);
  assert.match(svg, /<rect x="16.8" y="18" width="2" height="18"\/>/, "the caret");
  assert.match(svg, /@media\(prefers-color-scheme:dark\)/);
  assert.throws(() => pictureSvg(golden, "end | detail | 12x2"), /no such section/);
});
