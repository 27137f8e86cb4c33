// A batch of questions or a permission, asked over the draft without taking it: what is marked, checked and answered,
// and its rows. Who has the keys and when an answer counts is panel_keys.ts's.

import { type Composer, composerRows, createComposer } from "../../input/composer.ts";
import { draftText } from "../../input/draft.ts";
import { cellWidth } from "../../text/graphemes.ts";
import { type Line, line, lineOf, padLine, shortenLine } from "../../text/line.ts";
import { safeText } from "../../text/outside_text.ts";
import { wrapLine } from "../../text/wrap.ts";
import { oneLine } from "../one_line.ts";
import type { OpenQuestion } from "../../transcript/block.ts";
import type { Answer, Question, QuestionOption } from "../../transcript/event.ts";

/** An open batch and where the person is in it. */
export interface QuestionPanel {
  readonly kind: "question";
  readonly name: "question";
  readonly batch: OpenQuestion;
  /** When it was first on the screen: nothing typed before half a second later answers it. */
  readonly shownMs: number;
  /** Index of the question asked now. */
  at: number;
  /** Index of the marked option. */
  cursor: number;
  /** Ids of checked options, for the question asked now. */
  readonly checked: Set<string>;
  /** Open while an answer in own words is typed. */
  free: Composer | null;
  readonly answers: Map<string, Answer>;
  /** Body rows hidden above. */
  scroll: number;
  /** Why the last Enter did not answer. */
  fault: string | null;
}

/** Most options in view at once. */
const OPTIONS_SHOWN = 8;
/** UTF-16 units of a question that are shown; a row says when there are more. */
export const LONGEST_QUESTION = 1 << 18;
/** Lines of it that are shown. */
const MOST_LINES = 1 << 14;
/** Options that the labels' column is measured by. */
const MEASURED_OPTIONS = 200;

/** Who has the keys while it is on the screen; "left": the message, for the person has left the panel. */
export type PanelKeys = "panel" | "message" | "left" | "history";

/** The panel of a batch that has just come. */
export function createQuestionPanel(batch: OpenQuestion, shownMs: number): QuestionPanel {
  const panel: QuestionPanel = {
    kind: "question",
    name: "question",
    batch,
    shownMs,
    at: 0,
    cursor: 0,
    checked: new Set(),
    free: null,
    answers: new Map(),
    scroll: 0,
    fault: null,
  };
  enterQuestion(panel, 0);
  return panel;
}

/** The question asked now; null for an empty batch. */
export function askedQuestion(panel: QuestionPanel): Question | null {
  return panel.batch.questions[panel.at] ?? null;
}

/** Moves the mark, around at the ends. */
export function moveMark(panel: QuestionPanel, by: number): void {
  const count = askedQuestion(panel)?.options.length ?? 0;
  if (count > 0) panel.cursor = (panel.cursor + by + count) % count;
}

/** Puts the mark on an option by its number from 1. */
export function markNumber(panel: QuestionPanel, number: number): void {
  if (number >= 1 && number <= (askedQuestion(panel)?.options.length ?? 0)) panel.cursor = number - 1;
}

/** Checks or unchecks the marked option where several may be chosen. */
export function toggleCheck(panel: QuestionPanel): void {
  const question = askedQuestion(panel);
  const option = question?.options[panel.cursor];
  if (question === null || !question.multi || option === undefined) return;
  if (!panel.checked.delete(option.id)) panel.checked.add(option.id);
}

/** Opens free text where the question allows it. */
export function openFreeText(panel: QuestionPanel): boolean {
  const question = askedQuestion(panel);
  if (question === null || !(question.allow_text || question.options.length === 0)) return false;
  panel.free ??= createComposer();
  panel.fault = null;
  return true;
}

/** Takes the answer to the question asked now; all answers once the last one was given, null while some are missing. */
export function answerQuestion(panel: QuestionPanel): readonly Answer[] | null {
  const question = askedQuestion(panel);
  if (question === null) return [];
  const answer = currentAnswer(panel, question);
  if (answer === null) return null;
  panel.fault = null;
  panel.answers.set(question.id, answer);
  const open = panel.batch.questions.findIndex((candidate) => !panel.answers.has(candidate.id));
  if (open === -1) {
    return panel.batch.questions.map((candidate) =>
      panel.answers.get(candidate.id) ?? emptyAnswer(candidate)
    );
  }
  enterQuestion(panel, open);
  return null;
}

