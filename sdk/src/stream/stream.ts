import { connectionOf } from "../http/settings.ts";
import { EventStream } from "./event-stream.ts";
import type { StreamConnectionOptions } from "./transport.ts";
import type { StreamOptions } from "./types.ts";

export type { Key } from "../http/settings.ts";
export { StreamClosed, UnsupportedByTransport } from "./errors.ts";
export type { EventStream } from "./event-stream.ts";
export type { StreamConnectionOptions } from "./transport.ts";
export type * from "./types.ts";
export type { SocketClass, SocketLike } from "./websocket.ts";

/**
 * The items as they are scored. It connects when the first event is asked for.
 * @throws {UnsupportedByTransport} for filters that server-sent events do not have, when no WebSocket can be used, and for
 * those that the list does not have, when gaps are to be filled
 */
export const stream = (options: StreamConnectionOptions & StreamOptions = {}): EventStream =>
  new EventStream(connectionOf(options), options);
