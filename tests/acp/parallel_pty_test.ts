// U12 as an ACP agent tells it, in the program: calls side by side, one that fails after it was allowed, one without
// a result that comes late, one nobody announced, one told twice.

import assert from "node:assert/strict";
import { checkedLog, checkPicture } from "../journeys/expect.ts";
import { delay, denoCommand, leave, withWorld } from "../journeys/world.ts";
import { sees } from "../program_session.ts";
import { scriptPath } from "./live_agent.ts";

Deno.test("U12 through ACP: one error, one late, one unknown, one told twice, and the log shows the same", async () => {
  await withWorld({}, async (world) => {
    const agent = denoCommand("tests/acp/replay_agent.ts", scriptPath("parallel"));
    const program = await world.open(["run", "--fold", "detail", "--", ...agent], [80, 60]);
    const rows = () => program.screen().split("\n").map((row) => row.trimEnd());
    const marks = () => rows().filter((row) => /^[○◐●✓✗?] (probe .|other)( |$)/.test(row));
    await sees(program, "parallel 1", 30_000);
    program.session.type("go\r");
    await sees(program, "── Permission · probe a", 30_000);
    assert.deepEqual(marks(), ["● probe a", "✓ probe b", "● probe c"]);
    assert.ok(rows().includes("    B-OUT"), "B's result is there while A still runs");
    // A panel takes no key before it has been on the screen for half a second.
    await delay(520);
    program.session.type("\r");
    await sees(program, "= finished", 30_000);
    assert.deepEqual(marks(), ["✗ probe a", "✓ probe b", "? probe c", "✓ other"]);
    const first = rows();
    for (const row of ["    A-ERR", "    B-OUT", "    no result (turn finished)", "    Z-OUT"]) {
      assert.ok(first.includes(row), row);
    }
    assert.ok(!/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/.test(first.join()), "no spinner runs");
    program.session.type("again\r");
    await sees(program, "that was late", 30_000);
    await program.session.until("the second end", () => rows().filter((row) => /^= /.test(row)).length === 2);
    assert.deepEqual(marks(), ["✗ probe a", "✓ probe b", "✓ probe c  (late)", "✓ other"]);
    assert.ok(rows().includes("    C-OUT") && rows().includes("    B-OUT"));
    assert.ok(!program.screen().includes("B-TWICE"));
    checkedLog(world.logText());
    await checkPicture(world.logText(), program, "detail");
    await leave(program);
  });
});
