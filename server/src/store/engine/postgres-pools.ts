import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { Connections } from "./connections.ts";
import type { Tables } from "./tables.ts";

const int8 = 20;
/** int8 as number: seq and counts stay far below 2^53. */
const pgTypes = {
  getTypeParser: (oid: number, format?: "text" | "binary") =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format),
};

/** The time limit of a statement and, above it, of a connection's silence, which bounds an outage to seconds. */
export const mainMs = { statement: 6_000, silence: 7_000 };
export const listMs = { statement: 2_000, silence: 4_000 };
export const slowMs = { statement: 30 * 60_000, silence: 31 * 60_000 };

/** Parallel workers would break the order in which fenced branches are read. */
export const listSession = "-c plan_cache_mode=force_custom_plan -c max_parallel_workers_per_gather=0";

/**
 * A transaction whose process has gone silent releases its locks, above all that of the log's head. The server also ends
 * connections whose client has vanished, which frees them for others.
 */
const everySession =
  "-c idle_in_transaction_session_timeout=6000 -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3";

export interface PoolRequest {
  readonly connectionString: string;
  readonly max: number;
  readonly ms: typeof mainMs;
  readonly session?: string;
  /** Whether statements leave before those ahead of them are answered. */
  readonly pipeline?: boolean;
  /** The longest wait for a new connection; absent: as usual. */
  readonly connectMs?: number;
}

export interface PostgresPool {
  readonly pool: pg.Pool;
  readonly queries: Kysely<Tables>;
}

/** A pool of connections to a PostgreSQL, which are opened when they are needed. */
export function postgresPool(connections: Connections, request: PoolRequest): PostgresPool {
  const { connectionString, max, ms, session = "", pipeline = false, connectMs } = request;
  const pool = connections.pool({
    ...{ connectionString, max, pipeline, types: pgTypes, silenceMs: ms.silence },
    ...(connectMs === undefined ? {} : { connectionTimeoutMillis: connectMs }),
    options: `-c statement_timeout=${ms.statement} ${everySession} ${session}`,
  });
  return { pool, queries: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }) };
}
