// `trifold open`: a recording is opened, its format found, and what is wrong said before the screen is taken.

import { isInteractive } from "../../screen/terminal.ts";
import { loadMarkdown } from "../../text/markdown.ts";
import type { Call } from "../commands.ts";
import type { Input } from "../effect.ts";
import { type Reader, showClient } from "../run.ts";
import { NO_TERMINAL, refuse } from "./refuse.ts";
import { openTerminalKeys } from "./terminal_keys.ts";

/** `trifold open`. */
export async function openRecording(call: Call): Promise<number> {
  const path = call.words[0] ?? "";
  const keyboard = path === "-" ? await openTerminalKeys() : Deno.stdin;
  if (keyboard === null || !isInteractive(keyboard)) return refuse(NO_TERMINAL);
  const [{ openSource, readSource }, { createFeed }] = await Promise.all([
    import("../../recordings/source.ts"),
    import("../files.ts"),
  ]);
  const source = await openSource(path);
  if (source.kind === "problem") return refuse(source.what);
  const feed = createFeed(call.flags.format);
  if (feed.fault() !== null) return refuse(feed.fault() ?? "", 2);
  // Read ahead until the format is known: what is unknown is said before the screen is taken.
  const ahead: Input[] = [];
  const reading = readSource(source)[Symbol.asyncIterator]();
  let isEnd = false;
  while (ahead.length === 0 && feed.fault() === null && !isEnd) {
    const next = await reading.next();
    if (next.done) {
      isEnd = true;
      ahead.push(...feed.end());
    } else if (next.value.kind === "problem") return refuse(next.value.what);
    else ahead.push(...feed.push(next.value.bytes));
  }
  if (feed.fault() !== null) return refuse(feed.fault() ?? "");
  await loadMarkdown();
  const read: Reader = async (give) => {
    await give(ahead);
    while (!isEnd) {
      const next = await reading.next();
      if (next.done) {
        isEnd = true;
        await give(feed.end());
      } else if (next.value.kind === "problem") return next.value.what;
      else await give(feed.push(next.value.bytes));
    }
    source.close();
    return null;
  };
  return await showClient({ kind: "recording", read }, call.flags, keyboard);
}
