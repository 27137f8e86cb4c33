// Who asked what: a refusal of the agent goes to the client whose method or message it answers, and to nobody else.

import type { EventData } from "../transcript/event.ts";
import type { Method } from "../transcript/method.ts";

type MethodId = string | number;

/** A method that was handed to the agent. */
interface Asked {
  readonly client: number;
  /** The id the client gave it. */
  readonly id: MethodId | null;
}

/** A message that was handed to the agent and has not come back as an event. */
export interface SentMessage {
  readonly client: number;
  readonly text: string;
}

/** Most methods are never answered: so many are remembered. */
const REMEMBERED = 1000;

export class AskedMethods {
  readonly #asked = new Map<string, Asked>();
  readonly #messages = new Map<string, SentMessage>();
  #count = 0;

  /** The method with an id of the pod's own: two clients may use the same. */
  note(client: number, method: Method): Method {
    const id = `pod-${++this.#count}`;
    remember(this.#asked, id, { client, id: method.id ?? null });
    if (method.method === "run" || method.method === "steer") {
      const { message_id, input } = method.params;
      if (message_id !== undefined) remember(this.#messages, message_id, { client, text: input });
    }
    return { ...method, id };
  }

  /** A message the agent has taken. */
  confirm(messageId: string): void {
    this.#messages.delete(messageId);
  }

  /** The message an error is about, if it is one the agent was handed and has not taken. */
  refused(error: EventData<"error">): (SentMessage & { readonly messageId: string }) | null {
    const messageId = error.message_id;
    const message = messageId === null ? undefined : this.#messages.get(messageId);
    if (messageId === null || message === undefined) return null;
    this.#messages.delete(messageId);
    return { ...message, messageId };
  }

  /** The client an error is for, with the id that client knows; null when it is for all. */
  answered(
    error: EventData<"error">,
  ): { readonly client: number; readonly error: EventData<"error"> } | null {
    const asked = typeof error.id === "string" ? this.#asked.get(error.id) : undefined;
    if (typeof error.id !== "string" || asked === undefined) return null;
    this.#asked.delete(error.id);
    return { client: asked.client, error: { ...error, id: asked.id } };
  }
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.set(key, value);
  if (map.size <= REMEMBERED) return;
  for (const oldest of map.keys()) return void map.delete(oldest);
}
