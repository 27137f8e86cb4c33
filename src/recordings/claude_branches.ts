// The tree of a Claude Code session (uuid, parentUuid) as branches of turns. Single records are no branches: parallel
// calls and their results leave dead leaves that must stay on the screen. Only a prompt that goes back to an earlier
// turn begins another branch; a missing parent means that it follows the record before it.

import { isFromPerson } from "./claude_messages.ts";
import { blocksOf } from "./claude_messages.ts";
import { readUserText } from "./claude_text.ts";
import { type BranchOptions, createBranchTranslator } from "./branches.ts";
import { type Fields, fieldsOf, firstText, isFields, textOf } from "./fields.ts";
import { isTextPart } from "./recorded_content.ts";
import type { RecordingStep, Translator, TranslatorFactory } from "./translator.ts";

/** Shows one branch of turns: the newest, or the one that holds the prompt `options.branch`. */
export function createClaudeBranches(create: TranslatorFactory, options: BranchOptions): Translator {
  /** The prompt of the turn each record stands in; "" before the first. */
  const turnOf = new Map<string, string>();
  /** The turn that each turn follows; null for the beginning, undefined for the turn before. */
  const turns = new Map<string, string | null | undefined>();
  let turn = "";
  let place: { readonly id: string | null; readonly parent: string | null | undefined } = PLAIN;
  const inner = createBranchTranslator({
    agent: "Claude Code",
    repeats: "news",
    create,
    idOf: () => place.id,
    parentOf: () => place.parent,
    isShown: () => true,
  }, options);

  function placeOf(record: Fields): typeof place {
    const uuid = firstText(record.uuid);
    const parent = textOf(record.parentUuid);
    if (uuid === null || record.isSidechain === true) return inTurn(turn);
    const known = parent === null ? undefined : turnOf.get(parent);
    // The prompt again, in a file that was joined.
    if (turns.has(uuid)) return inTurn(uuid);
    if (!isPrompt(record)) {
      turnOf.set(uuid, known ?? turn);
      return inTurn(known ?? turn);
    }
    turns.set(uuid, known === undefined ? undefined : known === "" ? null : known);
    turnOf.set(uuid, uuid);
    turn = uuid;
    return inTurn(uuid);
  }

  /** A record of a turn is news of it. */
  function inTurn(id: string): typeof place {
    return id === "" ? PLAIN : { id, parent: turns.get(id) };
  }

  return {
    push: (value, line): readonly RecordingStep[] => {
      place = isFields(value) ? placeOf(value) : PLAIN;
      return inner.push(isFields(value) ? withoutCopies(value) : value, line);
    },
    end: () => inner.end(),
  };
}

const PLAIN = { id: null, parent: undefined } as const;

/** True for a record with words of the person that begin a turn. */
function isPrompt(record: Fields): boolean {
  if (record.type !== "user" || record.isMeta === true || record.isCompactSummary === true) return false;
  if (!isFromPerson(record)) return false;
  const blocks = blocksOf(fieldsOf(record.message).content);
  if (blocks.some((block) => block.type === "tool_result")) return false;
  return blocks.some((block) =>
    !isTextPart(block) || readUserText(textOf(block.text) ?? "").some((piece) => piece.kind === "prompt")
  );
}

/** The record without the whole files that edits carry: it may have to be told again, they are not. */
function withoutCopies(record: Fields): Fields {
  for (const name of ["toolUseResult", "tool_use_result"]) {
    const structured = record[name];
    if (!isFields(structured) || typeof structured.originalFile !== "string") continue;
    const { originalFile: _whole, ...rest } = structured;
    return { ...record, [name]: rest };
  }
  return record;
}
