import assert from "node:assert/strict";
import { createTranscript } from "./reduce.ts";
import type { ToolCall } from "./tool_call.ts";
import { toolInput, toolKind } from "./tool_names.ts";
import { feed } from "./transcript_test_helper.ts";

/** A call with those fixed arguments. */
function callOf(args: string): ToolCall {
  const transcript = feed(createTranscript(), ["tool_call_done", { id: "a", name: "x", arguments: args }]);
  const [block] = transcript.blocks;
  if (block?.kind !== "tool_call" || block.calls[0] === undefined) throw new Error("no call");
  return block.calls[0];
}

Deno.test("names and arguments of tools by meaning", () => {
  const kinds: Record<string, string> = {
    Read: "read",
    READ_FILE: "read",
    "str-replace": "edit",
    MultiEdit: "multi_edit",
    apply_patch: "patch",
    run_shell_command: "shell",
    search_file_content: "grep",
    glob: "glob",
    "mcp__server__read": "other",
    constructor: "other",
    "": "other",
  };
  for (const [name, kind] of Object.entries(kinds)) assert.equal(toolKind(name), kind, name);
  const input = (args: string) => toolInput(callOf(args));
  assert.equal(input('{"absolute_path":"/a","start_line":5,"end_line":9}').limit, 5);
  assert.equal(input('{"offset":0}').offset, 1);
  assert.equal(input('{"command":["bash","-lc","ls | wc"]}').command, "ls | wc");
  assert.equal(input('{"command":["echo","a b","it\'s"]}').command, "echo 'a b' 'it'\\''s'");
  assert.deepEqual(input('{"edits":[{"oldText":"a","newText":"b"},5]}').edits, [
    { oldText: "a", newText: "b", replaceAll: false },
  ]);
  assert.equal(input('{"old_str":"a","new_str":"b","expected_replacements":3}').replaceAll, true);
  assert.equal(input("*** Begin Patch\n*** End Patch").patch, "*** Begin Patch\n*** End Patch");
  assert.equal(input('{"path":7,"file":"x"}').path, "x");
  assert.equal(input('{"__proto__":{"path":"x"}}').path, null);
});
