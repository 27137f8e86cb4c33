// A folder given instead of a file.

import assert from "node:assert/strict";
import { openFiles } from "./recording_files.ts";

const TESTDATA = new URL("../../../testdata/", import.meta.url).pathname;

Deno.test("open: a folder with one session is that session, one with several names them", async () => {
  const folder = await Deno.makeTempDir({ prefix: "trifold_folder_" });
  const keep = async (from: string, name: string, ageMs: number) => {
    await Deno.copyFile(`${TESTDATA}${from}`, `${folder}/${name}`);
    const time = new Date(Date.now() - ageMs);
    await Deno.utime(`${folder}/${name}`, time, time);
  };
  const opened = async () => {
    const files = await openFiles(folder, { follow: false });
    if (files.kind === "problem") return files.what;
    files.close();
    return files.name.slice(folder.length + 1);
  };
  try {
    assert.match(await opened(), /: it is a directory without a session of a known format; give a file/);
    await Deno.writeTextFile(`${folder}/meta.json`, '{"title": "no session"}');
    await Deno.writeTextFile(`${folder}/notes.txt`, "words");
    await Deno.writeTextFile(`${folder}/broken.jsonl`, "words\n");
    await Deno.mkdir(`${folder}/below.jsonl`);
    await keep("claude-agents/events.jsonl", "agent-1.jsonl", 0);
    assert.match(await opened(), /without a session/);
    await keep("dsh-first/events.jsonl", "session.jsonl", 5000);
    assert.equal(await opened(), "session.jsonl");
    await keep("dsh-first/events.jsonl", "session.1.jsonl", 0);
    await keep("dsh-third/events.jsonl", "session.v2.jsonl", 9000);
    assert.equal(await opened(), "session.v2.jsonl", "the newest form of one session");
    await keep("opencode-export/export.json", "export.json", 7000);
    const [what, ...rows] = (await opened()).split("\n");
    assert.match(what ?? "", /it holds 2 sessions; give one of them, newest first:$/);
    assert.deepEqual(rows, [`  ${folder}/export.json`, `  ${folder}/session.v2.jsonl`]);
    for (let at = 0; at < 12; at++) await keep("pi-session/events.jsonl", `p${at}.jsonl`, 0);
    assert.match(await opened(), /it holds 14 sessions[^]*\n {2}and 4 more$/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("open: each format's recording is found in a folder of its own", async () => {
  for (const entry of Deno.readDirSync(TESTDATA)) {
    const path = `${TESTDATA}${entry.name}/events.jsonl`;
    const info = await Deno.stat(path).catch(() => null);
    if (info === null || info.size === 0) continue;
    const files = await openFiles(`${TESTDATA}${entry.name}`, { follow: false });
    assert.ok(files.kind === "source", files.kind === "problem" ? files.what : "");
    assert.equal(files.name, path);
    files.close();
  }
});
