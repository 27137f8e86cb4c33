// Where pods keep their files and sockets on this machine, and that nobody else can get at them.
// What stands in a pod's directory is directory.ts, the sockets themselves socket.ts.

/** The three directories pods need. */
export interface Places {
  /** One directory a pod in it. */
  readonly pods: string;
  readonly sockets: string;
  /** For sockets whose path in `sockets` would be too long. */
  readonly shortSockets: string;
}

/** A directory or socket that is not safe to use: the text is for people. */
export class NotPrivateError extends Error {}

/** Bytes of a socket's path: 107 on Linux (measured), 103 on macOS (documented). */
const SOCKET_PATH_BYTES = 103;

/** The directories below our state directory, and those of sockets. A relative XDG path is ignored, as its standard says. */
export function placesOf(
  state: string,
  environment: (name: string) => string | undefined = (name) => Deno.env.get(name),
): Places {
  const runtime = environment("XDG_RUNTIME_DIR");
  const short = `/tmp/trifold-${Deno.uid() ?? "user"}`;
  return {
    pods: `${state}/pods`,
    sockets: runtime?.startsWith("/") ? `${runtime.replace(/\/+$/, "")}/trifold` : short,
    shortSockets: short,
  };
}

/** The socket of a pod. In the short directory pods of several homes meet, so the name there says which home. */
export function socketPathOf(places: Places, id: string): string {
  const path = `${places.sockets}/${id}.sock`;
  if (new TextEncoder().encode(path).length <= SOCKET_PATH_BYTES && places.sockets !== places.shortSockets) {
    return path;
  }
  return `${places.shortSockets}/${id}-${nameHash(places.pods)}.sock`;
}

/** Makes the directory where it is missing, mode 0700, and throws NotPrivateError when others could get in. */
export function makePrivateDirectory(path: string): void {
  Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
  checkPrivate(path, "directory");
}

/** Throws NotPrivateError unless the path is of that kind, ours, and closed to others. */
export function checkPrivate(path: string, kind: "directory" | "socket"): void {
  const info = Deno.lstatSync(path);
  const isRight = kind === "directory" ? info.isDirectory : info.isSocket === true;
  if (!isRight || info.isSymlink) throw new NotPrivateError(`Cannot use ${path}: it is no ${kind}`);
  const uid = Deno.uid();
  if (uid !== null && info.uid !== null && info.uid !== uid) {
    throw new NotPrivateError(
      `Cannot use ${path}: the ${kind} belongs to user ${info.uid}, and must belong to you (user ${uid})`,
    );
  }
  const mode = (info.mode ?? 0) & 0o777;
  if (info.mode !== null && (mode & 0o077) !== 0) {
    const wish = kind === "directory" ? "700" : "600";
    throw new NotPrivateError(
      `Cannot use ${path}: its mode ${
        mode.toString(8)
      } lets others in; it must be ${wish} (chmod ${wish} does it)`,
    );
  }
}

/** FNV-1a, 32 bits: enough to tell homes apart. */
function nameHash(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return hash.toString(36);
}
