// How much a list of sessions opens: nothing before its first rows, only what a screen shows before their titles, and
// of the sessions of one directory only those that may be of it.

import assert from "node:assert/strict";
import { makeSessionHome, type SessionHome } from "../../../tests/session_home.ts";
import type { Input } from "../effect.ts";
import type { PickerItem } from "../panels/picker_panel.ts";
import { listSessions } from "./pick_session.ts";
import { type Here, hereOf } from "./session_here.ts";
import { findSessions } from "./session_places.ts";

/** Paths opened while `run` goes on, as far as they lie in `home`. */
async function opened(home: string, run: (paths: readonly string[]) => Promise<void>): Promise<void> {
  const { openSync, open, readTextFileSync, readTextFile } = Deno;
  const paths: string[] = [];
  const note = (path: string | URL) => {
    if (String(path).startsWith(home)) paths.push(String(path).slice(home.length + 1));
  };
  Deno.openSync = (path, options) => (note(path), openSync(path, options));
  Deno.open = (path, options) => (note(path), open(path, options));
  Deno.readTextFileSync = (path) => (note(path), readTextFileSync(path));
  Deno.readTextFile = (path, options) => (note(path), readTextFile(path, options));
  try {
    await run(paths);
  } finally {
    Object.assign(Deno, { openSync, open, readTextFileSync, readTextFile });
  }
}

async function withHome(count: number, run: (home: SessionHome) => Promise<void>): Promise<void> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "trifold_home_" }));
  try {
    await run(await makeSessionHome(folder, count));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** The lists as they are given, with how many files had been opened by then. */
async function listsOf(
  { home }: SessionHome,
  here: Here | null,
): Promise<{ readonly lists: readonly GivenList[]; readonly paths: readonly string[] }> {
  const lists: GivenList[] = [];
  let all: readonly string[] = [];
  await opened(home, async (paths) => {
    const give = (input: Input): Promise<void> => {
      assert.ok(input.kind === "session_items");
      lists.push({ items: input.items, isEnd: input.isEnd, opened: paths.length });
      return Promise.resolve();
    };
    const skipped: string[] = [];
    const environment = (name: string) => name === "HOME" ? home : undefined;
    const list = listSessions({
      here,
      find: (look) => findSessions({ environment, pods: null, here, look }),
      skipped,
      hints: [],
    });
    await list({ give, isOver: () => false, ready: () => {} });
    assert.deepEqual(skipped, []);
    all = [...paths];
  });
  return { lists, paths: all };
}

interface GivenList {
  readonly items: readonly PickerItem[];
  readonly isEnd: boolean;
  readonly opened: number;
}

const hasTitle = (item: PickerItem | undefined) => /words|title/.test(item?.label ?? "");

Deno.test("sessions: rows are there before any file is opened, titles before others than theirs are", async () => {
  for (const count of [210, 700]) {
    await withHome(count, async (made) => {
      const { lists } = await listsOf(made, null);
      const first = lists.find(({ items }) => items.length > 0);
      assert.equal(first?.opened, 0);
      const whole = lists.find(({ items }) => items.length === count);
      assert.equal(whole?.opened, 0, "all rows are there before the first file is opened");
      const titled = lists.find(({ items }) => hasTitle(items[0]));
      const shown = titled?.items.filter(hasTitle).length ?? 0;
      assert.ok(shown > 0 && shown <= 60, `${shown} titles at first`);
      // A project's own file beside, and one more for what is being read.
      assert.ok((titled?.opened ?? Infinity) <= shown + 25, `${titled?.opened} files for ${shown} titles`);
      const end = lists.at(-1);
      assert.ok(end?.isEnd === true && end.items.length === count && end.items.every(hasTitle));
      // Newest first, whatever was read when.
      const numbers = end.items.map(({ label }) => Number(/\d+$/.exec(label)?.[0]));
      assert.deepEqual(numbers, [...numbers].sort((a, b) => b - a));
    });
  }
});

Deno.test("sessions --here: folders of other directories are not looked into", async () => {
  await withHome(700, async (made) => {
    const { lists, paths } = await listsOf(made, await hereOf(made.here, null));
    const end = lists.at(-1);
    assert.equal(end?.items.length, made.hereCount);
    assert.ok(end.items.every(hasTitle));
    assert.ok(made.hereCount > 20);
    // Codex and DeepSeek Harness say it in the first line only.
    const others = paths.filter((path) =>
      !/^\.(codex|dsh)\/|\.project_root$|\/project\/|projects\.json$/.test(path)
    );
    assert.ok(others.length <= made.hereCount, others.join("\n"));
    const first = paths.filter((path) => /^\.(codex|dsh)\//.test(path));
    assert.equal(first.length, new Set(first).size, "each is opened once");
  });
});

Deno.test("sessions --here: a name that does not tell is not held against a session", async () => {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "trifold_home_" }));
  const here = `${folder}/work`;
  const long = `${folder}/${"deep/".repeat(40)}end`;
  await Deno.mkdir(here);
  const keep = async (path: string, text: string) => {
    await Deno.mkdir(`${folder}/${path}`.replace(/[^/]*$/, ""), { recursive: true });
    await Deno.writeTextFile(`${folder}/${path}`, text);
  };
  const claude = (directory: string) =>
    JSON.stringify({
      sessionId: "s",
      cwd: directory,
      type: "user",
      uuid: "u",
      parentUuid: null,
      timestamp: "2026-01-01T00:00:00Z",
      message: { role: "user", content: "words" },
    }) + "\n";
  const gemini = JSON.stringify({ sessionId: "s", projectHash: "h", startTime: "2026-01-01T00:00:00Z" }) +
    "\n" +
    JSON.stringify({ id: "m", timestamp: "2026-01-01T00:00:00Z", type: "user", content: "words" }) + "\n";
  const hash = async (text: string) => {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  };
  await keep(".claude/projects/odd-name/a.jsonl", claude(here));
  await keep(`.claude/projects/${here.replace(/\W|_/g, "-")}/b.jsonl`, claude(here));
  await keep(`.claude/projects/${here.replace(/\W|_/g, "-")}/c.jsonl`, claude(`${here}/below`));
  await keep(`.claude/projects/${"-long".repeat(45)}/d.jsonl`, claude(long));
  await keep(".claude/projects/-elsewhere/e.jsonl", claude("/elsewhere"));
  await keep(`.gemini/tmp/${await hash(here)}/chats/session-f.jsonl`, gemini);
  await keep(`.gemini/tmp/${await hash("/elsewhere")}/chats/session-g.jsonl`, gemini);
  await keep(".gemini/tmp/work-1/chats/session-h.jsonl", gemini);
  await keep(
    ".gemini/projects.json",
    JSON.stringify({ projects: { [here]: "work-1", "/elsewhere": "work-2" } }),
  );
  await keep(".gemini/tmp/work-2/chats/session-i.jsonl", gemini);
  try {
    const made = { home: folder, here, count: 0, hereCount: 0 };
    const namesIn = async (directory: string) => {
      const { lists } = await listsOf(made, await hereOf(directory, null));
      return (lists.at(-1)?.items ?? []).map(({ id }) => id.replace(/^.*[/-]/, "").replace(/\.\w+$/, ""))
        .sort();
    };
    assert.deepEqual(await namesIn(here), ["a", "b", "f", "h"]);
    assert.deepEqual(await namesIn(long), ["d"]);
    assert.deepEqual(await namesIn("/elsewhere"), ["e", "g", "i"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
