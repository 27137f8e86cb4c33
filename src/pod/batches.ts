// Names of question batches. An agent that counts anew asks under a name that was answered before; an answer that was
// on its way to the first must not decide the second, so each asking has a name of its own towards the clients.

import type { Event } from "../transcript/event.ts";
import type { Method } from "../transcript/method.ts";

/** So many askings are told apart. */
const REMEMBERED = 10_000;

export class Batches {
  /** The newest asking of each name the agent uses, as clients know it. */
  readonly #newest = new Map<string, { readonly name: string; isOpen: boolean }>();
  /** The agent's name of each asking, by the name clients know. */
  readonly #asked = new Map<string, string>();

  /** The agent's event as the clients are told it. */
  outward(event: Event): Event {
    if (event.event === "question") {
      return { ...event, data: { ...event.data, batch_id: this.#ask(event.data.batch_id) } };
    }
    if (event.event !== "question_closed") return event;
    const newest = this.#newest.get(event.data.batch_id);
    if (newest === undefined) return event;
    newest.isOpen = false;
    return { ...event, data: { ...event.data, batch_id: newest.name } };
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

  /** A name asked again while it is open is the same asking. */
  #ask(id: string): string {
    const before = this.#newest.get(id);
    if (before?.isOpen === true) return before.name;
    let name = id;
    for (let count = 2; this.#asked.has(name); count++) name = `${id}~${count}`;
    this.#newest.set(id, { name, isOpen: true });
    this.#asked.set(name, id);
    if (this.#asked.size > REMEMBERED) this.#forgetOldest();
    return name;
  }

  #openName(name: string): string | null {
    const id = this.#asked.get(name);
    // Never asked here: the agent may know it.
    if (id === undefined) return name;
    const newest = this.#newest.get(id);
    return newest?.name === name && newest.isOpen ? id : null;
  }

  #forgetOldest(): void {
    for (const [name, id] of this.#asked) {
      if (this.#newest.get(id)?.name === name) this.#newest.delete(id);
      return void this.#asked.delete(name);
    }
  }
}
