// From a started ACP agent to an open session: initialize, the session (new, resumed or loaded), and logging in where
// the agent wants that first. Each step is bounded in time and told.

import { fieldAt, type Fields, fieldsOf, firstText, numberOf } from "../recordings/fields.ts";
import type { Method } from "../transcript/method.ts";
import { failureOf } from "./acp_connection.ts";
import {
  type AcpLive,
  type AcpOptions,
  agentTitle,
  endCollecting,
  loginMethods,
  refuse,
  tellEvent,
  tellTranslated,
} from "./acp_live.ts";
import { isAgentsOwn, LOGIN_WITHIN_MS, type LoginMethod } from "./acp_login.ts";
import { commandLine } from "./child_agent.ts";
import config from "../../deno.json" with { type: "json" };

/** The stable wire version. */
export const ACP_VERSION = 1;
/** Code of ACP "authentication required". */
const AUTH_REQUIRED = -32000;
const SESSION_WITHIN_MS = 120_000;
/** A replay is over when nothing came for so long (Gemini begins one only behind its answer). */
const QUIET_MS = 400;
const QUIET_WITHIN_MS = 5000;

/** What we say of ourselves. Only what is drawn is advertised; fs and terminal are not (agents then do it themselves). */
export function initializeParams(options: Pick<AcpOptions, "terminalLogin">): Fields {
  const canLogIn = options.terminalLogin === true;
  return {
    protocolVersion: ACP_VERSION,
    clientInfo: { name: config.name, title: "Trifold", version: config.version },
    clientCapabilities: {
      fs: { readTextFile: false, writeTextFile: false },
      terminal: false,
      session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
      elicitation: { form: {}, url: {} },
      auth: { terminal: canLogIn },
      _meta: { terminal_output: true, ...(canLogIn ? { "terminal-auth": true } : {}) },
    },
  };
}

/** Says hello, opens the session and carries out what was held for it. Whatever fails ends the agent with a reason. */
export async function openAgent(live: AcpLive, carryOut: (method: Method) => void): Promise<void> {
  const name = commandLine(live.options);
  tellEvent(live, "starting", { step: "process", detail: name });
  try {
    await live.connection.request("initialize", initializeParams(live.options));
  } catch (error) {
    if (live.phase === "over") return;
    live.host.end("not_understood", `Cannot talk to ${name}: initialize failed: ${failureOf(error).message}`);
    return;
  }
  if (live.phase === "over") return;
  live.host.answered();
  tellAdvice(live);
  await openSession(live, carryOut);
}

/** An error came: one that wants a login stops the opening of the session, before anybody can answer it. */
export function noteLogin(live: AcpLive, error: Fields): void {
  if (error.code !== AUTH_REQUIRED || live.phase !== "starting") return;
  live.phase = "login";
  live.hadLogin = true;
  if (live.options.resume === undefined) tellWanted(live);
}

/** There is nothing to be idle with before the session, but in a host that goes on with one. */
function tellWanted(live: AcpLive): void {
  if (live.options.resume !== undefined) tellEvent(live, "status", { status: "idle" });
  else tellEvent(live, "starting", { step: "login", detail: `${agentTitle(live)} wants one` });
}

/** Why an agent that answered initialize is not one we can talk to; null when it is. */
export function versionProblem(
  options: Pick<AcpOptions, "command" | "args">,
  result: Fields,
): string | null {
  const version = numberOf(result.protocolVersion);
  return version === null || version === ACP_VERSION
    ? null
    : `Cannot talk to ${
      commandLine(options)
    }: it speaks version ${version} of the Agent Client Protocol, expected ${ACP_VERSION}`;
}

interface Way {
  readonly method: "session/new" | "session/load" | "session/resume";
  readonly params: Fields;
}

/** Ways to come to the session, the best first. The last makes one, but where a person asked for a certain one. */
function waysOf(live: AcpLive): readonly Way[] {
  const { resume, cwd } = live.options;
  const base = { cwd, mcpServers: [] };
  const ways: Way[] = [];
  if (resume !== undefined) {
    const params = { sessionId: resume.sessionId, ...base };
    const can = fieldsOf(live.about.agentCapabilities);
    // With a replay to be shown only a load will do; else the one that sends none comes first.
    const resumes = Boolean(fieldAt(can, "sessionCapabilities", "resume"));
    if (resumes && resume.replay === "drop") ways.push({ method: "session/resume", params });
    if (can.loadSession === true) ways.push({ method: "session/load", params });
    if (resume.replay === "show") {
      // Without its past it is still the session that was asked for.
      return resumes ? [...ways, { method: "session/resume", params }] : ways;
    }
  }
  return [...ways, { method: "session/new", params: base }];
}

