// Sockets and their directories: ours alone, found again after a kill, and never another's.

import assert from "node:assert/strict";
import { createPod, filesOf, listPods, podDirectory } from "./directory.ts";
import { isLogHeld, openLog } from "./log.ts";
import { checkPrivate, makePrivateDirectory, NotPrivateError, placesOf, socketPathOf } from "./places.ts";
import { openTestPod, until, withPlaces } from "./pod_test_helper.ts";
import { canConnect, connectTo, listenAt } from "./socket.ts";

const modeOf = (path: string) => (Deno.lstatSync(path).mode ?? 0) & 0o777;

Deno.test("socket 0600, directories 0700, log and meta 0600, and the process keeps its own umask", async () => {
  await withPlaces(async (places) => {
    const umask = Deno.umask(0o022);
    try {
      const pod = await openTestPod(places);
      pod.agent.hello();
      await pod.connect();
      assert.equal(modeOf(pod.meta.socket), 0o600);
      assert.equal(modeOf(places.sockets), 0o700);
      assert.equal(modeOf(pod.files.directory), 0o700);
      for (const file of [pod.files.log, pod.files.meta]) assert.equal(modeOf(file), 0o600);
      // What an agent's children make gets the rights the person asked for.
      assert.equal(Deno.umask(), 0o022);
      await pod.host.end("test");
      await pod.ended;
    } finally {
      Deno.umask(umask);
    }
  });
});

Deno.test("a directory or socket that others can get into is refused in words", async () => {
  await withPlaces(async (places, root) => {
    Deno.mkdirSync(places.sockets, { mode: 0o700 });
    Deno.chmodSync(places.sockets, 0o755);
    await assert.rejects(openTestPod(places), (error: Error) => {
      assert.ok(error instanceof NotPrivateError);
      assert.match(error.message, /its mode 755 lets others in; it must be 700 \(chmod 700 does it\)/);
      return true;
    });
    Deno.chmodSync(places.sockets, 0o700);
    const server = await listenAt(`${places.sockets}/a.sock`);
    Deno.chmodSync(`${places.sockets}/a.sock`, 0o666);
    await assert.rejects(
      connectTo(`${places.sockets}/a.sock`),
      /its mode 666 lets others in; it must be 600/,
    );
    server.close();
    Deno.writeTextFileSync(`${places.sockets}/file`, "", { mode: 0o600 });
    await assert.rejects(connectTo(`${places.sockets}/file`), /it is no socket/);
    Deno.mkdirSync(`${root}/real`, { mode: 0o700 });
    Deno.symlinkSync(`${root}/real`, `${root}/link`);
    assert.throws(() => checkPrivate(`${root}/link`, "directory"), /it is no directory/);
  });
});

Deno.test({
  name: "a directory or socket of another user is refused in words",
  // Only root can make one.
  ignore: Deno.uid() !== 0,
  fn: async () => {
    await withPlaces((_places, root) => {
      makePrivateDirectory(`${root}/theirs`);
      Deno.chownSync(`${root}/theirs`, 12345, null);
      assert.throws(
        () => makePrivateDirectory(`${root}/theirs`),
        /the directory belongs to user 12345, and must belong to you \(user 0\)/,
      );
      return Promise.resolve();
    });
  },
});

Deno.test("a socket left by a pod that was killed is taken over, one that answers is not", async () => {
  await withPlaces(async (places) => {
    makePrivateDirectory(places.sockets);
    const path = `${places.sockets}/a.sock`;
    // A process that was killed leaves its socket's file.
    const script = `Deno.listen({ transport: "unix", path: ${
      JSON.stringify(path)
    } }); Deno.kill(Deno.pid, "SIGKILL");`;
    await new Deno.Command(Deno.execPath(), { args: ["eval", script], stderr: "null" }).output();
    assert.ok(Deno.lstatSync(path).isSocket);
    assert.equal(await canConnect(path), false);
    const server = await listenAt(path);
    assert.equal(await canConnect(path), true);
    await assert.rejects(listenAt(path), /another program answers there/);
    assert.equal(await canConnect(path), true, "the one that answers still does");
    server.close();
    assert.throws(() => Deno.lstatSync(path), Deno.errors.NotFound);
  });
});

Deno.test("a path too long for a socket falls back to the short directory, a name for each home", () => {
  const long = `/run/user/1000/${"x".repeat(90)}`;
  const places = placesOf(
    "/home/me/.local/state/trifold",
    (name) => name === "XDG_RUNTIME_DIR" ? long : undefined,
  );
  const path = socketPathOf(places, "ab12");
  assert.match(path, /^\/tmp\/trifold-\d+\/ab12-[0-9a-z]+\.sock$/);
  const other = placesOf("/home/other/.local/state/trifold", () => long);
  assert.notEqual(socketPathOf(other, "ab12"), path);
  const short = placesOf("/home/me/state/trifold", () => "/run/user/1000/");
  assert.equal(socketPathOf(short, "ab12"), "/run/user/1000/trifold/ab12.sock");
  const none = placesOf("/home/me/state/trifold", () => undefined);
  assert.match(socketPathOf(none, "ab12"), /^\/tmp\/trifold-/);
});

