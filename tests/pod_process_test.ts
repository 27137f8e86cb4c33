// Pods as real processes: what a kill at any moment leaves, what outlives what, and the commands about them.

import assert from "node:assert/strict";
import type { AgentSpec } from "../src/pod/agents.ts";
import {
  createPod,
  filesOf,
  isPodRunning,
  podDirectory,
  type PodMeta,
  readMeta,
} from "../src/pod/directory.ts";
import { connectToLaunched, type LaunchedPod, launchPod } from "../src/pod/launch.ts";
import type { Places } from "../src/pod/places.ts";
import { logLines, until, WatchingClient } from "../src/pod/pod_test_helper.ts";
import { MAIN, ROOT } from "./program_session.ts";
import { exists } from "./paths.ts";
import { randomOf } from "./bench/generate.ts";

const PROGRAM = {
  command: Deno.execPath(),
  args: ["run", "-A", "--no-check", "--config", `${ROOT}deno.json`, MAIN],
};
/** Says hello, then a turn of many events, slowly enough to be killed in the middle; names its pid in the title. */
const BUSY = `
echo '{"event":"hello","data":{"agent":"busy","capabilities":[]}}'
echo '{"event":"history","data":{"session_id":"s1"}}'
echo '{"event":"title","data":{"title":"'$$'"}}'
echo '{"event":"turn_start","data":{"turn":1}}'
i=0
while [ $i -lt 4000 ]; do
  i=$((i+1))
  echo '{"event":"text_delta","data":{"text":"word '$i' "}}'
  [ $((i % 10)) = 0 ] && sleep 0.005
done
sleep 60
`;
/** Says hello and does nothing but make a file. */
const QUIET = `
echo '{"event":"hello","data":{"agent":"quiet","capabilities":[]}}'
echo '{"event":"history","data":{}}'
touch made
exec cat >/dev/null
`;

const VICTIMS = ["pod", "agent", "client", "pod", "agent"] as const;
/** Moments at which something is killed. */
const POINTS = Deno.env.get("TRIFOLD_WAYS") === "all" ? 50 : 5;

interface World {
  readonly root: string;
  readonly places: Places;
  start(script: string): Promise<{ readonly pod: LaunchedPod; readonly client: WatchingClient }>;
  again(meta: PodMeta): Promise<{ readonly pod: LaunchedPod; readonly client: WatchingClient }>;
  /** Runs a command of the program; standard output and error. */
  run(...args: string[]): Promise<{ readonly code: number; readonly out: string; readonly err: string }>;
}

/** A home of its own; every pod in it is killed afterwards. */
async function withWorld(test: (world: World) => Promise<void>): Promise<void> {
  const root = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "pod-process-" }));
  const places = {
    pods: `${root}/state/trifold/pods`,
    sockets: `${root}/run/trifold`,
    shortSockets: `${root}/short`,
  };
  for (const name of ["run", "work"]) Deno.mkdirSync(`${root}/${name}`, { mode: 0o700 });
  const attach = async (pod: LaunchedPod) => {
    const client = new WatchingClient(await connectToLaunched(pod));
    void client.read();
    return { pod, client };
  };
  const world: World = {
    root,
    places,
    start: (script) => {
      const agent: AgentSpec = { kind: "command", command: "sh", args: ["-c", script] };
      return attach(
        launchPod(places, createPod(places, { agent, cwd: `${root}/work`, idleEndMinutes: 5 }), PROGRAM),
      );
    },
    again: (meta) => attach(launchPod(places, meta, PROGRAM)),
    run: async (...args) => {
      const { code, stdout, stderr } = await new Deno.Command(PROGRAM.command, {
        args: [...PROGRAM.args, ...args],
        cwd: `${root}/work`,
        stdin: "null",
        env: { HOME: root, XDG_STATE_HOME: `${root}/state`, XDG_RUNTIME_DIR: `${root}/run`, NO_COLOR: "1" },
      }).output();
      return { code, out: new TextDecoder().decode(stdout), err: new TextDecoder().decode(stderr) };
    },
  };
  // The end of a process is waited for, but keeps no program alive.
  const alive = setInterval(() => {}, 1000);
  try {
    await test(world);
  } finally {
    clearInterval(alive);
    for (const pid of pidsOf(places)) kill(pid, "SIGKILL");
    await removeAll(root);
  }
}

