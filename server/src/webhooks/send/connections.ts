import type { Socket } from "node:net";
import { Client } from "undici";
import { boundResponses } from "../../runtime/wire-bound.ts";
import { AttemptError } from "./attempt-error.ts";
import type { Connector } from "./connector.ts";

/** One connection with its HTTP client, for one request at a time. */
export interface Connection {
  readonly origin: string;
  readonly client: Client;
  readonly socket: Socket;
  /** Whether the owner of an endpoint may read what it answers. */
  readonly isShown: boolean;
}

const maxHeaderBytes = 16 * 1024;
const keepAliveMs = 60_000;
/** More than one look at the socket can bring beside the largest headers. */
const wireBytes = 256 * 1024;

/**
 * The connections to receivers. A free one is kept for 60 s, or as long as the receiver says; when there are too many over
 * all origins, the one unused longest is closed, so the open sockets are bounded. The library's pool per origin would
 * neither distinguish used connections from fresh ones, nor bound them over all origins.
 */
export class Connections implements AsyncDisposable {
  readonly #connector: Connector;
  readonly #maxIdle: number;
  readonly #isShown: (ip: string) => boolean;
  readonly #busy = new Set<Connection>();
  /** In the order they became free. */
  readonly #idle = new Set<Connection>();
  /** The same by origin; the one used last, at the end, is the most likely to be alive. */
  readonly #idleOf = new Map<string, Connection[]>();
  /** Busy connections that must not be reused. */
  readonly #forgotten = new WeakSet<Connection>();
  #isClosed = false;

  constructor(
    connector: Connector,
    { maxIdle, isShown }: { readonly maxIdle: number; readonly isShown: (ip: string) => boolean },
  ) {
    this.#connector = connector;
    this.#maxIdle = maxIdle;
    this.#isShown = isShown;
  }

  /** A free connection, if any; `free` or `drop` must follow. */
  reuse(origin: string): Connection | null {
    const free = this.#idleOf.get(origin);
    for (;;) {
      const connection = free?.pop();
      if (connection === undefined) return null;
      this.#idle.delete(connection);
      if (connection.socket.destroyed) continue;
      this.#busy.add(connection);
      return connection;
    }
  }

  /**
   * A new connection; `free` or `drop` must follow.
   * @throws {AttemptError}
   */
  async open(url: URL, signal: AbortSignal): Promise<Connection> {
    const socket = await this.#connect(url, signal);
    if (this.#isClosed) {
      socket.destroy();
      throw new AttemptError("stopped");
    }
    boundResponses(socket, wireBytes, () => {
      socket.destroy(new AttemptError("bad_answer"));
    });
    const isShown = this.#isShown(socket.remoteAddress ?? "");
    const connection = { origin: url.origin, client: newClient(url.origin, socket), socket, isShown };
    connection.client.on("disconnect", () => this.drop(connection));
    this.#busy.add(connection);
    return connection;
  }

  free(connection: Connection): void {
    // Dropped or forgotten meanwhile.
    if (!this.#busy.delete(connection) || this.#forgotten.has(connection)) return close(connection);
    this.#idle.add(connection);
    const others = this.#idleOf.get(connection.origin);
    if (others === undefined) this.#idleOf.set(connection.origin, [connection]);
    else others.push(connection);
    if (this.#idle.size <= this.#maxIdle) return;
    const [oldest] = this.#idle;
    if (oldest !== undefined) this.drop(oldest);
  }

  drop(connection: Connection): void {
    this.#busy.delete(connection);
    this.#leaveIdle(connection);
    close(connection);
  }

  /** Closes all connections of this origin, but lets running requests end. */
  forget(origin: string): void {
    for (const connection of [...(this.#idleOf.get(origin) ?? [])]) this.drop(connection);
    for (const connection of this.#busy) if (connection.origin === origin) this.#forgotten.add(connection);
  }

  /** Cuts all requests. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    for (const connection of [...this.#busy, ...this.#idle]) this.drop(connection);
  }

  /** When the process has no socket left, closes all free connections to make room. */
  async #connect(url: URL, signal: AbortSignal): Promise<Socket> {
    try {
      return await this.#connector.connect(url, signal);
    } catch (error) {
      if (error instanceof AttemptError && error.code === "stopped")
        for (const connection of [...this.#idle]) this.drop(connection);
      throw error;
    }
  }

  #leaveIdle(connection: Connection): void {
    const free = this.#idleOf.get(connection.origin) ?? [];
    if (this.#idle.delete(connection)) free.splice(free.lastIndexOf(connection), 1);
    // Not whenever it is empty: the next attempt to this origin would make it anew.
    if (free.length === 0) this.#idleOf.delete(connection.origin);
  }
}

/** A client for this socket only: it never connects again. */
function newClient(origin: string, socket: Socket): Client {
  let given = false;
  return new Client(origin, {
    connect: (_options, callback) => {
      // Later, because an immediate callback would come within the client's own loop, which would not notice it.
      queueMicrotask(() => {
        if (given) callback(new AttemptError("reset"), null);
        else callback(null, socket);
        given = true;
      });
    },
    allowH2: false,
    pipelining: 1,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    maxHeaderSize: maxHeaderBytes,
    // The sender has one deadline for all of an attempt.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

function close({ client, socket }: Connection): void {
  socket.destroy();
  if (!client.destroyed) void client.destroy();
}
