// The one place that knows what kind of socket joins clients and pods: a Unix socket, mode 0600, in a directory of
// mode 0700. On Windows a named pipe would stand behind the same three functions; it is not written.

import { checkPrivate, makePrivateDirectory } from "./places.ts";

/** Two ways bytes go. A write may take only a part. */
export interface Connection {
  read(buffer: Uint8Array): Promise<number | null>;
  write(bytes: Uint8Array): Promise<number>;
  close(): void;
}

export interface SocketServer {
  /** The next client; null once it is closed. */
  accept(): Promise<Connection | null>;
  /** False when the path is gone, or leads to something else by now. */
  isReachable(): boolean;
  /** Ends listening and removes the path. Only while the lock of the log is held: the path may be another's by then. */
  close(): void;
}

/**
 * Listens at a path in a directory that is ours alone. A socket left behind by a pod that was killed is removed; the
 * caller holds the lock of the log, so nobody else can be about to listen there.
 */
export async function listenAt(path: string): Promise<SocketServer> {
  refuseWindows();
  makePrivateDirectory(folderOf(path));
  if (await canConnect(path)) throw new Error(`Cannot listen at ${path}: another program answers there`);
  removeIfThere(path);
  const listener = privately(() => Deno.listen({ transport: "unix", path }));
  const inode = Deno.lstatSync(path).ino;
  return {
    accept: async () => {
      try {
        return await listener.accept();
      } catch (error) {
        if (error instanceof Deno.errors.BadResource || error instanceof Deno.errors.Interrupted) return null;
        throw error;
      }
    },
    isReachable: () => {
      try {
        return Deno.lstatSync(path).ino === inode;
      } catch {
        return false;
      }
    },
    close: () => {
      try {
        // Some versions remove the path themselves, whoever's it is by now.
        listener.close();
        removeIfThere(path);
      } catch {
        // It has been closed before.
      }
    },
  };
}

/** Connects to a pod. Throws NotFound or ConnectionRefused when none listens, NotPrivateError when it could be another's. */
export async function connectTo(path: string): Promise<Connection> {
  refuseWindows();
  checkPrivate(folderOf(path), "directory");
  checkPrivate(path, "socket");
  return await Deno.connect({ transport: "unix", path });
}

/** Whether something answers at the path. */
export async function canConnect(path: string): Promise<boolean> {
  try {
    const connection = await Deno.connect({ transport: "unix", path });
    connection.close();
    return true;
  } catch {
    return false;
  }
}

/** Writes all of it, however little is taken at a time. */
export async function writeWholly(connection: Connection, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await connection.write(bytes.subarray(at));
}

/** Only around what makes a file without saying its mode: an agent's children must keep the person's own umask. */
function privately<Result>(make: () => Result): Result {
  const before = Deno.umask(0o177);
  try {
    return make();
  } finally {
    Deno.umask(before);
  }
}

function removeIfThere(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf("/"));
}

function refuseWindows(): void {
  if (Deno.build.os !== "windows") return;
  throw new Error("Cannot use pods on Windows: named pipes are not supported yet; WSL works");
}
