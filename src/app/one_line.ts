// Outside text for one line of the screen: safe, and no more of it than a line could ever show, so that a name of
// many megabytes costs a frame no more than a short one.

import { safeText } from "../text/outside_text.ts";

/** UTF-16 units looked at: more than the widest screen has cells. */
export const ONE_LINE_UNITS = 2000;

/** The text's beginning made safe; an ellipsis says that there is more. */
export function oneLine(text: string, options: { readonly strict?: boolean } = {}): string {
  if (text.length <= ONE_LINE_UNITS) return safeText(text, options);
  return `${safeText(text.slice(0, ONE_LINE_UNITS).replace(/[\ud800-\udbff]$/, ""), options)}…`;
}
