// The way of a message through the pod: it runs, steers, or waits until the agent can take it, and whoever sent it
// hears when the agent refuses. No message is taken twice, and none is lost between the queue and its turn.

import type { Transcript } from "../transcript/block.ts";
import type { EventData, QueueItem } from "../transcript/event.ts";
import type { Method, MethodParams } from "../transcript/method.ts";
import { AskedMethods, type SentMessage } from "./asked.ts";
import { MessageQueue } from "./message_queue.ts";

export interface MessagesOptions {
  readonly transcript: Transcript;
  /** Ids of messages that were taken before. */
  readonly seen: Iterable<string>;
  canSteer(): boolean;
  /** False while there is no agent to send to. */
  send(method: Method): boolean;
  /** The queue changed. */
  onQueue(items: readonly QueueItem[]): void;
  /** Tells one client of a refusal; false when it is gone. */
  tell(client: number, error: EventData<"error">): boolean;
}

/** A run the agent was handed and has not begun. */
interface AwaitedRun {
  readonly messageId: string;
  readonly fromQueue: boolean;
}

/** Whom a message out of the queue goes back to: nobody, it stays there. */
const NOBODY = 0;
/** An agent that was still busy is asked again after this. */
const BUSY_MS = 100;

export class Messages {
  readonly asked = new AskedMethods();
  readonly #options: MessagesOptions;
  readonly #queue: MessageQueue;
  #awaited: AwaitedRun | null = null;
  #wasBusy = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** What waits was left over, or refused: the end of the next turn sends it, not the pod by itself. */
  #isHeld: boolean;

  constructor(options: MessagesOptions) {
    this.#options = options;
    this.#queue = new MessageQueue(options.transcript.queue, options.seen);
    this.#isHeld = this.#queue.items.length > 0;
  }

  get isHeld(): boolean {
    return this.#isHeld;
  }

  /** A message is on its way to the agent. */
  get isWaiting(): boolean {
    return this.#awaited !== null;
  }

  /** Takes a client's message: it steers or runs where it can, else it is queued. */
  take(client: number, params: MethodParams<"run">, kind: "run" | "steer"): void {
    const messageId = params.message_id ?? `pod-${crypto.randomUUID().slice(0, 8)}`;
    if (!this.#queue.note(messageId)) return;
    const message = { message_id: messageId, text: params.input };
    const { status } = this.#options.transcript;
    const isOpen = this.#awaited === null;
    const steers = kind === "steer" && (status === "running" || status === "paused") &&
      this.#options.canSteer();
    if (isOpen && steers) {
      if (this.#hand(client, "steer", message)) return;
    } else if (isOpen && (status === "idle" || status === "paused")) {
      if (this.#run(client, message, false)) return;
    }
    this.#queue.add(message);
    this.#tellQueue();
  }

  /** Takes a message out of the queue; false when it does not wait there any more. */
  takeBack(messageId: string): boolean {
    if (this.#awaited?.messageId === messageId || !this.#queue.remove(messageId)) return false;
    this.#tellQueue();
    return true;
  }

  /** The agent has taken a message; null: it does not say which. */
  confirm(messageId: string | null): void {
    if (messageId === null) return this.started();
    this.asked.confirm(messageId);
    this.#queue.note(messageId);
    if (this.#awaited?.messageId === messageId) this.started();
    else if (this.#queue.remove(messageId)) this.#tellQueue();
  }

  /** The agent works on what it was handed. Only now does it leave the queue: a pod killed before has it still. */
  started(): void {
    const awaited = this.#awaited;
    this.#awaited = null;
    if (awaited?.fromQueue && this.#queue.remove(awaited.messageId)) this.#tellQueue();
  }

  turnEnded(): void {
    this.#isHeld = false;
    this.#wasBusy = false;
  }

  /** An error that answers one method goes to its client; true when it is no matter of all. */
  answer(error: EventData<"error">): boolean {
    const message = this.asked.refused(error);
    const answered = this.asked.answered(error);
    if (message === null) {
      if (answered === null) return false;
      this.#options.tell(answered.client, answered.error);
      return true;
    }
    const isFromQueue = this.#awaited?.messageId === message.messageId && this.#awaited.fromQueue;
    if (this.#awaited?.messageId === message.messageId) this.#awaited = null;
    if (error.code === "already_running") {
      this.#wasBusy = true;
      this.#keep(message, "front");
      return true;
    }
    if (isFromQueue) {
      this.#isHeld = true;
      return false;
    }
    if (this.#options.tell(message.client, answered?.error ?? error)) {
      this.#queue.forget(message.messageId);
      return true;
    }
    // Its client is gone: the words wait here, and the refusal is for all to see.
    this.#isHeld ||= error.code !== "not_running";
    this.#keep(message, "end");
    return error.code === "not_running";
  }

  /** Not at once: the agent is often still in the middle of telling that its turn is over. */
  sendNextSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#wasBusy = false;
      const next = this.#queue.items[0];
      const isFree = this.#awaited === null && this.#options.transcript.status === "idle" && !this.#isHeld;
      if (next !== undefined && isFree) this.#run(NOBODY, next, true);
    }, this.#wasBusy ? BUSY_MS : 0);
  }

  /** Sends nothing more. */
  close(): void {
    clearTimeout(this.#timer);
    this.#isHeld = true;
  }

  #run(client: number, message: QueueItem, fromQueue: boolean): boolean {
    this.#awaited = { messageId: message.message_id, fromQueue };
    if (this.#hand(client, "run", message)) return true;
    this.#awaited = null;
    return false;
  }

  #hand(client: number, method: "run" | "steer", message: QueueItem): boolean {
    const params = { input: message.text, message_id: message.message_id };
    return this.#options.send(this.asked.note(client, { method, params }));
  }

  #keep(message: SentMessage & { readonly messageId: string }, place: "front" | "end"): void {
    this.#queue.add({ message_id: message.messageId, text: message.text }, place);
    this.#tellQueue();
    this.sendNextSoon();
  }

  #tellQueue(): void {
    this.#options.onQueue(this.#queue.items);
  }
}
