// The session around the turns, through the live adapter: logging in, coming back, steering, cancels nobody answers,
// the end. Scripts in testdata/acp-live.

import assert from "node:assert/strict";
import type { AcpAgent, AcpOptions } from "../../src/agents/acp.ts";
import { type LiveAgent, scriptPath, sentTo, textOf, withReplay } from "./live_agent.ts";

function play(
  name: string,
  script: string,
  test: (live: LiveAgent<AcpAgent>) => Promise<void>,
  options: Partial<AcpOptions> = {},
): void {
  Deno.test(`acp live: ${name}`, () => withReplay(scriptPath(script), test, options));
}

play(
  "a login is the agent's own or a program's in the terminal, and what was asked for waits for it",
  "auth",
  async (live) => {
    live.send("run", { input: "hello", message_id: "u1" });
    await live.untilEvent("auth");
    const [{ methods = [] } = {}] = live.all("auth");
    assert.deepEqual(methods.map(({ id, label, type }) => [id, label, type]), [
      ["oauth", "Log in with a browser", "agent"],
      ["tui", "Log in here", "terminal"],
      ["old", "Older", "terminal"],
      ["older", "Oldest", "terminal"],
    ]);
    const [, tui, old, oldest] = methods.map((method) => method.terminal);
    assert.deepEqual([tui?.args.at(-1), tui?.env, tui?.command], [
      "--login",
      { LOGIN: "1" },
      Deno.execPath(),
    ]);
    assert.deepEqual([old?.args.at(-1), old?.args[0]], ["--auth-type=openai", "run"]);
    assert.deepEqual([oldest?.command, oldest?.args], ["/bin/login-tool", ["now"]]);
    assert.equal(live.all("error")[0]?.code, "auth_required");
    assert.equal((await sentTo(live))[0]?.params.clientCapabilities.auth.terminal, true);
    assert.ok(
      !JSON.stringify(live.events()).includes("SECRET"),
      "the agent's environment is not in what is logged",
    );

    live.send("authenticate", { method_id: "nonsense" });
    await live.untilEvent("error", 2);
    live.send("authenticate", { method_id: "oauth" });
    await live.untilEvent("auth", 2);
    assert.ok(live.all("starting").some((one) => one.detail?.startsWith("Log in with a browser")), "visible");
    assert.match(live.all("error").at(-1)?.message ?? "", /^Not logged in: the page was closed$/);

    live.send("authenticate", { method_id: "oauth" });
    live.send("authenticate", { method_id: "oauth" });
    await live.until("the second to be refused", () => live.all("error").at(-1)?.code === "already_running");
    live.send("cancel");
    await live.untilEvent("auth", 3);

    live.send("authenticate", { method_id: "oauth" });
    await live.untilEvent("auth", 4);
    assert.equal((await sentTo(live)).filter((sent) => sent.method === "$/cancel_request").length, 1);
    assert.match(live.all("error").at(-1)?.message ?? "", /Still not/);
    // The person logged in in the terminal: the session is tried again, nothing is sent to authenticate.
    live.send("authenticate", { method_id: "tui" });
    await live.untilEvent("turn_end");
    assert.equal((await sentTo(live)).filter((sent) => sent.method === "authenticate").length, 3);
    assert.equal(live.all("user_message")[0]?.message_id, "u1", "the message that waited");
    assert.match(live.all("turn_end")[0]?.message ?? "", /Token expired/);
    await live.untilEvent("auth", 5);
    live.send("authenticate", { method_id: "oauth" });
    await live.until("idle", () => live.events().at(-1)?.event === "status");
    assert.equal((await live.turn("again")).result, "finished");
  },
  { terminalLogin: true, env: { KEY: "SECRET" } },
);

play("a session is resumed without a replay where the agent can", "resume", async (live) => {
  await live.until("the session", () => live.all("status").some((one) => one.status === "idle"));
  assert.equal(live.all("history").length, 0, "the host's own log is what is shown");
  assert.deepEqual([live.agent.sessionId(), live.all("options").length], ["s1", 1]);
  assert.equal((await live.turn("do you?")).result, "finished");
  assert.equal(textOf(live), "I remember");
  live.send("shutdown");
  const end = await live.ended;
  assert.deepEqual([end.kind, live.events().at(-1)?.event], ["shut_down", "shutdown"]);
  assert.equal((await sentTo(live)).at(-1)?.method, "session/close");
}, { resume: { sessionId: "s1", replay: "drop" } });

play(
  "a session that cannot be resumed is loaded, its replay dropped, stragglers too",
  "load",
  async (live) => {
    // Asked for while the agent still replays.
    await live.until("the load", () => live.all("starting").length >= 4);
    const end = await live.turn("go on");
    assert.equal(end.result, "finished");
    assert.equal(textOf(live), "new");
    assert.deepEqual(live.all("user_message").map((message) => message.text), ["go on"]);
    assert.equal(live.all("error").length, 0, "a way that failed is no news while another is left");
    assert.equal(live.all("notification").length, 0);
  },
  { resume: { sessionId: "s1", replay: "drop" } },
);

play("without a log of our own a replay is shown", "load", async (live) => {
  live.send("run", { input: "go on" });
  await live.untilEvent("turn_end", 3);
  assert.deepEqual(live.all("user_message").map((message) => message.text), [
    "an old message",
    "a straggler",
    "go on",
  ]);
  assert.equal(live.all("turn_end").length, 3);
  assert.equal(live.all("history").length, 1);
}, { resume: { sessionId: "s1", replay: "show" } });

