// Logging in with a program that is given the terminal: the agent named it, the person uses it, its exit code tells.
// No key is ever asked for or seen here.

import type { AuthMethod } from "../../transcript/event.ts";

/** Runs the program of a login method; null when it went well, else why not. `stop` ends it. */
export async function runLogin(
  terminal: NonNullable<AuthMethod["terminal"]>,
  stop: AbortSignal,
): Promise<string | null> {
  const { command, args, cwd, env } = terminal;
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
