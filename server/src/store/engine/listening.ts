import { randomUUID } from "node:crypto";
import { backoffMs } from "../../runtime/backoff.ts";
import type { Log } from "../../runtime/log.ts";
import { Signal } from "../../runtime/sharing/signal.ts";
import { Connection, connectMs, keepAliveMs } from "./connections.ts";

/**
 * connecting: a session is being opened. proving: it listens, and has yet to hear its own notice. listening: it has heard
 * it. checking: it has to hear another one. waiting: it was lost, and is opened again after a pause. deaf: it did not hear
 * its own notice, and is tried again after a long pause. closed: for good.
 * An event `unasked`: the notice could not be sent, which says nothing of the session that listens.
 */
export type ListeningState =
  | "connecting"
  | "proving"
  | "listening"
  | "checking"
  | "waiting"
  | "deaf"
  | "closed";
type ListeningEvent = "opened" | "heard" | "unheard" | "unasked" | "failed" | "due" | "closed";

/** All moves; an event that a state does not list changes nothing. */
export const listeningMoves: Readonly<
  Record<ListeningState, Partial<Record<ListeningEvent, ListeningState>>>
> = {
  connecting: { opened: "proving", failed: "waiting", closed: "closed" },
  proving: { heard: "listening", unheard: "deaf", failed: "waiting", closed: "closed" },
  listening: { due: "checking", failed: "waiting", closed: "closed" },
  checking: { heard: "listening", unasked: "listening", failed: "waiting", closed: "closed" },
  waiting: { due: "connecting", closed: "closed" },
  deaf: { due: "connecting", closed: "closed" },
  closed: {},
};

export interface ListeningEvents {
  readonly heard: (payload: string) => void;
  /** Every notice from now on is heard; earlier ones may have been missed. */
  readonly begun: () => void;
  /** Sends a notice on the channel, over another connection than the one that listens. */
  readonly notify: (payload: string) => Promise<void>;
}

/** A session that hears the notices of one channel. */
export interface Listening extends AsyncDisposable {
  /** false: notices are being missed, and `begun` will tell when they are heard again. */
  readonly isHearing: boolean;
}

export interface ListeningTimes {
  /** How soon its own notice must be heard. */
  readonly hearMs: number;
  /** How often it is checked. */
  readonly checkEveryMs: number;
  /** After its own notice was not heard on a new session. */
  readonly deafMs: number;
  readonly backoff: { readonly baseMs: number; readonly maxMs: number };
}

const usualTimes: ListeningTimes = {
  hearMs: 5_000,
  checkEveryMs: 15_000,
  deafMs: 300_000,
  backoff: { baseMs: 100, maxMs: 10_000 },
};

const ownPrefix = "own ";
const sessionOptions =
  "-c idle_session_timeout=0 -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3";

export interface ListeningOptions {
  readonly connectionString: string;
  readonly channel: string;
  readonly events: ListeningEvents;
  readonly log: Log;
  readonly times?: Partial<ListeningTimes>;
}

/**
 * Holds one session that listens. Whether it hears is proved by a notice of its own: a pooler that shares sessions among
 * its clients accepts LISTEN and delivers nothing. The notice goes over another connection, because such a pooler may
 * pass on what a session tells itself. The proof is repeated, so a host that has vanished is noticed too.
 */
export class PostgresListening implements Listening {
  readonly #options: ListeningOptions;
  readonly #times: ListeningTimes;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  readonly #ownHeard = new Signal();
  #state: ListeningState = "connecting";
  /** Sessions in a row that heard nothing. */
  #failures = 0;
  /** What the log says of the state. */
  #logged: "hearing" | "lost" | "deaf" = "hearing";
  /** The own notice that has not been heard yet; empty: none. */
  #awaited = "";

  constructor(options: ListeningOptions) {
    this.#options = options;
    this.#times = { ...usualTimes, ...options.times };
    this.#running = this.#run();
  }

  get isHearing(): boolean {
    return this.#state === "listening" || this.#state === "checking";
  }

