// Which agent a pod runs, as its meta.json says. How each kind is started is start_demo.ts and start_command.ts, what
// an agent is agents/agent.ts.

import type { Agent, AgentListener } from "../agents/agent.ts";

/** An agent as it is stored, so that a pod can be started again. */
export type AgentSpec =
  | { readonly kind: "demo" }
  | {
    readonly kind: "command";
    readonly command: string;
    readonly args: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    /** What it speaks; found out where it is not said. */
    readonly protocol?: Protocol;
  };
type Protocol = typeof PROTOCOLS[number];
const PROTOCOLS = ["acp", "pod-jsonl", "detect"] as const;

/** What an agent is told of the session it gets. */
export interface AgentContext {
  readonly cwd: string;
  readonly sessionId: string;
  /** The session has a past, which stands in the pod's log. */
  readonly resumes: boolean;
  /** The agent's own id of that session, where it has one. */
  readonly agentSessionId: string | null;
}

/** Starts an agent; loading what it needs may take a moment. */
export type AgentFactory = (context: AgentContext, listener: AgentListener) => Promise<Agent>;

/** How an agent of one kind is started, once what it needs is loaded. */
export type Starter<Kind extends AgentSpec["kind"]> = (
  spec: Extract<AgentSpec, { kind: Kind }>,
  context: AgentContext,
  listener: AgentListener,
) => Agent;
/** How what an agent of each kind needs is loaded. Handed in: a literal import() here would be read by all who read this. */
export type StarterLoaders = { readonly [Kind in AgentSpec["kind"]]: () => Promise<Starter<Kind>> };

/** How the agent of a spec is started. What it needs is loaded from now on, so that the start finds it there. */
export function factoryOf(spec: AgentSpec, loaders: StarterLoaders): AgentFactory {
  const loading = loaders[spec.kind]() as Promise<Starter<AgentSpec["kind"]>>;
  return async (context, listener) => (await loading)(spec, context, listener);
}

/** The agent's name for lists and messages. */
export function agentName(spec: AgentSpec): string {
  return spec.kind === "demo" ? "demo" : [spec.command, ...spec.args].join(" ");
}

/** A spec out of JSON; null when it is none. */
export function parseAgentSpec(value: unknown): AgentSpec | null {
  if (typeof value !== "object" || value === null) return null;
  const { kind, command, args, env, protocol: said } = value as Record<string, unknown>;
  if (kind === "demo") return { kind };
  if (kind !== "command" || typeof command !== "string" || !Array.isArray(args)) return null;
  const words = args.filter((arg): arg is string => typeof arg === "string");
  const pairs = typeof env === "object" && env !== null
    ? Object.entries(env).filter((pair): pair is [string, string] => typeof pair[1] === "string")
    : [];
  const protocol = PROTOCOLS.find((one) => one === said);
  return {
    kind,
    command,
    args: words,
    ...(pairs.length === 0 ? {} : { env: Object.fromEntries(pairs) }),
    ...(protocol === undefined ? {} : { protocol }),
  };
}
