import { chmodSync, existsSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { Kysely, sql } from "kysely";
import type pg from "pg";
import { settings } from "../../config/config.ts";
import type { Log } from "../../runtime/log.ts";
import { StartError } from "../../runtime/start-error.ts";
import { answers, Connections } from "./connections.ts";
import { checkDataDirVersion, lockDataDir } from "./data-dir.ts";
import { type Listening, type ListeningEvents, PostgresListening } from "./listening.ts";
import { copyFiles, PgliteHost, pgliteDialect } from "./pglite.ts";
import { pipelined, plainly, type Transact } from "./pipelined.ts";
import { listMs, listSession, mainMs, postgresPool, slowMs } from "./postgres-pools.ts";
import type { Tables } from "./tables.ts";

export type { Listening } from "./listening.ts";
export type { Write } from "./pipelined.ts";

/** A handle or a transaction: what statements run on. */
export type Queries = Kysely<Tables>;

/** The database, whichever engine is behind it. Both speak the same SQL through the same dialect. */
export interface Db extends AsyncDisposable {
  readonly engine: "postgres" | "pglite";
  readonly main: Queries;
  /** A transaction on `main` whose last statements leave together with its commit. */
  readonly transact: Transact;
  /** For GET /v1/feeds: statements with a deadline, planned for their actual values. */
  readonly list: Queries;
  /** For work that may take minutes: migrations, dumps, cleaning up. */
  readonly slow: Queries;
  /** Resolves when this process can no longer use the database and should end. Pools of connections recover instead. */
  readonly failed: Promise<Error>;
  /** Whether it answers a new connection within a few seconds; the embedded database is part of this process. */
  answers(): Promise<boolean>;
  /** Holds a session that hears the notices of a channel; null: the embedded database, which one process uses. */
  readonly listen: ((channel: string, events: ListeningEvents) => Listening) | null;
  /**
   * Copies the files of the embedded database into a new folder while nothing else uses it; `look` reads what the copy holds.
   * null: PostgreSQL.
   */
  readonly copyFiles: (<T>(target: string, look: (queries: Queries) => Promise<T>) => Promise<T>) | null;
  /**
   * On performance.now(): until when the embedded database was lent to a copy of its files; Infinity while one has it or
   * waits for it. Statements wait meanwhile, but no other process can write, so what this one knows stays true.
   */
  lentUntilMs(): number;
  /** The present state of its connection pools. */
  pools(): readonly PoolStats[];
}

export interface PoolStats {
  readonly pool: "main" | "list" | "embedded";
  readonly total: number;
  readonly idle: number;
  /** Statements and transactions that wait for a connection. */
  readonly waiting: number;
}

export interface DbOptions {
  /** postgres://...; null: PGlite in `dataDir`. */
  databaseUrl: string | null;
  dataDir: string;
  log: Log;
  /** Most connections to a PostgreSQL, at least 6. */
  databaseConnections?: number;
}

const defaultConnections = settings.databaseConnections.fallback;

export async function openDb({ databaseUrl, dataDir, log, databaseConnections }: DbOptions): Promise<Db> {
  return databaseUrl === null
    ? openPglite(dataDir, log)
    : openPostgres(databaseUrl, log, databaseConnections);
}

/**
 * @param most connections, at least 6
 * @throws {StartError} when the PostgreSQL is too old, or the error of the first connection; nothing is open then
 */
export async function openPostgres(
  connectionString: string,
  log: Log,
  most = defaultConnections,
): Promise<Db> {
  await using stack = new AsyncDisposableStack();
  const connections = stack.use(new Connections(log));
  const open = (max: number, ms: typeof mainMs, more: { session?: string; pipeline?: boolean } = {}) => {
    const opened = postgresPool(connections, { connectionString, max, ms, ...more });
    stack.defer(() => opened.queries.destroy());
    return opened;
  };
  const forSlow = 2;
  const forMain = Math.ceil(most / 2);
  const main = open(forMain, mainMs, { pipeline: true });
  const list = open(most - forMain - forSlow, listMs, { session: listSession });
  const slow = open(forSlow, slowMs);
  await refuseOld(main.queries);
  const owned = stack.move();
  return {
    engine: "postgres",
    main: main.queries,
    transact: pipelined(main.pool),
    list: list.queries,
    slow: slow.queries,
    failed: new Promise(() => {}),
    answers: () => answers(connectionString),
    copyFiles: null,
    lentUntilMs: () => 0,
    listen: (channel, events) => new PostgresListening({ connectionString, channel, events, log }),
    pools: () => [statsOf("main", main.pool), statsOf("list", list.pool)],
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

const oldestServer = 150_000;

async function refuseOld(db: Queries): Promise<void> {
  const { rows } = await sql<{ number: string; version: string }>`
    select current_setting('server_version_num') as number, current_setting('server_version') as version`.execute(
    db,
  );
  if (Number(rows[0]?.number) < oldestServer)
    throw new StartError(`DATABASE_URL names a PostgreSQL ${rows[0]?.version}: Tapewire needs 15 or newer`, {
      exitCode: 2,
    });
}

function statsOf(pool: PoolStats["pool"], { totalCount, idleCount, waitingCount }: pg.Pool): PoolStats {
  return { pool, total: totalCount, idle: idleCount, waiting: waitingCount };
}

async function openPglite(dataDir: string, log: Log): Promise<Db> {
  const lost = Promise.withResolvers<Error>();
  const unlock = await lockDataDir(dataDir, {
    lost: (error) => lost.resolve(error),
    failed: (error) =>
      log.warn({ err: error }, "keeping the lock of the data directory failed; trying again"),
  });
  try {
    checkDataDirVersion(dataDir);
    const directory = join(dataDir, "pglite");
    if (!existsSync(directory)) await makePglite(directory);
    // PGlite makes its files writable for everybody, so the directory keeps others out.
    chmodSync(directory, 0o700);
    const host = await PgliteHost.open({ dataDir: directory, snapshot: null });
    const db = pgliteDb(host);
    const { byBirth, byChange } = directoryNames(directory);
    // log_home() reads the first setting, and 0027_birth_of_home.sql the second.
    await sql`select set_config('tapewire.directory', ${byBirth}, false),
      set_config('tapewire.directory_by_change', ${byChange}, false)`.execute(db.main);
    const maintenance = maintain(db.main, log);
    return {
      ...db,
      failed: Promise.race([db.failed, lost.promise]),
      copyFiles: (target, look) => copyFiles(host, db.main, { from: directory, target, look }),
      [Symbol.asyncDispose]: async () => {
        clearInterval(maintenance);
        try {
          await db[Symbol.asyncDispose]();
        } finally {
          unlock();
        }
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}

/**
 * Distinguishes these files from any copy, also one that replaces them: the file is written once, when the database is
 * made, and a copy cannot have its time of birth. The time of change, which chown and chmod set too, stands in where the
 * file system has no birth.
 */
function directoryNames(directory: string): { readonly byBirth: string; readonly byChange: string } {
  const { ino, birthtimeNs, ctimeNs } = statSync(join(directory, "PG_VERSION"), { bigint: true });
  return { byBirth: `${ino}.${birthtimeNs > 0n ? birthtimeNs : ctimeNs}`, byChange: `${ino}.${ctimeNs}` };
}

/**
 * Makes the directory elsewhere and moves it into place: a process killed meanwhile leaves no half-made directory. A
 * separate worker does it, because its 300 MB (a second instance inside it makes the files) are freed only when it ends.
 */
async function makePglite(directory: string): Promise<void> {
  const aside = `${directory}.new`;
  rmSync(aside, { recursive: true, force: true });
  await (await PgliteHost.open({ dataDir: aside, snapshot: null })).close();
  renameSync(aside, directory);
}

/** PGlite as a Db; closes the host when disposed. */
export function pgliteDb(host: PgliteHost): Db {
  const main = new Kysely<Tables>({ dialect: pgliteDialect(host) });
  // Not main.destroy(), which does nothing before the first statement.
  return {
    engine: "pglite",
    main,
    transact: plainly(main),
    list: main,
    slow: main,
    failed: host.failed,
    answers: async () => true,
    listen: null,
    copyFiles: null,
    lentUntilMs: () => host.lentUntilMs,
    pools: () => [
      { pool: "embedded", total: 1, idle: host.users === 0 ? 1 : 0, waiting: Math.max(0, host.users - 1) },
    ],
    [Symbol.asyncDispose]: () => host.close(),
  };
}

const maintenanceEveryMs = 5_000;
const checkpointEveryMs = 30_000;
const checkpointWalBytes = 32 * 1024 * 1024;
const vacuumEveryMs = 10 * 60_000;

/** Tables with updates or deletes, whose free space is reused only after a vacuum. */
const vacuumed: readonly string[] = [
  "terms",
  "log_head",
  "usage_days",
  "rate_buckets",
  "idempotent_calls",
  "gateways",
  "processes",
  "stream_slots",
  "webhook_endpoints",
  "webhook_shards",
  "webhook_workers",
  "webhook_exceptions",
  "webhook_attempts",
  "webhook_hours",
  "process_minutes",
  "sources",
  "hosts",
  "items",
  "item_keys",
  "item_bodies",
  "segments",
  "segment_state",
  "pending_documents",
  "story_sketches",
  "raw_answers",
];

/**
 * PGlite has no background processes, so this writes checkpoints (the log of a bulk load grew to three times its data)
 * and vacuums dead rows of counters.
 */
function maintain(db: Queries, log: Log): NodeJS.Timeout {
  let sinceCheckpointMs = 0;
  let sinceVacuumMs = 0;
  let walAtCheckpoint = 0;
  let busy = false;
  const tick = async () => {
    sinceCheckpointMs += maintenanceEveryMs;
    sinceVacuumMs += maintenanceEveryMs;
    const wal = await walBytes(db);
    const written = wal - walAtCheckpoint;
    if (written >= checkpointWalBytes || (written > 0 && sinceCheckpointMs >= checkpointEveryMs)) {
      await sql`checkpoint`.execute(db);
      walAtCheckpoint = await walBytes(db);
      sinceCheckpointMs = 0;
    }
    if (sinceVacuumMs >= vacuumEveryMs) {
      for (const table of vacuumed) await sql`vacuum (analyze) ${sql.table(table)}`.execute(db);
      sinceVacuumMs = 0;
    }
  };
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    tick()
      .catch((error: unknown) => log.warn({ err: error }, "database maintenance failed"))
      .finally(() => {
        busy = false;
      });
  }, maintenanceEveryMs);
  timer.unref();
  return timer;
}

async function walBytes(db: Queries): Promise<number> {
  const found = await sql<{ wal: number }>`
    select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal`.execute(db);
  return found.rows[0]?.wal ?? 0;
}
