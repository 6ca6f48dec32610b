import { queryProblem } from "../filters/query-limits.ts";
import type { Connection } from "../http/settings.ts";
import type { SubscriptionFilters } from "../types.ts";
import { UnsupportedByTransport } from "./errors.ts";
import { later } from "./later.ts";
import type { Ended, Line } from "./link.ts";
import { globalSocket, type SocketClass, webSocket } from "./websocket.ts";

export interface Target {
  readonly connection: Connection;
  /** Of the WebSocket. */
  readonly url: string;
  readonly socket: SocketClass | undefined;
}

/** Behind some proxies no WebSocket comes about, whatever is tried. */
const mostBlocked = 2;

/** Chooses how to connect, and with which key. */
export class Dialer {
  /** Whether a subscribe can change the filters of the connection. */
  takesFilters = false;
  readonly #target: Target;
  readonly #socket: SocketClass | undefined;
  readonly #wanted: "auto" | "websocket" | "sse";
  #blocked = 0;
  #key = "";
  /** The key that another one was asked for. */
  #refused: string | undefined;

  /** @throws {TypeError} when a WebSocket is wanted and there is none */
  constructor(target: Target, wanted: "auto" | "websocket" | "sse") {
    this.#target = target;
    this.#wanted = wanted;
    this.#socket = wanted === "sse" ? undefined : (target.socket ?? globalSocket());
    if (wanted === "websocket" && this.#socket === undefined)
      throw new TypeError("this runtime has no WebSocket: pass one, or use the transport sse");
  }

  /** @throws {UnsupportedByTransport} when only server-sent events can be used, and they have no such filter */
  check(filters: SubscriptionFilters): void {
    const problem = this.#socket === undefined ? queryProblem(filters) : null;
    if (problem !== null) throw new UnsupportedByTransport(problem);
  }

  /** The key was refused. @returns whether another one is tried, which happens once between two subscriptions */
  renews(): boolean {
    if (!this.#target.connection.renews || this.#refused !== undefined) return false;
    this.#refused = this.#key;
    return true;
  }

  subscribed(): void {
    this.#refused = undefined;
  }

  /** A connection ended before it was of use. What refuses events lets a WebSocket have its turn again. */
  failed(isBlocked: boolean): void {
    this.#blocked = isBlocked ? this.#blocked + 1 : 0;
  }

  /**
   * Connects. @returns how the connection ended
   * @throws what the caller's function for the key throws, or the WebSocket's class
   */
  async dial(line: Line): Promise<Ended> {
    const { connection, url } = this.#target;
    const key = await connection.key(this.#refused);
    line.signal.throwIfAborted();
    this.#key = key;
    const caller = { connection, key };
    const socket = this.#usesEvents(line.subscribe.filters) ? undefined : this.#socket;
    this.takesFilters = socket !== undefined;
    return socket === undefined
      ? later((loaded) => loaded.serverSentEvents(line, caller))
      : webSocket(line, caller, url, socket);
  }

  #usesEvents(filters: SubscriptionFilters): boolean {
    return this.#wanted === "auto" && this.#blocked >= mostBlocked && queryProblem(filters) === null;
  }
}
