// The scripted model speaks four dialects; what each says is checked field by field where agents read it, so that a
// real agent that fails does not fail for the model's sake.

import assert from "node:assert/strict";
import type { ModelScripts } from "./model_script.ts";
import { serveModel } from "./model_server.ts";

const SCRIPTS: ModelScripts = {
  main: [
    { thinking: "Let me think of it.", text: "I read 宽.", wishes: [{ kind: "read", file: "a.ts" }] },
    { text: "Done." },
  ],
  broken: [{ error: { status: 429, message: "too much" } }],
};
const SCHEMA = { type: "object", properties: { file_path: { type: "string" } }, required: ["file_path"] };

// deno-lint-ignore no-explicit-any
type Json = any;

/** One dialect: a request with these messages, and what its stream says when put together. */
interface Case {
  readonly name: string;
  readonly path: string;
  /** `answered`: the model has answered once already. */
  readonly body: (prompt: string, answered: boolean, tools: boolean) => Json;
  readonly told: (events: readonly Json[]) => { thinking: string; text: string; call: Json };
}

const joined = (values: readonly unknown[]) => values.filter((value) => typeof value === "string").join("");

const CASES: readonly Case[] = [
  {
    name: "OpenAI chat",
    path: "/v1/chat/completions",
    body: (prompt, answered, tools) => ({
      stream: true,
      messages: [
        { role: "system", content: "be #nice" },
        { role: "user", content: [{ type: "text", text: prompt }] },
        ...(answered ? [{ role: "assistant", content: "x" }, { role: "tool", content: "1" }] : []),
      ],
      tools: tools ? [{ type: "function", function: { name: "read_file", parameters: SCHEMA } }] : [],
    }),
    told: (events) => {
      const deltas = events.map((event) => event.choices?.[0]?.delta ?? {});
      const calls = deltas.flatMap((delta) => delta.tool_calls ?? []);
      return {
        thinking: joined(deltas.map((delta) => delta.reasoning_content)),
        text: joined(deltas.map((delta) => delta.content)),
        call: calls.length === 0 ? null : {
          name: calls[0].function.name,
          args: JSON.parse(joined(calls.map((call: Json) => call.function.arguments))),
        },
      };
    },
  },
  {
    name: "OpenAI responses",
    path: "/v1/responses",
    body: (prompt, answered, tools) => ({
      stream: true,
      input: [
        { type: "message", role: "user", content: [{ type: "input_text", text: prompt }] },
        ...(answered
          ? [
            { type: "message", role: "assistant", content: [{ type: "output_text", text: "x" }] },
            { type: "function_call", call_id: "1", name: "read_file" },
            { type: "function_call", call_id: "2", name: "read_file" },
            { type: "function_call_output", call_id: "1", output: "1" },
          ]
          : []),
      ],
      tools: tools ? [{ type: "function", name: "read_file", parameters: SCHEMA }] : [],
    }),
    told: (events) => {
      const of = (type: string) => events.filter((event) => event.type === type);
      const done = of("response.output_item.done").map((event) => event.item);
      const call = done.find((item) => item.type === "function_call");
      assert.deepEqual(of("response.completed")[0]?.response.output, done);
      return {
        thinking: joined(of("response.reasoning_summary_text.delta").map((event) => event.delta)),
        text: joined(of("response.output_text.delta").map((event) => event.delta)),
        call: call === undefined ? null : { name: call.name, args: JSON.parse(call.arguments) },
      };
    },
  },
  {
    name: "Anthropic messages",
    path: "/v1/messages",
    body: (prompt, answered, tools) => ({
      stream: true,
      messages: [
        { role: "user", content: prompt },
        ...(answered
          ? [
            { role: "assistant", content: [{ type: "text", text: "x" }] },
            { role: "user", content: [{ type: "tool_result", content: [{ type: "text", text: "1" }] }] },
          ]
          : []),
      ],
      tools: tools ? [{ name: "read_file", input_schema: SCHEMA }] : [],
    }),
    told: (events) => {
      const deltas = events.filter((event) => event.type === "content_block_delta").map((event) =>
        event.delta
      );
      const use = events.find((event) => event.content_block?.type === "tool_use")?.content_block;
      assert.deepEqual([events[0]?.type, events.at(-1)?.type], ["message_start", "message_stop"]);
      return {
        thinking: joined(deltas.map((delta) => delta.thinking)),
        text: joined(deltas.map((delta) => delta.text)),
        call: use === undefined
          ? null
          : { name: use.name, args: JSON.parse(joined(deltas.map((delta) => delta.partial_json))) },
      };
    },
  },
  {
    name: "Gemini",
    path: "/v1beta/models/x:streamGenerateContent",
    body: (prompt, answered, tools) => ({
      contents: [
        { role: "user", parts: [{ text: prompt }] },
        ...(answered
          ? [{ role: "model", parts: [{ text: "x" }] }, { role: "user", parts: [{ functionResponse: {} }] }]
          : []),
      ],
      tools: tools ? [{ functionDeclarations: [{ name: "read_file", parametersJsonSchema: SCHEMA }] }] : [],
    }),
    told: (events) => {
      const parts = events.flatMap((event) => event.candidates[0].content.parts);
      const call = parts.find((part) => part.functionCall !== undefined)?.functionCall;
      assert.equal(events.at(-1)?.candidates[0].finishReason, "STOP");
      return {
        thinking: joined(parts.filter((part) => part.thought).map((part) => part.text)),
        text: joined(parts.filter((part) => !part.thought).map((part) => part.text)),
        call: call === undefined ? null : { name: call.name, args: call.args },
      };
    },
  },
];

for (const one of CASES) {
  Deno.test(`model server: ${one.name}`, async () => {
    const model = serveModel(SCRIPTS, "/repo");
    try {
      const ask = async (body: Json) => {
        const response = await fetch(`${model.url}${one.path}`, {
          method: "POST",
          body: JSON.stringify(body),
        });
        const text = await response.text();
        if (!response.headers.get("content-type")?.startsWith("text/event-stream")) return { response, text };
        const data = text.split("\n").filter((line) => line.startsWith("data: ") && line !== "data: [DONE]");
        return { response, told: one.told(data.map((line) => JSON.parse(line.slice(6)))) };
      };
      assert.deepEqual((await ask(one.body("#main go", false, true))).told, {
        thinking: "Let me think of it.",
        text: "I read 宽.",
        call: { name: "read_file", args: { file_path: "/repo/a.ts" } },
      });
      assert.deepEqual((await ask(one.body("#main go", true, true))).told, {
        thinking: "",
        text: "Done.",
        call: null,
      });
      const beside = await ask(one.body("name this", false, false));
      assert.equal(beside.told?.text, "A title");
      const broken = await ask(one.body("#broken", false, true));
      assert.deepEqual([broken.response.status, broken.text?.includes("too much")], [429, true]);
    } finally {
      await model.close();
    }
  });
}
