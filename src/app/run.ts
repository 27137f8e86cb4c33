// The one loop: bytes of the terminal and events of the agent or recording go into update, effects come out, and
// the newest state is drawn: a key's frame at once, frames for events at most 60 a second.

import {
  type Capabilities,
  createEncoder,
  encodeFrame,
  type Encoder,
  invalidate,
  setCapabilities,
} from "../screen/encode.ts";
import { createFrame, type Frame } from "../screen/frame.ts";
import { type Keyboard, openTerminal, type Terminal } from "../screen/terminal.ts";
import { createTheme } from "../screen/theme.ts";
import { clusterWidthsWanted, loadClusterWidths, setAmbiguousWidth } from "../text/graphemes.ts";
import { loadLineDiff } from "../text/line_diff.ts";
import { isMarkdownWanted, loadMarkdown } from "../text/markdown.ts";
import type { Agent, AgentListener } from "../agents/agent.ts";
import { programForm } from "../pod/self.ts";
import type { Method } from "../transcript/method.ts";
import type { Flags } from "./commands.ts";
import { drawFrame, windowTitle } from "./draw.ts";
import type { Effect, Input } from "./effect.ts";
import { createDraftKeeper, type DraftKeeper } from "./io/draft_keeper.ts";
import { createInbox, type Inbox } from "./io/inbox.ts";
import { later } from "./io/later.ts";
import { createLoopTimer } from "./io/loop_timer.ts";
import { openWorkplace, workDirectory, type Workplace } from "./io/workplace.ts";
import { refuse } from "./io/refuse.ts";
import { beginSlices, oneByOne } from "./io/slices.ts";
import type { Witness } from "./io/witness.ts";
import { armFault, failIfDue } from "./io/fault.ts";
import type { Reader, RecordingSubject, SessionsSubject, Subject } from "./io/subject.ts";
import { seemsToWantMarkdown } from "./markdown_guess.ts";
import { oneLine } from "./one_line.ts";
import { createState, keepsWorking, nextDeadline, type State } from "./state.ts";
import { sync, update } from "./update_events.ts";

/** Least time between two frames that only events asked for, in ms. */
const FRAME_MS = 16;
/** How long a recording may be read before its screen is drawn unfinished, in ms. */
const READING_MS = 150;

/** Runs the client until it ends. */
export async function showClient(
  subject: Subject,
  flags: Flags,
  keyboard: Keyboard = Deno.stdin,
): Promise<number> {
  const client = new Client(subject, flags, keyboard);
  const fault = await client.openWitnesses();
  return fault === null ? await client.run() : refuse(fault);
}

class Client {
  #subject: Subject;
  /** The list that the recording was picked from. */
  #from: SessionsSubject | null = null;
  readonly #flags: Flags;
  readonly #keyboard: Keyboard;
  readonly #inbox: Inbox;
  readonly #ended = Promise.withResolvers<number>();
  readonly #state: State;
  #terminal!: Terminal;
  #encoder!: Encoder;
  #frame!: Frame;
  #agent: Agent | null = null;
  #drafts: DraftKeeper | undefined;
  #wantsFrame = false;
  /** Nothing is drawn while the beginning of a recording is read. */
  #isHeld = false;
  #lastFrameMs = -Infinity;
  readonly #timer = createLoopTimer(() => this.#wake());
  /** The first timer of a process costs 5 ms and more: none is set before the first frame is on its way. */
  #isShown = false;
  #isEnding = false;
  #isEditing = false;
  #isOpening = false;
  #hasSessions = false;
  /** Said when the terminal is given back. */
  #farewell: string | null = null;
  /** Null for a recording, which only commands are typed into. */
  readonly #workplace: Workplace | null;
  #witnesses: readonly Witness[] = [];

