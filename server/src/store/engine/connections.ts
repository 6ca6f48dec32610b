import { Socket } from "node:net";
import pg from "pg";
import type { Log } from "../../runtime/log.ts";

const tickMs = 500;
const ticksOf = (ms: number) => Math.ceil(ms / tickMs);
/** When a lent connection is silent for this long, idle connections are not trusted any more. */
const suspectTicks = ticksOf(1_000);
/** How long a closing connection waits for its host, which never answers if it has vanished. */
const partingTicks = ticksOf(2_000);

/** To connect, and to wait for a connection of a full pool. */
export const connectMs = 5_000;

/** For connections that wait for nothing, the system itself finds out that a host has vanished. */
export const keepAliveMs = 10_000;

/** The database's host does not answer any more. */
class SilentHost extends Error {
  override readonly name = "SilentHost";
  /** The code with which the system reports a host that vanished. */
  readonly code = "ETIMEDOUT";
}

const answerMs = 3_000;

/** Whether the database answers a new connection within 3 s, whatever the state of this process's pools. */
export async function answers(connectionString: string): Promise<boolean> {
  const connection = new Connection({ connectionString, connectionTimeoutMillis: answerMs });
  connection.on("error", () => {});
  const late = setTimeout(() => connection.socket.destroy(), answerMs);
  try {
    await connection.connect();
    await connection.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(late);
    connection.socket.destroy();
  }
}

/** A client that exposes its socket. */
export class Connection extends pg.Client {
  readonly socket: Socket;

  constructor(config?: pg.ClientConfig) {
    const socket = new Socket();
    super({ ...config, stream: () => socket });
    this.socket = socket;
  }
}

/**
 * `idle`: in its pool; `lent`: a caller waits for its answers; `leaving`: it was closed, and waits for the host to close
 * too; `dropped`: given up for good, from any of these.
 */
type Use = "idle" | "lent" | "leaving" | "dropped";

interface Watched {
  readonly connection: Connection;
  readonly silenceTicks: number;
  use: Use;
  /** Bytes received and sent until `heardAt`. */
  bytes: number;
  /** The tick in which bytes last moved, or in which it was lent. */
  heardAt: number;
}

interface PoolOptions extends pg.PoolConfig {
  /** A lent connection that is silent for this long is given up; longer than its statements may take. */
  readonly silenceMs: number;
}

/**
 * The pools of a database, with a deadline on their connections. A host that vanishes closes no connection: the answer
 * never comes, and the system keeps the socket for a quarter of an hour. A caller whose connection is silent for too long
 * gets an error, and the socket is destroyed, so that no other caller gets a connection that still owes an answer.
 *
 * Time is counted in ticks, not by a clock: a process that was itself suspended for a minute sees one tick, and reads
 * pending data before the next.
 */
export class Connections implements AsyncDisposable {
  readonly #log: Log;
  readonly #pools: pg.Pool[] = [];
  readonly #watched = new Set<Watched>();
  readonly #timer: NodeJS.Timeout;
  #tick = 0;

  constructor(log: Log) {
    this.#log = log;
    this.#timer = setInterval(() => this.#look(), tickMs);
    this.#timer.unref();
  }

  pool({ silenceMs, ...options }: PoolOptions): pg.Pool {
    const watched = new WeakMap<object, Watched>();
    const pool = new pg.Pool({
      connectionTimeoutMillis: connectMs,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveMs,
      application_name: "tapewire",
      ...options,
      Client: Connection,
    });
    pool.on("connect", (connection: pg.ClientBase) => {
      // A break between two statements of a transaction emits an event here and also fails the next statement.
      connection.on("error", () => {});
      if (connection instanceof Connection)
        watched.set(connection, this.#watch(connection, ticksOf(silenceMs)));
    });
    pool.on("acquire", (connection: object) => this.#use(watched.get(connection), "lent"));
    pool.on("release", (_: unknown, connection: object) => this.#use(watched.get(connection), "idle"));
    // The pool replaces an idle connection that breaks; without a listener the event would end the process.
    pool.on("error", (error, connection: object) => {
      if (watched.get(connection)?.use !== "dropped")
        this.#log.warn({ err: error }, "idle database connection lost");
    });
    this.#pools.push(pool);
    return pool;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#pools.map((pool) => (pool.ending ? undefined : pool.end())));
    // An open socket keeps the process alive; the timer then runs on and destroys the socket.
    for (const watched of this.#watched) this.#use(watched, "leaving");
    if (this.#watched.size === 0) clearInterval(this.#timer);
  }

  #watch(connection: Connection, silenceTicks: number): Watched {
    const { socket } = connection;
    const watched: Watched = { connection, silenceTicks, use: "idle", bytes: 0, heardAt: this.#tick };
    this.#watched.add(watched);
    socket.once("close", () => {
      this.#watched.delete(watched);
      if (this.#watched.size === 0 && this.#pools.every((pool) => pool.ending)) clearInterval(this.#timer);
    });
    return watched;
  }

  #use(watched: Watched | undefined, use: Use): void {
    if (watched === undefined || watched.use === "dropped") return;
    watched.use = use;
    if (use !== "idle") watched.heardAt = this.#tick;
  }

  #look(): void {
    this.#tick += 1;
    for (const watched of this.#watched) this.#listen(watched);
    for (const watched of this.#watched) {
      const silent = this.#tick - watched.heardAt;
      if (watched.use === "leaving" && silent > partingTicks) this.#drop(watched);
      else if (watched.use === "lent" && silent > watched.silenceTicks) this.#drop(watched);
      else if (watched.use === "lent" && silent > suspectTicks) this.#dropIdle(watched.heardAt);
    }
  }

  /** Notices bytes in either direction, since a large statement may take long to send. */
  #listen(watched: Watched): void {
    const { bytesRead, bytesWritten, writableLength } = watched.connection.socket;
    const bytes = bytesRead + bytesWritten - writableLength;
    if (bytes !== watched.bytes) watched.heardAt = this.#tick;
    watched.bytes = bytes;
  }

  /** Drops connections that have been idle since then: their host may be gone too, and new connections are cheap. */
  #dropIdle(heardAt: number): void {
    for (const watched of this.#watched)
      if (watched.use === "idle" && watched.heardAt <= heardAt) this.#drop(watched);
  }

  #drop(watched: Watched): void {
    const { use, connection, silenceTicks } = watched;
    watched.use = "dropped";
    const seconds = (silenceTicks * tickMs) / 1_000;
    const error = new SilentHost(`the database sent nothing for ${seconds} s: its connection was closed`);
    if (use === "lent") this.#log.warn({ err: error }, "a database connection fell silent");
    connection.socket.destroy(error);
  }
}
