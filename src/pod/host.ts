// A pod: one agent, one session, its log, and any number of clients. Events go to the log, then to the clients;
// methods to the agent, but for those the pod answers itself: the queue, drafts and histories.

import type { Agent, AgentEnd, AgentListener } from "../agents/agent.ts";
import type { Event, EventData, ParsedEvent } from "../transcript/event.ts";
import type { Method, MethodName, MethodParams } from "../transcript/method.ts";
import { applyEvent } from "../transcript/reduce.ts";
import { type AgentFactory, agentName } from "./agents.ts";
import type { PodFiles, PodMeta } from "./directory.ts";
import { Batches } from "./batches.ts";
import { Drafts } from "./drafts.ts";
import { PodFacts } from "./facts.ts";
import { openLog, type PodLog } from "./log.ts";
import { delay, fatal, historyLines, shutdownText } from "./lines.ts";
import { Messages } from "./messages.ts";
import { Opening } from "./opening.ts";
import { eventLine, readSession, Recorder, type StoredSession } from "./record.ts";
import { agentStateEvents, forgetfulNotice, notice, settlingEvents, shiftTurn } from "./resume.ts";
import { PodServer, type ServedClient } from "./server.ts";

export interface HostOptions {
  readonly meta: PodMeta;
  readonly files: PodFiles;
  readonly startAgent: AgentFactory;
  readonly nowMs?: () => number;
  /** Bytes that may wait for one client before it is cut off. */
  readonly clientLimitBytes?: number;
  /** Bytes of one page of a history. */
  readonly pageBytes?: number;
  /** A line for pod.log. */
  say(text: string): void;
  /** The pod is over. `isStored`: there is something to resume. */
  onEnd(end: { readonly code: number; readonly isStored: boolean }): void;
}

const CLIENT_LIMIT_BYTES = 16 << 20;
/** How long after its hello an agent's history is waited for. */
const HISTORY_MS = 200;
/** How long an agent has to end by itself. */
const AGENT_END_MS = 3000;
/** How long a pod whose agent failed waits for somebody to tell. */
const LISTENER_MS = 10_000;
/** How long clients have to read why the pod ends. */
const FAREWELL_MS = 2000;
/** So much may wait for room on the disk. */
const UNWRITTEN_BYTES = 64 << 20;
/** Broken lines of the agent that get a row of their own. */
const TOLD_PROBLEMS = 10;

const WORKING: ReadonlySet<string> = new Set(["running", "compacting", "paused"]);
const encoder = new TextEncoder();

type MethodHandlers = {
  readonly [Name in MethodName]?: (
    client: ServedClient,
    params: MethodParams<Name>,
    method: Extract<Method, { method: Name }>,
  ) => void;
};

/** Starts a pod: takes its log, listens, starts its agent. Throws, with a text for people, when it cannot. */
export async function startPod(options: HostOptions): Promise<PodHost> {
  const log = await openLog(options.files.log);
  if (log === null) {
    throw new Error(`Cannot start pod ${options.meta.id}: another process writes its log`);
  }
  try {
    const host = new PodHost(options, log, readSession(log));
    await host.open();
    return host;
  } catch (error) {
    log.close();
    throw error;
  }
}

