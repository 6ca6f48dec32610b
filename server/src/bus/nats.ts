import { connect, errors, type NatsConnection } from "@nats-io/transport-node";
import { natsAddressOf } from "../config/nats-address.ts";
import { backoffMs } from "../runtime/backoff.ts";
import type { Log } from "../runtime/log.ts";
import { Signal } from "../runtime/sharing/signal.ts";
import type { Queries } from "../store/engine/db.ts";
import { sharedSecret } from "../store/engine/settings.ts";
import { NatsCalls } from "./nats-calls.ts";
import { decode, Seal } from "./nats-messages.ts";
import { Outbox } from "./nats-outbox.ts";
import type { BusCounts, BusListener, Carrier, Change, Committed } from "./types.ts";

/**
 * connecting: a connection is being opened. subscribing: it is open, and the server has yet to confirm the subscription.
 * connected: messages arrive. waiting: it was lost or refused, and is opened again after a pause. closed: for good.
 */
export type NatsState = "connecting" | "subscribing" | "connected" | "waiting" | "closed";
type NatsEvent = "opened" | "confirmed" | "moved" | "failed" | "due" | "closed";

/** All moves; an event that a state does not list changes nothing. moved: another log is followed. */
export const natsMoves: Readonly<Record<NatsState, Partial<Record<NatsEvent, NatsState>>>> = {
  connecting: { opened: "subscribing", failed: "waiting", closed: "closed" },
  subscribing: { confirmed: "connected", failed: "waiting", closed: "closed" },
  connected: { moved: "subscribing", failed: "waiting", closed: "closed" },
  waiting: { due: "connecting", closed: "closed" },
  closed: {},
};

const connectMs = 5_000;
/** A server that does not answer two of these pings is given up. */
const pingEveryMs = 5_000;
const backoff = { baseMs: 100, maxMs: 10_000 };
const partingMs = 1_000;
/** The longest time that a timer of Node can have. */
const longMs = 0x7fffffff;

export interface NatsDeps {
  readonly db: Queries;
  readonly log: Log;
  readonly counts: BusCounts;
  readonly hand: BusListener;
}

/**
 * Core subjects of NATS. Who commits publishes the entries themselves, once, so that readers need no database for them.
 * Connections are opened here and not by the client's own reconnecting, which would keep messages without a bound while
 * the server is away, and send them late.
 */
export class NatsCarrier implements Carrier {
  readonly name = "nats";
  readonly #options: NonNullable<Parameters<typeof connect>[0]>;
  readonly #deps: NatsDeps;
  readonly #seal: Seal;
  readonly #outbox: Outbox;
  readonly calls: NatsCalls;
  readonly #closing = new AbortController();
  readonly #moved = new Signal();
  #running: Promise<void> | null = null;
  /** Of the log that is followed; null: none yet. */
  #epoch: string | null = null;
  #state: NatsState = "connecting";
  /** Connections in a row that did not get as far as hearing. */
  #failures = 0;
  /** What the log says of the connection. */
  #logged: "connected" | "lost" = "connected";

  private constructor(url: string, deps: NatsDeps, seal: Seal) {
    this.#options = optionsOf(url);
    this.#deps = deps;
    this.#seal = seal;
    this.#outbox = new Outbox({ seal, counts: deps.counts });
    this.calls = new NatsCalls(seal);
  }

  static async open(url: string, deps: NatsDeps): Promise<NatsCarrier> {
    return new NatsCarrier(url, deps, new Seal(await sharedSecret(deps.db, "bus_key")));
  }

  get isConnected(): boolean {
    return this.#state === "connected";
  }

  get state(): NatsState {
    return this.#state;
  }

  publish(committed: Committed): void {
    this.#outbox.entries(committed);
  }

  announce(change: Change): void {
    this.#outbox.changed(change);
  }