  constructor(subject: Subject, flags: Flags, keyboard: Keyboard) {
    const { columns, rows } = Deno.consoleSize();
    setAmbiguousWidth(flags.config.ambiguousWidth);
    this.#state = createState({
      columns,
      rows,
      recording: subject.kind !== "agent",
      home: Deno.env.get("HOME") ?? null,
      epochMs: performance.timeOrigin,
      clientId: crypto.randomUUID().slice(0, 8),
      podId: subject.kind === "agent" ? subject.podId : null,
      fold: flags.fold,
      settings: flags.config.settings,
    });
    this.#subject = subject;
    this.#flags = flags;
    this.#keyboard = keyboard;
    this.#inbox = createInbox(
      flags.config.escapeMs ?? (Deno.env.has("SSH_CONNECTION") ? 150 : 25),
      (inputs) => this.#typed(inputs),
    );
    this.#workplace = subject.kind !== "agent" ? null : openWorkplace({
      directory: () => workDirectory(this.#state.transcript.greeting?.cwd ?? ""),
      recallsPrompts: flags.record === null,
      give: (input) => {
        this.#give([input]);
        this.#draw();
      },
    });
  }

  /** To be called first; what cannot be written is said before the screen is taken. */
  async openWitnesses(): Promise<string | null> {
    const { record, log, config } = this.#flags;
    if (record === null && log === null) return null;
    const { openWitnesses } = await later("witness");
    const witnesses = openWitnesses({
      record,
      log,
      client: this.#state.options,
      ambiguousWidth: config.ambiguousWidth,
      complain: (message) => this.#give([{ kind: "notice", level: "warn", message }]),
    });
    if (typeof witnesses === "string") return witnesses;
    this.#witnesses = witnesses;
    return null;
  }

  async run(): Promise<number> {
    const { columns, rows } = this.#state;
    this.#drafts = createDraftKeeper(this.#state.composer.draft, (method) => this.#send(method));
    this.#frame = createFrame(columns, rows);
    armFault();
    this.#terminal = openTerminal({
      mouse: this.#flags.mouse,
      keyboard: this.#keyboard,
      events: {
        onInput: (bytes) => this.#inbox.take(bytes),
        onResize: (size) => {
          invalidate(this.#encoder);
          this.#give([{ kind: "resize", columns: size.columns, rows: size.rows }]);
          this.#draw();
        },
        onRepaint: () => {
          invalidate(this.#encoder);
          const size = this.#terminal.size();
          this.#give([{ kind: "resize", columns: size.columns, rows: size.rows }]);
          this.#draw();
        },
        onDrain: () => this.#wantsFrame && this.#draw(),
        onQueries: () => this.#inbox.expectAnswers(),
        onEnd: async (code) => {
          this.#drafts?.flush();
          this.#dismissWitnesses(code);
          await Promise.all([this.#agent?.close(), this.#workplace?.close()]);
          this.#sayWhatGoesOn();
        },
      },
    });
    this.#encoder = createEncoder({
      theme: createTheme({ color: this.#flags.color }),
      capabilities: this.#capabilities(),
    });
    const subject = this.#subject;
    await this.#start();
    // What the first frame did without.
    await oneByOne([this.#inbox.open, loadMarkdown, loadLineDiff, () => this.#drawAgain()]);
    this.#workplace?.loadPrompts();
    this.#readBehindTail(subject);
    const code = await this.#ended.promise;
    await this.#workplace?.close();
    this.#dismissWitnesses(code);
    await this.#terminal.close();
    this.#sayWhatGoesOn();
    return code;
  }

  /**
   * With what was loaded meanwhile. Run from its sources without --quiet, Deno wipes the cursor's row of a terminal on
   * standard error when it loads a module.
   */
  #drawAgain(): void {
    if (programForm() === "sources") invalidate(this.#encoder);
    sync(this.#state);
    this.#draw();
  }

  /** Shows the first frame. */
  async #start(): Promise<void> {
    const subject = this.#subject;
    if (subject.kind === "agent") {
      this.#connect(subject.start);
      if (subject.prompt !== null) this.#give([{ kind: "prompt", text: subject.prompt }]);
      // What the agent has said already comes with the first frame.
      await Promise.resolve();
      this.#draw();
      // What was asked before this frame is seen only now, as if the screen had changed.
      const { columns, rows, question } = this.#state;
      if (question !== null) this.#give([{ kind: "resize", columns, rows }]);
      return;
    }
    if (subject.kind === "sessions") return await this.#listRecordings(subject);
    await this.#startRecording(subject);
  }

  /** Lists them; what the first frame does without is loaded when a screen of them is there. */
  async #listRecordings(subject: SessionsSubject): Promise<void> {
    if (this.#from === null) this.#give([{ kind: "session_items", items: [], isEnd: false }]);
    this.#draw();
    // To look for them may take long.
    void this.#inbox.open();
    const shown = Promise.withResolvers<void>();
    const give = async (input: Input): Promise<void> => {
      const isFirst = !this.#hasSessions;
      this.#hasSessions = true;
      this.#give([input]);
      if (isFirst) this.#draw();
      await new Promise((resolve) => setTimeout(resolve));
    };
    const isOver = () => this.#isEnding || this.#subject !== subject;
    void subject.list({ give, isOver, ready: shown.resolve }).finally(shown.resolve);
    await shown.promise;
  }

  /** Shows a recording that was picked, in the same terminal. */
  async #openRecording(path: string): Promise<void> {
    const from = this.#subject;
    if (from.kind !== "sessions" || this.#isOpening) return;
    this.#isOpening = true;
    const opened = await from.open(path);
    this.#isOpening = false;
    this.#give([{ kind: "session_opens", problem: opened.kind === "problem" ? opened.what : null }]);
    if (opened.kind !== "problem") {
      this.#subject = opened;
      this.#from = from;
      await this.#startRecording(opened);
      this.#readBehindTail(opened);
    }
    this.#draw();
  }

  /** Shows the list again that a recording was picked from; one that was not read to its end is read again. */
  #closeRecording(): void {
    if (this.#from === null) return;
    this.#subject = this.#from;
    this.#give([{ kind: "session_closes" }]);
    if (!this.#state.loaded) void this.#listRecordings(this.#from);
    this.#draw();
  }

  async #startRecording(subject: RecordingSubject): Promise<void> {
    this.#give(subject.first);
    if (subject.opening === "tail") this.#give([{ kind: "whole_begins" }]);
    else {
      const read = this.#readRecording(subject.read);
      if (subject.opening === "beginning") {
        this.#isHeld = true;
        await Promise.race([read, new Promise((resolve) => setTimeout(resolve, READING_MS))]);
        this.#isHeld = false;
      }
    }
    await this.#loadWantedMarkdown();
    this.#draw();
  }

  /** Text that would change under the reader's eyes a moment later waits for the parser; plain text does not. */
  async #loadWantedMarkdown(): Promise<void> {
    if (!seemsToWantMarkdown(this.#state)) {
      drawFrame(this.#state, this.#frame);
      if (!isMarkdownWanted()) return;
    }
    await loadMarkdown();
    sync(this.#state);
  }

  /** The whole of a recording whose tail is shown, if it is shown still. To be called once: a recording is read once. */
  #readBehindTail(subject: Subject): void {
    if (subject !== this.#subject || subject.kind !== "recording" || subject.opening !== "tail") return;
    void this.#readRecording(subject.read);
  }

  /** Applies a recording in slices, so that keys are answered while it is read. */
  async #readRecording(read: Reader): Promise<void> {
    const slices = beginSlices();
    const subject = this.#subject;
    const fault = await read(async (inputs) => {
      for (const input of inputs) {
        // What goes on to be read when the person has left it is not shown.
        if (this.#subject === subject) this.#give([input]);
        await slices.rest();
      }
    });
    if (fault === null || this.#subject !== subject) return;
    this.#give([{ kind: "notice", level: "error", message: fault }, { kind: "recording_end" }]);
  }

  #connect(start: (listener: AgentListener) => Agent): void {
    this.#agent = start({
      onEvents: (parsed) => {
        this.#give([{ kind: "events", parsed }]);
        if (parsed.some((one) => one.kind === "event" && one.event.event === "history")) {
          this.#drafts?.attached();
        }
      },
      onEnd: (end) => {
        this.#agent = null;
        // It made no session, nor was there one before: there is nothing to show, nor to come back to.
        const isUnmade = end.kind === "no_session" || end.kind === "not_started";
        const isNothing = isUnmade && this.#state.transcript.sessionId === null;
        if (isNothing) return void this.#quit(1, oneLine(end.what));
        this.#give([{
          kind: "agent_end",
          what: end.what,
          asked: end.kind === "closed" || end.kind === "shut_down" && this.#state.shutdownAsked,
        }]);
      },
    });
  }

  /** Keys are drawn at once, all of one read together. */
  #typed(inputs: readonly Input[]): void {
    for (const input of inputs) {
      if (input.kind === "answer" && this.#terminal.takeAnswer(input.name, input.params)) {
        setCapabilities(this.#encoder, this.#capabilities());
      }
    }
    this.#give(inputs, this.#timer.readMs());
    this.#isHeld = false;
    this.#draw();
  }

  /** What the terminal can do and the configuration does not forbid. */
  #capabilities(): Capabilities {
    const known = this.#terminal.capabilities();
    return this.#flags.config.scrollRegions === "off" ? { ...known, scrollRegions: false } : known;
  }

  /** Inputs into the state, effects out of it; a frame is asked for. */
  #give(inputs: readonly Input[], atMs: number | null = null): void {
    for (const input of inputs) {
      const now = atMs ?? performance.now();
      for (const witness of this.#witnesses) witness.input(input, now);
      for (const effect of update(this.#state, input, now)) this.#perform(effect);
    }
    // A recorder may complain before there is anything to keep.
    this.#drafts?.look();
    this.#wantsFrame = true;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isEnding || !this.#isShown) return;
    const now = performance.now();
    const deadlines = [nextDeadline(this.#state)].filter((time) => time !== null);
    const silenceMs = this.#inbox.waitMs();
    if (silenceMs !== null) deadlines.push(now + silenceMs);
    // A terminal that takes nothing now says when it does again.
    if (this.#wantsFrame && !this.#isHeld && this.#terminal.canWrite()) {
      deadlines.push(this.#lastFrameMs + FRAME_MS);
    }
    this.#timer.set(deadlines.length === 0 ? null : Math.min(...deadlines));
  }

  #wake(): void {
    const now = performance.now();
    const typed = this.#inbox.silence();
    const due = nextDeadline(this.#state);
    if (typed.length > 0) return this.#typed(typed);
    if (due !== null && due <= now) {
      for (const witness of this.#witnesses) witness.input({ kind: "tick" }, now);
      for (const effect of update(this.#state, { kind: "tick" }, now)) this.#perform(effect);
      this.#wantsFrame = true;
    }
    if (this.#wantsFrame && now >= this.#lastFrameMs + FRAME_MS) this.#draw();
    else this.#schedule();
  }

  #draw(): void {
    if (this.#isEnding || this.#isHeld) return;
    if (this.#terminal.canWrite()) {
      this.#wantsFrame = false;
      this.#lastFrameMs = performance.now();
      failIfDue();
      drawFrame(this.#state, this.#frame);
      const bytes = encodeFrame(this.#encoder, this.#frame);
      if (bytes !== "") this.#terminal.write(bytes);
      this.#isShown = true;
      if (clusterWidthsWanted()) void this.#loadWidths();
    } else this.#wantsFrame = true;
    this.#schedule();
  }

  /** With the first cluster shown that only string-width knows: most show none, and it takes 4 MB and 50 ms. */
  async #loadWidths(): Promise<void> {
    await loadClusterWidths();
    this.#drawAgain();
  }

  #perform(effect: Effect): void {
    switch (effect.kind) {
      case "send":
        return this.#send(effect.method);
      case "quit":
        return void this.#quit(effect.code);
      case "reconnect":
        if (this.#subject.kind === "agent" && this.#agent === null) this.#connect(this.#subject.start);
        return;
      case "redraw":
        invalidate(this.#encoder);
        return;
      case "suspend":
        return void this.#terminal.suspend();
      case "edit":
        return void this.#edit(effect.text);
      case "login":
        return void this.#logIn(effect.methodId, effect.terminal);
      case "notify": {
        const { notify: how } = this.#flags.config;
        if (how === "off") return;
        return this.#terminal.notify(how, { title: windowTitle(this.#state), text: effect.text });
      }
      case "copy":
        return this.#terminal.copy(effect.text);
      case "find_files":
        return this.#workplace?.findFiles(effect.request);
      case "open_recording":
        return void this.#openRecording(effect.path);
      case "close_recording":
        return this.#closeRecording();
      case "list_sessions":
        return void this.#listSessions();
      case "remember":
        return this.#workplace?.remember(effect.parts);
    }
  }

  /** Hands the terminal to the person's editor. */
  async #edit(text: string): Promise<void> {
    if (this.#isEditing) return;
    this.#isEditing = true;
    const { editInTerminal } = await later("editor");
    const edited = await editInTerminal(text, (run) => this.#terminal.lend(run));
    this.#isEditing = false;
    const isText = edited.kind === "text";
    this.#give([{ kind: "edited", text: isText ? edited.text : null, what: isText ? null : edited.what }]);
    this.#draw();
  }

  async #logIn(methodId: string, terminal: Extract<Effect, { kind: "login" }>["terminal"]): Promise<void> {
    const subject = this.#subject;
    if (subject.kind !== "agent") return;
    const { runLogin } = await later("login");
    const fault = await this.#terminal.lend((stop) => runLogin(terminal, subject.podId, stop));
    if (fault === null) this.#send({ method: "authenticate", params: { method_id: methodId } });
    else this.#give([{ kind: "notice", level: "error", message: `The login failed: ${fault}` }]);
    this.#draw();
  }

  async #listSessions(): Promise<void> {
    const { listSessions } = await later("pods");
    this.#give([{ kind: "sessions", rows: await listSessions() }]);
    this.#drawAgain();
  }

  #send(method: Method): void {
    for (const witness of this.#witnesses) witness.sent(method, performance.now());
    if (this.#agent !== null) this.#agent.send(method);
  }

  async #quit(code: number, farewell: string | null = null): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    this.#farewell = farewell;
    this.#timer.set(null);
    this.#drafts?.flush();
    await this.#agent?.close();
    this.#ended.resolve(code);
  }

  #dismissWitnesses(code: number): void {
    const { columns, rows } = this.#state;
    for (const witness of this.#witnesses) witness.end(code, { columns, rows, nowMs: performance.now() });
    this.#witnesses = [];
  }

  /** Said once the terminal is given back: work goes on that is not seen any more. */
  #sayWhatGoesOn(): void {
    if (this.#farewell !== null) console.error(this.#farewell);
    const subject = this.#subject;
    if (subject.kind !== "agent" || !keepsWorking(this.#state)) return;
    console.error(`pod ${subject.podId} keeps working: trifold attach ${subject.podId}`);
  }
}
