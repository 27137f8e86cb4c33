// Real child processes: the example agent, and small scripts that misbehave in one way each.

import assert from "node:assert/strict";
import type { Event, ParsedEvent } from "../transcript/event.ts";
import type { AgentEnd } from "./agent.ts";
import { type JsonlOptions, startJsonlAgent } from "./jsonl.ts";

const EXAMPLE = decodeURIComponent(new URL("../../examples/echo_agent.mjs", import.meta.url).pathname);
const HELLO = `{"event":"hello","data":{"protocol":"pod-jsonl","version":1,"agent":"x"}}`;

function startWatched(options: Partial<JsonlOptions> & { command: string }) {
  const parsed: ParsedEvent[] = [];
  const ended = Promise.withResolvers<AgentEnd>();
  const waiting = new Set<() => void>();
  const agent = startJsonlAgent({ args: [], cwd: "/", killAfterMs: 300, ...options }, {
    onEvents(news) {
      assert.ok(news.length > 0);
      parsed.push(...news);
      for (const wake of waiting) wake();
    },
    onEnd: (end) => ended.resolve(end),
  });
  const events = (): Event[] => parsed.flatMap((each) => each.kind === "event" ? [each.event] : []);
  async function until(is: () => boolean): Promise<void> {
    while (!is()) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          waiting.delete(wake);
          resolve();
        };
        waiting.add(wake);
      });
    }
  }
  return { agent, parsed, events, until, ended: ended.promise };
}

function startShell(script: string, options: Partial<JsonlOptions> = {}) {
  return startWatched({ command: "sh", args: ["-c", script], ...options });
}

for (
  const [name, command, args] of [["Deno", Deno.execPath(), ["run", EXAMPLE]], ["Node", "node", [
    EXAMPLE,
  ]]] as const
) {
  Deno.test(`jsonl: the example agent under ${name} answers and shuts down`, async () => {
    const { agent, events, until, ended } = startWatched({ command, args, cwd: Deno.cwd() });
    await until(() => events().length >= 2);
    agent.send({ method: "run", params: { input: "héllo 宽 👩‍🔬\nthere", message_id: "u1" } });
    agent.send({ method: "run", params: { input: "again", message_id: "u1" } });
    agent.send({ method: "pause", params: {} });
    agent.send({ method: "shutdown", params: {} });
    const end = await ended;
    assert.deepEqual(events().map((event) => event.event).filter((event) => event !== "text_delta"), [
      "hello",
      "history",
      "user_message",
      "turn_start",
      "text_done",
      "turn_end",
      "shutdown",
    ]);
    const text = events().map((event) => event.event === "text_delta" ? event.data.text : "").join("");
    assert.equal(text, "héllo 宽 👩‍🔬\nthere");
    assert.deepEqual([end.kind, end.wasThere, end.exitCode, end.signal], ["shut_down", true, 0, null]);
  });
}