/** What denies the permission; null when no option does. */
export function denyingAnswer(panel: QuestionPanel): readonly Answer[] | null {
  const question = askedQuestion(panel);
  const option = question?.options.find((candidate) =>
    candidate.effect === "deny" || candidate.effect === "deny_always"
  );
  return question === null || option === undefined
    ? null
    : [{ id: question.id, selected: [option.id], text: null }];
}

/** Rows it would like to have, title and hints included. */
export function questionHeight(panel: QuestionPanel, width: number): number {
  const question = askedQuestion(panel);
  const options = panel.free !== null ? 1 : Math.min(OPTIONS_SHOWN, question?.options.length ?? 0);
  return 2 + bodyRows(panel, width).length + options + (panel.fault === null ? 0 : 1);
}

/** One row for a question behind another panel. */
export function hiddenQuestionRow(panel: QuestionPanel, width: number): Line {
  const question = askedQuestion(panel);
  const said = [question?.header ?? "", (question?.text ?? "").slice(0, 1000)].filter((one) => one !== "");
  const hint = "  Esc shows it";
  const room = Math.max(0, width - cellWidth(hint));
  const row = shortenLine(
    lineOf(["── ", "panel.border"], [
      [nameOf(panel), ...said.map((one) => oneLine(one, { strict: true }))].join(" · "),
      "panel.warn",
    ]),
    room < 20 ? width : room,
  );
  return room < 20 ? row : { spans: [...row.spans, { text: hint, role: "panel.hint" }] };
}

/** What is seen of it, and the caret's place where free text is typed. */
export function questionRows(
  panel: QuestionPanel,
  size: { readonly width: number; readonly height: number },
  keys: PanelKeys,
): {
  readonly rows: readonly Line[];
  readonly caret: { readonly row: number; readonly column: number } | null;
} {
  const { width, height } = size;
  const question = askedQuestion(panel);
  if (question === null || height <= 0) return { rows: [], caret: null };
  const free = panel.free === null ? null : composerRows(panel.free, Math.max(1, width - 2), 1);
  const fault = panel.fault === null ? [] : [shortenLine(line(panel.fault, "panel.warn"), width)];
  const hint = height >= 3 ? [shortenLine(line(hintText(panel, question, keys), "panel.hint"), width)] : [];
  const room = Math.max(0, height - 1 - hint.length - fault.length);
  const choices = free === null
    ? optionRows(panel, question, { width, height: Math.min(room, OPTIONS_SHOWN) })
    : [
      lineOf(
        ["> ", "panel.label"],
        ...(free.rows[0]?.spans ?? []).map((span) => [span.text, span.role] as const),
      ),
    ];
  const body = bodyRows(panel, width);
  const bodyRoom = Math.max(0, room - choices.length);
  panel.scroll = Math.max(0, Math.min(panel.scroll, body.length - bodyRoom));
  const shown = body.slice(panel.scroll, panel.scroll + bodyRoom);
  const rows = [
    titleRow(panel, question, width, body.length - shown.length),
    ...shown,
    ...choices.slice(0, room),
    ...fault,
    ...hint,
  ];
  const caret = free === null
    ? null
    : { row: 1 + shown.length, column: Math.min(width - 1, 2 + free.caret.column) };
  return { rows: rows.slice(0, height), caret };
}

function enterQuestion(panel: QuestionPanel, at: number): void {
  panel.at = at;
  panel.cursor = 0;
  panel.checked.clear();
  panel.free = null;
  panel.scroll = 0;
  if (askedQuestion(panel)?.options.length === 0) openFreeText(panel);
}

function currentAnswer(panel: QuestionPanel, question: Question): Answer | null {
  const text = panel.free === null ? null : draftText(panel.free.draft);
  const checked = question.options.filter((option) => panel.checked.has(option.id)).map((option) =>
    option.id
  );
  if (text !== null) {
    if (text.trim() !== "") return { id: question.id, selected: question.multi ? checked : [], text };
    panel.fault = "Type an answer first";
    return null;
  }
  if (question.multi) {
    if (checked.length > 0) return { id: question.id, selected: checked, text: null };
    panel.fault = "Check an option first: Space";
    return null;
  }
  const option = question.options[panel.cursor];
  return option === undefined ? null : { id: question.id, selected: [option.id], text: null };
}

function emptyAnswer(question: Question): Answer {
  return { id: question.id, selected: [], text: null };
}

function nameOf(panel: QuestionPanel): string {
  return panel.batch.permission ? "Permission" : "Question";
}

