// The last messages of a session in one JSON value, from the first and the last bytes of its file: what is between is
// not read. Only where it is indented as writers do, or not at all; json_document.ts reads any.

import { lastCompactMessages, openingOf } from "./compact_messages.ts";
import { fieldsOf } from "./fields.ts";
import { indentOf, lastMessages } from "./indented_messages.ts";
import { createDocumentReader, feedDocument } from "./json_document.ts";
import { messageIn } from "./json_session.ts";
import type { SessionDocument } from "./session_document.ts";

const decoder = new TextDecoder();

/** The session with no messages but its last; null where they cannot be told from these bytes alone. */
export function lastOfSession(head: Uint8Array, tail: Uint8Array): SessionDocument | null {
  const reader = createDocumentReader({ splits: true });
  if (feedDocument(reader, head).length > 0 || reader.base !== 0) return null;
  const list = reader.value?.list ?? null;
  const [bytes] = reader.value?.pieces ?? [];
  if (bytes === undefined || list === null || list === "odd" || list.end !== 0) return null;
  const indent = indentOf(bytes, list.start);
  const messages = indent === null
    ? lastCompactMessages(tail, openingOf(bytes.subarray(list.start)))
    : lastMessages(tail, indent);
  if (messages === null) return null;
  const { starts, ends } = messages;
  const front = decoder.decode(bytes.subarray(0, list.start));
  const behind = decoder.decode(tail.subarray(messages.end));
  const text = (start: number, end: number) => decoder.decode(tail.subarray(start, end));
  try {
    return {
      head: fieldsOf(JSON.parse(front + behind)),
      count: starts.length,
      lengthBefore: (index) => starts[index] ?? messages.end,
      // Which line it is on is told when all of it has been read.
      messageAt: (index) => messageIn(text(starts[index] ?? 0, ends[index] ?? 0), () => 1),
      whole: () => JSON.parse(front + text(starts[0] ?? 0, messages.end) + behind),
    };
  } catch {
    return null;
  }
}
