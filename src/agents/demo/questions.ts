// What the demo agent asks back: questions it was told to ask, and permission for what changes files. One batch is
// open at a time; who answers is whoever is attached.

import type { Answer } from "../../transcript/event.ts";
import { splitLines } from "./paths.ts";
import type { ToolUse } from "./steps.ts";

type Emit = (event: "question" | "question_closed", data: Readonly<Record<string, unknown>>) => void;
type CloseReason = "answered" | "dismissed" | "cancelled";

/** How a batch ended. */
export interface BatchEnd {
  readonly reason: CloseReason;
  readonly answers: readonly Answer[];
}

/** The open batches of one session, oldest first. */
export class QuestionDesk {
  readonly #emit: Emit;
  readonly #open = new Map<string, (end: BatchEnd) => void>();
  /** Tools that may go on without being asked about. */
  readonly #allowed = new Set<string>();
  #asked = 0;

  constructor(emit: Emit) {
    this.#emit = emit;
  }

  /** Asks a batch; resolves when it was answered, dismissed or cancelled with the turn. */
  ask(data: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<BatchEnd> {
    const batchId = `ask-${++this.#asked}`;
    return new Promise((resolve) => {
      this.#open.set(batchId, resolve);
      this.#emit("question", { batch_id: batchId, ...data });
      if (signal.aborted) this.close(batchId, { reason: "cancelled", answers: [] });
      else {signal.addEventListener(
          "abort",
          () => this.close(batchId, { reason: "cancelled", answers: [] }),
          { once: true },
        );}
    });
  }

  /** Ends a batch; false when none of that id is open. */
  close(batchId: string, end: BatchEnd): boolean {
    const resolve = this.#open.get(batchId);
    if (resolve === undefined) return false;
    this.#open.delete(batchId);
    this.#emit("question_closed", { batch_id: batchId, reason: end.reason, answers: end.answers });
    resolve(end);
    return true;
  }

  /** Whether a call may go on; asks once for each kind of tool that was not always allowed. */
  async mayRun(use: ToolUse, callId: string, signal: AbortSignal): Promise<boolean> {
    if (this.#allowed.has(use.tool)) return true;
    const end = await this.ask({
      kind: "permission",
      tool_call_id: callId,
      questions: [{ id: "permission", header: use.tool, text: whatItDoes(use), options: PERMISSION_OPTIONS }],
    }, signal);
    const [chosen] = end.answers[0]?.selected ?? [];
    if (chosen === "always") this.#allowed.add(use.tool);
    return chosen === "once" || chosen === "always";
  }
}

const PERMISSION_OPTIONS = [
  { id: "once", label: "Allow once", effect: "allow_once" },
  { id: "always", label: "Allow for this session", effect: "allow_always" },
  { id: "deny", label: "Deny", effect: "deny" },
];

/** The batch that "ask" asks. */
export const EXAMPLE_BATCH = {
  questions: [
    {
      id: "target",
      header: "Target",
      text: "Which branch shall this go to?",
      multi: false,
      allow_text: true,
      options: [
        { id: "main", label: "main", description: "the release line" },
        { id: "develop", label: "develop", description: "where work comes together" },
      ],
    },
    {
      id: "checks",
      header: "Checks",
      text: "Which checks shall run before?",
      multi: true,
      allow_text: false,
      options: [
        { id: "lint", label: "lint", description: "style and imports" },
        { id: "types", label: "types", description: "the type checker" },
        { id: "tests", label: "tests", description: "all of them" },
      ],
    },
  ],
};

/** What the model says of the answers. */
export function answerText(end: BatchEnd): string {
  if (end.reason !== "answered") return "You did not answer, so I leave it at that.";
  const said = end.answers.map((answer) => {
    const words = [
      ...answer.selected,
      ...(answer.text === null || answer.text === "" ? [] : [`"${answer.text}"`]),
    ];
    return `- ${answer.id}: ${words.join(", ") || "nothing"}`;
  });
  return `You answered:\n\n${said.join("\n")}`;
}

function whatItDoes(use: ToolUse): string {
  const { command, file_path: path, content, old_string: before, new_string: after } = use.input;
  if (typeof command === "string") return command;
  if (typeof before === "string") return `${path}\n- ${firstLine(before)}\n+ ${firstLine(String(after))}`;
  const lines = splitLines(String(content ?? "")).length;
  return `${path}\n${lines === 1 ? "1 line" : `${lines} lines`}`;
}

function firstLine(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
