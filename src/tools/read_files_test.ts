// The files of a group of Reads: those of looking at all calls anew, whatever came in what order, at the cost of what came.

import assert from "node:assert/strict";
import fc from "fast-check";
import { normalisePath } from "../transcript/file_cache.ts";
import type { ToolCall } from "../transcript/tool_call.ts";
import { toolInput } from "../transcript/tool_names.ts";
import { filesOf } from "./read_files.ts";
import { callOf, pictureOf } from "./testing.ts";

const open = () => callOf({ name: "Read", stage: "streaming" });

/** Fixes a call's arguments as the reducer does. */
function fix(call: ToolCall, path: string | null): void {
  (call as { input: ToolCall["input"] }).input = path === null ? {} : { path };
}

Deno.test("the files are those that all calls name, however calls and arguments came", () => {
  const step = fc.record({
    deed: fc.constantFrom("add", "add", "fix", "take"),
    at: fc.nat(),
    path: fc.nat(6),
  });
  fc.assert(fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
    const calls: ToolCall[] = [];
    for (const { deed, at, path } of steps) {
      if (deed === "add") calls.push(open());
      else if (deed === "take" && at % 9 === 0) calls.splice(at % (calls.length + 1), 1);
      else if (calls.length > 0) {
        const waiting = calls.filter((call) => call.input === null);
        const call = waiting[at % (waiting.length || 1)];
        if (call !== undefined) fix(call, path === 0 ? null : path === 1 ? "./f2" : `f${path}`);
      }
      assert.deepEqual(
        filesOf(calls).map(({ path, calls }) => ({ path, calls: [...calls] })),
        plainFiles(calls),
      );
    }
  }));
});

Deno.test("a Read that comes costs itself, in a group of any size and in every fold mode", () => {
  for (const fold of ["detail", "normal", "overview"] as const) {
    const costs = [20, 4000].map((count) => {
      const calls: ToolCall[] = [];
      let looks = 0;
      const add = () => {
        const call = callOf({ name: "Read", stage: "done" });
        const input = { path: `dir/file${calls.length}.ts` };
        (call as { input: ToolCall["input"] }).input = new Proxy(input, {
          getOwnPropertyDescriptor(target, name) {
            looks++;
            return Object.getOwnPropertyDescriptor(target, name);
          },
        });
        calls.push(call);
      };
      for (let at = 0; at < count; at++) add();
      pictureOf(calls, fold);
      looks = 0;
      add();
      pictureOf(calls, fold);
      return looks;
    });
    assert.equal(costs[1], costs[0], fold);
  }
});

function plainFiles(calls: readonly ToolCall[]): { path: string | null; calls: ToolCall[] }[] {
  const files = new Map<string, { path: string | null; calls: ToolCall[] }>();
  for (const [index, call] of calls.entries()) {
    const { path } = toolInput(call);
    const key = path === null ? `\0${index}` : normalisePath(path, null);
    const file = files.get(key);
    if (file === undefined) files.set(key, { path, calls: [call] });
    else file.calls.push(call);
  }
  return [...files.values()];
}