async function openSession(live: AcpLive, carryOut: (method: Method) => void): Promise<void> {
  const ways = waysOf(live);
  const { resume } = live.options;
  let why = "it cannot resume sessions";
  const wish = resume?.replay === "show" ? `resume session ${resume.sessionId}` : "start a session";
  if (ways.length === 0) {
    return live.host.end("no_session", `Cannot ${wish} with ${agentTitle(live)}: ${why}`);
  }
  for (const [index, way] of ways.entries()) {
    const isLast = index === ways.length - 1;
    const muted = new Set([
      ...(isLast ? [] : ["error" as const]),
      // The host's log is what is shown, also when the agent has forgotten.
      ...(resume?.replay === "drop" ? ["history" as const] : []),
    ]);
    live.muted = muted;
    if (way.method === "session/load" && resume?.replay === "show") live.collected = [];
    try {
      const result = await within(
        live.connection.request(way.method, way.params),
        live.options.sessionWithinMs ?? SESSION_WITHIN_MS,
      );
      if (live.phase === "over") return;
      endCollecting(live, true);
      await beginSession(live, way, result);
      if (resume !== undefined && way.method === "session/new") {
        tellEvent(live, "notification", {
          level: "warn",
          source: agentTitle(live),
          message: `${agentTitle(live)} does not remember what stands above: ${why}`,
        });
      }
      return openForWork(live, carryOut);
    } catch (error) {
      if (live.phase === "over") return;
      endCollecting(live, false);
      const { code, message } = failureOf(error);
      // A login is wanted first; noteLogin has seen it.
      if (code === AUTH_REQUIRED) return;
      why = message;
      if (isLast) {
        live.host.end("no_session", `Cannot ${wish} with ${agentTitle(live)}: ${message}`);
      }
    } finally {
      // The person may have gone on already.
      if (live.muted === muted) live.muted = new Set();
    }
  }
}

async function beginSession(live: AcpLive, way: Way, result: Fields): Promise<void> {
  live.sessionId = firstText(result.sessionId, way.params.sessionId);
  live.settings.begin(result);
  if (way.method !== "session/load") return;
  const endMs = Date.now() + QUIET_WITHIN_MS;
  live.lastUpdateMs = Date.now();
  while (live.phase !== "over" && Date.now() < endMs) {
    const restMs = live.lastUpdateMs + QUIET_MS - Date.now();
    if (restMs <= 0) break;
    await new Promise((resolve) => setTimeout(resolve, restMs));
  }
  if (live.phase !== "over") tellTranslated(live, live.translation.settle(Date.now()).events);
}

function openForWork(live: AcpLive, carryOut: (method: Method) => void): void {
  if (live.phase === "over") return;
  live.phase = "open";
  if (!live.hasHistory || live.hadLogin) tellEvent(live, "status", { status: "idle" });
  for (const method of live.held.splice(0)) carryOut(method);
}

/** `authenticate`: by the agent itself, visibly waited for; or it happened outside and the session is tried again. */
export async function authenticate(
  live: AcpLive,
  method: Extract<Method, { method: "authenticate" }>,
  carryOut: (method: Method) => void,
): Promise<void> {
  const chosen = loginMethods(live).find((one) => one.id === method.params.method_id);
  if (chosen === undefined) {
    return refuse(live, method, "invalid_request", `${agentTitle(live)} has no such way to log in`);
  }
  if (live.login !== null) return refuse(live, method, "already_running", "A login is under way");
  if (live.phase === "starting") return refuse(live, method, "invalid_request", "The agent is not there yet");
  const wasOpen = live.phase === "open";
  if (isAgentsOwn(chosen)) {
    const problem = await logIn(live, chosen);
    if (live.phase === "over") return;
    if (problem !== null) {
      tellEvent(live, "error", { code: "auth_required", message: `Not logged in: ${problem}` });
      if (wasOpen) tellEvent(live, "status", { status: "idle" });
      else tellWanted(live);
      return tellEvent(live, "auth", { methods: loginMethods(live) });
    }
  }
  if (live.phase === "over") return;
  if (wasOpen) tellEvent(live, "status", { status: "idle" });
  else {
    live.phase = "starting";
    await openSession(live, carryOut);
  }
}

/** Lets the agent log in by itself, in whatever window; gives what went wrong. */
async function logIn(live: AcpLive, { id, label }: LoginMethod): Promise<string | null> {
  const login = new AbortController();
  live.login = login;
  // Its failure is told once we are ready for the next try.
  live.muted = new Set(["auth", "error"]);
  tellEvent(live, "starting", { step: "authenticate", detail: `${label}; Esc stops waiting` });
  try {
    await within(live.connection.request("authenticate", { methodId: id }, login.signal), LOGIN_WITHIN_MS);
    return null;
  } catch (error) {
    return login.signal.aborted ? "cancelled" : failureOf(error).message;
  } finally {
    live.login = null;
    live.muted = new Set();
  }
}

function tellAdvice(live: AcpLive): void {
  live.options.advice?.then((message) => {
    if (message === null || live.phase === "over") return;
    tellEvent(live, "notification", { level: "warn", source: agentTitle(live), message });
  }).catch(() => {});
}

/** The work, or a rejection when it takes too long. */
export async function within<Result>(work: Promise<Result>, ms: number): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${Math.round(ms / 100) / 10} s`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
