import { randomUUID } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { type Duplex, PassThrough, type Readable, type Writable } from "node:stream";
import { ApiError } from "@tapewire/contract/errors/errors.ts";
import { closeCodes, streamLimits } from "@tapewire/contract/stream.ts";
import type { Dictionary } from "@tapewire/contract/tags.ts";
import { WebSocketServer } from "ws";
import type { Authenticator, Caller } from "../account/keys/auth.ts";
import { keyOfAddress } from "../account/keys/presented-key.ts";
import { overloaded } from "../account/refusals.ts";
import { takeRequest } from "../account/requests-per-minute.ts";
import type { StreamSlots } from "../account/stream-slots.ts";
import type { Bus } from "../bus/types.ts";
import { SingleFlight } from "../runtime/sharing/single-flight.ts";
import { Connection } from "./connection.ts";
import { type EventRequest, eventRequest } from "./event-request.ts";
import { FanOut, type FanOutDeps } from "./fan-out.ts";
import { refuse, shakeHands, type Upgrade, urlOf } from "./handshake.ts";
import { endRefused } from "./key-check.ts";
import type { StreamStats, TransportName } from "./metrics.ts";
import {
  boundInbound,
  EventSourceTransport,
  StreamSocket,
  type Transport,
  type TransportEvents,
  WebSocketTransport,
} from "./wire/wire.ts";

export interface GatewayDeps extends FanOutDeps {
  readonly auth: Authenticator;
  readonly slots: StreamSlots;
  readonly bus: Bus;
  readonly dictionary: Dictionary;
  readonly ready: () => boolean;
  /** The error that a client without a stream is shown for anything thrown. */
  readonly apiErrorOf: (error: unknown) => ApiError;
}

/** A request for server-sent events, with the headers of its answer. */
export interface EventsCall {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly headers: Record<string, string>;
}

/** A caller that may have a stream. */
interface Admitted {
  readonly caller: Caller;
  readonly key: string;
}

const eventHeaders = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-store",
  "X-Accel-Buffering": "no",
} as const;
const paths = new Set(["/", "/v1/stream", "/v1/stream/"]);
const recheckEveryMs = 1_500;
/** Limit for admitting a connection, which takes long while the database is away; the client may have gone unnoticed. */
const admitWithinMs = 5_000;
/** How long clients have to answer the close frame at a shutdown. */
const closeGraceMs = 2_000;
/** At a shutdown clients are asked to come back within this time, each at its own moment. */
const comeBackWithinMs = 10_000;

