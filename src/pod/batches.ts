// Names of question batches. An agent that counts anew asks under a name that was answered before; an answer that was
// on its way to the first must not decide the second, so each asking has a name of its own towards the clients.

import type { Event } from "../transcript/event.ts";
import type { Method } from "../transcript/method.ts";

/** So many askings are told apart. */
const REMEMBERED = 10_000;

interface Asking {
  /** As clients know it. */
  readonly name: string;
  /** What is asked, while it is open; null: it is over. */
  asked: string | null;
}

export class Batches {
  /** The newest asking of each name the agent uses, as clients know it. */
  readonly #newest = new Map<string, Asking>();
  /** The agent's name of each asking, by the name clients know. */
  readonly #asked = new Map<string, string>();

  /** The agent's event as the clients are told it: what asks something else under an open name ends the asking before it. */
  outward(event: Event): readonly Event[] {
    if (event.event === "question") {
      const { batch_id: id, ...asked } = event.data;
      const before = this.#newest.get(id);
      const text = JSON.stringify(asked);
      const isOther = before !== undefined && before.asked !== null && before.asked !== text;
      if (isOther) before.asked = null;
      const told: Event = { ...event, data: { ...event.data, batch_id: this.#ask(id, text) } };
      if (!isOther) return [told];
      const closed: Event = {
        event: "question_closed",
        data: { batch_id: before.name, reason: "cancelled", answers: [] },
        ...(event.ts === undefined ? {} : { ts: event.ts }),
      };
      return [closed, told];
    }
    if (event.event !== "question_closed") return [event];
    const newest = this.#newest.get(event.data.batch_id);
    if (newest === undefined) return [event];
    newest.asked = null;
    return [{ ...event, data: { ...event.data, batch_id: newest.name } }];
  }

  /** A client's answer as the agent knows the batch; null when that asking is over. */
  inward(method: Method): Method | null {
    if (method.method === "answer") {
      const batch_id = this.#openName(method.params.batch_id);
      return batch_id === null ? null : { ...method, params: { ...method.params, batch_id } };
    }
    if (method.method !== "dismiss_question") return method;
    const batch_id = this.#openName(method.params.batch_id);
    return batch_id === null ? null : { ...method, params: { ...method.params, batch_id } };
  }

  /** The same asked again while it is open is the same asking. */
  #ask(id: string, asked: string): string {
    const before = this.#newest.get(id);
    if (before !== undefined && before.asked !== null) return before.name;
    let name = id;
    for (let count = 2; this.#asked.has(name); count++) name = `${id}~${count}`;
    this.#newest.set(id, { name, asked });
    this.#asked.set(name, id);
    if (this.#asked.size > REMEMBERED) this.#forgetOldest();
    return name;
  }

  #openName(name: string): string | null {
    const id = this.#asked.get(name);
    // Never asked here: the agent may know it.
    if (id === undefined) return name;
    const newest = this.#newest.get(id);
    return newest?.name === name && newest.asked !== null ? id : null;
  }

  #forgetOldest(): void {
    for (const [name, id] of this.#asked) {
      if (this.#newest.get(id)?.name === name) this.#newest.delete(id);
      return void this.#asked.delete(name);
    }
  }
}
