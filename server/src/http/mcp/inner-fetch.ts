import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import type { Caller } from "../../account/keys/auth.ts";
import type { Log } from "../../runtime/log.ts";
import type { InnerAnswer, InnerRequest } from "../contract-routes.ts";
import { encodedBody, problemAnswer, type Router } from "../wire/wire.ts";

/** Who calls, and with which key: a stream ends when its key does. */
export interface Who {
  readonly caller: Caller;
  readonly key: string;
}

/** Server-sent events for a caller that is admitted and counted. */
export type InnerEvents = (who: Who, search: string) => Promise<Readable>;

export interface InnerDeps {
  readonly router: Router<InnerRequest, InnerAnswer>;
  /** null: this process has no streams. */
  readonly events: () => InnerEvents | null;
  readonly log: Log;
}

const eventsPath = "/v1/stream/sse";

/**
 * The client library's way to the routes of this process, without a socket. The request that it works for was admitted and
 * counted once; plans and quotas hold for each call. As in a fetch, a refusal is a response.
 */
export function innerFetch({ router, events, log }: InnerDeps, who: Who): typeof fetch {
  return async (input, init = {}) => {
    const { method = "GET", signal } = init;
    signal?.throwIfAborted();
    const { pathname: path, search: query } = new URL(String(input));
    const search = query.slice(1);
    try {
      if (path === eventsPath) return await eventsResponse(events(), who, search, signal ?? null);
      const headers = Object.fromEntries(new Headers(init.headers));
      const body = typeof init.body === "string" ? init.body : "";
      const answering = router.find(path)?.serve(method, { caller: who.caller, search, body, headers });
      if (answering === undefined || answering === null) throw new ApiError("not_found");
      return responseOf(await answering);
    } catch (error) {
      return responseOf(problemAnswer(error, { path, requestId: randomUUID() }, log));
    }
  };
}

function responseOf({ status, answer }: InnerAnswer): Response {
  const { bytes, onSent } = encodedBody(answer.body);
  // A copy: the bytes may be overwritten once they are sent.
  const text = bytes.toString();
  onSent?.();
  return new Response(text, { status, ...(answer.headers === undefined ? {} : { headers: answer.headers }) });
}

async function eventsResponse(
  events: InnerEvents | null,
  who: Who,
  search: string,
  signal: AbortSignal | null,
): Promise<Response> {
  if (events === null) throw new ApiError("not_found", { detail: "This process serves no streams" });
  const readable = await events(who, search);
  const end = () => void readable.destroy();
  signal?.addEventListener("abort", end, { once: true });
  readable.once("close", () => signal?.removeEventListener("abort", end));
  if (signal?.aborted === true) end();
  return new Response(chunksOf(readable), { headers: { "Content-Type": "text/event-stream" } });
}

function chunksOf(readable: Readable): ReadableStream<Uint8Array> {
  const chunks = readable.iterator();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void readable.destroy(),
  });
}
