// Taking text along: which text it is, and what is said where there is none.

import assert from "node:assert/strict";
import { withoutSequences } from "../text/escape_sequence.ts";
import { MOST_COPIED } from "./copy.ts";
import { press, statusRow, tell, type TestClient, testClient } from "./testing.ts";

/** A turn with a message, a command, an edit that printed nothing, and an answer. */
function client(output = "one\n\x1b[31mtwo\x1b[0m\r\n"): TestClient {
  const made = testClient({ columns: 60, rows: 20 });
  tell(made, "user_message", { kind: "run", text: "please", message_id: "m", parent_id: null });
  tell(made, "turn_start", { turn: 1 });
  call(made, "Bash", { command: "make" }, output);
  call(made, "Edit", { file_path: "/repo/a.ts", old_string: "one", new_string: "two" }, "");
  tell(made, "text_delta", { text: "It is **done**:\n\n- 漢字\n" });
  tell(made, "text_done");
  tell(made, "turn_end", { turn: 1, result: "finished" });
  return made;
}

function call(made: TestClient, name: string, input: Readonly<Record<string, string>>, output: string): void {
  tell(made, "tool_call_start", { id: name, name });
  tell(made, "tool_call_done", { id: name, name, arguments: JSON.stringify(input) });
  tell(made, "tool_result", { id: name, name, output });
}

function copied(made: TestClient): string[] {
  return made.effects.splice(0).flatMap((effect) => effect.kind === "copy" ? [effect.text] : []);
}

Deno.test("copy: the newest answer as it was said, with its marks", () => {
  const made = client();
  press(made, "/copy<Enter>");
  assert.deepEqual(copied(made), ["It is **done**:\n\n- 漢字"]);
  assert.match(statusRow(made), /3 lines sent to the terminal's clipboard/);
});

Deno.test("copy: the selected block, output without what only a terminal obeys, anything else as it is drawn", () => {
  const made = client();
  const seen: string[] = [];
  press(made, "<Tab>");
  for (let at = 0; at < 8; at++) {
    press(made, "yk");
    seen.push(...copied(made));
  }
  assert.ok(seen.includes("It is **done**:\n\n- 漢字"));
  assert.ok(seen.includes("one\ntwo"));
  assert.ok(seen.includes("please"));
  assert.ok(
    seen.some((text) => text.includes("a.ts") && text.includes("-one") && text.includes("+two")),
    seen.join("|"),
  );
});

Deno.test("copy: nothing there and too much of it are said", () => {
  const empty = testClient();
  press(empty, "/copy<Enter>");
  assert.deepEqual(copied(empty), []);
  assert.match(statusRow(empty), /no answer to copy yet/);
  const made = client("x".repeat(MOST_COPIED + 1));
  press(made, "<Tab>kkk");
  const hints: string[] = [];
  for (let at = 0; at < 4; at++) {
    press(made, "yk");
    hints.push(statusRow(made));
  }
  assert.ok(hints.some((hint) => /Cannot copy 1025 KiB/.test(hint)), hints.join("\n"));
  assert.ok(copied(made).every((text) => text.length < 100));
});

Deno.test("copy: control sequences and other controls are left out, line ends are LF", () => {
  assert.equal(withoutSequences("a\x1b[1;31mb\x1b[0m\tc\r\nd\re\x07\x00"), "ab\tc\nd\ne");
  assert.equal(withoutSequences("\x1b]0;title\x07x\x9b31my\x1b"), "xy");
  assert.equal(withoutSequences("\x1bP1$r\x1b\\z \x1b[?25l漢"), "z 漢");
});
