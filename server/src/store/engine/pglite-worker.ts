import { parentPort, workerData } from "node:worker_threads";
import { giveBackStartMemory } from "../../runtime/node/start-memory.ts";

/** Runs PGlite off the main thread, where a one-second query would stop every connection for that second. */

export interface WorkerOptions {
  /** null: in memory. */
  dataDir: string | null;
  /** A dumped data directory to start from, for tests. */
  snapshot: Uint8Array<ArrayBuffer> | null;
  /** The module of another version of PGlite, to read what that one wrote; absent: our own. */
  engine?: string;
}
export type WorkerRequest =
  | { id: number; op: "query"; sql: string; params: readonly unknown[] }
  | { id: number; op: "dump" }
  | { id: number; op: "close" };
export interface WorkerFailure {
  message: string;
  code?: string | undefined;
  detail?: string | undefined;
}
export interface WorkerAnswer {
  id: number;
  /** `never`, because only the author of a statement knows the type of its rows. */
  rows?: never[];
  changed?: number;
  dump?: Uint8Array<ArrayBuffer>;
  error?: WorkerFailure;
}

const { dataDir, snapshot, engine }: WorkerOptions = workerData;

const { PGlite }: typeof import("@electric-sql/pglite") = await import(engine ?? "@electric-sql/pglite");
// The default of 128 MB of shared buffers costs 250 MB more memory and gains nothing at this size. Other versions have other
// parameters, and read for a few minutes only.
const sizes =
  engine === undefined
    ? { startParams: [...PGlite.defaultStartParams, "-c", "shared_buffers=16MB", "-c", "max_wal_size=64MB"] }
    : {};

const db = await PGlite.create({
  ...(dataDir === null ? {} : { dataDir }),
  ...(snapshot === null ? {} : { loadDataDir: new Blob([snapshot]) }),
  ...sizes,
  parsers: { 20: Number },
});

async function answer(request: WorkerRequest) {
  switch (request.op) {
    case "query":
      return { id: request.id, ...(await query(request.sql, request.params)) };
    case "dump":
      return { id: request.id, dump: await (await db.dumpDataDir("none")).bytes() };
    case "close":
      await db.close();
      return { id: request.id };
  }
}

/** Statements without parameters may be several at once (migrations); only the rows of the last are returned. */
async function query(sql: string, params: readonly unknown[]) {
  const found = params.length === 0 ? (await db.exec(sql)).at(-1) : await db.query(sql, [...params]);
  return { rows: found?.rows ?? [], changed: found?.affectedRows ?? 0 };
}

function failure(id: number, error: unknown) {
  const text = (name: string) => {
    const value: unknown = error instanceof Error ? Reflect.get(error, name) : undefined;
    return typeof value === "string" ? value : undefined;
  };
  const message = error instanceof Error ? error.message : String(error);
  return { id, error: { message, code: text("code"), detail: text("detail") } };
}

parentPort?.on("message", async (request: WorkerRequest) => {
  parentPort?.postMessage(await answer(request).catch((error: unknown) => failure(request.id, error)));
});
// A new database is made by an engine of its own, whose memory of 128 MB, and a copy of it, nobody uses any more.
giveBackStartMemory();
parentPort?.postMessage({ id: 0 });
