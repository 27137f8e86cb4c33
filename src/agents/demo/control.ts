// Pausing and cancelling one turn: whoever works asks at its safe points, whoever commands is answered at once.

/** Thrown through a turn's work when it was cancelled; never leaves the agent. */
export class TurnCancelled extends Error {}

/** Something that goes on by itself while the turn waits for it. */
export interface Running {
  pause(): void;
  resume(): void;
  kill(): Promise<void>;
}

/** The wish for a turn to stop or hold, and what runs at the moment that must stop or hold with it. */
export class TurnControl {
  #state: "going" | "pause_wanted" | "paused" | "cancelled" = "going";
  #abort = new AbortController();
  readonly #cancel = new AbortController();
  #resumed = Promise.withResolvers<void>();
  #killed: Promise<unknown> = Promise.resolve();
  /** What the turn waits for now. */
  readonly running: Set<Running> = new Set();

  /** Takes in what has just been started. */
  hold(running: Running): void {
    this.running.add(running);
    if (this.#state === "pause_wanted" || this.#state === "paused") running.pause();
    if (this.#state === "cancelled") this.#killed = Promise.all([this.#killed, running.kill()]);
  }

  /** Fires when a wait should end early. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Fires when the turn is cancelled, not when it only holds. */
  get cancelSignal(): AbortSignal {
    return this.#cancel.signal;
  }

  get isCancelled(): boolean {
    return this.#state === "cancelled";
  }

  get isPaused(): boolean {
    return this.#state === "paused";
  }

  /** Wants a pause at the next safe point; commands are held at once. */
  pause(): void {
    if (this.#state !== "going") return;
    this.#state = "pause_wanted";
    for (const each of this.running) each.pause();
    this.#abort.abort();
  }

  resume(): void {
    if (this.#state !== "paused" && this.#state !== "pause_wanted") return;
    this.#state = "going";
    this.#abort = new AbortController();
    for (const each of this.running) each.resume();
    this.#resumed.resolve();
  }

  /** Ends the turn at its next safe point, and kills what runs; resolves when that is gone. */
  async cancel(): Promise<void> {
    if (this.#state !== "cancelled") {
      this.#state = "cancelled";
      this.#cancel.abort();
      this.#abort.abort();
      this.#resumed.resolve();
      this.#killed = Promise.all([...this.running].map((each) => each.kill()));
    }
    await this.#killed;
  }

  /** Resolves when something is wanted; then ask safePoint. */
  wanted(): Promise<void> {
    const { signal } = this.#abort;
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  }

  /** True when safePoint would do something: what is open is closed first. */
  get isWanted(): boolean {
    return this.#state === "pause_wanted" || this.#state === "cancelled";
  }

  /** Throws TurnCancelled, or holds until the turn goes on; `onPause` and `onResume` tell the client. */
  async safePoint(onPause: () => void, onResume: () => void): Promise<void> {
    if (this.#state === "pause_wanted") {
      this.#state = "paused";
      this.#resumed = Promise.withResolvers<void>();
      onPause();
      await this.#resumed.promise;
      // resume() or cancel() came meanwhile.
      if (!this.isWanted) onResume();
    }
    if (this.#state === "cancelled") throw new TurnCancelled();
  }
}
