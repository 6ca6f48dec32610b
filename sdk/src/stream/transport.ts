import { queryProblem } from "../filters/query-limits.ts";
import type { Connection, ConnectionOptions } from "../http/settings.ts";
import type { SubscriptionFilters } from "../types.ts";
import { UnsupportedByTransport } from "./errors.ts";
import { later } from "./later.ts";
import type { Ended, Line } from "./link.ts";
import type { StreamOptions } from "./types.ts";
import { type SocketClass, webSocket } from "./websocket.ts";

export interface StreamConnectionOptions extends ConnectionOptions {
  /** Default: /v1/stream at baseUrl. */
  readonly streamUrl?: string | undefined;
  /** Default: the global one. */
  readonly WebSocket?: SocketClass | undefined;
}

/** Chooses how to connect, and with which key. */
export interface Dialer {
  /** How filters change: by a subscribe on the connection, or by another connection. */
  change: "changed" | "moved";
  /** @throws {UnsupportedByTransport} when a query cannot say them, and only server-sent events can be used or gaps are filled */
  check(filters: SubscriptionFilters): void;
  /**
   * Connects. @returns how the connection ended
   * @throws what the caller's function for the key throws, or the WebSocket's class
   */
  dial(line: Line): Promise<Ended>;
  subscribed(): void;
  /** A connection ended before it was of use. What refuses events lets a WebSocket have its turn again. */
  failed(isBlocked: boolean | undefined): void;
}

/** Behind some proxies no WebSocket comes about, whatever is tried. */
const mostBlocked = 2;

/** @throws {TypeError} when a WebSocket is wanted and there is none */
export function dialerOf(
  connection: Connection,
  {
    transport = "auto",
    fill,
    WebSocket = Object(globalThis).WebSocket,
    streamUrl: url = `${connection.baseUrl.replace(/^http/, "ws")}/v1/stream`,
  }: StreamConnectionOptions & StreamOptions,
): Dialer {
  const Socket: SocketClass | undefined = transport === "sse" ? undefined : WebSocket;
  if (transport === "websocket" && !Socket) throw new TypeError("pass a WebSocket, or use the transport sse");
  let blocked = 0;
  /** The key that another one was asked for, which happens once between two subscriptions. */
  let refused: string | undefined;
  return {
    change: "moved",
    check(filters) {
      // Gaps are filled by a query, and providers chosen from what it finds.
      const problem = queryProblem(Socket ? { ...(fill && filters), providers: null } : filters);
      if (problem) throw new UnsupportedByTransport(problem);
    },
    async dial(line) {
      const key = await connection.key(refused);
      line.signal.throwIfAborted();
      const usesEvents =
        transport === "auto" && blocked >= mostBlocked && !queryProblem(line.subscribe.filters);
      const Used = usesEvents ? undefined : Socket;
      this.change = Used ? "changed" : "moved";
      const ended = await (Used
        ? webSocket(line, connection, key, url, Used)
        : later((loaded) => loaded.sse(line, connection, key)));
      const isRefused = ended.code === 401 || ended.code === 4501;
      if (!isRefused || !connection.renews || refused !== undefined) return ended;
      refused = key;
      return { ...ended, code: 0, retryAfterMs: 0 };
    },
    subscribed() {
      refused = undefined;
    },
    failed(isBlocked) {
      blocked = isBlocked ? blocked + 1 : 0;
    },
  };
}
