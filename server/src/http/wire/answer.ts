import { errorTable, problemOf } from "@tapewire/contract/errors/errors.ts";
import type { Log } from "../../runtime/log.ts";
import { TurnEnd } from "../../runtime/sharing/turn-end.ts";
import { StoreError } from "../../store/engine/errors.ts";
import { EncodedBody } from "./encoded-body.ts";
import { apiErrorOf } from "./error-mapping.ts";
import { namesEtag, preferredCoding } from "./negotiate.ts";
import type { Answer, Exchange } from "./types.ts";

/** Compressing a smaller body has no noticeable benefit. */
const compressFromBytes = 1_024;

/** A response that is not read keeps its memory. When nothing of it was read for this long (at most twice as long), the connection ends. */
const stalledMs = 30_000;

/** Ready responses wait for one another, but only so many that their bodies do not use much memory. */
const turn = new TurnEnd(32);

/**
 * Sends a response: 304 when the client already has it, compressed when the client accepts it, without the body for HEAD.
 * It is JSON unless the headers say otherwise.
 */
export async function sendAnswer(exchange: Exchange, status: number, answer: Answer): Promise<void> {
  const { request, response, headers } = exchange;
  const body = encodedBody(answer.body);
  if (body.onSent !== null) response.once("close", body.onSent);
  headers["Content-Type"] = "application/json; charset=utf-8";
  headers.Vary = "Accept-Encoding";
  if (answer.headers !== undefined) Object.assign(headers, answer.headers);
  if (status === 200 && (request.method === "GET" || request.method === "HEAD")) {
    headers.ETag = body.etag;
    if (namesEtag(request.headers["if-none-match"], body.etag)) {
      delete headers["Content-Type"];
      await turn.reached();
      response.writeHead(304, headers).end();
      return;
    }
  }
  const coding =
    body.bytes.length < compressFromBytes ? "identity" : preferredCoding(request.headers["accept-encoding"]);
  const bytes = coding === "identity" ? body.bytes : await (coding === "br" ? body.brotli() : body.gzip());
  if (coding !== "identity") headers["Content-Encoding"] = coding;
  headers["Content-Length"] = String(bytes.length);
  await turn.reached();
  response.writeHead(status, headers).end(request.method === "HEAD" ? undefined : bytes);
  // Usually the kernel has taken everything by now. Then there is nothing to wait for and no timer to start.
  if (response.writableLength > 0) response.setTimeout(stalledMs);
}

/** The body as it is sent. */
export function encodedBody(body: Answer["body"]): EncodedBody {
  if (body instanceof EncodedBody) return body;
  return new EncodedBody(typeof body === "string" ? body : JSON.stringify(body));
}

/** Sends the problem document of an error. */
export async function sendProblem(exchange: Exchange, error: unknown, log: Log): Promise<void> {
  const { status, answer } = problemAnswer(error, exchange, log);
  await sendAnswer(exchange, status, answer);
}

/** The problem document of an error. Anything but an ApiError is a bug: it is logged in full, and the client gets only the request id. */
export function problemAnswer(
  error: unknown,
  { path, requestId }: Pick<Exchange, "path" | "requestId">,
  log: Log,
): { readonly status: number; readonly answer: Answer } {
  const shown = apiErrorOf(error);
  if (shown.code === "internal") log.error({ err: error, requestId, path }, "request failed");
  else if (shown !== error && !(error instanceof StoreError))
    log.warn({ requestId, path, reason: String(error) }, "the database did not answer");
  const headers = {
    "Content-Type": "application/problem+json",
    "Cache-Control": "no-store",
    ...(shown.code === "unauthorized" ? { "WWW-Authenticate": "Bearer" } : {}),
    ...shown.headers,
  };
  const body = problemOf(shown, { instance: path, requestId });
  return { status: errorTable[shown.code].status, answer: { body, headers } };
}
