// Ways to log in that an ACP agent offers. A key is never asked for in here: the agent logs in by itself and we wait,
// or its own program is given the terminal, or the person sets something up outside.

import type { AuthMethod } from "../transcript/event.ts";
import { fieldAt, type Fields, fieldsOf, firstText, listOf, rowOf, textOf } from "../recordings/fields.ts";

/** One way to log in, as the `auth` event lists it (event.ts has its fields). */
export type LoginMethod = AuthMethod;
type LoginCommand = NonNullable<AuthMethod["terminal"]>;

/** How the agent itself was started. */
export interface LoginBase {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
}

/** One of initialize's authMethods (ACP AuthMethod). */
export function loginMethod(method: Fields, base: LoginBase): LoginMethod {
  // Agents from before the type became a field of its own (Qwen) name it in _meta.
  const type = firstText(method.type, fieldAt(method, "_meta", "type")) ?? "agent";
  const id = textOf(method.id) ?? "";
  return {
    id,
    label: firstText(method.name, method.id) ?? "",
    description: firstText(method.description),
    type,
    terminal: type === "terminal" ? terminalLogin(method, base) : null,
  };
}

function terminalLogin(method: Fields, base: LoginBase): LoginCommand {
  const meta = fieldsOf(method._meta);
  // Claude's older adapters: a command line of its own instead of arguments behind the agent's.
  const own = fieldsOf(meta["terminal-auth"]);
  const command = firstText(own.command);
  const told = command !== null ? own : method.args === undefined && meta.args !== undefined ? meta : method;
  const args = listOf(told.args).flatMap((arg) => textOf(arg) ?? []);
  return {
    command: command ?? base.command,
    args: command !== null ? args : [...base.args, ...args],
    cwd: base.cwd,
    // Without the agent's own environment: events are logged, and it may hold a key. Whoever runs it adds that.
    env: environmentOf(told.env),
  };
}

function environmentOf(value: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fieldsOf(value)).filter((pair): pair is [string, string] => typeof pair[1] === "string"),
  );
}

/** How long a login may be waited for, by its type; a person may have to go to another window. */
export const LOGIN_WITHIN_MS = 15 * 60_000;

/** True when `authenticate` is to be sent to the agent; false when the login happened outside of it. */
export function isAgentsOwn(method: LoginMethod): boolean {
  return rowOf({ terminal: false }, method.type) ?? true;
}
