// Values too large for one line of the wire: their longest texts keep head and tail and say what they left out.

const encoder = new TextEncoder();

/** Bytes of the value as JSON. */
export function jsonBytes(value: unknown): number {
  return utf8Bytes(JSON.stringify(value) ?? "");
}

/** The value with every long string cut so that the whole takes about `limit` bytes at most. */
export function cutLongStrings(value: unknown, limit: number): unknown {
  let keep = Math.max(64, Math.floor(limit / 2));
  let cut = mapStrings(value, keep);
  // Several long strings, or many escapes: less of each.
  while (keep > 64 && jsonBytes(cut) > limit) {
    keep = Math.max(64, Math.floor(keep / 2));
    cut = mapStrings(value, keep);
  }
  return cut;
}

/** Head and tail of a text, about `keep` UTF-16 units of it, with the bytes left out named between them. */
export function headAndTail(text: string, keep: number): string {
  if (text.length <= keep) return text;
  const half = Math.floor(keep / 2);
  const head = text.slice(0, behindPair(text, half));
  const tail = text.slice(behindPair(text, text.length - half));
  const left = utf8Bytes(text) - utf8Bytes(head) - utf8Bytes(tail);
  return `${head}\n[${left} bytes left out]\n${tail}`;
}

function mapStrings(value: unknown, keep: number): unknown {
  if (typeof value === "string") return headAndTail(value, keep);
  if (Array.isArray(value)) return value.map((one) => mapStrings(one, keep));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapStrings(one, keep)]));
}

/** The same place, or one further where it would cut a surrogate pair. */
function behindPair(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff ? at + 1 : at;
}

function utf8Bytes(text: string): number {
  return encoder.encode(text).length;
}
