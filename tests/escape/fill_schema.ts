// Values that fit a schema, with a text of the caller's in every string of it: the schemas themselves say which
// fields there are, so that a new one is driven without anybody thinking of it.

import { bodyPartSchema } from "../../src/transcript/event.ts";

/** The parts of a valibot schema that are looked at. */
interface Schema {
  readonly type: string;
  readonly entries?: Readonly<Record<string, Schema>>;
  readonly wrapped?: Schema;
  readonly item?: Schema;
  readonly options?: readonly (Schema | string)[];
  readonly literal?: unknown;
  readonly pipe?: readonly Schema[];
  readonly value?: Schema;
}

export interface FillOptions {
  /** The text for a string at a path such as "questions.options.label". */
  readonly text: (path: string) => string;
  readonly number: (path: string) => number | null;
  /** Which member of a union or list of words is taken; lists hold one of each member. */
  readonly choice: number;
  /** What stands where a schema takes anything; undefined: the field is left out. */
  readonly unknown: (path: string) => unknown;
}

/** A value that fits `schema`. */
export function fillSchema(schema: unknown, options: FillOptions, path = ""): unknown {
  return fill(schema as Schema, options, path);
}

function fill(schema: Schema, options: FillOptions, path: string): unknown {
  switch (schema.type) {
    case "object": {
      const filled: Record<string, unknown> = {};
      for (const [name, entry] of Object.entries(schema.entries ?? {})) {
        const value = fill(entry, options, path === "" ? name : `${path}.${name}`);
        if (value !== undefined) filled[name] = value;
      }
      return filled;
    }
    case "optional":
    case "nullable":
    case "nullish":
      return fill(need(schema.wrapped, path), options, path);
    case "array": {
      const item = need(schema.item, path);
      if (item.type === "unknown") return options.unknown(path);
      const members = item.type === "variant" || item.type === "union" ? item.options?.length ?? 1 : 1;
      return Array.from({ length: members }, (_, choice) => fill(item, { ...options, choice }, path));
    }
    case "union":
    case "variant": {
      const members = schema.options ?? [];
      return fill(need(members[options.choice % members.length] as Schema, path), options, path);
    }
    case "picklist": {
      const words = schema.options ?? [];
      return words[options.choice % words.length];
    }
    case "record":
      return need(schema.value, path).type === "unknown"
        ? options.unknown(path)
        : { [options.text(`${path} key`)]: fill(need(schema.value, path), options, path) };
    case "string":
      return options.text(path);
    case "number":
      return options.number(path);
    case "boolean":
      return options.choice % 2 === 0;
    case "literal":
      return schema.literal;
    case "unknown":
      return options.unknown(path);
  }
  throw new Error(`Cannot fill ${path}: schema type ${schema.type} is not known here`);
}

/** One of each part a card's body may have. */
export function bodyParts(options: FillOptions, path: string): unknown[] {
  const { options: members } = bodyPartSchema as unknown as { readonly options: readonly Schema[] };
  return members.map((member) => fill(member, options, path));
}

function need<Value>(value: Value | undefined, path: string): Value {
  if (value === undefined) throw new Error(`Cannot fill ${path}: its schema has no such part`);
  return value;
}