Deno.test("a pod whose path is too long is reached through the short directory", async () => {
  await withPlaces(async (places, root) => {
    const pod = await openTestPod({ ...places, sockets: `${root}/${"y".repeat(120)}` });
    pod.agent.hello();
    const client = await pod.connect();
    await until("history", () => client.of("history").length === 1);
    assert.ok(pod.meta.socket.startsWith(`${root}/short/`));
    await pod.host.end("test");
    await pod.ended;
  });
});

Deno.test("no two pods write one log", async () => {
  await withPlaces(async (places) => {
    const pod = await openTestPod(places);
    pod.agent.hello();
    await assert.rejects(openTestPod(places, { meta: pod.meta }), /another process writes its log/);
    // Null where a lock cannot be tried.
    assert.notEqual(isLogHeld(pod.files.log), false);
    const client = await pod.connect();
    await until("history", () => client.of("history").length === 1);
    await pod.host.end("test");
    await pod.ended;
    assert.notEqual(isLogHeld(pod.files.log), true);
    const log = await openLog(pod.files.log);
    assert.ok(log !== null);
    log.close();
  });
});

Deno.test("where a lock cannot be tried, waiting for it stands in", async () => {
  await withPlaces(async (_places, root) => {
    const prototype = Deno.FsFile.prototype as unknown as Record<string, unknown>;
    const tryLockSync = prototype.tryLockSync;
    const held = await openLog(`${root}/log`);
    delete prototype.tryLockSync;
    try {
      assert.equal(isLogHeld(`${root}/log`), null);
      // In a process of its own: a wait for a lock cannot be called off.
      const script = `delete Deno.FsFile.prototype.tryLockSync;
        const { openLog } = await import(${JSON.stringify(new URL("log.ts", import.meta.url).href)});
        console.log(await openLog(${JSON.stringify(`${root}/log`)}) === null ? "held" : "taken");
        Deno.exit(0);`;
      const ask = async () => {
        const { stdout } = await new Deno.Command(Deno.execPath(), { args: ["eval", "--no-check", script] })
          .output();
        return new TextDecoder().decode(stdout).trim();
      };
      assert.equal(await ask(), "held");
      held?.close();
      assert.equal(await ask(), "taken");
    } finally {
      if (tryLockSync !== undefined) prototype.tryLockSync = tryLockSync;
    }
  });
});

Deno.test("a socket whose directory was wiped comes back, and those who are connected notice nothing", async () => {
  await withPlaces(async (places) => {
    const pod = await openTestPod(places);
    pod.agent.hello();
    const client = await pod.connect();
    await until("history", () => client.of("history").length === 1);
    Deno.removeSync(places.sockets, { recursive: true });
    pod.agent.say(["title", { title: "still here" }]);
    await until("the title", () => client.transcript.title === "still here");
    await until("the socket", () => {
      try {
        return Deno.lstatSync(pod.meta.socket).isSocket === true;
      } catch {
        return false;
      }
    });
    const other = await pod.connect();
    await until("history", () => other.of("history").length === 1);
    assert.equal(other.transcript.title, "still here");
    await pod.host.end("test");
    await pod.ended;
  });
});

Deno.test("a pod whose log was removed ends when nobody is there, and says so to who is", async () => {
  await withPlaces(async (places) => {
    const pod = await openTestPod(places);
    pod.agent.hello();
    const client = await pod.connect();
    await until("history", () => client.of("history").length === 1);
    Deno.removeSync(places.pods, { recursive: true });
    await until("the row", () => client.of("notification").length === 1);
    assert.match(client.of("notification")[0]?.data.message ?? "", /was removed/);
    client.leave();
    assert.equal((await pod.ended).code, 1);
  });
});

Deno.test("lists: what runs, what can be resumed, nothing that was never begun", async () => {
  await withPlaces(async (places) => {
    assert.deepEqual(await listPods(places), []);
    const never = createPod(places, { agent: { kind: "demo" }, cwd: "/", idleEndMinutes: 1 });
    const pod = await openTestPod(places);
    pod.agent.hello();
    pod.agent.say(["title", { title: "A title" }], ["turn_start", { turn: 1 }]);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const [running, ...rest] = await listPods(places);
    assert.deepEqual([running?.isRunning, running?.meta.title, running?.meta.status, rest.length], [
      true,
      "A title",
      "running",
      0,
    ]);
    await pod.host.end("test");
    await pod.ended;
    assert.deepEqual((await listPods(places)).map((entry) => entry.isRunning), [false]);
    assert.ok(Deno.statSync(podDirectory(places, never.id)).isDirectory);
    Deno.writeTextFileSync(filesOf(podDirectory(places, pod.meta.id)).meta, "{ damaged");
    assert.deepEqual(await listPods(places), []);
  });
});
