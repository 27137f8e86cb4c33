// Looks: complete, of 16 colours, and cheap to change.

import assert from "node:assert/strict";
import fc from "fast-check";
import { createEmulator } from "../../tests/emulator.ts";
import { ROLES } from "../text/role.ts";
import { ATTRIBUTE_SHIFT, DIM, REVERSE, styleOf } from "./frame.ts";
import {
  ANSI_COLOURS,
  blankLook,
  createTheme,
  LOOK_ATTRIBUTES,
  lookAttributes,
  lookChange,
  lookColour,
} from "./theme.ts";

Deno.test("every role fits into a style number, and body text is the terminal's own", () => {
  assert.ok(ROLES.length < 1 << ATTRIBUTE_SHIFT);
  const { looks } = createTheme({ color: true });
  for (const role of ["default", "composer.text", "panel.text", "greeting.text", "diff.context"] as const) {
    assert.equal(looks[styleOf(role)], 0, role);
  }
});

Deno.test("N21 colours of a tool's output are the same colours; nothing of ours is black, white or bright black", () => {
  const { looks } = createTheme({ color: true });
  for (const [number, name] of ANSI_COLOURS.entries()) {
    assert.equal(lookColour(looks[styleOf(`ansi.${name}`)] as number), number);
  }
  for (const role of ROLES.filter((role) => !role.startsWith("ansi."))) {
    const colour = lookColour(looks[styleOf(role)] as number);
    assert.ok(![0, 7, 8, 15].includes(colour), `${role} has colour ${colour}`);
  }
});

Deno.test("N21 without colour every look is plain", () => {
  const theme = createTheme({ color: false });
  assert.ok(theme.looks.every((look) => look === 0));
  assert.ok(theme.blankLooks.every((look) => look === 0));
  assert.ok(theme.looks.length > styleOf("panel.selected", DIM | REVERSE));
});

Deno.test("attributes of a line come on top of its roles", () => {
  const { looks } = createTheme({ color: true });
  assert.equal(looks[styleOf("default", DIM)], 2);
  assert.equal(looks[styleOf("default", REVERSE)], 16);
  assert.equal(looks[styleOf("composer.selection", REVERSE)], 16);
  assert.equal(looks[styleOf("tool.name", DIM | REVERSE)], 1 | 2 | 16);
});

const looks = fc.tuple(fc.nat(63), fc.integer({ min: -1, max: 15 })).map(([bits, colour]) =>
  bits | (colour + 1) << 6
);

Deno.test("a change of look is what a terminal makes of it, and never longer than a reset with all of it", () => {
  const emulator = createEmulator({ width: 4, height: 1 });
  fc.assert(
    fc.property(looks, looks, (from, to) => {
      if (from === to) return;
      const change = lookChange(from, to);
      emulator.write(`\x1b[0m\x1b[${lookChange(0, from)}m\x1b[${change}m\x1b[Hx`);
      const cell = emulator.cell(0, 0);
      assert.equal(cell.attributes, lookAttributes(to));
      assert.equal(cell.fg, lookColour(to));
      assert.equal(cell.bg, -1);
      const all = LOOK_ATTRIBUTES.filter(({ bit }) => (to & bit) !== 0).length * 2 + 1 +
        (lookColour(to) >= 0 ? 3 : 0);
      assert.ok(change.length <= all, `${change} for ${from} to ${to}`);
    }),
    { numRuns: 1000 },
  );
});

Deno.test("a blank shows a text colour only under reverse, underline and strike", () => {
  const { looks: all } = createTheme({ color: true });
  assert.equal(blankLook(all[styleOf("tool.name")] as number), 0);
  assert.equal(blankLook(all[styleOf("md.link")] as number), all[styleOf("md.link")]);
  assert.equal(blankLook(all[styleOf("ansi.on_red")] as number), all[styleOf("ansi.on_red")]);
});
