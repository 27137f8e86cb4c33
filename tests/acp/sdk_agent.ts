// An ACP agent on the official SDK, as a program: its strict schemas see every message we send, and its stream every
// line. Modelled on what the SDK's own example agent does: a thought, an answer in pieces, a call without and one with
// permission. The prompt's words decide: "wait" until it is cancelled, "ask" for a form, else the whole turn.

import { agent, AGENT_METHODS, methods, ndJsonStream, RequestError } from "@agentclientprotocol/sdk";

const CONFIG = [
  {
    id: "model",
    name: "Model",
    category: "model",
    type: "select" as const,
    currentValue: "small",
    options: [{ value: "small", name: "Small" }, { value: "large", name: "Large" }],
  },
  { id: "loud", name: "Loud", type: "boolean" as const, currentValue: false },
];
const MODES = {
  currentModeId: "ask",
  availableModes: [{ id: "ask", name: "Ask" }, { id: "auto", name: "Auto" }],
};

/** `--remembers`: sessions of an earlier day. */
const OLD = Deno.args[0] === "--remembers" ? ["old-1", "old-2"] : [];
const kept = new Set<string>(OLD);
const running = new Map<string, AbortController>();
let isLoggedIn = Deno.args[0] !== "--locked";

function session(id: string): string {
  if (!kept.has(id)) throw RequestError.resourceNotFound(id);
  return id;
}

/** Waits for the cancelling, which may have come while the last words were being written. */
async function stopped(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
}

const program = agent({ name: "sdk-agent" })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: 1,
    agentInfo: { name: "sdk-agent", title: "SDK agent", version: "1.0" },
    agentCapabilities: { loadSession: true, sessionCapabilities: { list: {}, close: {}, resume: {} } },
    authMethods: [{ id: "token", name: "Log in" }],
  }))
  .onRequest(methods.agent.authenticate, () => {
    isLoggedIn = true;
    return {};
  })
  .onRequest(methods.agent.session.new, () => {
    if (!isLoggedIn) throw RequestError.authRequired();
    const sessionId = `sdk-${kept.size + 1}`;
    kept.add(sessionId);
    return { sessionId, modes: MODES, configOptions: CONFIG };
  })
  .onRequest(methods.agent.session.load, async ({ params, client }) => {
    const sessionId = session(params.sessionId);
    for (
      const [sessionUpdate, text] of [["user_message_chunk", "ask of old"], [
        "agent_message_chunk",
        "told of old",
      ]]
    ) {
      // deno-lint-ignore no-explicit-any
      const update: any = { sessionUpdate, content: { type: "text", text: `${text} in ${sessionId}` } };
      await client.notify(methods.client.session.update, { sessionId, update });
    }
    return { modes: MODES, configOptions: CONFIG };
  })
  .onRequest(methods.agent.session.resume, ({ params }) => {
    if (OLD.length > 0) session(params.sessionId);
    kept.add(params.sessionId);
    return { modes: MODES, configOptions: CONFIG };
  })
  .onRequest(methods.agent.session.list, ({ params }) => ({
    sessions: [...kept].map((sessionId) => ({
      sessionId,
      cwd: params.cwd ?? "/",
      title: "One",
      ...(sessionId === "old-2" ? { updatedAt: new Date(Date.now() - 3 * 3600_000).toISOString() } : {}),
    })),
  }))
  .onRequest(methods.agent.session.close, () => ({}))
  .onRequest(methods.agent.session.setMode, ({ params, client }) => {
    void client.notify(methods.client.session.update, {
      sessionId: session(params.sessionId),
      update: { sessionUpdate: "current_mode_update", currentModeId: params.modeId },
    });
    return {};
  })
  .onRequest(methods.agent.session.setConfigOption, ({ params }) => ({
    configOptions: CONFIG.map((option) =>
      option.id === params.configId ? { ...option, currentValue: params.value } as typeof option : option
    ),
  }))
  .onNotification(methods.agent.session.cancel, ({ params }) => running.get(params.sessionId)?.abort())
  .onRequest(methods.agent.session.prompt, async ({ params, client }) => {
    const sessionId = session(params.sessionId);
    const stop = new AbortController();
    running.set(sessionId, stop);
    // deno-lint-ignore no-explicit-any
    const tell = (update: any) => client.notify(methods.client.session.update, { sessionId, update });
    const say = (text: string) =>
      tell({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
    const words = params.prompt.map((block) => block.type === "text" ? block.text : `<${block.type}>`).join(
      "",
    );
    if (words.includes("wait")) {
      await say("waiting");
      await stopped(stop.signal);
      return { stopReason: "cancelled" };
    }
    if (words.includes("ask")) {
      const answer = await client.request(methods.client.elicitation.create, {
        mode: "form",
        sessionId,
        message: "Which one?",
        requestedSchema: {
          type: "object",
          properties: { which: { type: "string", enum: ["a", "b"] }, often: { type: "integer" } },
        },
      });
      await say(JSON.stringify(answer));
      return { stopReason: "end_turn" };
    }
    await tell({ sessionUpdate: "agent_thought_chunk", content: { type: "text", text: "Let me look." } });
    await say("I will read ");
    await say(`${words}.`);
    await tell({
      sessionUpdate: "tool_call",
      toolCallId: "call_1",
      title: "Reading",
      kind: "read",
      status: "pending",
      locations: [{ path: "/repo/README.md" }],
      rawInput: { path: "/repo/README.md" },
    });
    await tell({
      sessionUpdate: "tool_call_update",
      toolCallId: "call_1",
      status: "completed",
      content: [{ type: "content", content: { type: "text", text: "# Read me" } }],
    });
    const { outcome } = await client.request(methods.client.session.requestPermission, {
      sessionId,
      toolCall: { toolCallId: "call_2", title: "Change settings", kind: "edit", status: "pending" },
      options: [
        { optionId: "allow", name: "Allow this change", kind: "allow_once" },
        { optionId: "reject", name: "Skip this change", kind: "reject_once" },
      ],
    });
    if (outcome.outcome === "cancelled") return { stopReason: "cancelled" };
    await tell({
      sessionUpdate: "tool_call_update",
      toolCallId: "call_2",
      status: outcome.optionId === "allow" ? "completed" : "failed",
    });
    await say(outcome.optionId === "allow" ? "Changed." : "Left as it is.");
    await tell({ sessionUpdate: "usage_update", used: 10, size: 1000 });
    return { stopReason: "end_turn" };
  });

if (import.meta.main) {
  console.error(`ready for ${AGENT_METHODS.initialize}`);
  await program.connect(ndJsonStream(Deno.stdout.writable, Deno.stdin.readable)).closed;
}
