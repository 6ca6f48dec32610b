import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { ApiError, problemOf } from "@tapewire/contract/errors/errors.ts";
import type { WebSocket, WebSocketServer } from "ws";
import { STATUS_CODES } from "../runtime/node/http.ts";

/** A request to become a WebSocket, with the headers of its answer; X-Request-Id is one. */
export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly headers: Record<string, string>;
}

/**
 * Answers an upgrade, in this turn.
 * @param open not called when the client has gone
 * @throws {ApiError} when its headers are wrong (RFC 6455, 4.2.1); nothing has been answered then
 */
export function shakeHands(
  server: WebSocketServer,
  { request, socket, head, headers }: Upgrade,
  open: (ws: WebSocket) => void,
): void {
  declineNarrowWindows(request);
  let refused: Error | null = null;
  const addHeaders = (lines: string[]) => lines.push(...linesOf(headers));
  const note = (error: Error) => {
    refused = error;
  };
  // For this handshake only: ws calls back before it returns.
  server.once("headers", addHeaders).once("wsClientError", note);
  server.handleUpgrade(request, socket, head, open);
  server.off("headers", addHeaders).off("wsClientError", note);
  if (refused !== null) throw refusalOf(refused, request);
}

function refusalOf({ message }: Error, { method }: IncomingMessage): ApiError {
  if (method !== "GET") return new ApiError("method_not_allowed", { headers: { Allow: "GET" } });
  const name = /Sec-WebSocket-[A-Za-z]+/.exec(message)?.[0] ?? "Upgrade";
  return new ApiError("invalid_parameter", {
    fields: [{ in: "header", name, detail: "is missing or not valid for a WebSocket handshake (RFC 6455)" }],
    headers: name === "Sec-WebSocket-Version" ? { [name]: "13, 8" } : {},
  });
}

/**
 * Removes compression offers that limit the server's window, since shared frames are deflated with the largest window.
 * An offer may always be declined; the client then gets plain frames.
 */
function declineNarrowWindows({ headers }: IncomingMessage): void {
  const offers = headers["sec-websocket-extensions"]?.split(",") ?? [];
  const fitting = offers.filter((offer) => !/;\s*server_max_window_bits/i.test(offer));
  if (fitting.length > 0) headers["sec-websocket-extensions"] = fitting.join(",").trim();
  else delete headers["sec-websocket-extensions"];
}

/** Time for a client to read its refusal and close; otherwise it could keep the connection open as long as it likes. */
const lingerMs = 2_000;

/** Refuses an upgrade with a problem document, like any other request. */
export function refuse({ request, socket, headers }: Upgrade, error: ApiError): void {
  const requestId = headers["X-Request-Id"] ?? "";
  const body = JSON.stringify(problemOf(error, { instance: urlOf(request).pathname, requestId }));
  const lines = linesOf({
    ...headers,
    "Content-Type": "application/problem+json",
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
    Connection: "close",
    ...(error.code === "unauthorized" ? { "WWW-Authenticate": "Bearer" } : {}),
    ...error.headers,
  });
  const status = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`;
  const cut = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("close", () => clearTimeout(cut));
  socket.end([status, ...lines, "", body].join("\r\n"));
  // Later data is read and dropped: unread data would make the system discard the answer when the connection is cut.
  socket.resume();
}

function linesOf(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}

/** Joined as text: as a second argument of URL, `//` would name a host, and a bad target would throw. */
export function urlOf({ url: target = "/" }: IncomingMessage): URL {
  return new URL(target.startsWith("/") ? `http://stream${target}` : "http://stream/not-a-path");
}
