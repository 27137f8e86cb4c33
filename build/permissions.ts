// What the executable may do, compiled or portable, and why each is needed. Sources run with -A.

import { CACHED_ENGINE_FLAG, ENGINE_FLAG } from "../src/pod/self.ts";

/** Flags of Deno for the engine, of an executable of `deno compile`. */
export const ENGINE_FLAGS: readonly string[] = [ENGINE_FLAG];
/** The same where there is a code cache. */
export const CACHED_ENGINE_FLAGS: readonly string[] = [CACHED_ENGINE_FLAG];

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
