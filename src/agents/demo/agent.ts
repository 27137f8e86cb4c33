// The demo agent: an Agent in this process, without a model, a key or a network. It takes methods, keeps the session
// and runs one turn at a time. What a turn does is steps.ts and turn.ts, what is remembered record.ts.

import { type EventName, type Greeting, parseEvent } from "../../transcript/event.ts";
import type { Method, MethodName, MethodParams } from "../../transcript/method.ts";
import type { Agent, AgentEndKind, AgentListener } from "../agent.ts";
import type { KnownAgent } from "../known_agents.ts";
import { answerMessage } from "./answer.ts";
import { TurnCancelled, TurnControl } from "./control.ts";
import { greetingOf } from "./greeting.ts";
import { DEMO_MODELS, type DemoModel, findModel, modelEntries } from "./models.ts";
import { PACE, type Sleep, sleepReally, tokenCount } from "./pace.ts";
import { QuestionDesk } from "./questions.ts";
import { createRecord, historyParts, recordEvent } from "./record.ts";
import { summaryText, titleOf } from "./summary.ts";
import type { TurnWorld } from "./turn.ts";
import { openWorkspace, type Workspace } from "./workspace.ts";

export interface DemoOptions {
  /** Where the person stands. */
  readonly cwd: string;
  /** Where a scratch copy is made; the system's folder for such things when left out. */
  readonly scratchParent?: string;
  /** Real agents of this machine, for the greeting. */
  readonly installed: readonly KnownAgent[];
  readonly sessionId?: string;
  readonly sleep?: Sleep;
  readonly nowMs?: () => number;
  /** False: nothing is asked, what changes files goes on without permission. */
  readonly asks?: boolean;
}

/** Starts the demo agent. It is there at once: hello comes in the next microtask. */
export function startDemoAgent(options: DemoOptions, listener: AgentListener): Agent {
  const agent = new DemoAgent(options, listener);
  queueMicrotask(() => agent.start());
  return agent;
}

const CAPABILITIES = ["history", "pause", "steer", "models", "questions", "compact"];
const COMMANDS = [
  { name: "tour", description: "One of everything the screen can show" },
  { name: "plan", description: "Make a plan and work through it", hint: "one, two" },
];
/** Tokens an instruction text would take. */
const BASE_TOKENS = 1200;

type Data = Readonly<Record<string, unknown>>;
interface Steer {
  readonly text: string;
  readonly messageId: string | null;
}

interface UsageSums {
  input_tokens: number;
  output_tokens: number;
  cache_read_input_tokens: number;
  cache_write_input_tokens: number;
  reasoning_tokens: number;
}

