import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";

/** A turn at a host. */
export interface HostSlot {
  /** Wait so long before the request. */
  readonly waitMs: number;
  /** The host has asked for quiet so long; then there is no turn. */
  readonly quietMs: number;
}

/**
 * Takes the next turn at a host, at its pace over all processes: turns are handed out in order, `gapMs` apart. By the
 * database's clock.
 */
export async function takeSlot(db: Queries, host: string, gapMs: number): Promise<HostSlot> {
  const gap = sql`${gapMs}::float8 * interval '1 ms'`;
  const found = await sql<{ wait_ms: number; quiet_ms: number }>`
    insert into hosts as h (host, next_at) values (${host}, clock_timestamp() + ${gap})
    on conflict (host) do update set next_at = case
      when h.quiet_until > clock_timestamp() then h.next_at
      else greatest(h.next_at, clock_timestamp()) + ${gap} end
    returning
      (extract(epoch from next_at - ${gap} - clock_timestamp()) * 1000)::float8 as wait_ms,
      coalesce(extract(epoch from quiet_until - clock_timestamp()) * 1000, 0)::float8 as quiet_ms`.execute(
    db,
  );
  const [row] = found.rows;
  return { waitMs: Math.max(0, row?.wait_ms ?? 0), quietMs: Math.max(0, row?.quiet_ms ?? 0) };
}

/** The host's own requests come so much later at most for a stranger's. */
const mostDelayMs = 1000;

/**
 * Takes a turn for a request from outside the host's own sources, where nobody else has one: not the host's own, whose
 * turns are handed out ahead, nor another stranger.
 * @returns null: it is taken; else when to ask again, and whether the host has asked for quiet
 */
export async function takeStrangersSlot(db: Queries, host: string, gapMs: number): Promise<HostSlot | null> {
  const ms = (value: number) => sql`${value}::float8 * interval '1 ms'`;
  const taken = await sql`
    insert into hosts as h (host, next_at, strangers_next_at)
    values (${host}, clock_timestamp() + ${ms(Math.min(gapMs, mostDelayMs))}, clock_timestamp() + ${ms(gapMs)})
    on conflict (host) do update
      set next_at = excluded.next_at, strangers_next_at = excluded.strangers_next_at
      where greatest(h.next_at, h.strangers_next_at, h.quiet_until, h.strangers_quiet_until) <= clock_timestamp()
    returning host`.execute(db);
  if (taken.rows.length > 0) return null;
  const found = await sql<{ wait_ms: number; quiet_ms: number | null }>`
    select
      (extract(epoch from greatest(next_at, strangers_next_at) - clock_timestamp()) * 1000)::float8 as wait_ms,
      (extract(epoch from greatest(quiet_until, strangers_quiet_until) - clock_timestamp()) * 1000)::float8 as quiet_ms
    from hosts where host = ${host}`.execute(db);
  const [row] = found.rows;
  return { waitMs: Math.max(0, row?.wait_ms ?? 0), quietMs: Math.max(0, row?.quiet_ms ?? 0) };
}

/** No request of strangers to the host for so long, from any process. */
export async function quietStrangers(db: Queries, host: string, ms: number): Promise<void> {
  await sql`
    insert into hosts as h (host, next_at, strangers_quiet_until)
    values (${host}, clock_timestamp(), clock_timestamp() + ${ms}::float8 * interval '1 ms')
    on conflict (host) do update
      set strangers_quiet_until = greatest(h.strangers_quiet_until, excluded.strangers_quiet_until)`.execute(
    db,
  );
}

/** No request to the host for so long, from any process. */
export async function quietHost(db: Queries, host: string, ms: number): Promise<void> {
  await sql`
    insert into hosts as h (host, next_at, quiet_until)
    values (${host}, clock_timestamp(), clock_timestamp() + ${ms}::float8 * interval '1 ms')
    on conflict (host) do update set quiet_until = greatest(h.quiet_until, excluded.quiet_until)`.execute(db);
}

/** Forgets hosts that nobody has asked for a day. */
export async function forgetHosts(db: Queries): Promise<void> {
  await sql`
    delete from hosts
    where next_at < now() - interval '1 day'
      and coalesce(greatest(quiet_until, strangers_quiet_until) < now(), true)`.execute(db);
}

/** Until when each host wants no request; only those that still do. */
export async function quietHosts(db: Queries): Promise<Map<string, Date>> {
  const found = await sql<{ host: string; quiet_until: Date }>`
    select host, quiet_until from hosts where quiet_until > now()`.execute(db);
  return new Map(found.rows.map(({ host, quiet_until }) => [host, quiet_until]));
}

/** How long the host still wants no request, ms; 0: it has not asked. */
export async function quietMs(db: Queries, host: string): Promise<number> {
  const found = await sql<{ ms: number | null }>`
    select (extract(epoch from quiet_until - clock_timestamp()) * 1000)::float8 as ms from hosts where host = ${host}`.execute(
    db,
  );
  return Math.max(0, found.rows[0]?.ms ?? 0);
}
