// Every mode that is taken is given back, and nothing asks where the cursor is.

import assert from "node:assert/strict";
import { createEmulator } from "../../tests/emulator.ts";
import { BASIC_CAPABILITIES } from "./encode.ts";
import {
  answeredCapabilities,
  capabilityQueries,
  enterModes,
  environmentCapabilities,
  leaveModes,
  type ModeOptions,
} from "./terminal_modes.ts";

const CHOICES: readonly ModeOptions[] = [true, false].flatMap((mouse) =>
  [true, false].map((keyboardProtocol) => ({ mouse, keyboardProtocol }))
);

function written(parts: readonly string[]): string {
  return parts.map((part) => `\x1b[${part}`).join("");
}

Deno.test("leaving gives back what entering took, once or twice, also from the middle of a frame", () => {
  for (const options of CHOICES) {
    const emulator = createEmulator({ width: 20, height: 5 });
    emulator.write("\x1b]2;mine\x1b\\one\r\ntwo");
    const before = { modes: emulator.modes(), cursor: emulator.cursor() };
    emulator.write(written(enterModes(options, BASIC_CAPABILITIES)));
    assert.equal(emulator.modes().alternateScreen, true);
    assert.equal(emulator.modes().autowrap, false);
    assert.equal(emulator.modes().mouse, options.mouse ? "drag" : "none");
    assert.deepEqual(emulator.modes().keyboardStack, options.keyboardProtocol ? [1] : []);
    emulator.write("\x1b[?2026h\x1b[?25l\x1b[2 q\x1b[2;4r\x1b[1;31;7mX\x1b]2;ours\x1b\\");
    for (let times = 0; times < 2; times++) {
      emulator.write(written(leaveModes(options, BASIC_CAPABILITIES)));
      assert.deepEqual({ modes: emulator.modes(), cursor: emulator.cursor() }, before);
      assert.equal(emulator.title(), "mine");
    }
    emulator.write("!");
    assert.equal(emulator.cell(1, 3).text, "!");
    assert.equal(emulator.cell(1, 3).attributes, 0);
    assert.equal(emulator.scrollbackLength(), 0);
  }
});

Deno.test("the queries end with DA1 and are answered; none asks for the cursor", () => {
  for (const options of CHOICES) {
    const emulator = createEmulator({ width: 20, height: 5 });
    emulator.write(written(capabilityQueries(options)));
    assert.equal(emulator.answers[0], "\x1b[?2026;2$y");
    assert.match(emulator.answers.at(-1) ?? "", /^.\[\?[0-9;]*c$/);
    assert.deepEqual(emulator.requests, []);
  }
});

Deno.test("answers and environment say what can be used", () => {
  const synchronized = answeredCapabilities(BASIC_CAPABILITIES, "decrpm", "2026;2");
  assert.equal(synchronized.synchronizedOutput, true);
  assert.equal(answeredCapabilities(synchronized, "decrpm", "2026;1"), synchronized);
  assert.equal(answeredCapabilities(synchronized, "decrpm", "2026;0").synchronizedOutput, false);
  assert.equal(answeredCapabilities(synchronized, "decrpm", "2026;4").synchronizedOutput, false);
  for (
    const [name, params] of [["decrpm", "2027;2"], ["decrpm", ""], ["da1", "2026;2"], ["kitty", "1"]] as const
  ) {
    assert.equal(answeredCapabilities(BASIC_CAPABILITIES, name, params), BASIC_CAPABILITIES);
  }
  assert.equal(environmentCapabilities({ TERM: "xterm-256color" }).title, true);
  assert.equal(environmentCapabilities({ TERM: "linux" }).title, false);
  assert.equal(environmentCapabilities({ TERM: undefined }).scrollRegions, false);
});
