import type { LookupFunction } from "node:net";
import { buildConnector } from "undici";
import { boundResponses } from "../../runtime/wire-bound.ts";
import { FetchError } from "./types.ts";

export interface ConnectOptions {
  readonly lookup?: LookupFunction | undefined;
  /** Of one answer, with all that stands around its body. */
  readonly wireBytes: number;
}

const connectMs = 10_000;

/** Makes connections whose responses are bounded on the wire too, not only in their headers and bodies. */
export function boundedConnector({ lookup, wireBytes }: ConnectOptions): buildConnector.connector {
  const connect = buildConnector({
    timeout: connectMs,
    allowH2: false,
    ...(lookup === undefined ? {} : { lookup }),
  });
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      boundResponses(socket, wireBytes, () => {
        socket.destroy(new FetchError(`more than ${wireBytes} bytes came, counting all around the body`));
      });
      callback(null, socket);
    });
}
