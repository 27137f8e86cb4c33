// A scripted model on 127.0.0.1: agents made for a provider's service talk to it, with no key and no network. Dialects
// are model_dialects.ts, what is said model_script.ts.

import { DIALECTS, type StreamEvent } from "./model_dialects.ts";
import { callsOf, type ModelScripts, stepFor } from "./model_script.ts";

export interface ModelServer {
  /** "http://127.0.0.1:40123" */
  readonly url: string;
  /** Paths that were asked at. */
  readonly asked: string[];
  close(): Promise<void>;
}

/** Serves the scripts. `cwd` is where files named in them lie. */
export function serveModel(scripts: ModelScripts, cwd: string): ModelServer {
  const asked: string[] = [];
  let made = 0;
  const ids = (prefix: string) => `${prefix}_${(made++).toString(36).padStart(8, "0")}`;
  const closing = new AbortController();
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    signal: closing.signal,
    onListen: () => {},
  }, async (request) => {
    const { pathname } = new URL(request.url);
    asked.push(pathname);
    const body = await request.json().catch(() => ({}));
    const dialect = DIALECTS.find((one) => one.path.test(pathname));
    if (dialect === undefined) return besides(pathname);
    const asking = dialect.read(body, pathname);
    const step = stepFor(scripts, asking);
    if (step.error !== undefined) {
      return Response.json(dialect.error(step.error.message), { status: step.error.status });
    }
    if (!asking.isStream) return Response.json(dialect.whole(step, ids));
    const events = dialect.stream(step, callsOf(step, asking.tools, cwd), ids);
    return new Response(streamOf(events, step.paceMs ?? 0), {
      headers: { "content-type": "text/event-stream", "cache-control": "no-cache" },
    });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    asked,
    close: async () => {
      closing.abort();
      await server.finished;
    },
  };
}

/** What agents ask beside the conversation. */
function besides(path: string): Response {
  if (path.endsWith("/models")) {
    return Response.json({ object: "list", data: [{ id: "scripted", object: "model", owned_by: "test" }] });
  }
  if (path.endsWith("/count_tokens")) return Response.json({ input_tokens: 100 });
  if (path.endsWith(":countTokens")) return Response.json({ totalTokens: 100 });
  return Response.json({ error: { message: `nothing at ${path}` } }, { status: 404 });
}

function streamOf(events: readonly StreamEvent[], paceMs: number): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      const event = events[at++];
      if (event === undefined) return controller.close();
      if (event.isPiece === true && paceMs > 0) await new Promise((resolve) => setTimeout(resolve, paceMs));
      const data = typeof event.data === "string" ? event.data : JSON.stringify(event.data);
      controller.enqueue(
        encoder.encode(`${event.name === null ? "" : `event: ${event.name}\n`}data: ${data}\n\n`),
      );
    },
  });
}
