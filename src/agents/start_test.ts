// Which protocol a program is taken to speak, and what is said of one that speaks none.

import assert from "node:assert/strict";
import type { ParsedEvent } from "../transcript/event.ts";
import type { AgentEnd } from "./agent.ts";
import { startAgent, type StartSpec } from "./start.ts";

const HELLO = `{"event":"hello","data":{"protocol":"pod-jsonl","version":1,"agent":"x"}}`;
const INITIALIZED = `{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":1,"agentInfo":{"name":"x"}}}`;
const SESSION = `{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s1"}}`;

function startShell(script: string, spec: Partial<StartSpec> = {}) {
  const parsed: ParsedEvent[] = [];
  const ended = Promise.withResolvers<AgentEnd>();
  const agent = startAgent(
    { protocol: "detect", command: "sh", args: ["-c", script], cwd: "/", killAfterMs: 300, ...spec },
    { onEvents: (news) => void parsed.push(...news), onEnd: (end) => ended.resolve(end) },
  );
  const names = () => parsed.map((one) => one.kind === "event" ? one.event.event : one.kind);
  return { agent, parsed, names, ended: ended.promise };
}

Deno.test("start: a program that says hello speaks pod JSONL, whatever was sent to it", async () => {
  const { agent, names, ended, parsed } = startShell(
    `echo 'Welcome'; read -r first; echo '${HELLO}'; read -r second
     case $first$second in *initialize*'"method":"run"'*) echo '{"event":"title","data":{"title":"both"}}';; esac`,
  );
  // Held until it is known what to say it in.
  agent.send({ method: "run", params: { input: "hi" } });
  assert.equal((await ended).kind, "exited");
  assert.deepEqual(names().filter((name) => name !== "starting"), ["problem", "hello", "title"]);
  assert.ok(
    parsed.some((one) =>
      one.kind === "event" && one.event.event === "title" && one.event.data.title === "both"
    ),
  );
  assert.equal(agent.sessionId?.(), null);
});

Deno.test("start: a program that answers initialize speaks ACP, banners before it or not", async () => {
  const { agent, names, ended } = startShell(
    `echo 'npm notice'; read -r line; echo '${INITIALIZED}'; read -r line; echo '${SESSION}'; read -r line`,
  );
  agent.send({ method: "run", params: { input: "hi", message_id: "u1" } });
  const end = await ended;
  assert.deepEqual([end.kind, end.wasThere], ["exited", true]);
  assert.equal(agent.sessionId?.(), "s1");
  assert.deepEqual(names().filter((name) => name !== "starting"), [
    "problem",
    "hello",
    "history",
    "options",
    "user_message",
    "turn_start",
    "step_start",
    "status",
    "step_end",
    "turn_end",
    "status",
  ]);
});

/** [what is wrong, script, options, end kind, wasThere, what the person reads] */
const FAULTS: readonly (readonly [
  string,
  string,
  Partial<StartSpec>,
  AgentEnd["kind"],
  boolean,
  RegExp,
])[] = [
  [
    "says nothing and ends",
    "echo 'Cannot find module' >&2; exit 3",
    {},
    "exited",
    false,
    /^Cannot talk to sh -c .* it ended with exit code 3 before it said anything, expected an answer to ACP's initialize.*, or a first line like .*its last line on stderr: Cannot find module$/s,
  ],
  ["prints help", "for n in 1 2 3; do echo usage; done", {}, "not_understood", false, /got: usage$/],
  ["prints no end of it", "yes", {}, "not_understood", false, /^Cannot talk to/],
  [
    "never answers",
    "cat > /dev/null",
    { answerWithinMs: 200 },
    "silent",
    false,
    /^Cannot talk to .*no answer in 0\.2 s, expected an answer to ACP's initialize/s,
  ],
  [
    "says it back",
    "cat",
    { protocol: "acp" },
    "not_understood",
    false,
    /initialize failed: .*Method not found/,
  ],
  [
    "refuses initialize",
    `read -r l; echo '{"id":0,"error":{"code":"E_NO","message":"not today"}}'; cat`,
    {},
    "not_understood",
    false,
    /initialize failed: not today$/,
  ],
  [
    "speaks a later version",
    `read -r l; echo '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":2}}'; cat`,
    {},
    "not_understood",
    false,
    /speaks version 2 of the Agent Client Protocol, expected 1$/,
  ],
  [
    "makes no session",
    `read -r l; echo '${INITIALIZED}'; read -r l; echo '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"disk full"}}'; cat`,
    {},
    "no_session",
    true,
    /^Cannot start a session with x: disk full$/,
  ],
  [
    "is silent about its session",
    `read -r l; echo '${INITIALIZED}'; cat > /dev/null`,
    { sessionWithinMs: 200 },
    "no_session",
    true,
    /^Cannot start a session with x: no answer in 0\.2 s$/,
  ],
  [
    "dies while the session is made",
    `read -r l; echo '${INITIALIZED}'; read -r l; echo 'no token' >&2; exit 1`,
    {},
    "exited",
    true,
    /ended with exit code 1; its last line on stderr: no token$/,
  ],
];

for (const [name, script, options, kind, wasThere, what] of FAULTS) {
  Deno.test(`start: a program that ${name}`, async () => {
    const { ended } = startShell(script, options);
    const end = await ended;
    assert.deepEqual([end.kind, end.wasThere], [kind, wasThere], end.what);
    assert.match(end.what, what);
  });
}

Deno.test("start: pod JSONL asked for is spoken at once, and nothing else", async () => {
  const { agent, names, parsed, ended } = startShell(
    `echo '${HELLO}'; read -r line; printf '{"event":"title","data":{"title":"%s"}}\\n' "\${#line}"`,
    { protocol: "pod-jsonl" },
  );
  agent.send({ method: "cancel", params: {} });
  assert.equal((await ended).kind, "exited");
  assert.deepEqual(names(), ["hello", "title"]);
  const [, title] = parsed;
  const length = JSON.stringify({ method: "cancel", params: {} }).length;
  assert.equal(
    title?.kind === "event" && title.event.event === "title" ? title.event.data.title : "",
    `${length}`,
  );
});
