// A client without terminal, agent or clock, for tests: events and key scripts in, methods and frames out.

import { parseKeyScript } from "../input/key_script.ts";
import { createFrame } from "../screen/frame.ts";
import { framePicture } from "../screen/snapshot.ts";
import { parseEvent } from "../transcript/event.ts";
import type { Method } from "../transcript/method.ts";
import { drawFrame } from "./draw.ts";
import type { Effect, Input } from "./effect.ts";
import { createState, DEFAULT_SETTINGS, type State } from "./state.ts";
import { update } from "./update.ts";

/** A client under test; time stands still unless a script waits. */
export interface TestClient {
  readonly state: State;
  nowMs: number;
  /** Effects since the last look. */
  readonly effects: Effect[];
}

/** A client of 80x24, or of that size. */
export function testClient(
  options: {
    columns?: number;
    rows?: number;
    recording?: boolean;
    capabilities?: readonly string[];
    epochMs?: number;
    podId?: string;
  } = {},
): TestClient {
  const state = createState({
    columns: options.columns ?? 80,
    rows: options.rows ?? 24,
    recording: options.recording ?? false,
    home: null,
    epochMs: options.epochMs ?? null,
    clientId: "c",
    podId: options.podId ?? null,
    fold: "normal",
    settings: DEFAULT_SETTINGS,
  });
  const client: TestClient = { state, nowMs: 0, effects: [] };
  tell(client, "hello", {
    agent: "test",
    capabilities: options.capabilities ?? ["history", "pause", "steer"],
  });
  tell(client, "history", { session_id: "s", status: "idle", items: [] });
  return client;
}

/** One event of the agent. */
export function tell(client: TestClient, event: string, data: Readonly<Record<string, unknown>> = {}): void {
  give(client, { kind: "events", parsed: [parseEvent({ event, data })] });
}

/** One input. */
export function give(client: TestClient, input: Input): void {
  client.effects.push(...update(client.state, input, client.nowMs));
}

/** Presses the keys of a script such as `hello<Enter><Wait 3100><C-c>`. */
export function press(client: TestClient, script: string): void {
  const parsed = parseKeyScript(script);
  if (parsed.kind === "problem") throw new Error(parsed.what);
  for (const step of parsed.steps) {
    if (step.kind === "key") give(client, { kind: "key", key: step.key });
    else if (step.kind === "paste") {
      give(client, { kind: "paste", text: step.text, cut: false, endedBy: "marker" });
    } else {
      client.nowMs += step.ms;
      give(client, { kind: "tick" });
    }
  }
}

/** The effects since the last call, methods as `method` or `method input`. */
export function taken(client: TestClient): string[] {
  return client.effects.splice(0).map((effect) => {
    switch (effect.kind) {
      case "send":
        return methodText(effect.method);
      case "quit":
        return `quit ${effect.code}`;
      case "remember":
        return `remember ${effect.parts.map((part) => part.text).join("")}`;
      case "notify":
        return `notify ${effect.text}`;
      default:
        return effect.kind;
    }
  });
}

/** The screen as rows of text, right blanks cut. */
export function screenRows(client: TestClient): string[] {
  const frame = createFrame(client.state.columns, client.state.rows);
  drawFrame(client.state, frame);
  return framePicture(frame).rows.map((row) => row.trimEnd());
}

/** The status row. */
export function statusRow(client: TestClient): string {
  const rows = screenRows(client);
  return rows[rows.length - 2] ?? "";
}

function methodText(method: Method): string {
  return method.method === "run" || method.method === "steer"
    ? `${method.method} ${method.params.input}`
    : method.method;
}