function titleRow(panel: QuestionPanel, question: Question, width: number, hidden: number): Line {
  const { questions } = panel.batch;
  const left = questions.filter((candidate) => !panel.answers.has(candidate.id)).length;
  const name = nameOf(panel);
  const count = questions.length < 2
    ? name
    : `${name} ${panel.at + 1}/${questions.length} (${left} unanswered)`;
  const header = question.header === "" ? "" : ` · ${oneLine(question.header, { strict: true })}`;
  const more = hidden > 0 ? `  +${hidden} row${hidden === 1 ? "" : "s"}, PgUp PgDn` : "";
  return shortenLine(
    lineOf(["── ", "panel.border"], [count + header, "panel.title"], [more, "panel.hint"]),
    width,
  );
}

/** The rows of a question at the width asked for last: a frame asks several times. */
const wrapped = new WeakMap<Question, { readonly width: number; readonly rows: readonly Line[] }>();

function bodyRows(panel: QuestionPanel, width: number): readonly Line[] {
  const question = askedQuestion(panel);
  if (question === null || question.text === "") return [];
  const known = wrapped.get(question);
  if (known?.width === width) return known.rows;
  const rows = wrapBody(question.text, panel.batch.permission, width);
  wrapped.set(question, { width, rows });
  return rows;
}

/**
 * What is asked. What is to be approved shows every control, bidi and invisible character, and says so when there is
 * one; and whatever is asked says so where not all of it is shown.
 */
function wrapBody(text: string, strict: boolean, width: number): readonly Line[] {
  const rows: Line[] = [];
  const warnings: string[] = [];
  const cut = text.slice(0, LONGEST_QUESTION).replace(/[\ud800-\udbff]$/, "").split("\n").slice(
    0,
    MOST_LINES,
  );
  const cutLength = cut.reduce((length, one) => length + one.length + 1, -1);
  if (cutLength < text.length) {
    warnings.push(`! ${text.length - cutLength} characters more are asked than are shown here`);
  }
  let hasTokens = false;
  for (const one of cut) {
    const shown = safeText(one, { strict });
    hasTokens ||= strict && shown !== one;
    for (const one of wrapLine(line(shown, "panel.text"), width)) rows.push(one);
  }
  if (hasTokens) warnings.push("! it holds control or invisible characters");
  return [...warnings.map((warning) => shortenLine(line(warning, "panel.warn"), width)), ...rows];
}

function optionRows(
  panel: QuestionPanel,
  question: Question,
  size: { readonly width: number; readonly height: number },
): readonly Line[] {
  const { options } = question;
  const first = Math.max(
    0,
    Math.min(panel.cursor - Math.floor(size.height / 2), options.length - size.height),
  );
  const labels = Math.min(
    Math.floor(size.width * 0.55),
    Math.max(0, ...options.slice(0, MEASURED_OPTIONS).map((option) => cellWidth(optionLabel(option)))),
  );
  return options.slice(first, first + size.height).map((option, at) => {
    const index = first + at;
    const isMarked = index === panel.cursor;
    const role = isMarked ? "panel.selected" : "panel.text";
    const box = question.multi ? (panel.checked.has(option.id) ? "[x] " : "[ ] ") : "";
    const front = `${isMarked ? ">" : " "} ${index + 1}. ${box}`;
    const described = option.description === null || option.description === ""
      ? ""
      : `  ${oneLine(option.description)}`;
    const label = line(optionLabel(option), role);
    const padded = described === "" ? label : padLine(shortenLine(label, labels), labels, role);
    const whole = lineOf([front, role], ...padded.spans.map((span) => [span.text, span.role] as const), [
      described,
      isMarked ? role : "panel.hint",
    ]);
    return shortenLine(whole, size.width);
  });
}

function optionLabel(option: QuestionOption): string {
  return oneLine(option.label, { strict: true });
}

function hintText(panel: QuestionPanel, question: Question, keys: PanelKeys): string {
  if (keys === "message") return "Tab or F6 answers this; the message keeps the keys";
  if (keys === "left") return "Tab or F6 to the history, again to this; the message keeps the keys";
  if (keys === "history") return "Tab or F6 answers this; the history has the keys";
  if (panel.free !== null) {
    return question.options.length === 0
      ? "Enter answers, Esc rejects"
      : "Enter answers, Esc back to the options";
  }
  const parts = ["Enter answers"];
  if (question.multi) parts.push("Space checks");
  if (question.allow_text) parts.push("Tab own words");
  parts.push(panel.batch.permission ? "Esc denies" : "Esc rejects", "F6 leaves");
  return parts.join(", ");
}
