import { randomUUID } from "node:crypto";
import { type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { ApiError, problemOf } from "@tapewire/contract/errors.ts";
import { closeCodes, streamLimits } from "@tapewire/contract/stream.ts";
import { WebSocketServer } from "ws";
import { bearerToken, type Caller } from "../account/auth.ts";
import { apiErrorOf } from "../store/errors.ts";
import { Connection } from "./connection.ts";
import type { StreamDeps } from "./deps.ts";

const paths = new Set(["/", "/v1/stream", "/v1/stream/"]);
const recheckEveryMs = 1_500;
/** For clients to answer the close of a shutdown. */
const closeGraceMs = 2_000;

/** The WebSocket side of the HTTP server: upgrades, the open connections, their end. */
export class StreamHub implements AsyncDisposable {
  readonly #deps: StreamDeps;
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: streamLimits.clientFrameBytes,
    perMessageDeflate: false,
  });
  readonly #connections = new Set<Connection>();
  /** Connections and upgrades under way, by account. */
  readonly #open = new Map<string, number>();
  readonly #recheck: NodeJS.Timeout;
  #checking: Promise<void> | null = null;
  #closing = false;

  constructor(server: Server, deps: StreamDeps) {
    this.#deps = deps;
    server.on("upgrade", (request, socket, head) => void this.#upgrade(request, socket, head));
    this.#recheck = setInterval(() => {
      // One round at a time: while the database is away a round takes long.
      this.#checking ??= this.#checkKeys().finally(() => {
        this.#checking = null;
      });
    }, recheckEveryMs);
    this.#recheck.unref();
  }

  /** Closes every stream with 1012 and the cursor to resume with. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing = true;
    clearInterval(this.#recheck);
    for (const connection of this.#connections)
      connection.close(closeCodes.restart, `cursor=${connection.cursor}`);
    const cut = setTimeout(() => {
      for (const connection of this.#connections) connection.terminate();
    }, closeGraceMs);
    while (this.#connections.size > 0) await this.#deps.clock.sleep(20);
    clearTimeout(cut);
    this.#server.close();
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on("error", () => socket.destroy());
    try {
      const { caller, key } = await this.#admit(request);
      // Gone while the key was looked up: its close has been, and would never take the connection off the count.
      if (socket.destroyed) return this.#count(caller, -1);
      this.#server.handleUpgrade(request, socket, head, (ws) => {
        const connection = new Connection(ws, caller, key, this.#deps);
        this.#connections.add(connection);
        ws.on("close", () => this.#connections.delete(connection));
      });
      socket.once("close", () => this.#count(caller, -1));
    } catch (error) {
      const shown = apiErrorOf(error);
      refuse(socket, shown, request);
      if (shown.code === "internal") this.#deps.log.error({ err: error }, "stream upgrade failed");
    }
  }

  /** @throws {ApiError} why there is no stream for this request */
  async #admit(request: IncomingMessage): Promise<{ caller: Caller; key: string }> {
    const url = urlOf(request);
    if (!paths.has(url.pathname)) throw new ApiError("not_found");
    this.#checkReady();
    const key = url.searchParams.get("api_key") || (bearerToken(request.headers.authorization) ?? "");
    const caller = await this.#deps.auth.admit(key, request);
    // Once more: the look-up took time, and a connection that comes after the closing would never be closed.
    this.#checkReady();
    const most = caller.plan.stream_connections;
    if ((this.#open.get(caller.accountId) ?? 0) >= most)
      throw new ApiError("too_many_connections", {
        detail: `The ${caller.tier} plan allows ${most} at a time`,
      });
    this.#count(caller, 1);
    return { caller, key };
  }

  #checkReady(): void {
    if (this.#closing || !this.#deps.ready())
      throw new ApiError("not_ready", { headers: { "Retry-After": "2" } });
  }

  #count({ accountId }: Caller, change: number): void {
    const now = (this.#open.get(accountId) ?? 0) + change;
    if (now > 0) this.#open.set(accountId, now);
    else this.#open.delete(accountId);
  }

  /** Ends the streams of keys that were revoked or expired and of accounts that changed their plan. */
  async #checkKeys(): Promise<void> {
    const byKey = Map.groupBy(this.#connections, ({ key }) => key);
    for (const [key, connections] of byKey) {
      const caller = await this.#deps.auth.authenticate(key).catch((error: unknown) => {
        // The database is away: nothing is known to have changed.
        this.#deps.log.warn({ err: error }, "checking the keys of open streams failed");
        return connections[0]?.caller ?? null;
      });
      for (const connection of connections) end(connection, caller);
    }
  }
}

function end(connection: Connection, caller: Caller | null): void {
  if (caller === null) {
    connection.send({
      type: "error",
      code: "key_revoked",
      message: "The key is no longer valid",
      fatal: true,
    });
    connection.close(closeCodes.key_revoked, "key revoked or expired");
  } else if (caller.tier !== connection.caller.tier) {
    const message = `The account is now on the ${caller.tier} plan`;
    connection.send({ type: "error", code: "plan_changed", message, fatal: true });
    connection.close(closeCodes.plan_changed, "plan changed");
  }
}

/** Answers an upgrade request that is not granted like any other request: a problem document. */
function refuse(socket: Duplex, error: ApiError, request: IncomingMessage): void {
  const requestId = randomUUID();
  const body = JSON.stringify(problemOf(error, { instance: urlOf(request).pathname, requestId }));
  const headers = {
    "Content-Type": "application/problem+json",
    "Content-Length": String(Buffer.byteLength(body)),
    Connection: "close",
    "X-Request-Id": requestId,
    ...(error.code === "unauthorized" ? { "WWW-Authenticate": "Bearer" } : {}),
    ...error.headers,
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${head.join("")}\r\n${body}`);
}

/** Put together as text: of two arguments the first may name a host of its own, as `//` does, and a bad one throws. */
function urlOf(request: IncomingMessage): URL {
  const target = request.url ?? "/";
  return new URL(target.startsWith("/") ? `http://stream${target}` : "http://stream/not-a-path");
}
