import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";
import { rowTable } from "../engine/row-table.ts";

export interface HourCounts {
  readonly matched: number;
  readonly delivered: number;
  readonly failed: number;
  readonly expired: number;
  /** Attempts that were answered, by the bins of feed/latency-bins.ts. */
  readonly latency: readonly number[];
  readonly unanswered: number;
}

/** Counts of an endpoint to be added to one of its hours. */
export interface HourGains extends HourCounts {
  readonly endpointId: string;
  readonly hour: Date;
}

const gainColumns = [
  ["endpointId", "uuid"],
  ["hour", "timestamptz"],
  ["matched", "bigint"],
  ["delivered", "bigint"],
  ["failed", "bigint"],
  ["expired", "bigint"],
  ["latency", "text"],
  ["unanswered", "bigint"],
] as const;

/** Adds to the counts that are stored already. */
export async function addHours(db: Queries, gains: readonly HourGains[]): Promise<void> {
  // In one order in all processes, to avoid deadlocks.
  const ordered = gains.toSorted((a, b) => (a.endpointId < b.endpointId ? -1 : 1));
  const rows = ordered.map((gain) => ({ ...gain, latency: `{${gain.latency.join(",")}}` }));
  await sql`
    insert into webhook_hours as h (endpoint_id, hour, matched, delivered, failed, expired, latency, unanswered)
    select "endpointId", hour, matched, delivered, failed, expired, latency::int[], unanswered
    from ${rowTable(rows, gainColumns)}
    on conflict (endpoint_id, hour) do update set
      matched = h.matched + excluded.matched, delivered = h.delivered + excluded.delivered,
      failed = h.failed + excluded.failed, expired = h.expired + excluded.expired,
      unanswered = h.unanswered + excluded.unanswered,
      latency = array(
        select coalesce(a, 0) + coalesce(b, 0)
        from unnest(h.latency, excluded.latency) with ordinality as l (a, b, place) order by place)`.execute(
    db,
  );
}

/** Hours of many endpoints since a moment in which something happened, by endpoint and start (ms since the epoch). */
export async function hoursOfEndpoints(
  db: Queries,
  endpoints: readonly string[],
  since: Date,
): Promise<ReadonlyMap<string, ReadonlyMap<number, HourCounts>>> {
  if (endpoints.length === 0) return new Map();
  const { rows } = await sql<HourGains>`
    select endpoint_id as "endpointId", hour, matched, delivered, failed, expired, latency, unanswered
    from webhook_hours
    where endpoint_id = any(${[...endpoints]}::uuid[]) and hour >= ${since}`.execute(db);
  const byEndpoint = Map.groupBy(rows, ({ endpointId }) => endpointId);
  return new Map(
    [...byEndpoint].map(([id, hours]) => [id, new Map(hours.map((one) => [one.hour.getTime(), one]))]),
  );
}

/** Hours of an endpoint since a moment in which something happened, by their start (ms since the epoch). */
export async function hoursSince(
  db: Queries,
  endpointId: string,
  since: Date,
): Promise<ReadonlyMap<number, HourCounts>> {
  const { rows } = await sql<HourCounts & { hour: Date }>`
    select hour, matched, delivered, failed, expired, latency, unanswered from webhook_hours
    where endpoint_id = ${endpointId} and hour >= ${since}`.execute(db);
  return new Map(rows.map(({ hour, ...counts }) => [hour.getTime(), counts]));
}

/** Index: webhook_hours_hour. */
export async function forgetHours(db: Queries, before: Date): Promise<void> {
  await sql`delete from webhook_hours where hour < ${before}`.execute(db);
}
