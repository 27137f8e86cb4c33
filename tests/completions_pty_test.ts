// Completions of zsh, which completes on a terminal alone: what a Tab makes of a command line there.

import { commandTables } from "../src/app/commands.ts";
import { completionScript } from "../src/app/io/completions.ts";
import { hasShell, OFFERED, withProgram } from "./completion_home.ts";
import { openPtySession } from "./pty_session.ts";

Deno.test("completions: zsh completes fold modes, formats, agents and commands", async () => {
  if (!await hasShell("zsh")) return console.log("zsh is not there: left out");
  await withProgram(async (environment, home) => {
    await Deno.writeTextFile(`${home}/script`, completionScript("zsh", commandTables()) ?? "");
    const session = openPtySession({
      command: ["zsh", "-f", "-i"],
      width: 100,
      height: 40,
      // Its own folder for settings: zsh -f reads /etc/zshenv alone.
      environment: { ...environment, HOME: home, ZDOTDIR: home, PS1: "%% ", LANG: "C.UTF-8" },
    });
    const rows = () => session.emulator.picture().map((row) => row.trimEnd());
    try {
      // The rest of a line that Tab leaves is cleared; lists stand below the command line and go with the screen.
      session.type(
        `autoload -Uz compinit; compinit -u -D; source ${home}/script; bindkey '^U' kill-whole-line\r`,
      );
      session.type("print ready-$((6 * 7))\r");
      await session.until("the shell", () => rows().includes("ready-42"));
      for (const [words, offered] of OFFERED) {
        const line = words.join(" ");
        session.type(`\x15\x0c${line}\t`);
        // One candidate is put into the line, several are listed below it.
        const isSeen = offered.length === 1
          ? () => rows()[0] === `% ${words.slice(0, -1).join(" ")} ${offered[0]}`
          : () =>
            rows()[0] === `% ${line}`.trimEnd() &&
            rows().slice(1).join(" ").split(/ +/).filter((word) => word !== "").join() === offered.join();
        await session.until(`${offered.join(", ")} for "${line}"`, isSeen);
      }
    } finally {
      session.close();
      await session.ended;
    }
  });
});