export class PodHost {
  readonly #options: HostOptions;
  readonly #log: PodLog;
  readonly #session: StoredSession;
  readonly #recorder: Recorder;
  readonly #messages: Messages;
  readonly #drafts: Drafts;
  readonly #batches = new Batches();
  readonly #facts: PodFacts;
  readonly #opening = new Opening();
  /** What the agent told while its session was being made. */
  readonly #later: Event[] = [];
  #server!: PodServer;
  #agent: Agent | null = null;
  #hello: EventData<"hello"> | null = null;
  #turnShift = 0;
  #agentProblems = 0;
  #isShutdownAsked = false;
  /** Why there is no agent, as long as nobody has been told. */
  #failure: string | null = null;
  #isLogGone = false;
  #isEnding = false;
  #isClosed = false;
  #historyTimer: ReturnType<typeof setTimeout> | undefined;
  #idleTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: HostOptions, log: PodLog, session: StoredSession) {
    this.#options = options;
    this.#log = log;
    this.#session = session;
    this.#facts = new PodFacts(options.files, options.meta, { nowMs: () => this.#nowMs(), say: options.say });
    this.#recorder = new Recorder(log, session, {
      nowMs: () => this.#nowMs(),
      onFault: (what) => this.#tellLogFault(what),
    });
    this.#messages = new Messages({
      transcript: session.transcript,
      seen: session.seenMessages,
      canSteer: () => (this.#hello?.capabilities ?? []).includes("steer"),
      send: (method) => {
        if (this.#agent === null || this.#hello === null || this.#isEnding) return false;
        this.#agent.send(method);
        return true;
      },
      onQueue: (items) => this.#broadcast([{ event: "queue", data: { items: [...items] } }]),
      tell: (number, error) => {
        const client = this.#server.clients.find((one) => one.number === number);
        if (client !== undefined) this.#sendTo(client, [{ event: "error", data: error }]);
        return client !== undefined;
      },
    });
    this.#drafts = new Drafts(this.#facts.keptDraft());
  }

  async open(): Promise<void> {
    const { meta } = this.#options;
    this.#server = await PodServer.open({
      path: meta.socket,
      limitBytes: this.#options.clientLimitBytes ?? CLIENT_LIMIT_BYTES,
      farewell: encoder.encode(eventLine(fatal("This client read too slowly and was dropped by the pod"))),
      onJoin: (client) => this.#join(client),
      onMethod: (client, method) => this.#take(client, method),
      onProblem: (client, what) => this.#refuse(client, { code: "invalid_request", message: what }),
      onLeave: () => this.#checkIdle(true),
      onFault: (what) => this.#options.say(what),
      onLook: () => this.#lookAfterLog(),
    });
    this.#facts.begin();
    if (this.#session.isTorn) this.#recorder.endTornLine();
    if (this.#session.isBegun) this.#record(settlingEvents(this.#session, this.#nowMs()));
    const listener: AgentListener = {
      onEvents: (parsed) => this.#hear(parsed),
      onEnd: (end) => this.#agentEnded(end),
    };
    try {
      this.#agent = await this.#options.startAgent({
        cwd: meta.cwd,
        sessionId: meta.sessionId,
        resumes: this.#session.isBegun,
        agentSessionId: meta.agentSessionId,
      }, listener);
    } catch (error) {
      const what = `Cannot start ${agentName(meta.agent)}: ${textOf(error)}`;
      this.#agentEnded({ kind: "not_started", what, wasThere: false, exitCode: null, signal: null });
    }
    // Behind the first words of an agent that is there at once: a process pays 5 ms for its first timer.
    this.#server.watch();
    if (this.#failure === null) this.#checkIdle();
    if (this.#isShutdownAsked) void this.end("requested");
  }

  get clientCount(): number {
    return this.#server.clients.length;
  }

  /** Ends the pod: its agent first, then its clients are told. */
  async end(reason: string, code = 0): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    for (const timer of [this.#historyTimer, this.#idleTimer]) clearTimeout(timer);
    this.#messages.close();
    const patience = delay(AGENT_END_MS * 2);
    await Promise.race([this.#agent?.close(), patience.over]);
    patience.cancel();
    if (this.#hello !== null) {
      this.#broadcast([{ event: "shutdown", data: { reason } }]);
    } else this.#server.broadcast(encoder.encode(eventLine({ event: "shutdown", data: { reason } })));
    await this.#server.close(FAREWELL_MS);
    this.#isClosed = true;
    this.#facts.end(this.#recorder.transcript);
    this.#log.close();
    this.#options.onEnd({ code, isStored: this.#hello !== null || this.#session.isBegun });
  }

  #nowMs(): number {
    return (this.#options.nowMs ?? Date.now)();
  }

  // The agent's events.

  #hear(parsed: readonly ParsedEvent[]): void {
    if (this.#isClosed) return;
    const events: Event[] = [];
    const flush = () => this.#broadcast(events.splice(0));
    for (const one of parsed) {
      if (one.kind === "problem") events.push(...this.#problemRow(one.what));
      if (one.kind !== "event") continue;
      if (this.#hello === null) {
        const step = this.#opening.take(one.event);
        if (step === "early") this.#tellEarly(one.event);
        if (step === "held") this.#awaitHistory();
        // A login may be wanted for a session that has a past: that is shown meanwhile.
        const isWanted = step === "making" && one.event.event === "auth" && this.#session.isBegun;
        if (step === "making" && !isWanted) this.#awaitSession(one.event);
        if (step === "later") this.#later.push(one.event);
        if (step === "whole" || step === "follows" || isWanted) this.#begin();
        if (step !== "follows" && !isWanted) continue;
      }
      if (this.#isForAll(one.event)) {
        events.push(...this.#batches.outward(shiftTurn(one.event, this.#turnShift)));
      }
      // What the event led to must not overtake it.
      if (one.event.event === "user_message") {
        flush();
        this.#messages.confirm(one.event.data.message_id);
      }
    }
    flush();
  }

  /** False for what the pod answers for itself, or hands to one client only. */
  #isForAll(event: Event): boolean {
    switch (event.event) {
      case "hello":
      case "history":
      case "history_page":
        // The log is what is shown, and the pod's own shutdown follows the agent's end.
        return false;
      case "shutdown":
        setTimeout(
          () => void this.end(this.#isShutdownAsked ? "requested" : shutdownText(event.data.reason)),
          0,
        );
        return false;
      case "error":
        return !this.#messages.answer(event.data);
      case "turn_start":
        this.#messages.started();
        return true;
      case "turn_end":
        if (event.data.result !== "paused") this.#messages.turnEnded();
        return true;
      default:
        return true;
    }
  }

  #problemRow(what: string): Event[] {
    this.#agentProblems++;
    this.#options.say(`The agent sent what cannot be read: ${what}`);
    if (this.#hello === null || this.#agentProblems > TOLD_PROBLEMS) return [];
    const more = this.#agentProblems === TOLD_PROBLEMS ? " (more of these go to pod.log only)" : "";
    return [notice("warn", `The agent sent what cannot be read: ${what}${more}`, this.#nowMs())];
  }

  #tellEarly(...events: readonly Event[]): void {
    this.#opening.keep(events);
    this.#server.broadcast(encoder.encode(events.map(eventLine).join("")));
  }

  #awaitHistory(): void {
    // Many say it in the same breath.
    queueMicrotask(() => {
      if (this.#hello !== null || this.#opening.isMaking || this.#isEnding) return;
      clearTimeout(this.#historyTimer);
      this.#historyTimer = setTimeout(() => this.#begin(), HISTORY_MS);
    });
  }

  /** The agent makes its session, which may take it a minute. It is there, and clients may show so. */
  #awaitSession(step: Event): void {
    clearTimeout(this.#historyTimer);
    const hasHello = this.#opening.early.some((event) => event.event === "hello");
    if (step.event === "error" && this.#messages.answer(step.data)) return;
    const hello = this.#opening.hello(agentName(this.#options.meta.agent));
    this.#tellEarly(...(hasHello ? [] : [{ event: "hello", data: hello } as const]), step);
  }

  /** The agent is there: the session begins, or goes on, and those who waited are shown it. */
  #begin(): void {
    if (this.#hello !== null || this.#isClosed) return;
    if (this.#historyTimer !== undefined) clearTimeout(this.#historyTimer);
    const { meta } = this.#options;
    this.#hello = this.#opening.hello(agentName(meta.agent));
    if (this.#session.isBegun) this.#goOn();
    else this.#recorder.begin(this.#hello, this.#opening.history(meta.sessionId, meta.createdMs));
    const login = this.#opening.openLogin;
    this.#record([...(login === null ? [] : [login]), ...this.#later.splice(0)]);
    this.#noteFacts();
    for (const client of this.#server.clients) this.#greet(client);
    this.#settled();
  }

  #goOn(): void {
    const { transcript } = this.#recorder;
    const hello = this.#hello as EventData<"hello">;
    applyEvent(transcript, { event: "hello", data: hello });
    const events = agentStateEvents(this.#opening.state);
    if (!this.#opening.hasPast) {
      this.#turnShift = this.#session.lastTurn;
      // An agent that keeps sessions says itself whether it remembers this one.
      const keepsSessions = typeof this.#agent?.sessionId?.() === "string";
      if (transcript.turns.length > 0 && !keepsSessions) events.push(forgetfulNotice(this.#nowMs()));
    }
    if (this.#messages.isHeld) {
      events.push(notice("info", "Queued messages wait: they are sent after the next turn", this.#nowMs()));
    }
    this.#record(events);
    const { usedModel } = this.#session;
    if (usedModel !== null && hello.capabilities?.includes("models")) {
      queueMicrotask(() => this.#agent?.send({ method: "select_model", params: usedModel }));
    }
  }

  #agentEnded(end: AgentEnd): void {
    this.#agent = null;
    if (this.#isEnding) return;
    const isAsked = this.#isShutdownAsked || end.kind === "shut_down";
    if (isAsked) return void this.end("requested");
    this.#options.say(end.what);
    const noSession = end.kind === "no_session" || this.#opening.isMaking && !this.#session.isBegun;
    if (this.#hello === null && this.#opening.isThere && !noSession) this.#begin();
    if (this.#hello === null) {
      this.#tellEarly(fatal(end.what));
      if (this.#server.clients.length > 0) return void this.end(end.what, 1);
      // Whoever started the pod is on the way to hear of it.
      this.#failure = end.what;
      clearTimeout(this.#idleTimer);
      this.#idleTimer = setTimeout(() => void this.end(end.what, 1), LISTENER_MS);
      return;
    }
    this.#broadcast([fatal(end.what)]);
    void this.end(end.what, 1);
  }

  // What goes out.

  /** Logs events and gives their lines. */
  #record(events: readonly Event[]): Uint8Array | null {
    if (events.length === 0 || this.#isClosed) return null;
    const lines = this.#recorder.add(events);
    if (this.#log.waitingBytes() > UNWRITTEN_BYTES) {
      queueMicrotask(() => void this.end("the log cannot be written", 1));
    }
    return lines;
  }

  #broadcast(events: readonly Event[]): void {
    const lines = this.#record(events);
    if (lines === null) return;
    // First: whoever sees it may ask a list of pods at once.
    this.#noteFacts();
    this.#server.broadcast(lines);
    this.#settled();
  }

  #noteFacts(): void {
    this.#facts.touch(this.#recorder.transcript, () => this.#agent?.sessionId?.() ?? null);
  }

  /** After anything that may have changed what the pod does. */
  #settled(): void {
    this.#messages.sendNextSoon();
    this.#checkIdle();
  }

  #sendTo(client: ServedClient, events: readonly Event[]): void {
    client.outbox.push(encoder.encode(events.map(eventLine).join("")));
  }

  #refuse(
    client: ServedClient,
    refusal: {
      readonly code: string;
      readonly message: string;
      readonly id?: string | number;
    },
  ): void {
    const { code, message, id } = refusal;
    const data = { code, message, fatal: false, id: id ?? null, message_id: null };
    this.#sendTo(client, [{ event: "error", data }]);
  }

  #tellLogFault(what: string): void {
    const text = `Cannot write the log: ${what}; it is tried again with each event`;
    this.#options.say(text);
    this.#server?.broadcast(encoder.encode(eventLine(notice("error", text, this.#nowMs()))));
  }

  /** A log that was removed takes all with it that is still to come: nobody can come back to such a pod. */
  #lookAfterLog(): void {
    if (this.#isLogGone || this.#isClosed || this.#log.isInPlace()) return;
    if (this.#server.clients.length === 0) return void this.end("its log was removed", 1);
    this.#isLogGone = true;
    const text = "The log of this pod was removed: what happens from now on is lost when the pod ends";
    this.#options.say(text);
    this.#server.broadcast(encoder.encode(eventLine(notice("error", text, this.#nowMs()))));
  }

  // Clients.

  #join(client: ServedClient): void {
    clearTimeout(this.#idleTimer);
    if (this.#hello !== null) return this.#greet(client);
    const said: Event = {
      event: "starting",
      data: { step: "agent", detail: agentName(this.#options.meta.agent) },
    };
    this.#sendTo(client, [said, ...this.#opening.early]);
    if (this.#failure !== null) void this.end(this.#failure, 1);
  }

  #greet(client: ServedClient): void {
    const hello = this.#hello;
    if (hello === null) return;
    this.#sendTo(client, [{ event: "hello", data: hello }]);
    this.#sendHistory(client);
  }

  /** The newest page first, which is all a first frame needs; what happens meanwhile follows the oldest. */
  #sendHistory(client: ServedClient): void {
    const { transcript } = this.#recorder;
    const { first, pages } = historyLines(transcript, {
      pageBytes: this.#options.pageBytes,
      createdMs: this.#options.meta.createdMs,
      draft: this.#drafts.newest(client.number),
    });
    client.outbox.pushHistory(first, pages);
    // A login that is still wanted is no part of a history.
    const methods = [...transcript.authMethods];
    if (methods.length > 0) this.#sendTo(client, [{ event: "auth", data: { methods } }]);
  }

  /** Methods the pod answers; all others are the agent's. */
  readonly #methods: MethodHandlers = {
    run: (client, params) => this.#messages.take(client.number, params, "run"),
    steer: (client, params) => this.#messages.take(client.number, params, "steer"),
    unqueue: (client, { message_id }, { id }) => {
      if (this.#messages.takeBack(message_id)) return;
      const message = "Cannot take the message back: it is not queued any more";
      this.#refuse(client, { code: "invalid_request", message, ...(id === undefined ? {} : { id }) });
    },
    keep_draft: (client, { parts }) => {
      this.#drafts.keep(client.number, parts, (number) => this.#server.isConnected(number));
      this.#facts.keepDraft(this.#drafts.newest() ?? []);
    },
    get_history: (client) => this.#sendHistory(client),
    shutdown: (_client, _params, method) => {
      this.#isShutdownAsked = true;
      if (this.#agent === null || this.#hello === null) return void this.end("requested");
      this.#agent.send(method);
      setTimeout(() => void this.end("requested"), AGENT_END_MS);
    },
  };

  #take(client: ServedClient, method: Method): void {
    if (this.#isEnding) return;
    if (this.#hello === null && !this.#opening.takeMethod(method.method)) {
      const message_id = "message_id" in method.params ? method.params.message_id ?? null : null;
      const message = `Cannot ${method.method}: the agent is not there yet`;
      const data = { code: "not_running", message, fatal: false, id: method.id ?? null, message_id };
      return this.#sendTo(client, [{ event: "error", data }]);
    }
    const handler = this.#methods[method.method] as
      | ((client: ServedClient, params: unknown, method: Method) => void)
      | undefined;
    if (handler !== undefined) return handler(client, method.params, method);
    const known = this.#batches.inward(method);
    if (known === null) {
      const message = "Cannot answer: the question was closed meanwhile";
      const id = method.id === undefined ? {} : { id: method.id };
      return this.#refuse(client, { code: "invalid_request", message, ...id });
    }
    if (this.#agent !== null) this.#agent.send(this.#messages.asked.note(client.number, known));
  }

  // Time.

  /** Nobody is here and nothing is done: so long, and the pod ends; at once where who waited was shown nothing yet. */
  #checkIdle(hasLeft = false): void {
    clearTimeout(this.#idleTimer);
    if (this.#isEnding || this.#server === undefined || this.#server.clients.length > 0) return;
    if (hasLeft && !this.#opening.isSeen) return void this.end("nobody waits for its agent any more");
    if (this.#isLogGone) return void this.end("its log was removed", 1);
    const { status } = this.#recorder.transcript;
    if (this.#messages.isWaiting || WORKING.has(status)) return;
    const minutes = this.#options.meta.idleEndMinutes;
    this.#idleTimer = setTimeout(() => void this.end(`idle for ${minutes} minutes`), minutes * 60_000);
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