  get state(): ListeningState {
    return this.#state;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    const { deafMs, backoff } = this.#times;
    const pause = new Signal();
    while (!signal.aborted) {
      await this.#session();
      await pause.wait(signal, this.#state === "deaf" ? deafMs : backoffMs(this.#failures, backoff));
      this.#move("due");
    }
    this.#move("closed");
  }

  /** One session, from its opening to its end. */
  async #session(): Promise<void> {
    const connection = new Connection({
      connectionString: this.#options.connectionString,
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
      application_name: "tapewire",
      options: sessionOptions,
    });
    const over = new AbortController();
    const { signal: closing } = this.#closing;
    over.signal.addEventListener("abort", () => connection.socket.destroy(), { once: true });
    closing.addEventListener("abort", () => over.abort(closing.reason), { signal: over.signal });
    connection.on("error", (error) => over.abort(error));
    connection.on("end", () => over.abort(new Error("the database closed the connection that listens")));
    connection.on("notification", ({ payload = "" }) => this.#hear(payload));
    try {
      await this.#keep(connection, over.signal);
    } catch (error) {
      if (!closing.aborted) this.#lose(over.signal.aborted ? over.signal.reason : error);
    } finally {
      over.abort();
    }
  }

  /** Opens the session and keeps it. Rejects with the reason when it ends; resolves when it is deaf. */
  async #keep(connection: Connection, over: AbortSignal): Promise<void> {
    const { hearMs, checkEveryMs } = this.#times;
    const late = setTimeout(
      () => connection.socket.destroy(new Error("the database did not answer LISTEN")),
      connectMs + hearMs,
    );
    try {
      await connection.connect();
      await connection.query(`listen ${connection.escapeIdentifier(this.#options.channel)}`);
    } finally {
      clearTimeout(late);
    }
    this.#move("opened");
    const pause = new Signal();
    for (;;) {
      const proof = await this.#prove(over);
      over.throwIfAborted();
      if (proof === "heard") this.#begin();
      else if (proof === "unasked") this.#move("unasked");
      else if (this.#state === "proving") return this.#giveUp();
      else throw new Error("the connection that listens does not hear its own notice any more");
      await pause.wait(over, checkEveryMs);
      over.throwIfAborted();
      this.#move("due");
    }
  }

  /** Whether the session hears its own notice. Rejects when a new session's notice could not be sent. */
  async #prove(over: AbortSignal): Promise<"heard" | "unheard" | "unasked"> {
    const payload = ownPrefix + randomUUID();
    this.#awaited = payload;
    try {
      await this.#options.events.notify(payload);
    } catch (error) {
      if (this.#state === "proving") throw error;
      return "unasked";
    }
    if (this.#awaited !== "") await this.#ownHeard.wait(over, this.#times.hearMs);
    return this.#awaited === "" ? "heard" : "unheard";
  }

  #hear(payload: string): void {
    if (!payload.startsWith(ownPrefix)) return this.#options.events.heard(payload);
    // Other processes prove their own sessions on the same channel.
    if (payload !== this.#awaited) return;
    this.#awaited = "";
    this.#ownHeard.notify();
  }

  #begin(): void {
    const before = this.#state;
    this.#move("heard");
    this.#failures = 0;
    if (before !== "proving") return;
    if (this.#logged !== "hearing") this.#options.log.info("notices of other processes are heard again");
    this.#logged = "hearing";
    this.#options.events.begun();
  }

  #giveUp(): void {
    this.#failures += 1;
    this.#move("unheard");
    if (this.#logged === "deaf") return;
    this.#logged = "deaf";
    this.#options.log.warn(
      "sessions of DATABASE_URL hear no notices, as behind a pooler that shares them among its clients: what other processes publish is found by polling, within about a second",
    );
  }

  #lose(error: unknown): void {
    this.#failures += 1;
    this.#move("failed");
    if (this.#logged !== "hearing") return;
    this.#logged = "lost";
    this.#options.log.warn(
      { err: error },
      "notices of other processes are not heard: what they publish is found by polling until the connection is back",
    );
  }

  #move(event: ListeningEvent): void {
    this.#state = listeningMoves[this.#state][event] ?? this.#state;
  }
}
