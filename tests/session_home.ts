// A home folder in which every known agent keeps sessions, as many as wanted, each in its own layout and with records of
// its own form; for tests and figures of `trifold sessions`.

/** What is in such a home. */
export interface SessionHome {
  readonly home: string;
  /** Directory that a share of the sessions of each agent is about. */
  readonly here: string;
  /** Sessions in all, and of `here`. */
  readonly count: number;
  readonly hereCount: number;
}

type Kept = readonly [path: string, text: string];
/** Files of the session numbered `at` in a directory; the first is the one that is listed. */
type Keep = (at: number, directory: string) => readonly Kept[];

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 0, 1);

const lines = (records: readonly object[]) => records.map((record) => JSON.stringify(record) + "\n").join("");
const dashed = (directory: string) => directory.replace(/[^A-Za-z0-9]/g, "-");
const isoTime = (at: number) => new Date(START_MS + at * 1000).toISOString();
/** What makes a session longer than its beginning. */
const FILLER = "word ".repeat(600);

/** How each agent keeps a session; the layouts of `session_places.ts`. */
const KEEPS: readonly Keep[] = [
  (at, directory) => {
    const common = { sessionId: `c${at}`, cwd: directory, timestamp: isoTime(at) };
    const user = { role: "user", content: `claude words ${at}` };
    const answer = { id: `m${at}`, role: "assistant", content: [{ type: "text", text: FILLER }] };
    return [[
      `.claude/projects/${dashed(directory)}/c${at}.jsonl`,
      lines([
        { ...common, type: "user", uuid: `u${at}`, parentUuid: null, message: user },
        { ...common, type: "assistant", uuid: `a${at}`, parentUuid: `u${at}`, message: answer },
        { type: "ai-title", aiTitle: `Claude title ${at}`, sessionId: `c${at}` },
      ]),
    ]];
  },
  (at, directory) => {
    const day = new Date(START_MS + (at % 300) * DAY_MS).toISOString().slice(0, 10).replaceAll("-", "/");
    const of = (type: string, payload: object) => ({ timestamp: isoTime(at), type, payload });
    return [[
      `.codex/sessions/${day}/rollout-${at}.jsonl`,
      lines([
        of("session_meta", {
          id: `x${at}`,
          timestamp: isoTime(at),
          cwd: directory,
          originator: "codex",
          instructions: FILLER,
        }),
        of("event_msg", { type: "user_message", message: `codex words ${at}` }),
        of("event_msg", { type: "agent_message", message: FILLER }),
      ]),
    ]];
  },
  (at, directory) => [[
    `.pi/agent/sessions/--${dashed(directory).slice(1)}--/p${at}.jsonl`,
    lines([
      { type: "session", version: 3, id: `p${at}`, timestamp: isoTime(at), cwd: directory },
      {
        type: "message",
        id: `q${at}`,
        parentId: null,
        timestamp: isoTime(at),
        message: { role: "user", content: [{ type: "text", text: `pi words ${at}` }] },
      },
    ]),
  ]],
  (at, directory) => {
    const project = `.gemini/tmp/${dashed(directory)}`;
    const message = { id: `g${at}`, timestamp: isoTime(at), type: "user", content: `gemini words ${at}` };
    const header = {
      sessionId: `s${at}`,
      projectHash: "h",
      startTime: isoTime(at),
      lastUpdated: isoTime(at),
    };
    return [
      at % 2 === 0
        ? [`${project}/chats/session-${at}.jsonl`, lines([{ ...header, kind: "main" }, message])]
        : [
          `${project}/chats/session-${at}.json`,
          JSON.stringify({ ...header, messages: [message] }, null, 2),
        ],
      [`${project}/.project_root`, directory],
    ];
  },
  (at, directory) => [[
    `.qwen/projects/${dashed(directory)}/chats/w${at}.jsonl`,
    lines([{
      uuid: `w${at}`,
      parentUuid: null,
      sessionId: `w${at}`,
      timestamp: isoTime(at),
      type: "user",
      cwd: directory,
      message: { role: "user", parts: [{ text: `qwen words ${at}` }] },
    }]),
  ]],
  (at, directory) => [[
    `.local/share/opencode/storage/session/${dashed(directory)}/ses_${at}.json`,
    JSON.stringify({
      id: `ses_${at}`,
      projectID: dashed(directory),
      directory,
      title: `OpenCode title ${at}`,
      time: { created: START_MS, updated: START_MS + at },
    }),
  ], [
    `.local/share/opencode/storage/project/${dashed(directory)}.json`,
    JSON.stringify({ id: dashed(directory), worktree: directory }),
  ]],
  (at, directory) => [[
    `.dsh/sessions/${dashed(directory)}/d${at}/session.jsonl`,
    lines([
      { type: "session", version: 0, id: `d${at}`, createdAt: START_MS + at, cwd: directory },
      { type: "turn/start", seq: 0, time: START_MS + at, data: { turn: 1, trigger: { kind: "message" } } },
      {
        type: "user/message",
        seq: 1,
        time: START_MS + at,
        data: { content: [{ type: "text", text: `dsh words ${at}` }], source: { kind: "user" } },
        surfaceOp: "append",
      },
    ]),
  ]],
];

/** Directories that the sessions are about; one in so many is `here`. */
const DIRECTORIES = 20;

/** Makes a home with that many sessions, those with higher numbers newer. */
export async function makeSessionHome(home: string, count: number): Promise<SessionHome> {
  let hereCount = 0;
  const here = `${home}/work/project-0`;
  await Deno.mkdir(here, { recursive: true });
  const made = new Set<string>();
  for (let at = 0; at < count; at++) {
    const keep = KEEPS[at % KEEPS.length];
    if (keep === undefined) continue;
    const number = Math.floor(at / KEEPS.length) % DIRECTORIES;
    if (number === 0) hereCount++;
    const [session, ...beside] = keep(at, `${home}/work/project-${number}`);
    for (const [name, text] of session === undefined ? [] : [session, ...beside]) {
      const path = `${home}/${name}`;
      const folder = path.slice(0, path.lastIndexOf("/"));
      if (!made.has(folder)) await Deno.mkdir(folder, { recursive: true });
      made.add(folder);
      await Deno.writeTextFile(path, text);
    }
    if (session === undefined) continue;
    const time = new Date(START_MS + at * 60_000);
    await Deno.utime(`${home}/${session[0]}`, time, time);
  }
  return { home, here, count, hereCount };
}
