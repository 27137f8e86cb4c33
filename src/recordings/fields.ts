// Reading fields of foreign JSON without trusting them: each function gives the value in the shape asked for, or
// null. Shared by all translators; what a field means is theirs.

/** A JSON object of unknown fields. */
export type Fields = Readonly<Record<string, unknown>>;

/** True for a JSON object (not an array, not null). */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** True for text that is one JSON value. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The object, or an empty one when it is something else: for reading on without asking. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** The string, or null; an empty string is a string. */
export function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** The first of these that is a string with something in it, or null. */
export function firstText(...values: readonly unknown[]): string | null {
  for (const value of values) if (typeof value === "string" && value !== "") return value;
  return null;
}

/** The finite number, or null. */
export function numberOf(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

/** The array's elements, or none when it is something else. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The array's elements that are objects. */
export function fieldsList(value: unknown): readonly Fields[] {
  return listOf(value).filter(isFields);
}

/** The field at a path of names, or undefined. */
export function fieldAt(value: unknown, ...path: readonly string[]): unknown {
  let at: unknown = value;
  for (const name of path) {
    if (!isFields(at)) return undefined;
    at = at[name];
  }
  return at;
}

/** A JSON value as compact text; strings as they are. */
export function showValue(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value) ?? "";
}

/** The table's row of that name, or null: names from outside may be those of every object ("constructor"). */
export function rowOf<Row>(table: Readonly<Record<string, Row>>, name: unknown): Row | null {
  return typeof name === "string" && Object.hasOwn(table, name) ? table[name] ?? null : null;
}