  follow(epoch: string): void {
    if (epoch === this.#epoch) return;
    this.#epoch = epoch;
    this.#running ??= this.#run();
    this.#moved.notify();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#running;
    this.#move("closed");
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    const pause = new Signal();
    while (!signal.aborted) {
      await this.#session().catch((error: unknown) => {
        if (!signal.aborted) this.#lose(error);
      });
      await pause.wait(signal, backoffMs(Math.max(1, this.#failures), backoff));
      this.#move("due");
    }
  }

  /** One connection, from its opening to its end. Rejects with the reason. */
  async #session(): Promise<void> {
    const opening = connect(this.#options);
    const connection = await orAbort(opening, this.#closing.signal).catch((error: unknown) => {
      // It may still open, after nobody wants it any more.
      opening.then(
        (late) => late.close(),
        () => {},
      );
      throw error;
    });
    const over = new AbortController();
    const { signal: closing } = this.#closing;
    closing.addEventListener("abort", () => over.abort(closing.reason), { signal: over.signal });
    if (closing.aborted) over.abort(closing.reason);
    const watching = watch(connection, (error) => over.abort(error));
    try {
      this.#move("opened");
      this.calls.open(connection);
      while (!over.signal.aborted) await this.#listen(connection, over);
      over.signal.throwIfAborted();
    } finally {
      this.calls.shut();
      this.#outbox.shut();
      await Promise.race([connection.flush().catch(() => {}), late(partingMs)]);
      await connection.close();
      await watching;
    }
  }

  /** Hears the messages of the followed log, until another one is followed or the connection ends. */
  async #listen(connection: NatsConnection, over: AbortController): Promise<void> {
    const epoch = this.#epoch;
    const base = `tapewire.${this.#seal.installation}.${epoch}`;
    const subscription = connection.subscribe(`${base}.*`, {
      callback: (error, { subject, data }) => {
        if (error === null) this.#hear(subject, data);
        else over.abort(error);
      },
    });
    await orAbort(connection.flush(), over.signal);
    this.#begin();
    this.#outbox.open({ connection, base });
    while (this.#epoch === epoch && !over.signal.aborted) await this.#moved.wait(over.signal, longMs);
    this.#outbox.shut();
    this.#move("moved");
    if (!connection.isClosed()) subscription.unsubscribe();
  }

  #begin(): void {
    this.#move("confirmed");
    this.#failures = 0;
    if (this.#logged === "lost") this.#deps.log.info("NATS is connected again");
    this.#logged = "connected";
    this.#deps.counts.connects += 1;
    // The subscription stands, so what is read from now on has no hole before the first message.
    this.#deps.hand({ kind: "missed" });
  }

  #hear(subject: string, data: Uint8Array): void {
    const { counts, hand } = this.#deps;
    const body = this.#seal.open(subject, data);
    const message = body === null ? null : decoded(body);
    if (message === null) {
      counts.lost += 1;
      return;
    }
    counts.received[message.kind] += 1;
    hand(message);
  }

  #lose(error: unknown): void {
    this.#failures += 1;
    this.#move("failed");
    if (this.#logged === "lost") return;
    this.#logged = "lost";
    this.#deps.log.warn(
      { err: error },
      "NATS is not connected: what other processes publish is found by polling until it is back",
    );
  }

  #move(event: NatsEvent): void {
    this.#state = natsMoves[this.#state][event] ?? this.#state;
  }
}

/** @returns null for what no version like this one has sent */
function decoded(body: Buffer): ReturnType<typeof decode> | null {
  try {
    return decode(body);
  } catch {
    return null;
  }
}

/** The secrets go to the server only: addresses in errors have none. */
function optionsOf(url: string): NonNullable<Parameters<typeof connect>[0]> {
  const address = natsAddressOf(url);
  if (address === null) throw new TypeError("NATS_URL was not checked");
  const { servers, user, password, token, tls } = address;
  return {
    servers: [...servers],
    name: "tapewire",
    timeout: connectMs,
    reconnect: false,
    noEcho: true,
    pingInterval: pingEveryMs,
    maxPingOut: 2,
    ignoreClusterUpdates: true,
    ...(user === null || password === null ? {} : { user, pass: password }),
    ...(token === null ? {} : { token }),
    ...(tls ? { tls: {} } : {}),
  };
}

/** Tells why a connection ended, or that the server does not permit what is needed. Resolves when it has ended. */
async function watch(connection: NatsConnection, end: (reason: unknown) => void): Promise<void> {
  const ended = connection.closed().then((error) => {
    end(error instanceof Error ? error : new Error("the NATS server closed the connection"));
  });
  for await (const status of connection.status())
    if (status.type === "error" && status.error instanceof errors.PermissionViolationError) end(status.error);
  await ended;
}

/** What the work gives, unless the signal aborts first: then rejects with its reason. */
function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}

function late(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });
}