/** [what is wrong, script, end kind, wasThere, what the person reads] */
const FAULTS: readonly (readonly [string, string, AgentEnd["kind"], boolean, RegExp])[] = [
  [
    "dies before hello",
    "echo 'no key set' >&2; exit 4",
    "exited",
    false,
    /^Cannot talk to sh -c .*: it ended with exit code 4 before it said anything, expected a first line like \{"event":"hello".*its last line on stderr: no key set$/s,
  ],
  ["ends without a word", "exit 0", "exited", false, /it ended with exit code 0 before it said anything/],
  [
    "prints no protocol",
    "echo Welcome; echo to the shell",
    "not_understood",
    false,
    /expected a first line like .* on stdout, got: Welcome$/,
  ],
  ["prints no end of it", "while :; do echo y; done", "not_understood", false, /^Cannot talk to/],
  [
    "prints JSON of another kind",
    `echo '{"jsonrpc":"2.0","id":1}'`,
    "not_understood",
    false,
    /expected a first line like/,
  ],
  [
    "dies in the middle",
    `echo '${HELLO}'; echo '{"event":"text_de'; exit 2`,
    "exited",
    true,
    /^sh -c .* ended with exit code 2/s,
  ],
  ["is killed", `echo '${HELLO}'; kill -9 $$`, "exited", true, /ended with signal SIGKILL$/],
  [
    "got no further than starting",
    `echo '{"event":"starting","data":{"step":"initialize"}}'; exit 1`,
    "exited",
    false,
    /before it was ready/,
  ],
];

for (const [name, script, kind, wasThere, what] of FAULTS) {
  Deno.test(`jsonl: a program that ${name}`, async () => {
    const { ended } = startShell(script);
    const end = await ended;
    assert.deepEqual([end.kind, end.wasThere], [kind, wasThere], end.what);
    assert.match(end.what, what);
  });
}

Deno.test("jsonl: a program that cannot be started is an end too", async () => {
  const folder = Deno.makeTempDirSync({ prefix: "trifold-test-" });
  Deno.writeTextFileSync(`${folder}/plain`, "text", { mode: 0o644 });
  try {
    for (
      const [options, what] of [
        [
          { command: "trifold-no-such-agent" },
          /^Cannot start trifold-no-such-agent: no program .* expected a path, or a name on PATH$/,
        ],
        [{ command: "sh", cwd: "/nowhere/at/all" }, /^Cannot start sh: no directory \/nowhere\/at\/all$/],
        [{ command: `${folder}/plain` }, /may not be run; expected an executable file$/],
      ] as const
    ) {
      const { agent, ended } = startWatched(options);
      const end = await ended;
      assert.equal(end.kind, "not_started");
      assert.match(end.what, what);
      agent.send({ method: "cancel", params: {} });
      await agent.close();
    }
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("jsonl: a program that never answers is given up", async () => {
  const { ended } = startShell("cat > /dev/null", { answerWithinMs: 150 });
  const end = await ended;
  assert.deepEqual([end.kind, end.wasThere], ["silent", false]);
  assert.match(end.what, /no answer in 0\.2 s/);
});

Deno.test("jsonl: closing ends it, children and all, even when it will not listen", async () => {
  const { agent, until, parsed, ended } = startShell(
    `trap '' TERM; echo '${HELLO}'; (trap '' TERM; sleep 60); sleep 60`,
  );
  await until(() => parsed.length > 0);
  const startMs = performance.now();
  await Promise.all([agent.close(), agent.close()]);
  const end = await ended;
  assert.ok(performance.now() - startMs < 20_000);
  assert.deepEqual([end.kind, end.signal], ["closed", "SIGKILL"]);
});

Deno.test("jsonl: one that listens goes at once", async () => {
  const { agent, until, parsed, ended } = startShell(`echo '${HELLO}'; exec sleep 60`, {
    killAfterMs: 10_000,
  });
  await until(() => parsed.length > 0);
  await agent.close();
  assert.deepEqual([(await ended).kind, (await ended).signal], ["closed", "SIGTERM"]);
});

Deno.test("jsonl: it runs where and with what it was told", async () => {
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "trifold-test-" }));
  const script =
    `printf '{"event":"title","data":{"title":"%s %s %s"}}\\n' "$PWD" "$GREETING" "\${PATH:+path}"`;
  const { events, ended } = startShell(script, { cwd: folder, env: { GREETING: "hi" } });
  await ended;
  const [event] = events();
  assert.equal(event?.event === "title" ? event.data.title : null, `${folder} hi path`);
  Deno.removeSync(folder);
});

Deno.test("jsonl: of stderr the last lines are kept, long ones cut, the open one shown", async () => {
  const { agent, ended } = startShell(
    `i=0; while [ $i -lt 300 ]; do echo "line $i" >&2; i=$((i+1)); done; head -c 9000 /dev/zero | tr '\\0' x >&2; echo >&2; printf 'é\\r\\nend' >&2`,
  );
  await ended;
  const tail = agent.stderrTail();
  assert.equal(tail.length, 200);
  assert.deepEqual(tail.slice(-2), ["é", "end"]);
  assert.match(tail.at(-3) ?? "", /^x{4000}$/);
  assert.equal(tail.at(-4), "line 299");
});

Deno.test("jsonl: a flood both ways stalls nobody", async () => {
  // It writes 20 MB before it reads a line; we have queued 5 MB for it by then.
  const line = `{"event":"text_delta","data":{"text":"${"x".repeat(1000)}"}}`;
  const { agent, ended, parsed } = startShell(`
    echo '${HELLO}'
    head -c 20000 /dev/zero | tr '\\0' '\\n' | while read -r l; do echo '${line}'; done
    bytes=$(head -c 5000000 | wc -c)
    printf '{"event":"title","data":{"title":"%s"}}\\n' $bytes`);
  for (let n = 0; n < 500; n++) agent.send({ method: "run", params: { input: "y".repeat(10_000) } });
  const end = await ended;
  assert.equal(end.kind, "exited", end.what);
  const titles = parsed.flatMap((each) =>
    each.kind === "event" && each.event.event === "title" ? [each.event.data.title.trim()] : []
  );
  assert.deepEqual(titles, ["5000000"]);
  assert.equal(
    parsed.filter((each) => each.kind === "event" && each.event.event === "text_delta").length,
    20_000,
  );
});

Deno.test("jsonl: faults after hello are problems, unknown names are counted, nothing ends", async () => {
  const { parsed, ended } = startShell(
    `echo '${HELLO}'; echo; echo oops; echo '{"event":"from_the_future"}'; echo '{"event":"status","data":{"status":7}}'`,
  );
  assert.equal((await ended).kind, "exited");
  assert.deepEqual(parsed.map((each) => each.kind), ["event", "problem", "unknown", "problem"]);
});

Deno.test("jsonl: what a gone child left in the pipe is still read, and its heirs do not hold the end up", async () => {
  const startMs = performance.now();
  const { events, ended } = startShell(
    `(sleep 60)& echo '${HELLO}'; echo '{"event":"title","data":{"title":"last words"}}'`,
  );
  assert.equal((await ended).kind, "exited");
  assert.equal(events().length, 2);
  assert.ok(performance.now() - startMs < 30_000);
});
