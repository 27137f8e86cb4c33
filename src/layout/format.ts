// Numbers as people read them in rows of the screen: tokens, seconds, bytes, paths.

/** Tokens: plain below 1,000, 1.3k below 10k, whole k below a million, then m. */
export function formatTokens(tokens: number): string {
  const n = Math.abs(tokens);
  const sign = tokens < 0 ? "-" : "";
  if (n < 1000) return sign + String(Math.round(n));
  if (n < 10_000) return sign + trimZero((n / 1000).toFixed(1)) + "k";
  if (n < 999_500) return sign + Math.round(n / 1000) + "k";
  return sign + trimZero((n / 1_000_000).toFixed(1)) + "m";
}

/** Milliseconds as 8s, 1m05s, 2h03m. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 48 * 60) return `${Math.floor(minutes / 1440)}d`;
  if (minutes < 60) return `${minutes}m${pad(seconds % 60)}s`;
  return `${Math.floor(minutes / 60)}h${pad(minutes % 60)}m`;
}

/** How long ago: "5 s", "12 min", "3 h", "2 d". */
export function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 48 * 3600) return `${Math.floor(seconds / 3600)} h`;
  return `${Math.floor(seconds / 86_400)} d`;
}

/** Bytes as 812 B, 3.4 KB, 120 KB, 1.2 MB. */
export function formatBytes(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let size = bytes;
  let unit = 0;
  while (size >= 1000 && unit < units.length - 1) {
    size /= 1000;
    unit++;
  }
  const number = unit === 0 || size >= 100 ? String(Math.round(size)) : trimZero(size.toFixed(1));
  return `${number} ${units[unit]}`;
}

/** "1 row", "2 rows". */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** A path with the home directory as ~; `home` null leaves it alone. */
export function shortPath(path: string, home: string | null): string {
  if (home === null || home === "" || home === "/") return path;
  if (path === home) return "~";
  return path.startsWith(home + "/") ? "~" + path.slice(home.length) : path;
}

function trimZero(number: string): string {
  return number.replace(/\.0$/, "");
}

function pad(number: number): string {
  return String(number).padStart(2, "0");
}
