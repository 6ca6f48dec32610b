import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { ApiError, problemOf } from "@tapewire/contract/errors/errors.ts";

/** Responds to requests that Node's parser refuses, which never become an exchange. */
export class ClientErrors {
  /** The last response that began on each connection. */
  readonly #answers = new WeakMap<Duplex, { last: ServerResponse }>();

  /** Registers every response, so that an error is never written into one. */
  watch(socket: Duplex, response: ServerResponse): void {
    const known = this.#answers.get(socket);
    if (known === undefined) this.#answers.set(socket, { last: response });
    else known.last = response;
  }

  /** Listener for the server's `clientError`. */
  readonly answer = (error: Error & { code?: string }, socket: Duplex): void => {
    const { last } = this.#answers.get(socket) ?? {};
    // After a complete request, the client would take this error for the response to it.
    const busy = last !== undefined && !last.writableFinished && (last.headersSent || last.req.complete);
    if (busy || !socket.writable || error.code === "ECONNRESET") {
      socket.destroy();
      return;
    }
    const shown = shownError(error.code);
    const requestId = randomUUID();
    const body = JSON.stringify(problemOf(shown, { instance: "", requestId }));
    const lines = [
      `HTTP/1.1 ${shown.status} Bad Request`,
      "Content-Type: application/problem+json",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Cache-Control: no-store",
      `X-Request-Id: ${requestId}`,
      "Connection: close",
    ];
    socket.end(`${lines.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
  };
}

function shownError(code: string | undefined): ApiError {
  if (code === "HPE_HEADER_OVERFLOW")
    return new ApiError("invalid_parameter", { detail: "URL and headers are larger than 16 KiB" });
  if (code === "ERR_HTTP_REQUEST_TIMEOUT")
    return new ApiError("invalid_body", { detail: "The request was not received completely in time" });
  return new ApiError("invalid_parameter", { detail: "The request is not HTTP/1.1" });
}
