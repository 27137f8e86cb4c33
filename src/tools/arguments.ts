// A call's fixed arguments as a renderer wants them: the main one, the ones a look does not name, and all of them
// as JSON. Long texts made from them are kept beside the arguments, so a new width or fold makes none anew.

import { type LongText, longText, longTextString } from "../transcript/long_text.ts";
import type { ToolCall } from "../transcript/tool_call.ts";
import { type Argument, argumentOf } from "./header.ts";
import type { Part } from "./renderer.ts";
import { longPart } from "./body.ts";

/** Names an argument that tells calls apart goes by, the best first. */
const MAIN_NAMES = [
  "file_path",
  "path",
  "filePath",
  "absolute_path",
  "notebook_path",
  "command",
  "cmd",
  "pattern",
  "query",
  "url",
  "uri",
  "description",
  "prompt",
  "title",
  "name",
  "subject",
  "skill",
  "id",
] as const;

/** Of those, the ones whose end says more than their beginning. */
const PATH_NAMES: ReadonlySet<string> = new Set([
  "file_path",
  "path",
  "filePath",
  "absolute_path",
  "notebook_path",
]);

/** Raw arguments longer than this are shown as they came: parsing them to indent them would cost too much. */
const LONGEST_PRETTY = 1 << 20;

const keptTexts = new WeakMap<object, Map<string, LongText>>();

/** The text `make` gives, made once for each owner and name. The owner must never change. */
export function keptText(owner: object, name: string, make: () => string): LongText {
  let texts = keptTexts.get(owner);
  if (texts === undefined) keptTexts.set(owner, texts = new Map());
  let text = texts.get(name);
  if (text === undefined) texts.set(name, text = longText(make()));
  return text;
}

/** The argument a header names; null when none tells calls apart. */
export function mainArgument(call: ToolCall): Argument | null {
  const { input } = call;
  if (input === null) return null;
  for (const name of MAIN_NAMES) {
    if (!Object.hasOwn(input, name)) continue;
    const value = input[name];
    const text = Array.isArray(value) && value.every((part) => typeof part === "string")
      ? value.join(" ")
      : value;
    if (typeof text === "string" && text.trim() !== "") {
      return argumentOf(text, "tool.argument", PATH_NAMES.has(name) ? "end" : "start");
    }
  }
  const first = Object.values(input).find((value) => typeof value === "string" && value.trim() !== "");
  return typeof first === "string" ? argumentOf(first) : null;
}

/** All arguments as indented JSON; what is no JSON as it came. Empty for none. */
export function prettyArguments(call: ToolCall): LongText {
  const { input, args } = call;
  if (input !== null) {
    return keptText(
      input,
      "pretty",
      () => Object.keys(input).length === 0 ? "" : JSON.stringify(input, null, 2),
    );
  }
  if (args.length === 0 || args.length > LONGEST_PRETTY) return args;
  return keptText(args, `pretty ${args.length}`, () => indentedJson(longTextString(args)));
}

function indentedJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** The arguments a look shows nowhere else, one "name: value" each; what is no JSON object as it came. */
export function otherArguments(
  call: ToolCall,
  width: number,
  shown: { readonly values?: readonly (string | null)[]; readonly names?: readonly string[] },
): readonly Part[] {
  const { input } = call;
  if (input === null) {
    return call.args.length === 0 ? [] : [longPart(prettyArguments(call), "tool.args", width)];
  }
  const { values = [], names = [] } = shown;
  const text = keptText(input, `other ${names.join()} ${values.length}`, () =>
    Object.entries(input)
      .filter(([name, value]) =>
        !names.includes(name) && !(typeof value === "string" && values.includes(value))
      )
      .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
      .join("\n"));
  return text.length === 0 ? [] : [longPart(text, "tool.args", width)];
}
