import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { ApiError, problemOf } from "@tapewire/contract/errors.ts";
import type { WebSocket, WebSocketServer } from "ws";

/** A request to become a WebSocket, with the headers that its answer is to have; X-Request-Id is one. */
export interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
  readonly headers: Record<string, string>;
}

/**
 * Answers an upgrade, in this turn.
 * @param open not called when the client is gone
 * @throws {ApiError} what is wrong with its headers (RFC 6455, 4.2.1); nothing was answered then
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
  // Of this handshake alone: ws calls back before it returns.
  server.once("headers", addHeaders).once("wsClientError", note);
  server.handleUpgrade(request, socket, head, open);
  server.off("headers", addHeaders).off("wsClientError", note);
  if (refused !== null) throw refusalOf(refused, request);
}

function refusalOf({ message }: Error, { method }: IncomingMessage): ApiError {
  if (method !== "GET") return new ApiError("method_not_allowed", { headers: { Allow: "GET" } });
  const name = /Sec-WebSocket-[A-Za-z]+/.exec(message)?.[0] ?? "Upgrade";
  return new ApiError("invalid_parameter", {
    fields: [{ in: "header", name, detail: "missing, or not what a WebSocket begins with (RFC 6455)" }],
    headers: name === "Sec-WebSocket-Version" ? { [name]: "13, 8" } : {},
  });
}

/**
 * Takes out of the offers those of compression with a window of the server's: shared frames are deflated with the
 * largest there is. An offer may always be declined; the client is then sent plain frames.
 */
function declineNarrowWindows({ headers }: IncomingMessage): void {
  const offers = headers["sec-websocket-extensions"]?.split(",") ?? [];
  const fitting = offers.filter((offer) => !/;\s*server_max_window_bits/i.test(offer));
  if (fitting.length > 0) headers["sec-websocket-extensions"] = fitting.join(",").trim();
  else delete headers["sec-websocket-extensions"];
}

/** For a client to read its refusal and to close. One that does neither would hold the connection for as long as it likes. */
const lingerMs = 2_000;

/** Answers an upgrade that is none with a problem document, as any other request. */
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
  // What still comes is dropped: unread, it would take the answer away from the client when the connection is cut.
  socket.resume();
}

function linesOf(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
}

/** Put together as text: of two arguments the first may name a host of its own, as `//` does, and a bad one throws. */
export function urlOf({ url: target = "/" }: IncomingMessage): URL {
  return new URL(target.startsWith("/") ? `http://stream${target}` : "http://stream/not-a-path");
}
