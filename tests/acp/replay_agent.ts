// An ACP agent that plays a file back: run as a program, it answers the client's requests by method with what the
// file holds next, as fast as it can, and goes on only when the client has said what it says there. No clock, no
// model: the same client gets the same traffic every time. What the client says goes to stderr, a line each.
//
// Lines are recorded traffic, {"dir":"c2a"|"a2c","msg":{...}}, or short forms of it for scripts written by hand:
//   {"open":{"initialize":RESULT,"session":RESULT}}  the client's initialize and session/new, and their answers
//   {"wait":"session/prompt"}                        waits for that request or notification
//   {"result":R} {"error":E}                         answers the request waited for last
//   {"prompt_result":R}                              answers the prompt waited for last
//   {"update":U}                                     a session/update of session s1
//   {"ask":"session/request_permission","id":7,"params":P}  a request to the client; {"answered":7} waits for its answer
//   {"tell":"METHOD","params":P}                     a notification
//   {"pause":MS}                                     nothing for so long
//   {"raw":"TEXT"} {"stderr":"TEXT"} {"exit":3} {"big":BYTES}   bytes as they are, the end, an update of that size

type Json = { readonly [name: string]: unknown };

/** One thing to do or to wait for. */
type Step =
  | { readonly kind: "say"; readonly message: Json }
  | { readonly kind: "write"; readonly text: string; readonly to: "stdout" | "stderr" }
  | { readonly kind: "exit"; readonly code: number }
  | { readonly kind: "pause"; readonly ms: number }
  | { readonly kind: "wait_call"; readonly method: string; readonly id: unknown }
  | { readonly kind: "wait_answer"; readonly id: unknown };

const METHOD_NOT_FOUND = -32601;
/** Stand for "the request waited for last" and "the prompt waited for last" in a step's id. */
const LAST = Symbol("last");
const PROMPT = Symbol("prompt");

/** The steps of a file. */
function readSteps(text: string): Step[] {
  const steps: Step[] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    steps.push(...stepsOf(JSON.parse(line)));
  }
  return steps;
}

function stepsOf(line: Json): Step[] {
  if (line.dir === "c2a") {
    const message = line.msg as Json;
    return "method" in message
      ? [{ kind: "wait_call", method: String(message.method), id: message.id }]
      : [{ kind: "wait_answer", id: message.id }];
  }
  if (line.dir === "a2c") return [say(line.msg as Json)];
  const [name] = Object.keys(line);
  const make = name === undefined ? undefined : SHORT[name];
  if (make === undefined) throw new Error(`Cannot play ${JSON.stringify(line)}: no such step`);
  return make(line);
}

const SHORT: { readonly [name: string]: (line: Json) => Step[] } = {
  open: ({ open }) => {
    const { initialize = { protocolVersion: 1 }, session = { sessionId: "s1" } } = open as Json;
    return [
      { kind: "wait_call", method: "initialize", id: LAST },
      say({ id: LAST, result: initialize }),
      { kind: "wait_call", method: "session/new", id: LAST },
      say({ id: LAST, result: session }),
    ];
  },
  wait: ({ wait }) => [{ kind: "wait_call", method: String(wait), id: LAST }],
  result: ({ result }) => [say({ id: LAST, result })],
  error: ({ error }) => [say({ id: LAST, error })],
  prompt_result: ({ prompt_result: result }) => [say({ id: PROMPT, result })],
  pause: ({ pause }) => [{ kind: "pause", ms: Number(pause) }],
  update: ({ update }) => [say({ method: "session/update", params: { sessionId: "s1", update } })],
  ask: ({ ask, id, params }) => [say({ id, method: ask, params })],
  answered: ({ answered }) => [{ kind: "wait_answer", id: answered }],
  tell: ({ tell, params }) => [say({ method: tell, params })],
  raw: ({ raw }) => [{ kind: "write", text: `${raw}\n`, to: "stdout" }],
  stderr: ({ stderr }) => [{ kind: "write", text: `${stderr}\n`, to: "stderr" }],
  exit: ({ exit }) => [{ kind: "exit", code: Number(exit) }],
  big: ({ big }) => {
    const description = "x".repeat(Number(big));
    return SHORT.update?.({
      update: {
        sessionUpdate: "available_commands_update",
        availableCommands: [{ name: "big", description }],
      },
    }) ?? [];
  },
};

function say(message: Json): Step {
  return { kind: "say", message: { jsonrpc: "2.0", ...message } };
}

/** Plays the steps against what the client writes. */
async function play(steps: readonly Step[]): Promise<void> {
  /** Recorded ids of the client's requests, as the client counts them now. */
  const ids = new Map<unknown, unknown>();
  const inbox: Json[] = [];
  let at = 0;
  let pausing = false;

  function advance(): void {
    if (pausing) return;
    for (; at < steps.length; at++) {
      const step = steps[at] as Step;
      switch (step.kind) {
        case "say": {
          const { message } = step;
          const isAnswer = !("method" in message);
          write(
            "stdout",
            JSON.stringify(isAnswer ? { ...message, id: ids.get(message.id) ?? null } : message) + "\n",
          );
          break;
        }
        case "write":
          write(step.to, step.text);
          break;
        case "pause":
          at++;
          pausing = true;
          setTimeout(() => {
            pausing = false;
            advance();
          }, step.ms);
          return;
        case "exit":
          Deno.exit(step.code);
          break;
        case "wait_answer": {
          const found = inbox.findIndex((message) => !("method" in message) && message.id === step.id);
          if (found === -1) return skipOrWait();
          inbox.splice(found, 1);
          break;
        }
        case "wait_call": {
          const found = inbox.findIndex((message) => message.method === step.method);
          if (found === -1) return skipOrWait();
          const [call] = inbox.splice(found, 1);
          ids.set(step.id, call?.id);
          if (step.method === "session/prompt") ids.set(PROMPT, call?.id);
          break;
        }
      }
    }
    refuseRest();
  }

  /** A client that leaves out what stands here is followed to where it is; one that asks for more is refused. */
  function skipOrWait(): void {
    const call = inbox.find((message) => "method" in message && "id" in message);
    if (call === undefined) return;
    const next = steps.findIndex((step, index) =>
      index > at && step.kind === "wait_call" && step.method === call.method
    );
    if (next === -1) return refuseRest();
    at = next;
    advance();
  }

  function refuseRest(): void {
    for (const message of inbox.splice(0)) {
      if (!("method" in message)) inbox.push(message);
      else if ("id" in message) {
        const error = { code: METHOD_NOT_FOUND, message: `Method not found: ${message.method}` };
        write("stdout", JSON.stringify({ jsonrpc: "2.0", id: message.id, error }) + "\n");
      }
    }
  }

  advance();
  let rest = "";
  const decoder = new TextDecoder();
  for await (const bytes of Deno.stdin.readable) {
    rest += decoder.decode(bytes, { stream: true });
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      write("stderr", `< ${line}\n`);
      inbox.push(JSON.parse(line));
      advance();
    }
  }
}

function write(to: "stdout" | "stderr", text: string): void {
  const stream = Deno[to];
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at < bytes.length;) at += stream.writeSync(bytes.subarray(at));
}

if (import.meta.main) await play(readSteps(await Deno.readTextFile(Deno.args[0] ?? "")));
