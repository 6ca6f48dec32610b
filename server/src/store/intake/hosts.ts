import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";

/** A slot for one request to a host. */
export interface HostSlot {
  /** How long to wait before the request. */
  readonly waitMs: number;
  /** How long the host still wants no requests; above 0 there is no slot. */
  readonly quietMs: number;
}

/** A time of a host; null: there is none. Hosts are believed up to a day: a later time is from before the clock was put back. */
const believed = (column: string) => {
  const time = sql.ref(column);
  return sql`case when ${time} < clock_timestamp() + interval '25 hours' then ${time} end`;
};

/**
 * Takes the next slot of a host, which has one pace over all processes: slots are given in order, `gapMs` apart, by the
 * database's clock.
 */
export async function takeSlot(db: Queries, host: string, gapMs: number): Promise<HostSlot> {
  const gap = sql`${gapMs}::float8 * interval '1 ms'`;
  // Turns are not handed out so far ahead: the clock was put back.
  const farAhead = sql`interval '1 minute' + 100 * ${gap}`;
  const found = await sql<{ wait_ms: number; quiet_ms: number }>`
    insert into hosts as h (host, next_at) values (${host}, clock_timestamp() + ${gap})
    on conflict (host) do update set next_at = case
      when ${believed("h.quiet_until")} > clock_timestamp() then h.next_at
      when h.next_at > clock_timestamp() + ${farAhead} then clock_timestamp() + ${gap}
      else greatest(h.next_at, clock_timestamp()) + ${gap} end
    returning
      (extract(epoch from next_at - ${gap} - clock_timestamp()) * 1000)::float8 as wait_ms,
      coalesce(extract(epoch from ${believed("quiet_until")} - clock_timestamp()) * 1000, 0)::float8 as quiet_ms`.execute(
    db,
  );
  const [row] = found.rows;
  return { waitMs: Math.max(0, row?.wait_ms ?? 0), quietMs: Math.max(0, row?.quiet_ms ?? 0) };
}

/** How much a stranger's request may delay the host's own sources. */
const mostDelayMs = 1000;

/**
 * Takes a slot for a stranger: a request that does not come from the host's own sources. It gets one only when no slot is
 * taken, neither by the host's sources, which take theirs ahead, nor by another stranger.
 * @returns null: a slot is taken; otherwise when to try again, and whether the host wants no requests
 */
export async function takeStrangersSlot(db: Queries, host: string, gapMs: number): Promise<HostSlot | null> {
  const ms = (value: number) => sql`${value}::float8 * interval '1 ms'`;
  const taken = await sql`
    insert into hosts as h (host, next_at, strangers_next_at)
    values (${host}, clock_timestamp() + ${ms(Math.min(gapMs, mostDelayMs))}, clock_timestamp() + ${ms(gapMs)})
    on conflict (host) do update
      set next_at = excluded.next_at, strangers_next_at = excluded.strangers_next_at
      where coalesce(greatest(${believed("h.next_at")}, ${believed("h.strangers_next_at")}, ${believed("h.quiet_until")},
        ${believed("h.strangers_quiet_until")}) <= clock_timestamp(), true)
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

/**
 * Stops requests to the host for that long, from all processes.
 * @param whose "strangers": only requests from outside the host's own sources
 */
export async function quietHost(
  db: Queries,
  host: string,
  ms: number,
  whose: "all" | "strangers",
): Promise<void> {
  const column = whose === "all" ? "quiet_until" : "strangers_quiet_until";
  await sql`
    insert into hosts as h (host, next_at, ${sql.ref(column)})
    values (${host}, clock_timestamp(), clock_timestamp() + ${ms}::float8 * interval '1 ms')
    on conflict (host) do update
      set ${sql.ref(column)} = greatest(${believed(`h.${column}`)}, ${sql.ref(`excluded.${column}`)})`.execute(
    db,
  );
}

/** Deletes hosts without requests for a day. */
export async function forgetHosts(db: Queries): Promise<void> {
  await sql`
    delete from hosts
    where next_at < now() - interval '1 day'
      and coalesce(greatest(quiet_until, strangers_quiet_until) < now(), true)`.execute(db);
}

/** Hosts that want no requests now, each with the end of that time. */
export async function quietHosts(db: Queries): Promise<Map<string, Date>> {
  const found = await sql<{ host: string; quiet_until: Date }>`
    select host, quiet_until from hosts where ${believed("quiet_until")} > now()`.execute(db);
  return new Map(found.rows.map(({ host, quiet_until }) => [host, quiet_until]));
}

/** How long the host still wants no requests, ms; 0: it takes them. */
export async function quietMs(db: Queries, host: string): Promise<number> {
  const found = await sql<{ ms: number | null }>`
    select (extract(epoch from ${believed("quiet_until")} - clock_timestamp()) * 1000)::float8 as ms from hosts where host = ${host}`.execute(
    db,
  );
  return Math.max(0, found.rows[0]?.ms ?? 0);
}
