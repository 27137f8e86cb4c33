// Wrapping by words and measuring outside text by cells: what a new width costs.

import { loadClusterWidths } from "./graphemes.ts";
import { outsideLines, safeBlockText } from "./outside_text.ts";
import { measureText } from "./text_rows.ts";
import { wrapText } from "./wrap.ts";

const PROSE =
  "The quick brown fox jumps over the lazy dog, again and again, until the row is full. ".repeat(6) + "\n";
const CJK = "漢字かな交じり文、「折り返し」の試験です。한글도 섞어서 mixed words 中文排版没有空格".repeat(5) +
  "\n";
const COLOURED = "\x1b[32mok\x1b[0m\tpkg/a\t0.01s some more output of a test run\n";

const TEXTS = {
  ascii: PROSE.repeat(2000),
  cjk: CJK.repeat(2000),
};
const OUTPUTS = {
  ascii: PROSE.repeat(2000),
  cjk: CJK.repeat(2000),
  coloured: COLOURED.repeat(16_000),
  "one line": "a".repeat(1 << 20),
};

await loadClusterWidths();

for (const [name, text] of Object.entries(TEXTS)) {
  Deno.bench({
    name: `wrapText to 80, ${Math.round(text.length / 1024)} KiB ${name}`,
    group: "wrap",
    fn: () => void wrapText(text, "default", 80),
  });
  Deno.bench({ name: `safeBlockText, ${name}`, group: "safe", fn: () => void safeBlockText(text) });
}
for (const [name, text] of Object.entries(OUTPUTS)) {
  Deno.bench({
    name: `measureText to 80, ${Math.round(text.length / 1024)} KiB ${name}`,
    group: "measure",
    fn: () => void measureText(text, 80, { role: "tool.output", indent: 2 }),
  });
  Deno.bench({
    name: `outsideLines, ${name}`,
    group: "outside",
    fn: () => void outsideLines(text, "tool.output"),
  });
}
