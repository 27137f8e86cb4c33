import assert from "node:assert/strict";
import { parseRequests } from "./script.ts";
import { closingText, planSteps } from "./steps.ts";

const plan = (message: string) => planSteps(parseRequests(message), { files: [] });
const calls = (message: string) => plan(message).map((step) => step.calls.map((call) => call.tool).join("+"));

Deno.test("steps: neighbours that only look share a step, what changes stands alone and in order", () => {
  assert.deepEqual(calls("read a; grep b; glob c; run d; write e: f; edit e: f => g; read e"), [
    "Read+Grep+Glob",
    "Bash",
    "Write",
    "Edit",
    "Read",
  ]);
  assert.deepEqual(calls("read a, b"), ["Read+Read"]);
});

Deno.test("steps: arguments are those the tools are known for", () => {
  assert.deepEqual(plan("read a.ts:10-20")[0]?.calls[0]?.input, { file_path: "a.ts", offset: 10, limit: 11 });
  assert.deepEqual(plan("edit all a: x => y")[0]?.calls[0]?.input, {
    file_path: "a",
    old_string: "x",
    new_string: "y",
    replace_all: true,
  });
});

Deno.test("steps: names with backticks stay whole in the text", () => {
  assert.equal(plan("run echo `date`")[0]?.text, "I will run `` echo `date` ``.");
  assert.equal(plan("run one\ntwo")[0]?.text, "I will run `one`.");
});

Deno.test("steps: only what acts is thought about", () => {
  assert.equal(plan("hello")[0]?.reasoning, undefined);
  assert.match(plan("run x; read y")[0]?.reasoning ?? "", /^2 requests, in order\. .*scratch copy\.$/);
});

Deno.test("steps: the closing words count what failed", () => {
  const asked = parseRequests("read a; run b");
  const ok = { tool: "Read", isError: false, summary: "Read 1 line(s) from a" };
  const bad = { tool: "Bash", isError: true, summary: "b: exit 1" };
  assert.equal(closingText(asked, []), null);
  assert.equal(closingText(parseRequests("tour"), [ok, bad]), null);
  assert.equal(closingText(asked, [ok]), "Done: Read 1 line(s) from a.");
  assert.equal(closingText(asked, [ok, ok]), "Done: 2 calls, all went well.");
  assert.equal(closingText(asked, [bad]), "That did not work:\n\n- Bash: b: exit 1");
  assert.equal(closingText(asked, [ok, bad]), "Done: 2 calls, 1 failed:\n\n- Bash: b: exit 1");
});
