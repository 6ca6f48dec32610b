import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";

/** Ids of the monthly tables of items and their bodies, without those that are being detached; a table that is made again under its name has another id. */
export async function keptMonths(db: Queries): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select inhrelid::bigint::text as id from pg_inherits
    where inhparent in ('items'::regclass, 'item_bodies'::regclass) and not inhdetachpending`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** The floor that retention has stored: where it has deleted the keys too, nothing else tells of those entries. */
export async function storedFloor(db: Queries): Promise<number> {
  const { floor_seq } = await db.selectFrom("log_head").select("floor_seq").executeTakeFirstOrThrow();
  return floor_seq;
}

/** Keys of dropped items that one statement skips. */
const passedAtOnce = 5_000;

/**
 * Up to which seq the log is dropped: the seq before the first entry after a position whose item still exists; the last
 * of the log when there is none.
 */
export async function firstKept(db: Queries, afterSeq: number): Promise<number> {
  let position = afterSeq;
  for (let limit = 1; ; limit = passedAtOnce) {
    const { rows } = await sql<{ kept: number | null; last: number | null; found: number }>`
      with entries as materialized (
        (select seq, id, published_at from item_keys where seq > ${position} order by seq limit ${limit})
        union all
        (select seq, id, published_at from item_versions where seq > ${position} order by seq limit ${limit})
        order by seq limit ${limit}
      ), current as (
        select id from item_bodies
        where id = any(array(select id from entries))
          and published_at >= (select min(published_at) from entries)
          and published_at <= (select max(published_at) from entries)
      )
      select min(seq) filter (where id in (select id from current)) as kept, max(seq) as last,
        count(*)::int as found from entries`.execute(db);
    const { kept = null, last = null, found = 0 } = rows[0] ?? {};
    if (kept !== null) return kept - 1;
    if (last !== null) position = last;
    if (found < limit) return position;
  }
}
