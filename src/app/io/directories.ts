// Where what is ours lies on this machine: XDG directories, or the platform's own where those are not set.

/** A directory of ours: settings a person writes, or what clients keep between runs. */
export type DirectoryKind = "config" | "state";

interface Place {
  readonly variable: string;
  /** Below the home directory. */
  readonly linux: string;
  readonly darwin: string;
  /** The variable that Windows names it by. */
  readonly windows: string;
}

const PLACES: Readonly<Record<DirectoryKind, Place>> = {
  config: {
    variable: "XDG_CONFIG_HOME",
    linux: ".config",
    darwin: "Library/Application Support",
    windows: "APPDATA",
  },
  state: {
    variable: "XDG_STATE_HOME",
    linux: ".local/state",
    darwin: "Library/Application Support",
    windows: "LOCALAPPDATA",
  },
};

/** The path of our directory of that kind, without a "/" at its end; null where the environment names no home. */
export function ownDirectory(
  kind: DirectoryKind,
  environment: (name: string) => string | undefined = (name) => Deno.env.get(name),
  system: string = Deno.build.os,
): string | null {
  const place = PLACES[kind];
  const xdg = environment(place.variable);
  // XDG Base Directory 0.8: a relative path is to be ignored.
  if (xdg !== undefined && isAbsolute(xdg)) return `${xdg.replace(/[\\/]+$/, "")}/trifold`;
  if (system === "windows") {
    const base = environment(place.windows);
    return base === undefined || base === "" ? null : `${base}/trifold`;
  }
  const home = environment("HOME");
  if (home === undefined || !isAbsolute(home)) return null;
  return `${home.replace(/\/+$/, "")}/${system === "darwin" ? place.darwin : place.linux}/trifold`;
}

function isAbsolute(path: string): boolean {
  return path.startsWith("/") || /^[A-Za-z]:[\\/]/.test(path);
}
