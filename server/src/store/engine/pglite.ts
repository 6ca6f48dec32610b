import { constants } from "node:fs";
import { cp } from "node:fs/promises";
import { Worker } from "node:worker_threads";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from "kysely";
import { Gate } from "../../runtime/sharing/gate.ts";
import type { WorkerAnswer, WorkerFailure, WorkerOptions, WorkerRequest } from "./pglite-worker.ts";
import type { Tables } from "./tables.ts";

/** A failed statement, with PostgreSQL's SQLSTATE in `code`, as in pg's errors. */
export class PgliteError extends Error {
  override readonly name = "PgliteError";
  readonly code: string | undefined;
  readonly detail: string | undefined;
  constructor({ message, code, detail }: WorkerFailure) {
    super(message);
    this.code = code;
    this.detail = detail;
  }
}

interface Waiting {
  resolve: (answer: WorkerAnswer) => void;
  reject: (error: Error) => void;
}
type Ask = WorkerRequest extends infer R ? (R extends { id: number } ? Omit<R, "id"> : never) : never;

/** PGlite in its worker: one statement at a time, one session for all callers. */
export class PgliteHost {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #failed = Promise.withResolvers<Error>();
  #failure: Error | null = null;
  #nextId = 1;
  /** Callers that have the connection or wait for it. */
  users = 0;
  /** On performance.now(): the end of the last copy of its files; Infinity: one has the connection, or waits for it. */
  lentUntilMs = 0;
  #closed: Promise<void> | null = null;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on("message", (answer: WorkerAnswer) => this.#settle(answer));
    worker.on("error", (error: Error) => this.#fail(error));
    worker.on("exit", () => this.#fail(new PgliteError({ message: "the embedded database has stopped" })));
  }

  /** @throws {PgliteError} when the data directory cannot be opened */
  static async open(options: WorkerOptions): Promise<PgliteHost> {
    const worker = new Worker(new URL("./pglite-worker.ts", import.meta.url), { workerData: options });
    const host = new PgliteHost(worker);
    await new Promise<WorkerAnswer>((resolve, reject) => host.#waiting.set(0, { resolve, reject }));
    return host;
  }

  /** Resolves when the worker ends by itself; nothing can be read or written from then on. */
  get failed(): Promise<Error> {
    return this.#failed.promise;
  }

  /** Ends the worker at once, without closing the database. */
  async abandon(): Promise<void> {
    await this.#worker.terminate();
  }

  async query(sql: string, params: readonly unknown[]): Promise<WorkerAnswer> {
    return this.#ask({ op: "query", sql, params });
  }

  /** The whole data directory as a tar, to start other instances from. */
  async dump(): Promise<Uint8Array<ArrayBuffer>> {
    const { dump } = await this.#ask({ op: "dump" });
    if (dump === undefined) throw new TypeError("the worker sent no dump");
    return dump;
  }

  /** Repeated calls do nothing. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    try {
      if (this.#failure === null) await this.#ask({ op: "close" });
    } catch (error) {
      // A worker that ended meanwhile has nothing left to close.
      if (this.#failure === null) throw error;
    } finally {
      await this.abandon();
    }
  }

  #ask(request: Ask): Promise<WorkerAnswer> {
    // A message to a worker that has ended would be lost silently.
    if (this.#failure !== null) return Promise.reject(this.#failure);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ ...request, id });
    });
  }

  #settle(answer: WorkerAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (answer.error === undefined) waiting?.resolve(answer);
    else waiting?.reject(new PgliteError(answer.error));
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    if (this.#closed === null) this.#failed.resolve(error);
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

/** After a checkpoint all is in the files, and nobody writes while this has the one connection. */
export async function copyFiles<T>(
  host: PgliteHost,
  db: Kysely<Tables>,
  { from, target, look }: { from: string; target: string; look: (db: Kysely<Tables>) => Promise<T> },
): Promise<T> {
  // From now on: a statement that comes while this waits for the connection would wait for the copy.
  host.lentUntilMs = Number.POSITIVE_INFINITY;
  try {
    return await db.connection().execute(async (own) => {
      await sql`checkpoint`.execute(own);
      const seen = await look(own);
      // Shares the blocks where the file system can.
      await cp(from, target, { recursive: true, mode: constants.COPYFILE_FICLONE, errorOnExist: true });
      return seen;
    });
  } finally {
    host.lentUntilMs = performance.now();
  }
}

/** Kysely on a PgliteHost: a caller has the connection to itself, so no statement gets into another's transaction. */
export function pgliteDialect(host: PgliteHost): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createDriver: () => pgliteDriver(host),
  };
}

function pgliteDriver(host: PgliteHost): Driver {
  const gate = new Gate({ inside: 1 });
  const releases = new WeakMap<DatabaseConnection, () => void>();
  const run = async (connection: DatabaseConnection, sql: string) => {
    await connection.executeQuery(CompiledQuery.raw(sql));
  };
  return {
    init: async () => {},
    acquireConnection: async () => {
      host.users += 1;
      const release = await gate.enter();
      const connection = pgliteConnection(host);
      releases.set(connection, release);
      return connection;
    },
    releaseConnection: async (connection) => {
      host.users -= 1;
      releases.get(connection)?.();
    },
    beginTransaction: (connection) => run(connection, "begin"),
    commitTransaction: (connection) => run(connection, "commit"),
    rollbackTransaction: (connection) => run(connection, "rollback"),
    destroy: () => host.close(),
  };
}

function pgliteConnection(host: PgliteHost): DatabaseConnection {
  return {
    executeQuery: async ({ sql, parameters }) => {
      const { rows = [], changed = 0 } = await host.query(sql, parameters);
      return { rows, numAffectedRows: BigInt(changed) };
    },
    streamQuery: () => {
      throw new Error("PGlite does not stream results");
    },
  };
}
