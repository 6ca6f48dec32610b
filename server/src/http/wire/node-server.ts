import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import { checkEncoding } from "@tapewire/contract/query-values.ts";
import type { Log } from "../../runtime/log.ts";
import { createServer } from "../../runtime/node/http.ts";
import { failed, type Span, tracedRequest } from "../../runtime/tracing/traces.ts";
import { sendProblem } from "./answer.ts";
import { ClientGone } from "./body.ts";
import { ClientErrors } from "./client-errors.ts";
import { answerPreflight, corsHeaders, isCorsPath } from "./cors.ts";
import { openExchange } from "./exchange.ts";
import type { Found, Router } from "./router.ts";
import type { Exchange } from "./types.ts";

/** Is called when each request has ended. */
export interface RequestWatch {
  /** @param found null: the path does not exist */
  ended(found: Found | null, exchange: Exchange, ms: number): void;
  failed(error: unknown): void;
}

const nobody: RequestWatch = { ended: () => {}, failed: () => {} };

/** An HTTP server for the routes of a router, not yet listening. Every request gets a response or a problem document. */
export function serverOf(router: Router, log: Log, watch: RequestWatch = nobody): Server {
  const clientErrors = new ClientErrors();
  const serve = (request: IncomingMessage, response: ServerResponse, invite = () => {}) => {
    clientErrors.watch(request.socket, response);
    void handle(router, openExchange(request, response, invite), { log, watch });
  };
  const server: Server = createServer(
    // A slow header or body keeps a connection for at most this long. We respond to a missing Host ourselves.
    {
      headersTimeout: 15_000,
      requestTimeout: 60_000,
      keepAliveTimeout: 65_000,
      requireHostHeader: false,
      // HTTP/2 clients offer h2c with plain requests. A server may ignore such an offer (RFC 9110, 7.8).
      shouldUpgradeCallback: ({ headers }) =>
        server.listenerCount("upgrade") > 0 && headers.upgrade?.toLowerCase() === "websocket",
    },
    (request, response) => serve(request, response),
  );
  server.on("checkContinue", (request, response) => {
    // After a refusal the client may or may not send the body, so the connection must end.
    response.shouldKeepAlive = false;
    serve(request, response, () => {
      response.shouldKeepAlive = true;
      response.writeContinue();
    });
  });
  server.on("checkExpectation", (request, response) => serve(request, response));
  server.on("clientError", clientErrors.answer);
  return server;
}

/** Never rejects. */
async function handle(
  router: Router,
  exchange: Exchange,
  { log, watch }: { log: Log; watch: RequestWatch },
): Promise<void> {
  const { request, response, requestId, path } = exchange;
  const started = performance.now();
  const found = router.find(path);
  await inSpan(found, exchange, async () => {
    try {
      await dispatch(found, exchange, router);
    } catch (error) {
      watch.failed(error);
      await fail(exchange, error, log);
    }
  });
  const ms = performance.now() - started;
  watch.ended(found, exchange, ms);
  if (log.isLevelEnabled("debug"))
    log.debug(
      { method: request.method, path, status: response.statusCode, ms: Math.round(ms), requestId },
      "request",
    );
}

/** Named by the route, since paths and queries may hold secrets. */
function inSpan(
  found: Found | null,
  { request, response, requestId }: Exchange,
  work: () => Promise<void>,
): Promise<void> {
  const { headers, method: given = "" } = request;
  const method = found?.takes(given) === true ? given : "_OTHER";
  const route = found?.template ?? "unknown";
  return tracedRequest(`${method} ${route}`, { headers }, async (span: Span) => {
    await work();
    const { statusCode: status, headersSent } = response;
    span.setAttributes({
      "http.request.method": method,
      "http.route": route,
      "tapewire.request_id": requestId,
      ...(headersSent ? { "http.response.status_code": status } : {}),
    });
    if (headersSent && status >= 500) failed(span, String(status));
  });
}

async function dispatch(
  found: Found | null,
  exchange: Exchange,
  { missing }: Pick<Router, "missing">,
): Promise<void> {
  const { path, request, headers } = exchange;
  const { method = "GET" } = request;
  if (isCorsPath(path)) Object.assign(headers, corsHeaders);
  checkTarget(exchange);
  if (found === null) throw new ApiError("not_found", missing === null ? {} : { detail: missing });
  const serving = found.serve(method, exchange);
  if (serving !== null) await serving;
  else if (method === "OPTIONS" && isCorsPath(path)) answerPreflight(exchange, found.methods);
  else throw new ApiError("method_not_allowed", { headers: { Allow: found.methods.join(", ") } });
}

/** @throws {ApiError} invalid_parameter, when the target is not a path, or the Host is missing (RFC 9112, 3.2) */
function checkTarget({ path, request }: Exchange): void {
  checkEncoding(path, "path");
  if (path === "") throw new ApiError("invalid_parameter", { detail: "The request target is not a path" });
  if (request.headers.host === undefined && request.httpVersionMinor > 0)
    throw new ApiError("invalid_parameter", { detail: "The Host header is missing" });
}

async function fail(exchange: Exchange, error: unknown, log: Log): Promise<void> {
  const { response, requestId } = exchange;
  if (error instanceof ClientGone || response.destroyed) return;
  try {
    if (!response.headersSent) return await sendProblem(exchange, error, log);
    log.error({ err: error, requestId }, "answering failed");
  } catch (cause) {
    log.error({ err: cause, requestId }, "telling of an error failed");
  }
  // An incomplete response must not look like a complete one.
  response.destroy();
}
