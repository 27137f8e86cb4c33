// Live and recorded sessions are one: real traffic, played to the live adapter by the replaying agent, gives the same
// events as its recording read back. Recordings that may not be kept here are read where TRIFOLD_SAMPLES says.

import assert from "node:assert/strict";
import { createAcpTranslator } from "../../src/recordings/acp.ts";
import type { ParsedEvent } from "../../src/transcript/event.ts";
import type { AcpAgent } from "../../src/agents/acp.ts";
import { type LiveAgent, withReplay } from "./live_agent.ts";

const SAMPLES = Deno.env.get("TRIFOLD_SAMPLES");

interface Traffic {
  readonly t: number;
  readonly dir: "c2a" | "a2c";
  readonly msg: {
    readonly id?: number;
    readonly method?: string;
    readonly params?: { readonly [name: string]: unknown };
    readonly result?: { readonly outcome?: { readonly optionId?: string } };
  };
}

for (const name of ["gemini", "gemini-plan", "pi", "codex-approvals", "claude", "qwen"]) {
  const file = `${SAMPLES}/acp/${name}.jsonl`;
  Deno.test({
    name: `acp live: ${name}'s recorded session comes through the live adapter as it is read back`,
    ignore: SAMPLES === undefined,
    async fn() {
      const traffic = readTraffic(file);
      const played = Deno.makeTempFileSync({ prefix: "trifold-test-" });
      try {
        Deno.writeTextFileSync(played, traffic.map((line) => JSON.stringify(line) + "\n").join(""));
        await withReplay(played, async (live) => {
          await follow(live, traffic);
          assert.deepEqual(comparable(live.parsed), comparable(readBack(traffic)));
        }, { cwd: workingDirectory(traffic) });
      } finally {
        Deno.removeSync(played);
      }
    },
  });
}

/** Does what the recording's client did, when the agent waits for it. */
async function follow(live: LiveAgent<AcpAgent>, traffic: readonly Traffic[]): Promise<void> {
  await live.untilEvent("history");
  let turns = 0;
  for (const [index, { dir, msg }] of traffic.entries()) {
    if (dir !== "c2a") continue;
    const { method, params = {} } = msg;
    if (method?.startsWith("session/")) await quiet(live);
    if (method === "session/prompt") {
      const [block] = params.prompt as { text: string }[];
      live.send("run", { input: block?.text ?? "" });
      turns++;
      await live.untilEvent("turn_start", turns);
      // Cancels and answers come on the way to its end.
      const rest = traffic.slice(index + 1);
      const end = rest.findIndex((one) => one.dir === "c2a" && one.msg.method === "session/prompt");
      await answerOnTheWay(live, end === -1 ? rest : rest.slice(0, end));
      await live.untilEvent("turn_end", turns);
    } else if (method === "session/set_mode" || method === "session/set_config_option") {
      const count = live.all("options").length;
      live.send("set_option", { id: "mode", value: params.modeId ?? params.value });
      await live.untilEvent("options", count + 1);
    }
  }
}

async function answerOnTheWay(live: LiveAgent<AcpAgent>, traffic: readonly Traffic[]): Promise<void> {
  const askedOf = (id: number | undefined) =>
    traffic.some((one) =>
      one.dir === "a2c" && one.msg.method === "session/request_permission" && one.msg.id === id
    );
  for (const { dir, msg } of traffic) {
    if (dir !== "c2a") continue;
    if (msg.method === "session/cancel") {
      await quiet(live);
      // One that came too late is no part of what is shown.
      if (live.all("turn_end").length < live.all("turn_start").length) live.send("cancel");
    } else if (msg.method === undefined && askedOf(msg.id)) {
      const batch = `live-permission-${msg.id}`;
      await live.until(batch, () => live.all("question").some((question) => question.batch_id === batch));
      const selected = msg.result?.outcome?.optionId;
      if (selected === undefined) live.send("dismiss_question", { batch_id: batch });
      else live.send("answer", { batch_id: batch, answers: [{ id: "permission", selected: [selected] }] });
    }
  }
}

/** Waits until the agent has nothing more to say before we do. */
async function quiet(live: LiveAgent): Promise<void> {
  for (let count = -1; count !== live.parsed.length;) {
    count = live.parsed.length;
    await new Promise((resolve) => setTimeout(resolve, 80));
  }
}

/** The recording. Its client set modes the old way also where there is an option for it. */
function readTraffic(file: string): Traffic[] {
  const lines = Deno.readTextFileSync(file).split("\n").filter((line) => line !== "");
  const hasOption = lines.some((line) => line.includes(`"configOptions":[{"id":"mode"`));
  return lines.map((line) => {
    const traffic = JSON.parse(line) as Traffic;
    if (traffic.msg.method !== "session/set_mode" || !hasOption) return traffic;
    const params = { configId: "mode", value: traffic.msg.params?.modeId };
    return { ...traffic, msg: { ...traffic.msg, method: "session/set_config_option", params } };
  });
}

function workingDirectory(traffic: readonly Traffic[]): string {
  // The recorded one need not exist here; what is shown of paths depends on it alone.
  const cwd = traffic.find((one) => one.msg.method === "session/new")?.msg.params?.cwd as string;
  Deno.mkdirSync(cwd, { recursive: true });
  return cwd;
}

function readBack(traffic: readonly Traffic[]): ParsedEvent[] {
  const translator = createAcpTranslator();
  return traffic.flatMap((value, index) =>
    translator.push(value, index + 1).flatMap((step) => step.kind === "event" ? [step.parsed] : [])
  );
}

/** Fields that differ between one run and another, and say nothing of what is shown. */
const OF_THE_RUN: ReadonlySet<string> = new Set(["elapsed_ms", "capabilities", "message_id"]);

function comparable(parsed: readonly ParsedEvent[]): unknown[] {
  return parsed.flatMap((one) => {
    if (one.kind !== "event") return [one];
    const { event, data } = one.event;
    if (event === "starting") return [];
    return [JSON.parse(
      JSON.stringify(
        { event, data },
        (name, value) =>
          OF_THE_RUN.has(name) ? null : typeof value === "string" ? value.replace(/^live-/, "") : value,
      ),
    )];
  });
}