Deno.test("killed at any moment, pod, client or agent: no event that was in the log is lost", async () => {
  const seed = Number(Deno.env.get("SEED") ?? Date.now() % 1_000_000);
  const random = randomOf(seed);
  await withWorld(async (world) => {
    for (let point = 0; point < POINTS; point++) {
      const victim = VICTIMS[point % VICTIMS.length] ?? "pod";
      const afterMs = Math.round(random() * 250);
      const what = `seed ${seed}, ${victim} after ${afterMs} ms`;
      const { pod, client } = await world.start(BUSY);
      await until("the title", () => client.transcript.title !== "", 20_000);
      await delay(afterMs);
      const files = filesOf(podDirectory(world.places, pod.meta.id));
      if (victim === "client") client.leave();
      else if (victim === "agent") kill(Number(client.transcript.title), "SIGKILL");
      else kill(podPid(world.places, pod.meta.id), "SIGKILL");
      if (victim === "client") {
        await delay(50);
        assert.ok(await isPodRunning(files, pod.meta), `${what}: the pod goes on`);
        kill(podPid(world.places, pod.meta.id), "SIGTERM");
      }
      await pod.ended;
      await until("the client's end", () => client.isEnded);
      const logged = logLines(files.log);
      const seqs = new Set(logged.map((line) => line.seq));
      const lost = client.events.filter((event) => event.seq !== undefined && !seqs.has(event.seq));
      assert.deepEqual(lost, [], `${what}: seen, but not in the log`);
      if (victim === "agent") {
        assert.match(client.of("shutdown")[0]?.data.reason ?? "", /SIGKILL/, what);
        assert.ok(client.of("error").some((event) => event.data.fatal === true), what);
      }
      const text = logged.map((line) =>
        line.event === "text_delta" ? (line.data as { text: string }).text : ""
      ).join("");
      const later = await world.again(pod.meta);
      await until("history", () => later.client.of("history").length === 1, 20_000);
      const shown = later.client.transcript.blocks.flatMap((block) =>
        block.kind === "assistant_text" ? [block.text] : []
      );
      assert.ok(shown[0] === text || text === "", `${what}: ${shown[0]?.length} of ${text.length} are there`);
      kill(podPid(world.places, pod.meta.id), "SIGKILL");
      await later.pod.ended;
    }
  });
});

Deno.test("a pod leads a session of its own, has no terminal, and a hang-up is nothing to it", async () => {
  await withWorld(async (world) => {
    const { pod, client } = await world.start(QUIET);
    await until("history", () => client.of("history").length === 1, 20_000);
    const pid = podPid(world.places, pod.meta.id);
    const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
    const [, , group, session, terminal] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    assert.deepEqual([Number(group), Number(session), terminal], [pid, pid, "0"]);
    kill(pid, "SIGHUP");
    await delay(100);
    assert.equal(client.isEnded, false);
    // What the agent makes has the rights the person's umask gives.
    await until("the file", () => exists(`${world.root}/work/made`));
    const mode = (Deno.statSync(`${world.root}/work/made`).mode ?? 0) & 0o777;
    assert.equal(mode, 0o666 & ~Deno.umask());
    kill(pid, "SIGTERM");
    assert.equal(await pod.ended, 143);
    await until("its end", () => client.isEnded);
    assert.equal(client.of("shutdown")[0]?.data.reason, "ended by SIGTERM");
  });
});

Deno.test("a stopped client is dropped and told when it goes on; the agent is never held up", async () => {
  const flood = `
echo '{"event":"hello","data":{"agent":"flood"}}'
echo '{"event":"history","data":{}}'
text=$(head -c 60000 /dev/zero | tr '\\0' x)
i=0
while [ $i -lt 500 ]; do i=$((i+1)); echo '{"event":"text_delta","data":{"text":"'$text'"}}'; done
echo '{"event":"title","data":{"title":"through"}}'
exec cat >/dev/null
`;
  await withWorld(async (world) => {
    const agent: AgentSpec = { kind: "command", command: "sh", args: ["-c", flood] };
    const meta = createPod(world.places, { agent, cwd: world.root, idleEndMinutes: 5 });
    const pod = launchPod(world.places, meta, PROGRAM);
    // It connects and never reads.
    const stopped = new WatchingClient(await connectToLaunched(pod));
    const { log } = filesOf(podDirectory(world.places, meta.id));
    await until(
      "the agent's last event in the log",
      () => exists(log) && tailOf(log).includes("through"),
      20_000,
    );
    void stopped.read();
    await until("its end", () => stopped.isEnded);
    const last = stopped.events.at(-1);
    assert.ok(last?.event === "error" && /too slowly/.test(last.data.message));
  });
});

