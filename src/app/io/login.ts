// Logging in with a program that is given the terminal: the agent named it, the person uses it, its exit code tells.
// No key is ever asked for here.

import { filesOf, podDirectory, readMeta } from "../../pod/directory.ts";
import type { AuthMethod } from "../../transcript/event.ts";
import { podPlaces } from "./pod_places.ts";

/**
 * Runs the program of a login method; null when it went well, else why not. `stop` ends it. It gets the environment
 * that the pod's agent was started with, below what the agent named for it. That may hold a key, so no event brings it:
 * it is read where the pod itself reads it.
 */
export async function runLogin(
  terminal: NonNullable<AuthMethod["terminal"]>,
  podId: string,
  stop: AbortSignal,
): Promise<string | null> {
  const { command, args, cwd } = terminal;
  const env = { ...environmentOf(podId), ...terminal.env };
  try {
    const status = await new Deno.Command(command, {
      args,
      env,
      ...(cwd === null ? {} : { cwd }),
      stdin: "inherit",
      signal: stop,
    }).spawn().status;
    return status.success ? null : `${command} ended with ${status.signal ?? status.code}`;
  } catch (error) {
    return `${command} could not be run: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function environmentOf(podId: string): Readonly<Record<string, string>> {
  const places = podPlaces();
  const meta = places === null ? null : readMeta(filesOf(podDirectory(places, podId)));
  if (meta === null || "problem" in meta || meta.agent.kind === "demo") return {};
  return meta.agent.env ?? {};
}
