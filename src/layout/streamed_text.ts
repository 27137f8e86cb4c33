// What is kept of a block's texts from one version to the next, so that text that streams costs what is added to it:
// its Markdown, the rows of its reasoning, and the chunks of reasoning too long for those.

import { createFlow, type FlowText } from "../text/flow_text.ts";
import { createMarkdown, type MarkdownText } from "../text/markdown.ts";
import { createReading, type Reading, readOn, type TextSource } from "../text/text_source.ts";
import { appendLongText, type LongText, longText } from "../transcript/long_text.ts";

/** What is kept of one text. */
export interface KeptText {
  markdown: MarkdownText | null;
  flow: FlowText | null;
  chunks: KeptChunks | null;
}

interface KeptChunks {
  readonly reading: Reading;
  readonly text: LongText;
  /** White space that is shown when something stands behind it. */
  held: string;
}

export function createKept(): KeptText {
  return { markdown: null, flow: null, chunks: null };
}

export function keptMarkdown(kept: KeptText): MarkdownText {
  return kept.markdown ??= createMarkdown();
}

export function keptFlow(kept: KeptText): FlowText {
  return kept.flow ??= createFlow();
}

/** The text without the white space at its ends, in chunks: the same object while it only grows. */
export function keptChunks(kept: KeptText, source: TextSource): LongText {
  kept.flow = null;
  kept.chunks ??= { reading: createReading(), text: longText(), held: "" };
  let fresh = readOn(kept.chunks.reading, source);
  if (fresh === null) {
    kept.chunks = { reading: createReading(), text: longText(), held: "" };
    fresh = readOn(kept.chunks.reading, source) ?? "";
  }
  const { text, held } = kept.chunks;
  const added = text.length === 0 ? fresh.trimStart() : held + fresh;
  const said = added.trimEnd().length;
  kept.chunks.held = added.slice(said);
  appendLongText(text, added.slice(0, said));
  return text;
}
