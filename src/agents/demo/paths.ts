// Paths and patterns of the demo agent's tools, as text only. Whether something is there is workspace.ts.

/** `path` below the directory it is meant from, without "." and ".."; null when it leads out. */
export function insidePath(path: string, root: string): string | null {
  const fromRoot = path === root ? "." : path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path;
  if (fromRoot.startsWith("/") || /^[a-z]:[\\/]/i.test(fromRoot) || fromRoot.includes("\0")) return null;
  const parts: string[] = [];
  for (const part of fromRoot.split(/[\\/]/)) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join("/");
}

/** A glob as a regular expression over whole paths with "/": `*` `?` `[...]` stay in one part, `**` crosses, `{a,b}` chooses. */
export function globPattern(glob: string): RegExp {
  let source = "";
  let depth = 0;
  for (let at = 0; at < glob.length; at++) {
    const sign = glob[at] ?? "";
    if (glob.startsWith("**/", at)) {
      source += "(?:[^/]+/)*";
      at += 2;
    } else if (glob.startsWith("**", at)) {
      source += ".*";
      at += 1;
    } else if (sign === "*") source += "[^/]*";
    else if (sign === "?") source += "[^/]";
    else if (sign === "{") {
      source += "(?:";
      depth++;
    } else if (sign === "}" && depth > 0) {
      source += ")";
      depth--;
    } else if (sign === "," && depth > 0) source += "|";
    else if (sign === "[" && glob.indexOf("]", at + 2) !== -1) {
      const end = glob.indexOf("]", at + 2);
      const inside = glob.slice(at + 1, end).replace(/^!/, "^").replaceAll("\\", "\\\\").replaceAll(
        "[",
        "\\[",
      );
      source += `[${inside}]`;
      at = end;
    } else source += sign.replace(/[.+^$()|[\]\\{}/]/, "\\$&");
  }
  return new RegExp(`^${source}${")".repeat(depth)}$`);
}

/** Lines without their ends; a final newline makes no further line. */
export function splitLines(text: string): string[] {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines;
}

/** "1 line", "2 lines". */
export function count(many: number, one: string, more = `${one}s`): string {
  return `${many} ${many === 1 ? one : more}`;
}
