import { Socket } from "node:net";
import pg from "pg";
import type { Log } from "../../runtime/log.ts";

const tickMs = 500;
const ticksOf = (ms: number) => Math.ceil(ms / tickMs);
/** After so long without a byte the connections that lie idle are not trusted any more. */
const suspectTicks = ticksOf(1_000);
/** To say goodbye; a host that has vanished never answers that. */
const partingTicks = ticksOf(2_000);

/** To connect, and to wait for a connection of a full pool. */
export const connectMs = 5_000;

/** Where nothing is owed, the system finds a host that has vanished by itself. */
const keepAliveMs = 10_000;

/** The host of a database says nothing any more. */
class SilentHost extends Error {
  override readonly name = "SilentHost";
  /** As the system says it of a host that it found gone itself. */
  readonly code = "ETIMEDOUT";
}

const answerMs = 3_000;

/** Whether a database answers a connection of its own, in 3 s: whatever state the pools of this process are in. */
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

/** A connection whose socket is known. */
class Connection extends pg.Client {
  readonly socket: Socket;

  constructor(config?: pg.ClientConfig) {
    const socket = new Socket();
    super({ ...config, stream: () => socket });
    this.socket = socket;
  }
}

/**
 * `idle`: it lies in its pool; `lent`: somebody waits for its answers; `leaving`: it was told to end, and waits for the
 * host to do so too; `dropped`: it is given up, from any of these, for good.
 */
type Use = "idle" | "lent" | "leaving" | "dropped";

interface Watched {
  readonly connection: Connection;
  readonly silenceTicks: number;
  use: Use;
  /** What had come by `heardAt`, in bytes. */
  bytes: number;
  /** The tick in which something was last heard of it, or in which it was lent. */
  heardAt: number;
}

interface PoolOptions extends pg.PoolConfig {
  /** A connection that is lent and brings nothing for so long is given up; above what its statements may take. */
  readonly silenceMs: number;
}

/**
 * The pools of a database, and a deadline for what hangs on their connections. A host that vanishes sends no end: the
 * answer never comes, and the system keeps the socket for a quarter of an hour. Whoever has lent a connection that is
 * silent for too long gets an error, and the socket is destroyed, so that nobody is given a connection on which another's
 * answer is still owed.
 *
 * Time is counted in ticks, not by a clock: a process that stood still itself, for a minute, has one tick, and reads what
 * waits for it before the next.
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
      // One that breaks between two statements of a transaction says so here, and again at the next statement.
      connection.on("error", () => {});
      if (connection instanceof Connection)
        watched.set(connection, this.#watch(connection, ticksOf(silenceMs)));
    });
    pool.on("acquire", (connection: object) => this.#use(watched.get(connection), "lent"));
    pool.on("release", (_: unknown, connection: object) => this.#use(watched.get(connection), "idle"));
    // An idle connection that breaks is replaced by the pool; unheard, the event would end the process.
    pool.on("error", (error, connection: object) => {
      if (watched.get(connection)?.use !== "dropped")
        this.#log.warn({ err: error }, "idle database connection lost");
    });
    this.#pools.push(pool);
    return pool;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#pools.map((pool) => (pool.ending ? undefined : pool.end())));
    // A socket that is still open keeps the process, and so the timer, which sees to its end.
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

  /** What it takes of us counts too: a large statement may take long to send. */
  #listen(watched: Watched): void {
    const { bytesRead, bytesWritten, writableLength } = watched.connection.socket;
    const bytes = bytesRead + bytesWritten - writableLength;
    if (bytes !== watched.bytes) watched.heardAt = this.#tick;
    watched.bytes = bytes;
  }

  /** Of nothing that lies idle since then is it known whether its host is still there; new ones cost little. */
  #dropIdle(heardAt: number): void {
    for (const watched of this.#watched)
      if (watched.use === "idle" && watched.heardAt <= heardAt) this.#drop(watched);
  }

  #drop(watched: Watched): void {
    const { use, connection, silenceTicks } = watched;
    watched.use = "dropped";
    const seconds = (silenceTicks * tickMs) / 1_000;
    const error = new SilentHost(`the database said nothing for ${seconds} s: its connection is given up`);
    if (use === "lent") this.#log.warn({ err: error }, "a database connection fell silent");
    connection.socket.destroy(error);
  }
}
