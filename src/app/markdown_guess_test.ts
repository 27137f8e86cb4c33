import assert from "node:assert/strict";
import { parseEvent } from "../transcript/event.ts";
import { seemsToWantMarkdown } from "./markdown_guess.ts";
import { give, testClient } from "./testing.ts";

/** The guess for answers of these texts, each followed by a message of the person. */
function guess(texts: readonly string[], rows = 24): boolean {
  const client = testClient({ columns: 40, rows, recording: true });
  const tell = (event: string, data: object) =>
    give(client, { kind: "events", parsed: [parseEvent({ event, data })] });
  for (const text of texts) {
    tell("text_delta", { text });
    tell("text_done", {});
    tell("user_message", { text: "go on" });
  }
  return seemsToWantMarkdown(client.state);
}

Deno.test("an answer with marks in sight wants the parser, prose does not", () => {
  assert.equal(guess(["Only words here.\n\nAnd more of them."]), false);
  for (
    const text of ["a **word**", "see `it`", "- one\n- two", "words\n\n1. one", "    code", "# Head", "a | b"]
  ) {
    assert.equal(guess([text]), text !== "a | b", text);
  }
});

Deno.test("what is above the screen is not looked at", () => {
  const prose = Array.from({ length: 30 }, () => "Words and words and nothing but words.");
  assert.equal(guess(["a **word**", ...prose]), false);
  assert.equal(guess(["a **word**", ...prose], 200), true);
});

Deno.test("nothing to see wants nothing", () => assert.equal(guess([]), false));
