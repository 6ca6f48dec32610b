import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";

/** Which process it is. */
export interface ProcessAbout {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly roles: readonly string[];
  readonly version: string;
  readonly startedAt: Date;
}

/** What a process did in a minute. */
export interface ProcessMinute {
  readonly items: number;
  readonly revisions: number;
  /** New items by source; the name is empty for the rest. */
  readonly sources: Readonly<Record<string, number>>;
  readonly sourceP50Ms: number | null;
  readonly sourceP99Ms: number | null;
  readonly receiveP50Ms: number | null;
  readonly receiveP99Ms: number | null;
  readonly streams: number;
  readonly streamItems: number;
  readonly deliveries: number;
  readonly failedDeliveries: number;
  readonly verdicts: number;
  readonly scoreQueue: number;
  readonly cpu: number;
  readonly rssBytes: number;
  readonly eventLoopP99Ms: number;
  readonly logHead: number;
  readonly diskFreeBytes: number | null;
}

type Columns = { readonly [Name in keyof ProcessMinute]: readonly ProcessMinute[Name][] };

/** The reported minutes of a process, as columns: a day of some processes is much to read row by row. */
export interface ReportedProcess extends ProcessAbout, Columns {
  /** When each minute began, in milliseconds since the epoch, in order. */
  readonly startsMs: readonly number[];
  readonly seenAt: Date;
  /** Whether it was seen within the last seconds. */
  readonly running: boolean;
}

const runningSeconds = 30;

/** Writes a minute of a process, over an earlier report of the same minute. */
export async function reportMinute(
  db: Queries,
  about: ProcessAbout,
  minute: Date,
  did: ProcessMinute,
): Promise<void> {
  await sql`
    insert into process_minutes as m (process_id, minute, seen_at, host, pid, roles, version, started_at, items, revisions,
      sources, source_p50_ms, source_p99_ms, receive_p50_ms, receive_p99_ms, streams, stream_items, deliveries,
      failed_deliveries, verdicts, score_queue, cpu, rss_bytes, event_loop_p99_ms, log_head, disk_free_bytes)
    values (${about.id}, ${minute}, now(), ${about.host}, ${about.pid}, ${[...about.roles]}::text[], ${about.version},
      ${about.startedAt}, ${did.items}, ${did.revisions}, ${JSON.stringify(did.sources)}::json, ${did.sourceP50Ms},
      ${did.sourceP99Ms}, ${did.receiveP50Ms}, ${did.receiveP99Ms}, ${did.streams}, ${did.streamItems},
      ${did.deliveries}, ${did.failedDeliveries}, ${did.verdicts}, ${did.scoreQueue}, ${did.cpu}, ${did.rssBytes},
      ${did.eventLoopP99Ms}, ${did.logHead}, ${did.diskFreeBytes})
    on conflict (process_id, minute) do update set
      seen_at = excluded.seen_at, items = excluded.items, revisions = excluded.revisions, sources = excluded.sources,
      source_p50_ms = excluded.source_p50_ms, source_p99_ms = excluded.source_p99_ms,
      receive_p50_ms = excluded.receive_p50_ms, receive_p99_ms = excluded.receive_p99_ms, streams = excluded.streams,
      stream_items = excluded.stream_items, deliveries = excluded.deliveries,
      failed_deliveries = excluded.failed_deliveries, verdicts = excluded.verdicts,
      score_queue = excluded.score_queue, cpu = excluded.cpu, rss_bytes = excluded.rss_bytes,
      event_loop_p99_ms = excluded.event_loop_p99_ms, log_head = excluded.log_head,
      disk_free_bytes = excluded.disk_free_bytes`.execute(db);
}

/** Deletes older minutes of all processes. Index: process_minutes_minute. */
export async function forgetMinutes(db: Queries, before: Date): Promise<void> {
  await sql`delete from process_minutes where minute < ${before}`.execute(db);
}

/** Minutes of all processes since a time, the oldest start first. Index: process_minutes_minute. */
export async function minutesSince(db: Queries, since: Date): Promise<ReportedProcess[]> {
  const { rows } = await sql<ReportedProcess>`
    select process_id as id, max(seen_at) as "seenAt", max(host) as host, max(pid) as pid, max(roles) as roles,
      max(version) as version, max(started_at) as "startedAt",
      max(seen_at) > now() - ${sql.lit(runningSeconds)} * interval '1 second' as running,
      json_agg((extract(epoch from minute) * 1000)::bigint) as "startsMs", json_agg(items) as items,
      json_agg(revisions) as revisions, json_agg(sources) as sources, json_agg(source_p50_ms) as "sourceP50Ms",
      json_agg(source_p99_ms) as "sourceP99Ms", json_agg(receive_p50_ms) as "receiveP50Ms",
      json_agg(receive_p99_ms) as "receiveP99Ms", json_agg(streams) as streams, json_agg(stream_items) as "streamItems",
      json_agg(deliveries) as deliveries, json_agg(failed_deliveries) as "failedDeliveries",
      json_agg(verdicts) as verdicts, json_agg(score_queue) as "scoreQueue", json_agg(cpu) as cpu,
      json_agg(rss_bytes) as "rssBytes", json_agg(event_loop_p99_ms) as "eventLoopP99Ms",
      json_agg(log_head) as "logHead", json_agg(disk_free_bytes) as "diskFreeBytes"
    from (select * from process_minutes where minute >= ${since} order by process_id, minute) m
    group by process_id order by max(started_at), process_id`.execute(db);
  return rows;
}
