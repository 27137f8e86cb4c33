// Four providers' ways to ask a model and to stream its answer: OpenAI chat and responses, Anthropic messages, Gemini.
// Each reads a request into model_script.ts's terms and writes one step as server-sent events.

import {
  type DeclaredTool,
  type ModelRequest,
  type ModelStep,
  scriptName,
  type ToolCall,
} from "./model_script.ts";

// deno-lint-ignore no-explicit-any
type Json = any;

/** One event of a stream. */
export interface StreamEvent {
  /** Null: without a name. */
  readonly name: string | null;
  readonly data: Json;
  /** True for a piece of text, before which the model may be slow. */
  readonly isPiece?: boolean;
}

export interface Dialect {
  /** Paths it is asked at. */
  readonly path: RegExp;
  read(body: Json, path: string): ModelRequest;
  stream(step: ModelStep, calls: readonly ToolCall[], ids: (prefix: string) => string): StreamEvent[];
  /** The answer in one piece, for requests beside the conversation. */
  whole(step: ModelStep, ids: (prefix: string) => string): Json;
  error(message: string): Json;
}

const USAGE = { input: 1200, cached: 1000, output: 80 };

export const DIALECTS: readonly Dialect[] = [
  {
    path: /\/chat\/completions$/,
    read: (body) =>
      requestOf({
        messages: list(body.messages).map((message) => ({
          isUser: message.role === "user",
          isModel: message.role === "assistant",
          text: textOf(message.content),
        })),
        tools: list(body.tools).map((tool) => toolOf(tool.function?.name, tool.function?.parameters)),
        isStream: body.stream === true,
      }),
    stream: (step, calls, ids) => {
      const id = ids("chatcmpl");
      const chunk = (delta: Json, finish: string | null = null, isPiece = false): StreamEvent => ({
        name: null,
        data: {
          id,
          object: "chat.completion.chunk",
          created: 1,
          model: "scripted",
          choices: [{ index: 0, delta, finish_reason: finish }],
        },
        isPiece,
      });
      return [
        chunk({ role: "assistant", content: "" }),
        ...pieces(step.thinking).map((text) => chunk({ reasoning_content: text }, null, true)),
        ...pieces(step.text).map((content) => chunk({ content }, null, true)),
        ...calls.flatMap(({ name, args }, index) => [
          chunk({
            tool_calls: [{ index, id: ids("call"), type: "function", function: { name, arguments: "" } }],
          }),
          ...pieces(JSON.stringify(args)).map((text) =>
            chunk({ tool_calls: [{ index, function: { arguments: text } }] })
          ),
        ]),
        chunk({}, calls.length > 0 ? "tool_calls" : "stop"),
        {
          name: null,
          data: {
            id,
            object: "chat.completion.chunk",
            created: 1,
            model: "scripted",
            choices: [],
            usage: {
              prompt_tokens: USAGE.input,
              completion_tokens: USAGE.output,
              total_tokens: USAGE.input + USAGE.output,
              prompt_tokens_details: { cached_tokens: USAGE.cached },
            },
          },
        },
        { name: null, data: "[DONE]" },
      ];
    },
    whole: (step, ids) => ({
      id: ids("chatcmpl"),
      object: "chat.completion",
      created: 1,
      model: "scripted",
      choices: [{
        index: 0,
        finish_reason: "stop",
        message: { role: "assistant", content: step.text ?? "" },
      }],
      usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
    }),
    error: (message) => ({ error: { message, type: "server_error", code: "scripted" } }),
  },
  {
    path: /\/responses$/,
    read: (body) =>
      requestOf({
        messages: list(body.input).map((item) => ({
          isUser: item.role === "user",
          isModel: item.role === "assistant" || /_call$/.test(item.type ?? ""),
          text: textOf(item.content),
        })),
        tools: list(body.tools).filter((tool) => tool.type === "function")
          .map((tool) => toolOf(tool.name, tool.parameters)),
        isStream: body.stream === true,
      }),
    stream: (step, calls, ids) => {
      const response = { id: ids("resp"), object: "response", model: "scripted" };
      const output: Json[] = [];
      const events: StreamEvent[] = [];
      const add = (name: string, data: Json, isPiece = false) =>
        events.push({ name, data: { type: name, sequence_number: events.length, ...data }, isPiece });
      add("response.created", { response: { ...response, status: "in_progress", output: [] } });
      const item = (open: Json, done: Json, body: (index: number) => void) => {
        const index = output.length;
        add("response.output_item.added", { output_index: index, item: open });
        body(index);
        add("response.output_item.done", { output_index: index, item: done });
        output.push(done);
      };
      if (step.thinking !== undefined) {
        const id = ids("rs");
        const summary = [{ type: "summary_text", text: step.thinking }];
        item({ id, type: "reasoning", summary: [] }, { id, type: "reasoning", summary }, (index) => {
          const at = { item_id: id, output_index: index, summary_index: 0 };
          add("response.reasoning_summary_part.added", { ...at, part: { type: "summary_text", text: "" } });
          for (const delta of pieces(step.thinking)) {
            add("response.reasoning_summary_text.delta", { ...at, delta }, true);
          }
          add("response.reasoning_summary_text.done", { ...at, text: step.thinking });
        });
      }
      if (step.text !== undefined) {
        const id = ids("msg");
        const open = { id, type: "message", status: "in_progress", role: "assistant", content: [] };
        const content = [{ type: "output_text", text: step.text, annotations: [] }];
        item(open, { ...open, status: "completed", content }, (index) => {
          const at = { item_id: id, output_index: index, content_index: 0 };
          add("response.content_part.added", {
            ...at,
            part: { type: "output_text", text: "", annotations: [] },
          });
          for (const delta of pieces(step.text)) add("response.output_text.delta", { ...at, delta }, true);
          add("response.output_text.done", { ...at, text: step.text });
        });
      }
      for (const { name, args } of calls) {
        const id = ids("fc");
        const text = JSON.stringify(args);
        const open = { id, type: "function_call", call_id: ids("call"), name, arguments: "" };
        item(
          { ...open, status: "in_progress" },
          { ...open, status: "completed", arguments: text },
          (index) => {
            for (const delta of pieces(text)) {
              add("response.function_call_arguments.delta", { item_id: id, output_index: index, delta });
            }
          },
        );
      }
      const usage = {
        input_tokens: USAGE.input,
        input_tokens_details: { cached_tokens: USAGE.cached },
        output_tokens: USAGE.output,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: USAGE.input + USAGE.output,
      };
      add("response.completed", { response: { ...response, status: "completed", output, usage } });
      return events;
    },
    whole: (step, ids) => ({
      id: ids("resp"),
      object: "response",
      status: "completed",
      model: "scripted",
      output: [{
        id: ids("msg"),
        type: "message",
        status: "completed",
        role: "assistant",
        content: [{ type: "output_text", text: step.text ?? "", annotations: [] }],
      }],
    }),
    error: (message) => ({ error: { message, type: "invalid_request_error", code: "scripted" } }),
  },
  {
    path: /\/messages$/,
    read: (body) =>
      requestOf({
        messages: list(body.messages).map((message) => ({
          isUser: message.role === "user",
          isModel: message.role === "assistant",
          text: textOf(message.content),
        })),
        tools: list(body.tools).map((tool) => toolOf(tool.name, tool.input_schema)),
        isStream: body.stream === true,
      }),
    stream: (step, calls, ids) => {
      const events: StreamEvent[] = [];
      const add = (name: string, data: Json, isPiece = false) =>
        events.push({ name, data: { type: name, ...data }, isPiece });
      let index = 0;
      const block = (content: Json, deltas: readonly Json[]) => {
        add("content_block_start", { index, content_block: content });
        for (const delta of deltas) add("content_block_delta", { index, delta }, true);
        add("content_block_stop", { index });
        index++;
      };
      const usage = {
        input_tokens: USAGE.input - USAGE.cached,
        cache_read_input_tokens: USAGE.cached,
        cache_creation_input_tokens: 0,
        output_tokens: 1,
      };
      add("message_start", {
        message: {
          id: ids("msg"),
          type: "message",
          role: "assistant",
          model: "scripted",
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage,
        },
      });
      if (step.thinking !== undefined) {
        block({ type: "thinking", thinking: "", signature: "" }, [
          ...pieces(step.thinking).map((thinking) => ({ type: "thinking_delta", thinking })),
          { type: "signature_delta", signature: "c2NyaXB0" },
        ]);
      }
      if (step.text !== undefined) {
        block({ type: "text", text: "" }, pieces(step.text).map((text) => ({ type: "text_delta", text })));
      }
      for (const { name, args } of calls) {
        block(
          { type: "tool_use", id: ids("toolu"), name, input: {} },
          pieces(JSON.stringify(args)).map((text) => ({ type: "input_json_delta", partial_json: text })),
        );
      }
      add("message_delta", {
        delta: { stop_reason: calls.length > 0 ? "tool_use" : "end_turn", stop_sequence: null },
        usage: { ...usage, output_tokens: USAGE.output },
      });
      add("message_stop", {});
      return events;
    },
    whole: (step, ids) => ({
      id: ids("msg"),
      type: "message",
      role: "assistant",
      model: "scripted",
      content: [{ type: "text", text: step.text ?? "" }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    }),
    error: (message) => ({ type: "error", error: { type: "invalid_request_error", message } }),
  },
  {
    path: /:(?:streamGenerateContent|generateContent)$/,
    read: (body, path) =>
      requestOf({
        messages: list(body.contents).map((content) => ({
          isUser: content.role === "user",
          isModel: content.role === "model",
          text: list(content.parts).map((part) => part.text ?? "").join("\n"),
        })),
        tools: list(body.tools).flatMap((tool) => list(tool.functionDeclarations))
          .map((tool) => toolOf(tool.name, tool.parametersJsonSchema ?? tool.parameters)),
        isStream: path.endsWith(":streamGenerateContent"),
      }),
    stream: (step, calls, ids) => {
      const chunk = (parts: readonly Json[], isPiece: boolean, finish?: string): StreamEvent => ({
        name: null,
        data: geminiAnswer(parts, finish),
        isPiece,
      });
      return [
        ...pieces(step.thinking).map((text) => chunk([{ text, thought: true }], true)),
        ...pieces(step.text).map((text) => chunk([{ text }], true)),
        ...(calls.length === 0
          ? []
          : [chunk(calls.map(({ name, args }) => ({ functionCall: { id: ids("fc"), name, args } })), false)]),
        chunk([{ text: "" }], false, "STOP"),
      ];
    },
    // Gemini's router asks for a model this way, and for titles: one answer fits all.
    whole: (step) =>
      geminiAnswer([{
        text: JSON.stringify({
          reasoning: "scripted",
          model_choice: "flash",
          complexity_score: 10,
          complexity_reasoning: "scripted",
          title: step.text ?? "",
          summary: step.text ?? "",
        }),
      }], "STOP"),
    error: (message) => ({ error: { code: 400, message, status: "INVALID_ARGUMENT" } }),
  },
];

function geminiAnswer(parts: readonly Json[], finish?: string): Json {
  return {
    candidates: [{
      content: { role: "model", parts },
      index: 0,
      ...(finish === undefined ? {} : { finishReason: finish }),
    }],
    usageMetadata: {
      promptTokenCount: USAGE.input,
      candidatesTokenCount: USAGE.output,
      totalTokenCount: USAGE.input + USAGE.output,
      cachedContentTokenCount: USAGE.cached,
    },
    modelVersion: "scripted",
  };
}

interface RequestParts {
  readonly messages: readonly {
    readonly isUser: boolean;
    readonly isModel: boolean;
    readonly text: string;
  }[];
  readonly tools: readonly DeclaredTool[];
  readonly isStream: boolean;
}

function requestOf({ messages, tools, isStream }: RequestParts): ModelRequest {
  const at = messages.findLastIndex((message) => message.isUser && scriptName(message.text) !== null);
  if (at === -1) return { prompt: "", answers: 0, tools, isStream };
  // Several calls of one answer stand side by side (OpenAI responses): they are one answer.
  const behind = messages.slice(at + 1);
  const answers = behind.filter((message, index) => message.isModel && behind[index - 1]?.isModel !== true);
  return { prompt: messages[at]?.text ?? "", answers: answers.length, tools, isStream };
}

function toolOf(name: Json, schema: Json): DeclaredTool {
  return {
    name: String(name),
    parameters: Object.keys(schema?.properties ?? {}),
    required: list(schema?.required),
  };
}

/** A text in pieces as a model streams it. */
function pieces(text: string | undefined): string[] {
  const signs = [...text ?? ""];
  return Array.from(
    { length: Math.ceil(signs.length / 12) },
    (_, at) => signs.slice(at * 12, at * 12 + 12).join(""),
  );
}

function textOf(content: Json): string {
  if (typeof content === "string") return content;
  return list(content).map((part) => typeof part.text === "string" ? part.text : textOf(part.content)).join(
    "\n",
  );
}

function list(value: Json): Json[] {
  return Array.isArray(value) ? value : [];
}
