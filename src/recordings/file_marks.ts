// A recording that is kept in several files is read as one stream of lines. Where its formats do not say in each record
// whose it is, a line of our own stands where another file begins; translators of those formats know it.

/** Name of the one field of such a line; the value is the file's name, or null where the session's own file goes on. */
const FIELD = "trifold_file";

/** The line that says from which file the next ones are. */
export function fileMark(name: string | null): string {
  return `${JSON.stringify({ [FIELD]: name })}\n`;
}

/** The file whose lines follow; undefined for any other value. */
export function markedFile(value: unknown): string | null | undefined {
  if (typeof value !== "object" || value === null || !(FIELD in value)) return undefined;
  const name = value[FIELD];
  const isMark = Object.keys(value).length === 1 && (name === null || typeof name === "string");
  return isMark ? name : undefined;
}
