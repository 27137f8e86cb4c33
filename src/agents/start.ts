// Starts an agent's program, whatever it speaks: the Agent Client Protocol, pod JSONL, or the one of the two that it
// answers in. The protocols are acp.ts and jsonl.ts.

import type { Record as LineRecord } from "../recordings/json_lines.ts";
import { isFields } from "../recordings/fields.ts";
import type { Method } from "../transcript/method.ts";
import { createAcpProtocol, EXPECTED_ACP, startAcpAgent } from "./acp.ts";
import { isAcpAnswer } from "./acp_connection.ts";
import type { AcpOptions } from "./acp_live.ts";
import type { Agent, AgentListener } from "./agent.ts";
import { type LineProtocol, type ProtocolHost, startChildAgent } from "./child_agent.ts";
import { agentOfCommand } from "./known_agents.ts";
import { nodeAdvice } from "./node_version.ts";
import { createJsonlProtocol, EXPECTED_JSONL, startJsonlAgent } from "./jsonl.ts";

/** What to start. */
export interface StartSpec extends AcpOptions {
  /** "detect": ACP's initialize is sent at once, and the first valid answer decides. */
  readonly protocol: "acp" | "pod-jsonl" | "detect";
}

/** Starts the agent. Whatever goes wrong, also in starting it, comes as the listener's onEnd. */
export function startAgent(spec: StartSpec, listener: AgentListener): Agent {
  const known = agentOfCommand(spec.command);
  const advice = spec.advice ?? (known === null ? undefined : nodeAdvice(known, spec.env?.PATH));
  return STARTS[spec.protocol](advice === undefined ? spec : { ...spec, advice }, listener);
}

const STARTS: { readonly [Protocol in StartSpec["protocol"]]: typeof startDetected } = {
  acp: startAcpAgent,
  "pod-jsonl": startJsonlAgent,
  detect: startDetected,
};

function startDetected(options: AcpOptions, listener: AgentListener): Agent {
  const { agent, protocol } = startChildAgent(options, listener, (host) => createDetection(options, host));
  return {
    send: (method) => agent.send(method),
    close: () => agent.close(),
    stderrTail: () => agent.stderrTail(),
    sessionId: () => protocol.sessionId(),
  };
}

interface Detection extends LineProtocol {
  sessionId(): string | null;
}

/** Speaks ACP until the program has answered, and then whatever it answered in. */
function createDetection(options: AcpOptions, host: ProtocolHost): Detection {
  const acp = createAcpProtocol(options, host);
  let decided: LineProtocol | null = null;
  /** What was asked for before the program had answered. */
  const held: Method[] = [];

  function decide(protocol: LineProtocol): LineProtocol {
    decided = protocol;
    if (protocol !== acp) acp.abandon();
    for (const method of held.splice(0)) protocol.send(method);
    return protocol;
  }

  function protocolOf(record: LineRecord): LineProtocol | null {
    if (record.kind === "problem") return null;
    const { value } = record;
    // The older dialect of pod JSONL has no hello: any event will do.
    if (isFields(value) && typeof value.event === "string") return decide(createJsonlProtocol(host));
    return isAcpAnswer(value) ? decide(acp) : null;
  }

  return {
    get expected() {
      return decided?.expected ?? `${EXPECTED_ACP}, or ${EXPECTED_JSONL}`;
    },
    begin: () => acp.begin(),
    take: (record) => (decided ?? protocolOf(record) ?? acp).take(record),
    send: (method) => {
      if (decided !== null) decided.send(method);
      else held.push(method);
    },
    finish: () => (decided ?? acp).finish(),
    sessionId: () => decided === acp ? acp.sessionId() : null,
  };
}
