// The adapter against an agent on the official SDK, whose schemas refuse what is not the protocol.

import assert from "node:assert/strict";
import { type AcpAgent, type AcpOptions, startAcpAgent } from "../../src/agents/acp.ts";
import { listenTo, type LiveAgent, textOf } from "./live_agent.ts";

const AGENT = decodeURIComponent(new URL("./sdk_agent.ts", import.meta.url).pathname);

async function withSdkAgent(
  test: (live: LiveAgent<AcpAgent>) => Promise<void>,
  options: Partial<AcpOptions> & { readonly words?: readonly string[] } = {},
): Promise<void> {
  const { words = [], ...given } = options;
  const args = ["run", "-q", "-A", "--no-check", AGENT, ...words];
  const live = listenTo((listener) =>
    startAcpAgent(
      { command: Deno.execPath(), args, cwd: Deno.cwd(), killAfterMs: 500, idPrefix: "live-", ...given },
      listener,
    )
  );
  try {
    await test(live);
  } finally {
    await live.agent.close();
  }
}

Deno.test("acp sdk: a whole session with an agent on the official SDK", () =>
  withSdkAgent(async (live) => {
    await live.untilEvent("model_catalog");
    assert.deepEqual(live.all("hello")[0]?.agent, "SDK agent 1.0");
    assert.deepEqual(live.all("options")[0]?.options.map((option) => option.id), ["mode", "loud"]);

    live.send("run", { input: "the @deno.json file", message_id: "u1" });
    await live.untilEvent("question");
    live.send("answer", {
      batch_id: live.all("question")[0]?.batch_id,
      answers: [{ id: "permission", selected: ["allow"] }],
    });
    await live.untilEvent("turn_end");
    assert.equal(textOf(live), "I will read the <resource_link> file.Changed.");
    assert.deepEqual(live.all("tool_result").map((result) => [result.id, result.is_error]), [
      ["call_1", false],
      ["call_2", false],
    ]);
    assert.deepEqual(live.all("context")[0], { used_tokens: 10, window_tokens: 1000, estimated: false });

    live.send("run", { input: "again" });
    await live.untilEvent("question", 2);
    live.send("dismiss_question", { batch_id: live.all("question")[1]?.batch_id });
    await live.untilEvent("turn_end", 2);
    assert.match(textOf(live), /Left as it is\.$/);

    live.send("run", { input: "ask me" });
    await live.untilEvent("question", 3);
    live.send("answer", {
      batch_id: live.all("question")[2]?.batch_id,
      answers: [{ id: "which", selected: ["b"] }, { id: "often", selected: [], text: "2" }],
    });
    await live.untilEvent("turn_end", 3);
    assert.match(textOf(live), /\{"action":"accept","content":\{"which":"b","often":2\}\}$/);

    live.send("run", { input: "wait" });
    await live.until("its waiting", () => textOf(live).endsWith("waiting"));
    live.send("cancel");
    await live.untilEvent("turn_end", 4);
    live.send("run", { input: "ask a last time" });
    await live.untilEvent("question", 4);
    live.send("cancel");
    await live.untilEvent("turn_end", 5);
    assert.deepEqual(live.all("turn_end").map((end) => end.result), [
      "finished",
      "finished",
      "finished",
      "cancelled",
      "finished",
    ]);

    live.send("set_option", { id: "mode", value: "auto" });
    await live.until("the mode", () => live.all("options").at(-1)?.options[0]?.current === "auto");
    live.send("set_option", { id: "loud", value: true });
    await live.until("the option", () => live.all("options").at(-1)?.options[1]?.current === true);
    live.send("select_model", { provider: "", model: "large" });
    await live.until("the model", () => live.all("model_selected").at(-1)?.model === "large");
    live.send("shutdown");
    assert.equal((await live.ended).kind, "shut_down");
    assert.deepEqual(live.all("error"), [], "nothing we sent was refused");
    assert.deepEqual(live.parsed.filter((one) => one.kind !== "event"), []);
  }));

Deno.test("acp sdk: locked until logged in, and what was written before is sent then", () =>
  withSdkAgent(async (live) => {
    await live.untilEvent("auth");
    live.send("run", { input: "wait" });
    live.send("authenticate", { method_id: "token" });
    await live.until("its waiting", () => textOf(live) === "waiting");
    live.send("cancel");
    await live.untilEvent("turn_end");
  }, { words: ["--locked"] }));

Deno.test("acp sdk: a session is gone on with", () =>
  withSdkAgent(async (live) => {
    await live.until("the session", () => live.all("status").length > 0);
    assert.equal(live.agent.sessionId(), "sdk-7");
    live.send("run", { input: "ask" });
    await live.untilEvent("question");
    live.send("dismiss_question", { batch_id: live.all("question")[0]?.batch_id });
    await live.untilEvent("turn_end");
    assert.equal(textOf(live), '{"action":"decline"}');
  }, { resume: { sessionId: "sdk-7", replay: "drop" } }));