play("an agent that forgot the session gets a new one, and it is said", "forgotten", async (live) => {
  await live.untilEvent("notification");
  assert.deepEqual(live.all("notification").map((one) => [one.level, one.message]), [
    ["warn", "Forgetful does not remember what stands above: Session not found"],
  ]);
  assert.equal(live.agent.sessionId(), "another");
  assert.deepEqual([live.all("history").length, live.all("error").length], [0, 0], "what stands above stays");
  assert.equal((await live.turn("go on")).result, "finished");
}, { resume: { sessionId: "s1", replay: "drop" } });

play("steering, by those who can", "steer", async (live) => {
  await live.untilEvent("history");
  assert.ok(live.all("hello")[0]?.capabilities?.includes("steer"));
  live.send("steer", { input: "too early", message_id: "u0" });
  await live.untilEvent("error");
  assert.equal(live.all("error")[0]?.code, "not_running");
  live.send("run", { input: "start", message_id: "u1" });
  await live.untilEvent("text_delta");
  live.send("run", { input: "start", message_id: "u1" });
  live.send("run", { input: "more", message_id: "u2" });
  await live.untilEvent("error", 2);
  assert.deepEqual([live.all("error")[1]?.code, live.all("error")[1]?.message_id], ["already_running", "u2"]);
  live.send("steer", { input: "start", message_id: "u3" });
  await live.untilEvent("text_delta", 2);
  assert.deepEqual(live.all("user_message").map(({ message_id, kind }) => [message_id, kind]), [
    ["u1", "run"],
    ["u3", "steer"],
  ]);
  live.send("steer", { input: "refused", message_id: "u4" });
  await live.untilEvent("error", 3);
  assert.equal(live.all("error")[2]?.message_id, "u4");
  live.send("steer", { input: "just too late", message_id: "u5" });
  await live.untilEvent("turn_end", 2);
  assert.deepEqual(live.all("user_message").at(-1), {
    message_id: "u5",
    text: "just too late",
    kind: "run",
    parent_id: null,
  });
});

play("a cancel nobody answers: the second one ends the turn without the agent", "deaf", async (live) => {
  live.send("cancel");
  await live.untilEvent("error");
  assert.equal(live.all("error")[0]?.code, "not_running");
  live.send("run", { input: "go" });
  await live.untilEvent("tool_call_start");
  live.send("cancel");
  live.send("cancel");
  await new Promise((resolve) => setTimeout(resolve, 2050));
  assert.equal(live.all("turn_end").length, 0, "a second one at once is the same one");
  live.send("cancel");
  await live.untilEvent("turn_end");
  assert.equal(live.all("turn_end")[0]?.result, "cancelled");
  assert.match(live.all("notification")[0]?.message ?? "", /did not answer the cancel/);
  const end = await live.turn("next");
  assert.deepEqual(
    [end.result, live.all("turn_end").length],
    ["finished", 2],
    "the late answer ends nothing",
  );
});

play(
  "an agent that dies in a turn: what was open is closed, and why it went is told",
  "crash",
  async (live) => {
    live.send("run", { input: "go" });
    const end = await live.ended;
    assert.deepEqual([end.kind, end.wasThere, end.exitCode], ["exited", true, 134]);
    assert.match(end.what, /ended with exit code 134; its last line on stderr: fatal: out of memory$/);
    assert.equal(live.all("turn_end")[0]?.result, "interrupted");
    assert.equal(textOf(live), "half a sen");
  },
);

play(
  "a message before there is a session waits for it; one that was cancelled is given back",
  "deaf",
  async (live) => {
    live.send("run", { input: "one", message_id: "u1" });
    live.send("run", { input: "two", message_id: "u2" });
    live.send("cancel");
    await live.untilEvent("error", 2);
    assert.deepEqual(live.all("error").map((error) => [error.code, error.message_id]), [
      ["already_running", "u2"],
      ["not_running", "u1"],
    ]);
    live.send("run", { input: "one", message_id: "u1" });
    await live.untilEvent("user_message");
    assert.equal(live.all("user_message")[0]?.text, "one");
  },
);

play(
  "files a message mentions go as links, and the message is shown as it was written",
  "deaf",
  async (live) => {
    live.send("run", { input: "read @deno.json, please", message_id: "u1" });
    await live.untilEvent("tool_call_start");
    assert.equal(live.all("user_message")[0]?.text, "read @deno.json, please");
    const { params } = (await sentTo(live)).at(-1) ?? {};
    assert.deepEqual(params.prompt.map((block: { type: string }) => block.type), [
      "text",
      "resource_link",
      "text",
    ]);
    assert.equal(params.prompt[1].uri, `file://${Deno.cwd()}/deno.json`);
    assert.equal(params._meta["trifold.message_id"], "u1");
  },
);

play("what an agent has not is refused with its name", "deaf", async (live) => {
  await live.untilEvent("history");
  for (const method of ["pause", "resume", "get_history", "compact", "list_models"] as const) {
    live.send(method);
  }
  live.send("unqueue", { message_id: "u1" });
  live.send("steer", { input: "x" });
  live.send("keep_draft", { parts: [] });
  await live.untilEvent("error", 7);
  assert.deepEqual(
    new Set(live.all("error").map((error) => error.code)),
    new Set(["invalid_request", "not_paused"]),
  );
});
