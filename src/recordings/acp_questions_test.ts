// Permissions, forms and logins of the Agent Client Protocol as questions.

import assert from "node:assert/strict";
import { play, running } from "./acp_play_test.ts";

Deno.test("acp: permissions are questions by kind and name; answers close them; the end of the turn closes the rest", () => {
  const one = running();
  const options = [
    { optionId: "x1", name: "Always, in this project", kind: "allow_always" },
    { optionId: "x2", name: "Always, for me", kind: "allow_always" },
    { optionId: "x3", name: "Once", kind: "allow_once" },
    { optionId: "x4", name: "No", kind: "reject_once" },
    { optionId: "x5", name: "Never", kind: "reject_always" },
    { optionId: "x6", name: "Ask my mother", kind: "_vendor" },
  ];
  one.agent("session/request_permission", {
    sessionId: "s1",
    toolCall: {
      toolCallId: "t",
      kind: "execute",
      title: "rm -r build",
      rawInput: { command: "rm -r build" },
    },
    options,
  }, 0);
  const question = one.all("question")[0];
  assert.deepEqual([question?.kind, question?.tool_call_id], ["permission", "t"]);
  assert.equal(question?.questions[0]?.text, "rm -r build");
  assert.deepEqual(question?.questions[0]?.options.map((option) => option.effect), [
    "allow_always",
    "allow_always",
    "allow_once",
    "deny",
    "deny_always",
    null,
  ]);
  assert.equal(one.translation.requestOf(question?.batch_id ?? "")?.id, 0);
  one.answer(0, { outcome: { outcome: "selected", optionId: "x3" } });
  assert.deepEqual(one.all("question_closed")[0]?.answers, [{
    id: "permission",
    selected: ["x3"],
    text: null,
  }]);
  one.agent("session/request_permission", { toolCall: { toolCallId: "t", title: "again" }, options }, 1);
  one.agent("session/request_permission", { toolCall: { toolCallId: "u", title: "third" }, options }, 2);
  one.agent("$/cancel_request", { requestId: 1 });
  assert.deepEqual([one.all("question_closed").at(-1)?.batch_id, one.all("question_closed").at(-1)?.reason], [
    "permission-1",
    "cancelled",
  ]);
  one.ask("session/cancel");
  one.result(2, { stopReason: "cancelled" });
  assert.equal(one.all("question_closed").at(-1)?.batch_id, "permission-2");
  assert.equal(one.all("question_closed").length, 3);
});

Deno.test("acp: a form is asked property by property, an address as it is", () => {
  const one = running();
  one.agent("elicitation/create", {
    sessionId: "s1",
    mode: "form",
    message: "Where to?",
    requestedSchema: {
      type: "object",
      properties: {
        target: { type: "string", title: "Target", enum: ["staging", "live"] },
        force: { type: "boolean" },
        tags: { type: "array", items: { anyOf: [{ const: "a", title: "Tag A" }] } },
        note: { type: "string", description: "For the log" },
      },
    },
  }, 5);
  const asked = one.all("question")[0]?.questions ?? [];
  assert.deepEqual(
    asked.map(({ id, multi, allow_text, options }) => [
      id,
      multi,
      allow_text,
      options.map((option) => option.id),
    ]),
    [
      ["target", false, false, ["staging", "live"]],
      ["force", false, false, ["true", "false"]],
      ["tags", true, false, ["a"]],
      ["note", false, true, []],
    ],
  );
  one.answer(5, { action: "accept", content: { target: "live", force: true, tags: ["a"], note: "go" } });
  assert.deepEqual(one.all("question_closed")[0]?.answers, [
    { id: "target", selected: ["live"], text: null },
    { id: "force", selected: ["true"], text: null },
    { id: "tags", selected: ["a"], text: null },
    { id: "note", selected: [], text: "go" },
  ]);
  one.agent("elicitation/create", {
    mode: "url",
    elicitationId: "e1",
    url: "https://example.com/login",
    message: "Log in",
  }, 6);
  assert.equal(one.all("question").at(-1)?.questions[0]?.text, "Log in\nhttps://example.com/login");
  one.agent("elicitation/complete", { elicitationId: "e1" });
  assert.equal(one.all("question_closed").length, 2);
  one.agent("elicitation/create", {
    mode: "form",
    message: "?",
    requestedSchema: { properties: { a: { type: "string" } } },
  }, 7);
  one.answer(7, { action: "decline" });
  assert.equal(one.all("question_closed").at(-1)?.reason, "dismissed");
});

Deno.test("acp: a login that is missing names the ways to log in", () => {
  const one = play();
  one.ask("initialize", {}, 0);
  one.result(0, {
    authMethods: [{ id: "o", name: "OAuth" }, { id: "k", name: "Key", _meta: { type: "terminal" } }],
  });
  assert.equal(one.all("auth").length, 0, "having methods does not mean that one is needed");
  one.ask("session/new", { cwd: "/" }, 1);
  one.error(1, { code: -32000, message: "Authentication required" });
  assert.deepEqual(one.all("auth")[0]?.methods.map(({ id, label, type }) => ({ id, label, type })), [{
    id: "o",
    label: "OAuth",
    type: "agent",
  }, {
    id: "k",
    label: "Key",
    type: "terminal",
  }]);
  assert.equal(one.all("error")[0]?.code, "auth_required");
});
