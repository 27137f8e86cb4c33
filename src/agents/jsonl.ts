// An agent that is a child process and speaks pod JSONL: methods to its stdin, events from its stdout.
// The process is child_agent.ts, dialects are recordings/; what the events mean is the transcript's business.

import type { Record as LineRecord } from "../recordings/json_lines.ts";
import { createPodTranslator } from "../recordings/pod_jsonl.ts";
import type { RecordingStep } from "../recordings/translator.ts";
import type { ParsedEvent } from "../transcript/event.ts";
import { type Method, methodLine } from "../transcript/method.ts";
import type { Agent, AgentListener } from "./agent.ts";
import {
  type ChildAgentOptions,
  type LineProtocol,
  type ProtocolHost,
  startChildAgent,
} from "./child_agent.ts";

export type JsonlOptions = ChildAgentOptions;

/** Events that say the agent is still getting ready. */
const BEFORE_HELLO: ReadonlySet<string> = new Set(["starting", "auth"]);
/** What the program should have said. */
export const EXPECTED_JSONL =
  `a first line like {"event":"hello","data":{"protocol":"pod-jsonl","version":1}} on stdout`;

/** Starts the program. Whatever goes wrong, also in starting it, comes as the listener's onEnd. */
export function startJsonlAgent(options: JsonlOptions, listener: AgentListener): Agent {
  return startChildAgent(options, listener, createJsonlProtocol).agent;
}

/** Pod JSONL over a process's pipes. */
export function createJsonlProtocol(host: ProtocolHost): LineProtocol {
  const translator = createPodTranslator();
  let hasAnswered = false;
  let saidShutdown = false;

  function tell(steps: readonly RecordingStep[]): void {
    const parsed = steps.flatMap(asParsed);
    for (const each of parsed) {
      if (each.kind === "event") {
        hasAnswered = true;
        host.answered();
        if (!BEFORE_HELLO.has(each.event.event)) host.isThere();
        if (each.event.event === "shutdown") saidShutdown = true;
      } else if (!hasAnswered) host.faulty();
    }
    host.tell(parsed);
  }

  return {
    expected: EXPECTED_JSONL,
    begin: () => {},
    take: (record: LineRecord) =>
      tell(record.kind === "value" ? translator.push(record.value, record.line) : [record]),
    send: (method: Method) => host.write(methodLine(method)),
    finish: () => {
      tell(translator.end());
      if (saidShutdown) host.end("shut_down");
    },
  };
}

/** What a live agent's step is to the transcript. Keys, sizes and echoed methods are a recording's, not an agent's. */
function asParsed(step: RecordingStep): readonly ParsedEvent[] {
  switch (step.kind) {
    case "event":
      return [step.parsed];
    case "problem":
      return [{ kind: "problem", what: step.what }];
    default:
      return [];
  }
}
