// What the executable may do, compiled or portable, and why each is needed. Sources run with -A.

/**
 * Flags of Deno for the engine. Without a bound the youngest generation of its heap grows to 48 MB while a recording is
 * read, and an idle program never gives it back. With 2 MB reading takes the CPU it takes with 4, and the longest pauses
 * that keys wait for are half as long (a 75 MB recording: nine of ten within 3 ms, not 6); with 1 MB it takes 8 % more.
 */
export const ENGINE_FLAGS: readonly string[] = ["--v8-flags=--max-semi-space-size=2"];

/** Flags of Deno. Nothing is asked for at run time: a prompt would be drawn into the terminal that is ours. */
export const PERMISSIONS: readonly string[] = [
  // Recordings and settings anywhere a person names them; the demo agent's tools; logs.
  "--allow-read",
  "--allow-write",
  // XDG_*, HOME, TERM, NO_COLOR, EDITOR; and agents are given the person's own environment.
  "--allow-env",
  // Agents, editors, commands of the demo agent, the pod.
  "--allow-run",
  // Sockets of pods: Deno asks for "net" for a unix socket, and their paths are known at run time only.
  "--allow-net",
  // Whose the socket directory is, and umask for the mode that a socket is made with: Deno asks for "sys" in full
  // for the latter, for it has no name of its own.
  "--allow-sys",
  "--no-prompt",
];
