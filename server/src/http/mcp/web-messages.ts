import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Exchange } from "../wire/types.ts";
import { sendAnswer } from "../wire/wire.ts";

/** Headers of the protocol and of its transport. The key stays behind. */
const handed = /^(accept|content-type|mcp-[a-z-]{1,40})$/;

/** The request as the protocol's package takes it. It is aborted when the client goes. */
export function webRequest({ request, response }: Exchange): Request {
  const gone = new AbortController();
  response.once("close", () => gone.abort());
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    handed.test(name) && typeof value === "string" ? [[name, value]] : [],
  );
  return new Request("http://localhost/mcp", { method: "POST", headers, signal: gone.signal });
}

/** @param stays whether the response may stay open for long: then its end is not waited for */
export async function sendResponse(exchange: Exchange, answer: Response, stays: boolean): Promise<void> {
  const { response, headers } = exchange;
  if (response.destroyed) return void (await answer.body?.cancel());
  const type = answer.headers.get("content-type");
  if (answer.body === null) {
    response.writeHead(answer.status, headers).end();
    return;
  }
  if (type === null || !type.startsWith("text/event-stream")) {
    const own = { "Content-Type": type ?? "application/json" };
    return sendAnswer(exchange, answer.status, { body: await answer.text(), headers: own });
  }
  response.writeHead(answer.status, { ...headers, "Content-Type": type, "X-Accel-Buffering": "no" });
  response.flushHeaders();
  // The client may go at any time, which ends the exchange and is no error.
  const sending = pipeline(Readable.fromWeb(answer.body), response).catch(() => {});
  if (!stays) await sending;
}
