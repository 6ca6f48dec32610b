import { sql } from "kysely";
import { cachedFor } from "../../runtime/cached-for.ts";
import type { Clock } from "../../runtime/clock.ts";
import { labelled, type Metrics } from "../../runtime/metrics.ts";
import type { Db, Queries } from "./db.ts";
import type { Replica } from "./replica.ts";

/** A part of the database: tables of one kind, with their indexes. */
export interface PartSize {
  readonly part: string;
  /** Of tables that exist once a month, such as 202603. */
  readonly month: string | null;
  readonly bytes: number;
}

/** Tables by the start of their names, the longest first; the rest is `other`. */
const partsOfTables: readonly (readonly [start: string, part: string])[] = [
  ["item_bodies", "bodies"],
  ["item_versions", "versions"],
  ["item", "items"],
  ["scores", "scores"],
  ["raw_answers", "raw"],
  ["webhook", "webhooks"],
];
export const databaseParts = [...new Set(partsOfTables.map(([, part]) => part)), "other"] as const;

/** The sizes of all tables, by part and month. It looks at some files per table. */
export async function databaseSizes(db: Queries): Promise<PartSize[]> {
  const { rows } = await sql<{ name: string; bytes: number }>`
    select c.relname as name, pg_total_relation_size(c.oid)::bigint as bytes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname = current_schema()`.execute(db);
  const sizes = new Map<string, PartSize>();
  for (const { name, bytes } of rows) {
    const part = partsOfTables.find(([start]) => name.startsWith(start))?.[1] ?? "other";
    const month = /_(\d{6})$/.exec(name)?.[1] ?? null;
    const key = `${part} ${month}`;
    sizes.set(key, { part, month, bytes: bytes + (sizes.get(key)?.bytes ?? 0) });
  }
  const place = ({ part, month }: PartSize) => `${databaseParts.indexOf(part)} ${month ?? ""}`;
  return [...sizes.values()].sort((a, b) => (place(a) < place(b) ? -1 : 1));
}

/** @param replica null: none is configured */
export function replicaMetrics(metrics: Metrics, replica: Replica | null): void {
  metrics.counter(
    {
      name: "tapewire_replica_reads_total",
      help: "Reads of history for which the read replica was asked: answered by it, or by the main database because it was behind or failed.",
      labels: ["outcome"],
    },
    () => labelled("outcome", replica?.counts ?? { replica: 0, behind: 0, failed: 0 }),
  );
}

const sizesForMs = 60_000;

export function databaseMetrics(metrics: Metrics, db: Db, clock: Clock): void {
  metrics.gauge(
    {
      name: "tapewire_database_connections",
      help: "Connections to the database, by pool: main, list (for GET /v1/feeds), or the embedded database's only one.",
      labels: ["pool", "state"],
    },
    () =>
      db
        .pools()
        .flatMap(({ pool, total, idle }) => [
          [{ pool, state: "idle" }, idle] as const,
          [{ pool, state: "busy" }, total - idle] as const,
        ]),
  );
  metrics.gauge(
    {
      name: "tapewire_database_waiting",
      help: "Statements and transactions that wait for a connection.",
      labels: ["pool"],
    },
    () => db.pools().map(({ pool, waiting }) => [{ pool }, waiting] as const),
  );
  const sizes = cachedFor(clock, sizesForMs, () => databaseSizes(db.main));
  metrics.gauge(
    {
      name: "tapewire_database_bytes",
      help: "Size of the tables with their indexes, by part; read at most once a minute.",
      labels: ["part"],
    },
    async () => {
      const found = await sizes();
      return databaseParts.map((part) => {
        const bytes = found.reduce((sum, one) => (one.part === part ? sum + one.bytes : sum), 0);
        return [{ part }, bytes] as const;
      });
    },
  );
}