/** The streaming side of the HTTP server: upgrades and event sources, the open connections, their end. */
export class StreamGateway implements AsyncDisposable {
  readonly #deps: GatewayDeps;
  readonly #fanOut: FanOut;
  readonly #connections = new Set<Connection>();
  readonly #opened = { websocket: 0, sse: 0 };
  readonly #server = new WebSocketServer({
    noServer: true,
    WebSocket: StreamSocket,
    clientTracking: false,
    maxPayload: streamLimits.clientFrameBytes,
    // Only clients' messages are inflated: no frame of ws reaches the threshold, so each is written whole in one
    // turn beside the blocks of feed frames, which are deflated once for all (see encoded-item.ts).
    perMessageDeflate: {
      threshold: Number.POSITIVE_INFINITY,
      serverNoContextTakeover: true,
      clientNoContextTakeover: true,
      concurrencyLimit: 4,
    },
  });
  readonly #recheck: NodeJS.Timeout;
  /** One round at a time, since a round takes long while the database is away. */
  readonly #checking: SingleFlight;
  readonly #unsubscribe: () => void;
  #closing = false;

  constructor(server: Server, deps: GatewayDeps) {
    this.#deps = deps;
    this.#fanOut = new FanOut(deps, () => {
      this.#sendAway(
        "The database was restored or has changed. Reconnect with the cursor and check `resumed`.",
      );
    });
    server.on("upgrade", (request, socket, head) => void this.#upgrade(request, socket, head));
    this.#checking = new SingleFlight(() => endRefused(this.#connections, deps));
    this.#recheck = setInterval(() => void this.#checking.run(), recheckEveryMs);
    this.#recheck.unref();
    this.#unsubscribe = deps.bus.subscribe((message) => {
      if (message.kind === "missed" || (message.kind === "changed" && message.change === "keys"))
        void this.#checking.run();
    });
  }

  /** Closes every stream with 1012, its cursor, and the time to wait before reconnecting. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing = true;
    clearInterval(this.#recheck);
    this.#unsubscribe();
    const connections = this.#connections;
    this.#sendAway("The server stops or restarts. Reconnect with the cursor.");
    const cut = setTimeout(() => {
      for (const connection of connections) connection.terminate();
    }, closeGraceMs);
    while (connections.size > 0) await this.#deps.clock.sleep(20);
    clearTimeout(cut);
    this.#fanOut[Symbol.dispose]();
    this.#server.close();
  }

  stats(): StreamStats {
    const { memory, writer, subscriptions, closes } = this.#fanOut;
    const open = { websocket: 0, sse: 0 };
    for (const connection of this.#connections) open[transportOf(connection)] += 1;
    const delivered = writer.written;
    return { open, opened: this.#opened, subscriptions, delivered, ringItems: memory.size, closes };
  }

  /**
   * GET /v1/stream/sse: list filters in the query, Last-Event-ID or `after` to resume.
   * @throws {ApiError} why there is no stream for this request; nothing has been answered then
   */
  async serveEvents({ request, response, headers }: EventsCall): Promise<void> {
    const url = urlOf(request);
    const { caller, key } = await this.#admit(url, request, headers);
    const subscribe = eventRequest(url, request, this.#deps.dictionary);
    const head = { ...headers, ...eventHeaders };
    if (request.method === "HEAD") {
      response.writeHead(200, head).end();
      return;
    }
    await this.#enter(caller);
    if (response.destroyed) return this.#leave(caller);
    response.writeHead(200, head).flushHeaders();
    this.#sendEvents({ caller, key }, response, subscribe);
  }

  /**
   * The same for a request that this process makes to itself, whose caller is admitted and counted where it comes from.
   * @throws {ApiError} why there is no stream for it
   */
  async eventsFor(who: Admitted, search: string): Promise<Readable> {
    this.#checkReady();
    const url = new URL(`/v1/stream/sse?${search}`, "http://localhost");
    const subscribe = eventRequest(url, { headers: {} }, this.#deps.dictionary);
    await this.#enter(who.caller);
    const events = new PassThrough();
    this.#sendEvents(who, events, subscribe);
    return events;
  }

  /** @param who has a slot */
  #sendEvents(who: Admitted, to: Writable, subscribe: EventRequest): void {
    const locked = !who.caller.plan.scores_visible;
    const connection = this.#open(who, (events) => new EventSourceTransport(to, { locked, events }));
    connection.onMessage(JSON.stringify({ type: "subscribe", ...subscribe }));
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    socket.on("error", () => socket.destroy());
    const upgrade: Upgrade = { request, socket, head, headers: { "X-Request-Id": randomUUID() } };
    const late = overloaded();
    const deadline = setTimeout(() => this.#refuse(upgrade, late), admitWithinMs);
    try {
      const url = urlOf(request);
      if (!paths.has(url.pathname)) throw new ApiError("not_found");
      const admitted = await this.#admit(url, request, upgrade.headers);
      await this.#enter(admitted.caller);
      clearTimeout(deadline);
      this.#greet(admitted, upgrade);
    } catch (error) {
      this.#refuse(upgrade, error);
    } finally {
      clearTimeout(deadline);
    }
  }

  /** Closes every stream with its cursor and the time to wait before reconnecting. */
  #sendAway(message: string): void {
    for (const connection of this.#connections) {
      const retryAfterMs = Math.floor(Math.random() * comeBackWithinMs);
      connection.close(closeCodes.restart, `cursor=${connection.cursor}`, {
        type: "error",
        code: "restarting",
        message,
        retry_after_ms: retryAfterMs,
        fatal: true,
      });
    }
  }

  /** @param who has a slot, which is freed when there is no stream for it */
  #greet(who: Admitted, upgrade: Upgrade): void {
    const { socket } = upgrade;
    let opened = false;
    try {
      // The client has gone or was refused meanwhile: its close event is over and would never free the slot.
      if (!socket.writable) return;
      const locked = !who.caller.plan.scores_visible;
      shakeHands(this.#server, upgrade, (ws) => {
        opened = true;
        const connection = this.#open(
          who,
          (events) => new WebSocketTransport(ws, socket, { locked, events }),
        );
        boundInbound(socket, {
          isOpen: () => connection.transport.open,
          onTooMuch: (isOpen) => {
            if (isOpen) connection.close(closeCodes.too_many_frames, "too much is sent");
            else connection.terminate();
          },
        });
      });
    } finally {
      if (!opened) this.#leave(who.caller);
    }
  }

  #refuse(upgrade: Upgrade, error: unknown): void {
    // The client has gone, or got its answer at the deadline.
    if (!upgrade.socket.writable) return;
    this.#deps.refusals.countError(error);
    refuse(upgrade, this.#shown(error));
  }

  #open(who: Admitted, transport: (events: TransportEvents) => Transport): Connection {
    const connection: Connection = new Connection(this.#fanOut, who, {
      transport,
      onClose: () => {
        this.#connections.delete(connection);
        this.#fanOut.remove(connection);
        this.#leave(who.caller);
      },
    });
    this.#connections.add(connection);
    this.#opened[transportOf(connection)] += 1;
    this.#fanOut.add(connection);
    return connection;
  }

  #leave(caller: Caller): void {
    this.#deps.slots.free(caller);
    if (this.#deps.slots.openHere(caller.accountId) === 0) this.#deps.quota.release(caller.accountId);
  }

  /**
   * Admits a request for a stream, which counts as one of the account's requests per minute.
   * @param headers of the answer, whatever its status; the rate headers are added to them
   * @throws {ApiError} why there is no stream for it
   */
  async #admit(url: URL, request: IncomingMessage, headers: Record<string, string>): Promise<Admitted> {
    this.#checkReady();
    const { auth } = this.#deps;
    const key = keyOfAddress(url, request);
    const caller = await auth.admit(key, request);
    await takeRequest(auth.rates, { caller, bucket: "minute" }, headers);
    return { caller, key };
  }

  /** @throws {ApiError} when the plan's streams are all open, or the server is stopping */
  async #enter(caller: Caller): Promise<void> {
    await this.#deps.slots.take(caller);
    // Checked again, because entering took time, and a connection after the shutdown would never be closed.
    if (this.#closing) {
      this.#leave(caller);
      this.#checkReady();
    }
  }

  #checkReady(): void {
    if (this.#closing || !this.#deps.ready())
      throw new ApiError("not_ready", { headers: { "Retry-After": "2" } });
  }

  #shown(error: unknown): ApiError {
    const shown = this.#deps.apiErrorOf(error);
    if (shown.code === "internal") this.#deps.log.error({ err: error }, "opening a stream failed");
    return shown;
  }
}

function transportOf({ transport }: Connection): TransportName {
  return transport.form.wire === "sse" ? "sse" : "websocket";
}
