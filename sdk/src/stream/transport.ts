import { toQuery } from "../filters/wire.ts";
import type { Connection } from "../http/settings.ts";
import type { SubscriptionFilters } from "../types.ts";
import { UnsupportedByTransport } from "./errors.ts";
import { EventsLink } from "./events.ts";
import type { Dial, Link, Sink } from "./link.ts";
import { globalSocket, type SocketClass, WebSocketLink } from "./websocket.ts";

export interface Target {
  readonly connection: Connection;
  /** Of the WebSocket. */
  readonly url: string;
  readonly socket: SocketClass | undefined;
}

/** Behind some proxies no WebSocket comes about, whatever is tried. */
const mostBlocked = 2;

/** Chooses how to connect. */
export class Dialer {
  readonly #target: Target;
  readonly #wanted: "auto" | "websocket" | "sse";
  readonly #socket: SocketClass | null;
  #blocked = 0;

  /** @throws {TypeError} when a WebSocket is wanted and there is none */
  constructor(target: Target, wanted: "auto" | "websocket" | "sse") {
    this.#target = target;
    this.#wanted = wanted;
    this.#socket = target.socket ?? globalSocket();
    if (wanted === "websocket" && this.#socket === null)
      throw new TypeError("this runtime has no WebSocket: pass one, or use the transport sse");
  }

  /** Whether a key that was refused may be replaced. */
  get renews(): boolean {
    return this.#target.connection.renews;
  }

  /** @throws {UnsupportedByTransport} when only server-sent events can be used, and they have no such filter */
  check(filters: SubscriptionFilters): void {
    if (this.#wanted !== "sse" && this.#socket !== null) return;
    try {
      toQuery(filters);
    } catch (cause) {
      throw new UnsupportedByTransport(String(cause), { cause });
    }
  }

  /** A connection ended before it was of use. */
  failed(isBlocked: boolean): void {
    // What refuses events lets a WebSocket have its turn again.
    this.#blocked = isBlocked ? this.#blocked + 1 : 0;
  }

  open(dial: Omit<Dial, "connection">, sink: Sink): Link {
    const { connection, url } = this.#target;
    const whole = { ...dial, connection };
    const socket = this.#socket;
    return socket === null || this.#usesEvents(dial.subscribe.filters ?? {})
      ? new EventsLink(whole, sink)
      : new WebSocketLink(whole, sink, { url, socket });
  }

  #usesEvents(filters: SubscriptionFilters): boolean {
    if (this.#wanted !== "auto") return this.#wanted === "sse";
    return this.#blocked >= mostBlocked && canQuery(filters);
  }
}

function canQuery(filters: SubscriptionFilters): boolean {
  try {
    toQuery(filters);
    return true;
  } catch {
    return false;
  }
}