Deno.test("an agent that cannot be started: said in words, exit 1, and nothing is left of the pod", async () => {
  await withWorld(async (world) => {
    const agent: AgentSpec = { kind: "command", command: "/nonexistent/agent", args: [] };
    const meta = createPod(world.places, { agent, cwd: world.root, idleEndMinutes: 5 });
    const pod = launchPod(world.places, meta, PROGRAM);
    const client = new WatchingClient(await connectToLaunched(pod));
    await client.read();
    assert.equal(await pod.ended, 1);
    assert.match(client.of("error")[0]?.data.message ?? "", /no program "\/nonexistent\/agent" was found/);
    assert.equal(exists(podDirectory(world.places, meta.id)), false);
  });
});

Deno.test("a pod that fails before it listens says why through pod.log", async () => {
  await withWorld(async (world) => {
    const { pod, client } = await world.start(QUIET);
    await until("history", () => client.of("history").length === 1, 20_000);
    const second = launchPod(world.places, pod.meta, PROGRAM);
    assert.equal(await second.ended, 1);
    assert.match(second.said(), /another process writes its log/);
    const files = filesOf(podDirectory(world.places, pod.meta.id));
    assert.equal((Deno.statSync(files.errors).mode ?? 0) & 0o777, 0o600);
    await assert.rejects(
      connectToLaunched({ ...second, meta: { ...pod.meta, socket: `${world.root}/run/x.sock` } }),
      {
        message: /another process writes its log/,
      },
    );
  });
});

Deno.test("pods, stop, attach and resume on the command line", async () => {
  await withWorld(async (world) => {
    const none = await world.run("pods");
    assert.deepEqual([none.code, none.out], [
      0,
      "There are no pods in this directory; --all shows those of others\n",
    ]);
    const { pod, client } = await world.start(QUIET);
    await until("history", () => client.of("history").length === 1, 20_000);
    const { id } = pod.meta;
    const [listed, table, terminal, unknown] = await Promise.all([
      world.run("pods", "--json"),
      world.run("pods"),
      world.run("attach", id),
      // To some parsers of arguments a number.
      world.run("stop", "2e34"),
    ]);
    const [entry] = JSON.parse(listed.out);
    assert.deepEqual([entry.id, entry.running, entry.status, entry.cwd], [
      id,
      true,
      "idle",
      `${world.root}/work`,
    ]);
    assert.match(table.out, new RegExp(`^POD +STATUS +AGE +AGENT +TITLE +DIRECTORY\n${id} +idle`));
    assert.equal(terminal.code, 1);
    assert.match(terminal.err, /Cannot draw a full screen/);
    assert.deepEqual([unknown.code, unknown.err], [
      1,
      "There is no pod 2e34: trifold pods --all lists them\n",
    ]);
    // By the beginning of its id; what others wait for is told.
    const stopped = await world.run("stop", id.slice(0, 3));
    assert.deepEqual([stopped.code, stopped.out], [
      0,
      `Pod ${id} has ended; trifold resume ${id} starts it again\n`,
    ]);
    assert.equal(await pod.ended, 0);
    await until("its end", () => client.isEnded);
    assert.equal(client.of("shutdown")[0]?.data.reason, "requested");
    const again = await world.run("stop", id);
    assert.deepEqual([again.code, again.err], [1, `Cannot stop pod ${id}: it does not run\n`]);
    const after = JSON.parse((await world.run("pods", "--json")).out);
    assert.deepEqual([after[0].status, after[0].running, after[0].pid], ["stopped", false, null]);
  });
});

function podPid(places: Places, id: string): number {
  const meta = readMeta(filesOf(podDirectory(places, id)));
  if ("problem" in meta || meta.pid === null) throw new Error("The pod has no pid");
  return meta.pid;
}

function pidsOf(places: Places): number[] {
  if (!exists(places.pods)) return [];
  return [...Deno.readDirSync(places.pods)].flatMap(({ name }) => {
    const meta = readMeta(filesOf(`${places.pods}/${name}`));
    return "problem" in meta || meta.pid === null ? [] : [meta.pid];
  });
}

/** Only a process that this test started: its pid is read from a directory of this test. */
function kill(pid: number, signal: Deno.Signal): void {
  try {
    Deno.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}

async function removeAll(path: string): Promise<void> {
  for (let tries = 0;; tries++) {
    try {
      return Deno.removeSync(path, { recursive: true });
    } catch (error) {
      if (tries > 50) throw error;
      await delay(20);
    }
  }
}

function tailOf(path: string): string {
  const bytes = Deno.readFileSync(path);
  return new TextDecoder().decode(bytes.subarray(-500));
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
