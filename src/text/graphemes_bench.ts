// Cells and graphemes of a megabyte of text: what painting and wrapping cost before anything is drawn.

import { cellWidth, loadClusterWidths, walkGraphemes } from "./graphemes.ts";

const MEGABYTE = 1 << 20;

function fill(sample: string): string {
  return sample.repeat(Math.ceil(MEGABYTE / sample.length)).slice(0, MEGABYTE);
}

const TEXTS = {
  ascii: fill("The quick brown fox jumps over the lazy dog, again and again. "),
  mixed: fill(
    "Wrapping 漢字かな交じり文、 한글도 섞어서 with 😀 👨‍👩‍👧 and plain words, é too. ".normalize("NFD"),
  ),
  cjk: fill("漢字かな交じり文、「折り返し」の試験です。中文排版没有空格"),
  thai: fill("ที่นี่มีข้อความภาษาไทยยาวๆ "),
  flags: fill("🇯🇵🇰🇷👨‍👩‍👧 "),
};

await loadClusterWidths();

for (const [name, text] of Object.entries(TEXTS)) {
  Deno.bench({ name: `cellWidth, 1 MiB ${name}`, group: "cellWidth", fn: () => void cellWidth(text) });
  Deno.bench({
    name: `walkGraphemes, 1 MiB ${name}`,
    group: "walkGraphemes",
    fn: () => {
      let count = 0;
      walkGraphemes(text, () => {
        count++;
      });
    },
  });
}
