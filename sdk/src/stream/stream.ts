import { type ConnectionOptions, connectionOf } from "../http/settings.ts";
import { EventStream } from "./event-stream.ts";
import type { StreamOptions } from "./types.ts";
import type { SocketClass } from "./websocket.ts";

export type { Key } from "../http/settings.ts";
export { StreamClosed, UnsupportedByTransport } from "./errors.ts";
export type { EventStream } from "./event-stream.ts";
export type * from "./types.ts";
export type { SocketClass, SocketLike } from "./websocket.ts";

export interface StreamConnectionOptions extends ConnectionOptions {
  /** Default: /v1/stream at baseUrl. */
  readonly streamUrl?: string | undefined;
  /** Default: the global one. */
  readonly WebSocket?: SocketClass | undefined;
}

/**
 * The items as they are scored. It connects when the first event is asked for.
 * @throws {UnsupportedByTransport} for filters that server-sent events do not have, when no WebSocket can be used
 */
export function stream(options: StreamConnectionOptions & StreamOptions = {}): EventStream {
  return streamOf(options, options);
}

export function streamOf(to: StreamConnectionOptions, options: StreamOptions): EventStream {
  const connection = connectionOf(to);
  const url = to.streamUrl ?? `${connection.baseUrl.replace(/^http/, "ws")}/v1/stream`;
  return new EventStream({ connection, url, socket: to.WebSocket }, options);
}
