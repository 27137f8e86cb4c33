// A session typed inside tmux, which has width tables and a paste of its own: what is sent is exact, and what tmux
// shows is what the program says. Left out where tmux is not installed.

import assert from "node:assert/strict";
import { removeFolder, ROOT } from "./program_session.ts";

const SCRIPTS = [
  "日本語の文章、「かぎ括弧」と半角ｶﾅ、長い行の折り返しを試すための文字列です。",
  "中文排版没有空格，标点不能在行首，这一行也要足够长才能换行显示。",
  "한국어 문장과 조합된 글자, 그리고 mixed words 를 섞어서 씁니다.",
  "🙂 emoji 🚀 and 🍣 of one code point each 🎉",
];
const LONG = Array.from({ length: 500 }, (_, at) => `line ${at + 1} of 五百 ${"x".repeat(at % 90)}`).join(
  "\n",
);

for (const [width, height] of [[80, 24], [40, 12]] as const) {
  Deno.test({
    name: `typed in tmux at ${width}x${height}: sent exactly, no wrong cell`,
    ignore: !hasTmux(),
    fn: async () => {
      const home = await Deno.makeTempDir({ prefix: "trifold_tmux_" });
      const tmux = (...args: readonly string[]): string => {
        const { stdout, stderr, success } = new Deno.Command("tmux", {
          args: ["-u", "-f", "/dev/null", "-S", `${home}/tmux`, ...args],
          env: environmentOf(home),
          clearEnv: true,
        }).outputSync();
        assert.ok(success, new TextDecoder().decode(stderr));
        return new TextDecoder().decode(stdout);
      };
      const received = `${home}/received.jsonl`;
      const record = `${home}/record.jsonl`;
      const deno = [Deno.execPath(), "run", "-A", "--no-check"];
      const program = [
        ...deno,
        "--config",
        `${ROOT}deno.json`,
        `${ROOT}main.ts`,
        "run",
        "--record",
        record,
        "--",
      ];
      const agent = [...deno, `${ROOT}tests/receiving_agent.mjs`, received];
      const command = [...program, ...agent].map((word) => `'${word}'`).join(" ");
      tmux(
        "new-session",
        "-d",
        "-x",
        String(width),
        "-y",
        String(height),
        "-c",
        home,
        command,
        ";",
        "set",
        "status",
        "off",
      );
      const screen = () =>
        tmux("capture-pane", "-p").split("\n").slice(0, height).map((row) => row.trimEnd());
      const until = async (what: string, isTrue: () => boolean) => {
        const endMs = Date.now() + 30_000;
        while (!isTrue()) {
          if (Date.now() > endMs) assert.fail(`${what}\n${screen().join("\n")}`);
          await new Promise((resolve) => setTimeout(resolve, 20));
        }
      };
      /** Until nothing changes any more, then row for row against the recording. */
      const checkCells = async (what: string) => {
        for (let tries = 0;; tries++) {
          await new Promise((resolve) => setTimeout(resolve, 150));
          const { stdout } = await new Deno.Command(Deno.execPath(), {
            args: [...deno.slice(1), `${ROOT}main.ts`, "print", record, "--text"],
            env: { NO_COLOR: "1" },
          }).output();
          const told = new TextDecoder().decode(stdout).split("\n").slice(0, height);
          const shown = screen();
          // On a busy machine the next frame may still be under way.
          if (shown.join("\n") !== told.join("\n") && tries < 20) continue;
          assert.deepEqual(shown, told, what);
          return;
        }
      };
      await until("the agent", () => screen().join().includes("receiver"));
      let count = 0;
      const sends = async (text: string) => {
        tmux("send-keys", "Enter");
        await until(`answer ${++count}`, () => screen().join().includes(`received ${count}`));
        const lines = Deno.readTextFileSync(received).trimEnd().split("\n").map((line) => JSON.parse(line));
        assert.equal(lines.filter(({ method }) => method === "run").at(-1)?.params.input, text);
      };
      for (const text of SCRIPTS) {
        for (const piece of text.match(/.{1,9}/gsu) ?? []) tmux("send-keys", "-l", piece);
        await checkCells(text);
        await sends(text);
      }
      await Deno.writeTextFile(`${home}/paste`, LONG);
      tmux("load-buffer", `${home}/paste`);
      tmux("paste-buffer", "-p");
      await until("the placeholder", () => screen().join("").replaceAll(/\s/g, "").includes("500lines]"));
      await checkCells("pasted");
      tmux("send-keys", "C-x", "C-e");
      await checkCells("expanded");
      tmux("send-keys", "C-x", "C-e");
      await checkCells("folded");
      await sends(LONG);
      await checkCells("sent");
      tmux("send-keys", "C-d");
      await until("the end", () => {
        try {
          tmux("has-session");
          return false;
        } catch {
          return true;
        }
      });
      await removeFolder(home);
    },
  });
}

function environmentOf(home: string): Record<string, string> {
  return {
    PATH: Deno.env.get("PATH") ?? "",
    HOME: home,
    LANG: "C.UTF-8",
    TERM: "xterm-256color",
    XDG_STATE_HOME: `${home}/state`,
    XDG_RUNTIME_DIR: `${home}/run`,
    DENO_DIR: Deno.env.get("DENO_DIR") ?? `${Deno.env.get("HOME")}/.cache/deno`,
  };
}

function hasTmux(): boolean {
  try {
    return new Deno.Command("tmux", { args: ["-V"], stdout: "null" }).outputSync().success;
  } catch {
    return false;
  }
}
