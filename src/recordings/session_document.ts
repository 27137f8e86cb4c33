// A whole session in one value (an OpenCode export, an old chat of Gemini), or in a file a message, as its messages:
// each is parsed when it is asked for, so that the last can be told before the others are looked at.

import { type Fields, fieldsList, fieldsOf } from "./fields.ts";

/** One message of a session: an object, with what is missing of it, or what is wrong with it. `line` counts from 1. */
export type DocumentMessage =
  | { readonly kind: "value"; readonly value: Fields; readonly missing?: readonly string[] }
  | { readonly kind: "problem"; readonly what: string; readonly line: number };

/** A session whose messages stand in the list `messages`. */
export interface SessionDocument {
  /** All fields but the messages: the list is there and empty. */
  readonly head: Fields;
  /** Messages in all. */
  readonly count: number;
  /** Length of the messages before `index`, in bytes or another measure that rises with what they hold. */
  lengthBefore(index: number): number;
  /** Parsed anew each time it is asked for. */
  messageAt(index: number): DocumentMessage;
  /** All of it as one value, parsed anew. Throws what JSON.parse throws. */
  whole(): unknown;
}

/** Messages that are looked at for what its first answer came from. */
export const MESSAGES_LOOKED_AT = 50;

/** A value that is parsed already. */
export function documentOf(value: Fields): SessionDocument {
  const messages = fieldsList(value.messages);
  return {
    head: { ...value, messages: [] },
    count: messages.length,
    lengthBefore: (index) => index,
    messageAt: (index) => ({ kind: "value", value: fieldsOf(messages[index]) }),
    whole: () => value,
  };
}

/** The session from message `start` on. */
export function documentFrom(document: SessionDocument, start: number): SessionDocument {
  return {
    ...document,
    count: document.count - start,
    lengthBefore: (index) => document.lengthBefore(start + index) - document.lengthBefore(start),
    messageAt: (index) => document.messageAt(start + index),
  };
}

/** The same session; `look` is told how much of it has been asked for, from 0 to 1. */
export function watchDocument(document: SessionDocument, look: (share: number) => void): SessionDocument {
  const length = Math.max(1, document.lengthBefore(document.count));
  return {
    ...document,
    messageAt: (index) => {
      look(document.lengthBefore(index) / length);
      return document.messageAt(index);
    },
  };
}

/** The first messages that are sound, parsed as they are asked for. */
export function* firstMessages(document: SessionDocument, most = MESSAGES_LOOKED_AT): Generator<Fields> {
  for (let index = 0; index < Math.min(document.count, most); index++) {
    const message = document.messageAt(index);
    if (message.kind === "value") yield message.value;
  }
}
