import assert from "node:assert/strict";
import { zstdCompressSync } from "node:zlib";
import { openFolderSource, openSource, readSource, type Source } from "./source.ts";

/** A file with these bytes, for as long as `run` takes. */
async function withFile(bytes: Uint8Array | string, run: (path: string) => Promise<void>): Promise<void> {
  const path = await Deno.makeTempFile({ suffix: ".jsonl" });
  try {
    await Deno.writeFile(path, typeof bytes === "string" ? new TextEncoder().encode(bytes) : bytes);
    await run(path);
  } finally {
    await Deno.remove(path);
  }
}

async function textOf(source: Source): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const read of readSource(source)) {
    assert.equal(read.kind, "bytes");
    if (read.kind === "bytes") text += decoder.decode(read.bytes, { stream: true });
  }
  return text;
}

/** Why the recording cannot be opened. */
async function faultOf(path: string): Promise<string> {
  const opened = await openSource(path);
  if (opened.kind === "source") opened.close();
  assert.equal(opened.kind, "problem");
  return opened.kind === "problem" ? opened.what : "";
}

Deno.test("source: the same bytes, whatever the length of the pieces", async () => {
  const text = '{"event":"hello"}\n'.repeat(100) + "宽";
  await withFile(text, async (path) => {
    for (const chunkLength of [1, 7, 1 << 18]) {
      const source = await openSource(path, { chunkLength });
      assert.ok(source.kind === "source");
      assert.equal(source.byteLength, new TextEncoder().encode(text).length);
      assert.equal(await textOf(source), text);
      source.close();
      source.close();
      assert.deepEqual(await source.next(), { kind: "end" });
    }
  });
});

Deno.test("source: a file that grew gives more after its end", async () => {
  await withFile("{}\n", async (path) => {
    const source = await openSource(path);
    assert.ok(source.kind === "source");
    assert.equal(await textOf(source), "{}\n");
    await Deno.writeTextFile(path, "[]\n", { append: true });
    assert.equal(await textOf(source), "[]\n");
    source.close();
  });
});

Deno.test("U13 source: a missing, empty or wrong file is said with what to do, and nothing is thrown", async () => {
  assert.match(
    await faultOf("/nowhere/at/all.jsonl"),
    /^Cannot open recording "\/nowhere\/at\/all.jsonl": there is no such file; check the path$/,
  );
  assert.match(await faultOf(""), /path is empty/);
  const folder = await Deno.makeTempDir();
  assert.match(await faultOf(folder), /it is a directory; give a file inside it/);
  await Deno.remove(folder);
  await withFile(
    "",
    async (path) => assert.match(await faultOf(path), /it is empty; give a recorded session/),
  );
  await withFile("{}", async (path) => assert.match(await faultOf(`${path}/x`), /Cannot open recording/));
  await withFile(
    new Uint8Array([0x1f, 0x8b, 8, 0]),
    async (path) => assert.match(await faultOf(path), /gzip/),
  );
  await withFile(
    new Uint8Array([0xff, 0xfe, 0x7b, 0]),
    async (path) => assert.match(await faultOf(path), /UTF-16/),
  );
  await withFile(
    new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 0, 0, 1]),
    async (path) => assert.match(await faultOf(path), /binary/),
  );
});

Deno.test("U13 source: damage inside a recording is left to the line reader; the file is never written", async () => {
  const bytes = new TextEncoder().encode('\ufeff{"event":"hello"}\n' + "\0".repeat(64) + "\n{}");
  await withFile(bytes, async (path) => {
    await Deno.chmod(path, 0o400);
    const source = await openSource(path);
    assert.ok(source.kind === "source");
    for await (const read of readSource(source)) assert.equal(read.kind, "bytes");
    source.close();
    assert.deepEqual(await Deno.readFile(path), bytes);
  });
});

Deno.test("source: standard input is read to its end", async () => {
  const program = `
    import { openSource, readSource } from ${JSON.stringify(new URL("./source.ts", import.meta.url).href)};
    const source = await openSource("-");
    if (source.kind === "problem") console.log(source.what);
    else {
      let count = 0;
      for await (const read of readSource(source)) count += read.kind === "bytes" ? read.bytes.length : 0;
      console.log(source.name, source.byteLength, count);
    }`;
  const run = async (input: string): Promise<string> => {
    const child = new Deno.Command(Deno.execPath(), {
      args: ["eval", "--no-check", program],
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(input));
    await writer.close();
    return new TextDecoder().decode((await child.output()).stdout).trim();
  };
  assert.equal(await run('{"event":"hello"}\n'.repeat(5000)), "standard input null 90000");
  assert.equal(await run(""), 'Cannot open recording "standard input": it is empty; give a recorded session');
});

Deno.test("source: a Zstandard log is unpacked, also while its last frame is still being written", async () => {
  const pack = (text: string) => new Uint8Array(zstdCompressSync(new TextEncoder().encode(text)));
  const [first, second] = [pack('{"type":"session"}\n'.repeat(900)), pack('{"type":"turn/start"}\n')];
  await withFile(new Uint8Array([...first, ...second.subarray(0, 9)]), async (path) => {
    const source = await openSource(path, { chunkLength: 10 });
    assert.ok(source.kind === "source");
    assert.equal(source.byteLength, null);
    assert.equal(await textOf(source), '{"type":"session"}\n'.repeat(900));
    await Deno.writeFile(path, second.subarray(9), { append: true });
    assert.equal(await textOf(source), '{"type":"turn/start"}\n');
    source.close();
  });
  await withFile(new Uint8Array([...first, ...new Uint8Array(32).fill(0xab)]), async (path) => {
    const source = await openSource(path);
    assert.ok(source.kind === "source");
    const read = await source.next();
    assert.match(read.kind === "problem" ? read.what : "", /its Zstandard data is damaged/);
    source.close();
  });
});

Deno.test("source: OpenCode's folder is one session, the newest or the named one", async () => {
  const folder = new URL("../../testdata/opencode-store", import.meta.url).pathname;
  const idOf = async (session: string | null): Promise<string> => {
    const source = await openFolderSource(folder, { session });
    return source.kind === "source" ? JSON.parse(await textOf(source)).info.id : source.what;
  };
  assert.equal(await idOf(null), "ses_main");
  assert.equal(await idOf("ses_old"), "ses_old");
  assert.match(await idOf("nowhere"), /there is no session "nowhere" in this folder/);
  const opened = await openSource(folder);
  assert.ok(opened.kind === "source");
  assert.equal(JSON.parse(await textOf(opened)).children.length, 1);
  const plain = await Deno.makeTempDir();
  assert.match(await faultOf(plain), /it is a directory/);
  assert.match((await openFolderSource(plain) as { what: string }).what, /there is no session of OpenCode/);
  await Deno.remove(plain);
});
