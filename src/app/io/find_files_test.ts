// Files for "@": work is counted in slices and paths of a clock that only work moves, never in real time.

import assert from "node:assert/strict";
import type { Candidate, CompletionRequest } from "../../input/completion.ts";
import { createFileFinder, type FileFinder } from "./find_files.ts";
import { type Pace, SLICE_MS, type TakePaths } from "./list_files.ts";

const request = (query: string): CompletionRequest => ({ kind: "file", command: "", query });

/** 200,000 paths as of a large repository. */
function largeTree(): string[] {
  const paths: string[] = [];
  for (let at = 0; paths.length < 200_000; at++) {
    paths.push(`packages/part-${at % 211}/src/${at % 17}/module_${at}.ts`);
  }
  paths[199_999] = "packages/zebra/src/needle_in_hay.ts";
  return paths;
}

/** A clock on which each look costs `costMs`, and how long each stretch between two pauses was. */
function countedPace(costMs: number): Pace & { readonly stretches: number[]; nowMs: number } {
  let sincePause = 0;
  const pace = {
    nowMs: 0,
    stretches: [] as number[],
    now() {
      pace.nowMs += costMs;
      sincePause += costMs;
      return pace.nowMs;
    },
    pause(lengthMs = 0) {
      pace.stretches.push(sincePause);
      sincePause = 0;
      pace.nowMs += lengthMs;
      return new Promise<void>((resolve) => setTimeout(resolve));
    },
  };
  return pace;
}

interface Answer {
  readonly query: string;
  readonly labels: readonly string[];
  readonly atMs: number;
}

function finderOf(
  list: (take: TakePaths, stop: AbortSignal) => Promise<void>,
  pace: ReturnType<typeof countedPace>,
): { readonly finder: FileFinder; readonly answers: Answer[]; until(count: number): Promise<void> } {
  const answers: Answer[] = [];
  const finder = createFileFinder({
    directory: "/nowhere",
    list,
    pace,
    give: (asked: CompletionRequest, candidates: readonly Candidate[]) =>
      answers.push({
        query: asked.query,
        labels: candidates.map((candidate) => candidate.label),
        atMs: pace.nowMs,
      }),
  });
  const until = async (count: number) => {
    for (let tries = 0; answers.length < count; tries++) {
      assert.ok(tries < 5000, `${answers.length} of ${count} answers`);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
  };
  return { finder, answers, until };
}

Deno.test("200,000 files: keys are answered at least every 8 ms, before anything else for the key that asks", async () => {
  const pace = countedPace(1);
  let isListed = false;
  const { finder, answers, until } = finderOf((take) => {
    isListed = true;
    return Promise.resolve(take(largeTree()));
  }, pace);
  finder.find(request("module"));
  assert.ok(!isListed && pace.nowMs === 0);
  await until(2);
  while (answers.at(-1)?.query !== "module" || pace.stretches.length < 40) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  // A look at the clock stands for 500 paths; the looks around a slice count too.
  for (const stretch of pace.stretches) assert.ok(stretch <= SLICE_MS + 4, `a stretch of ${stretch} ms`);
  assert.equal(answers[0]?.labels.length, 50);
  finder.close();
});

Deno.test("200,000 files: the first answer comes after 50 ms of work at most, the last one is right", async () => {
  const paths = largeTree();
  const pace = countedPace(1);
  const { finder, answers, until } = finderOf((take) => Promise.resolve(take(paths)), pace);
  finder.find(request("module"));
  await until(1);
  assert.ok((answers[0]?.atMs ?? Infinity) <= 50, `${answers[0]?.atMs} ms`);
  finder.find(request("ndlhay"));
  while (!answers.some((answer) => answer.query === "ndlhay")) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  assert.equal(answers.at(-1)?.labels[0], "packages/zebra/src/needle_in_hay.ts");
  finder.close();
});

Deno.test("a longer query looks only at what matched the shorter one", async () => {
  const pace = countedPace(1);
  const { finder, answers, until } = finderOf((take) => Promise.resolve(take(largeTree())), pace);
  finder.find(request("needle"));
  await until(1);
  const before = pace.nowMs;
  finder.find(request("needle_i"));
  await until(2);
  assert.deepEqual(answers.at(-1)?.labels, ["packages/zebra/src/needle_in_hay.ts"]);
  assert.ok(pace.nowMs - before < 20, `${pace.nowMs - before} looks`);
  finder.close();
});

Deno.test("results come while the tree is still being listed, and grow with it", async () => {
  const pace = countedPace(1);
  const goOn = Promise.withResolvers<void>();
  const { finder, answers, until } = finderOf(async (take) => {
    take(["src/alpha.ts"]);
    await goOn.promise;
    take(["alpha"]);
  }, pace);
  finder.find(request("alpha"));
  // Nothing more comes for now: what is there is shown as soon as it is due.
  await until(1);
  assert.ok((answers[0]?.atMs ?? Infinity) <= 50);
  assert.deepEqual(answers[0]?.labels, ["src/alpha.ts"]);
  goOn.resolve();
  await until(2);
  assert.deepEqual(answers.at(-1)?.labels, ["alpha", "src/alpha.ts"]);
  finder.close();
});

Deno.test("the list is made once for a word, and anew for a later word when it is old", async () => {
  const pace = countedPace(1);
  let lists = 0;
  const { finder, answers, until } = finderOf((take) => {
    lists++;
    take(lists === 1 ? ["old.ts"] : ["old.ts", "older_and_new.ts"]);
    return Promise.resolve();
  }, pace);
  finder.find(request("ol"));
  await until(1);
  finder.find(request("old"));
  await until(2);
  assert.equal(lists, 1);
  pace.nowMs += 10_000;
  finder.find(request("old."));
  await until(3);
  assert.equal(lists, 1, "not in the middle of a word");
  finder.find(request(""));
  await until(5);
  assert.equal(lists, 2);
  assert.deepEqual(answers.at(-1)?.labels, ["old.ts", "older_and_new.ts"]);
  finder.close();
});

Deno.test("after close, and for a request that was replaced, no answer comes", async () => {
  const pace = countedPace(1);
  const { finder, answers } = finderOf((take) => Promise.resolve(take(largeTree())), pace);
  finder.find(request("m"));
  finder.find(request("x9"));
  finder.close();
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.deepEqual(answers, []);
});