class DemoAgent implements Agent {
  readonly #options: DemoOptions;
  readonly #listener: AgentListener;
  readonly #nowMs: () => number;
  readonly #sleep: Sleep;
  readonly #createdMs: number;
  readonly #record = createRecord();
  /** As it was at the start: coming back shows the same card. */
  readonly #greeting: Greeting;
  readonly #context = { tokens: BASE_TOKENS, cached: 0 };
  readonly #usage: UsageSums = {
    input_tokens: 0,
    output_tokens: 0,
    cache_read_input_tokens: 0,
    cache_write_input_tokens: 0,
    reasoning_tokens: 0,
  };
  readonly #seenMessages = new Set<string>();
  readonly #desk: QuestionDesk | null;
  #workspace: Workspace | null = null;
  #model: DemoModel = DEMO_MODELS[0];
  #sessionId: string;
  #status: "idle" | "running" | "paused" | "compacting" = "idle";
  #control: TurnControl | null = null;
  /** Settles when the turn or compaction that runs is over. */
  #work: Promise<void> = Promise.resolve();
  #steers: Steer[] = [];
  #turns = 0;
  #ids = 0;
  #compactions = 0;
  #isGivingUp = false;
  #isEnded = false;

  constructor(options: DemoOptions, listener: AgentListener) {
    this.#options = options;
    this.#listener = listener;
    this.#nowMs = options.nowMs ?? Date.now;
    this.#sleep = options.sleep ?? sleepReally;
    this.#desk = options.asks === false ? null : new QuestionDesk((event, data) => this.#emit(event, data));
    this.#createdMs = this.#nowMs();
    this.#greeting = greetingOf(options, this.#model, BASE_TOKENS);
    this.#sessionId = options.sessionId ?? `demo-${crypto.randomUUID().slice(0, 8)}`;
  }

  start(): void {
    try {
      this.#workspace = openWorkspace(this.#options.cwd, this.#options.scratchParent);
    } catch {
      this.#end("not_started", `Cannot start the demo agent: no directory ${this.#options.cwd}`);
      return;
    }
    this.#emit("hello", { protocol: "pod-jsonl", version: 1, agent: "demo", capabilities: CAPABILITIES });
    this.#sendHistory();
    this.#emit("commands", { commands: COMMANDS });
    this.#emit("model_catalog", { models: modelEntries() });
  }

  send(method: Method): void {
    if (this.#isEnded || this.#workspace === null) return;
    const answer = this.#methods[method.method] as (params: unknown) => Refusal | void;
    const refusal = answer(method.params);
    if (refusal === undefined) return;
    const messageId = "message_id" in method.params ? method.params.message_id : undefined;
    this.#emit("error", {
      ...refusal,
      fatal: false,
      ...(method.id === undefined ? {} : { id: method.id }),
      ...(messageId === undefined ? {} : { message_id: messageId }),
    });
  }

  async close(): Promise<void> {
    await this.#stopWork();
    this.#end("closed", "The demo agent was closed");
  }

  stderrTail(): readonly string[] {
    return [];
  }

  /** What each method does; a refusal is told as an `error` event. */
  readonly #methods: { readonly [Name in MethodName]: (params: MethodParams<Name>) => Refusal | void } = {
    run: ({ input, message_id }) => {
      if (message_id !== undefined && this.#seenMessages.has(message_id)) return;
      if (this.#status === "running" || this.#status === "compacting" || this.#isGivingUp) {
        return {
          code: "already_running",
          message: "Cannot run: a turn is running; steer it, or cancel it first",
        };
      }
      if (message_id !== undefined) this.#seenMessages.add(message_id);
      if (this.#status === "idle") return this.#startTurn(input, message_id ?? null);
      // A new message while paused gives the paused turn up.
      this.#isGivingUp = true;
      this.#stopWork().then(() => {
        this.#isGivingUp = false;
        this.#startTurn(input, message_id ?? null);
      });
    },
    steer: ({ input, message_id }) => {
      if (message_id !== undefined && this.#seenMessages.has(message_id)) return;
      if (this.#status !== "running" && this.#status !== "paused") {
        return { code: "not_running", message: "Cannot steer: no turn is running" };
      }
      if (message_id !== undefined) this.#seenMessages.add(message_id);
      this.#steers.push({ text: input, messageId: message_id ?? null });
    },
    pause: () => {
      if (this.#status !== "running") {
        return { code: "not_running", message: "Cannot pause: no turn is running" };
      }
      this.#control?.pause();
    },
    resume: () => {
      if (this.#status !== "paused") {
        return { code: "not_paused", message: "Cannot resume: nothing is paused" };
      }
      this.#control?.resume();
    },
    cancel: () => {
      if (this.#control === null) {
        return { code: "not_running", message: "Cannot cancel: no turn is running" };
      }
      this.#control.cancel();
    },
    shutdown: () => {
      this.#stopWork().then(() => {
        this.#emit("shutdown", { reason: "requested" });
        this.#end("shut_down", "The demo agent shut down");
      });
    },
    get_history: () => this.#sendHistory(),
    compact: () => {
      if (this.#status !== "idle") {
        return { code: "already_running", message: "Cannot compact: a turn is running" };
      }
      this.#begin((control) => this.#compact(control));
    },
    list_models: () => this.#emit("model_catalog", { models: modelEntries() }),
    select_model: ({ provider, model }) => {
      const found = findModel(provider, model);
      if (found === null) {
        const known = DEMO_MODELS.map((each) => `${each.provider}/${each.model}`).join(" or ");
        return { code: "invalid_request", message: `Cannot select ${model}: expected ${known}` };
      }
      this.#model = found;
      this.#emit("model_selected", { provider: found.provider, model: found.model, source: "client" });
    },
    keep_draft: ({ parts }) => {
      this.#record.state.draft = parts;
    },
    set_option: ({ id }) => invalid(`Cannot set ${id}: the demo agent has no options`),
    answer: ({ batch_id, answers }) => {
      const isOpen = this.#desk?.close(batch_id, { reason: "answered", answers }) ?? false;
      if (!isOpen) return invalid("Cannot answer: no such question is open");
    },
    dismiss_question: ({ batch_id }) => {
      const isOpen = this.#desk?.close(batch_id, { reason: "dismissed", answers: [] }) ?? false;
      if (!isOpen) return invalid("Cannot dismiss: no such question is open");
    },
    unqueue: () => invalid("Cannot take back: nothing is queued"),
    authenticate: () => invalid("Cannot log in: the demo agent needs no login"),
  };

  #emit(event: EventName, data: Data): void {
    if (this.#isEnded) return;
    const parsed = parseEvent({ event, data });
    if (parsed.kind !== "event") throw new Error(`Cannot send ${event}: ${JSON.stringify(parsed)}`);
    recordEvent(this.#record, event, data);
    this.#listener.onEvents([parsed]);
  }

  #setStatus(status: "idle" | "running" | "paused" | "compacting"): void {
    this.#status = status;
    this.#emit("status", { status });
  }

  #sendHistory(): void {
    const { items, in_flight, state } = historyParts(this.#record);
    const { provider, model } = this.#model;
    this.#emit("history", {
      session_id: this.#sessionId,
      status: this.#status,
      greeting: this.#greeting,
      state: {
        queue: [],
        ...state,
        model: { provider, model },
        usage: { ...this.#usage },
        created_ms: this.#createdMs,
        last_active_ms: this.#nowMs(),
      },
      items,
      in_flight,
    });
  }

  #end(kind: AgentEndKind, what: string): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#listener.onEnd({ kind, what, wasThere: this.#workspace !== null, exitCode: null, signal: null });
  }

  /** Cancels what runs, and resolves when it is over. */
  async #stopWork(): Promise<void> {
    await this.#control?.cancel();
    await this.#work;
  }

  #begin(work: (control: TurnControl) => Promise<void>): void {
    const control = new TurnControl();
    this.#control = control;
    this.#work = work(control).finally(() => {
      this.#control = null;
      this.#setStatus("idle");
    });
  }

  #startTurn(input: string, messageId: string | null): void {
    this.#tellMessage({ text: input, messageId }, "run");
    this.#setStatus("running");
    this.#turns++;
    if (this.#record.state.title === undefined) this.#emit("title", { title: titleOf(input) });
    this.#emit("turn_start", { turn: this.#turns });
    this.#begin((control) => this.#runTurn(control, input));
  }

  #tellMessage(message: Steer, kind: "run" | "steer"): void {
    this.#context.tokens += tokenCount(message.text);
    this.#emit("user_message", { message_id: message.messageId, text: message.text, kind });
  }

  async #runTurn(control: TurnControl, input: string): Promise<void> {
    const startedMs = this.#nowMs();
    const turn = this.#turns;
    const requests = { count: 0 };
    const end = (result: string, message: string | null = null) =>
      this.#emit("turn_end", {
        turn,
        result,
        message,
        requests: requests.count,
        elapsed_ms: this.#nowMs() - startedMs,
      });
    const world = this.#worldOf(control, turn, () => {
      end("paused");
      this.#setStatus("paused");
    });
    try {
      await answerMessage(world, input, {
        takeSteers: () => this.#takeSteers(),
        onStep: () => ++requests.count,
      });
      end("finished");
    } catch (error) {
      if (error instanceof TurnCancelled) {
        // A command that is still dying must not outlive the turn.
        await control.cancel();
        end("cancelled");
      } else {
        const message = error instanceof Error ? error.message : String(error);
        this.#emit("error", { code: "internal", message, fatal: false });
        end("error", message);
      }
    }
    this.#giveBackSteers();
  }

  #worldOf(control: TurnControl, turn: number, onPause: () => void): TurnWorld {
    return {
      emit: (event, data) => {
        if (event === "usage") this.#addUsage(data);
        this.#emit(event, data);
      },
      sleep: this.#sleep,
      nowMs: this.#nowMs,
      control,
      workspace: this.#workspace as Workspace,
      desk: this.#desk,
      turn,
      model: () => this.#model,
      nextId: (prefix) => `${prefix}-${++this.#ids}`,
      context: this.#context,
      onPause,
      onResume: () => this.#setStatus("running"),
    };
  }

  #addUsage(data: Data): void {
    for (const key of Object.keys(this.#usage) as (keyof UsageSums)[]) {
      this.#usage[key] += Number(data[key]);
    }
  }

  /** What was steered in since the last step, now told to the clients. */
  #takeSteers(): string[] {
    return this.#steers.splice(0).map((steer) => {
      this.#tellMessage(steer, "steer");
      return steer.text;
    });
  }

  /** Steers no step took up: their words must not vanish, so the client is told which they were. */
  #giveBackSteers(): void {
    for (const { messageId } of this.#steers.splice(0)) {
      this.#emit("error", {
        code: "not_running",
        message: "Cannot steer: the turn ended before it was read",
        fatal: false,
        message_id: messageId,
      });
    }
  }

  async #compact(control: TurnControl): Promise<void> {
    this.#setStatus("compacting");
    this.#emit("compact_start", { reason: "requested" });
    const text = summaryText(this.#record);
    await this.#sleep(PACE.firstToken * 3, control.signal);
    if (control.isCancelled) return this.#emit("compact_failed", { error: "cancelled" });
    if (text === null) return this.#emit("compact_failed", { error: "nothing was said yet" });
    const before = this.#context.tokens;
    this.#context.tokens = BASE_TOKENS + tokenCount(text);
    this.#context.cached = 0;
    this.#sessionId = `${this.#sessionId.replace(/\.\d+$/, "")}.${++this.#compactions + 1}`;
    this.#emit("surface", {
      op: "replace",
      session_id: this.#sessionId,
      items: [{ type: "message", role: "user", content: [{ type: "text", text }] }],
    });
    this.#emit("compact_done", {
      new_session_id: this.#sessionId,
      tokens_before: before,
      tokens_after: this.#context.tokens,
    });
    this.#emit("context", {
      used_tokens: this.#context.tokens,
      window_tokens: this.#model.contextWindow,
      estimated: true,
    });
  }
}

interface Refusal {
  readonly code: string;
  readonly message: string;
}

function invalid(message: string): Refusal {
  return { code: "invalid_request", message };
}
