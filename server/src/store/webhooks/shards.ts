import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";

/** An endpoint belongs to one of 64 shards, by the first byte of its id. */
export const shardCount = 64;

/** A shard that was taken: `fence` identifies this lease, `cursor` is where deliveries continue. */
export interface TakenShard {
  readonly shard: number;
  readonly fence: number;
  readonly cursor: number;
}

interface Taking {
  readonly owner: string;
  readonly epoch: string;
  readonly held: readonly number[];
  readonly most: number;
  readonly leaseMs: number;
}

/**
 * Records a sign of life of a worker and deletes the workers that are gone.
 * @param goneAfterMs time without a sign of life
 * @returns how many workers live, this one included
 */
export async function workerSeen(db: Queries, worker: string, goneAfterMs: number): Promise<number> {
  await sql`
    insert into webhook_workers (id, seen_at) values (${worker}, clock_timestamp())
    on conflict (id) do update set seen_at = excluded.seen_at`.execute(db);
  const goneAfter = sql`${goneAfterMs}::float8 * interval '1 millisecond'`;
  const gone = sql`clock_timestamp() - ${goneAfter}`;
  // A process that was starved between two statements is alive all the same. Seen in the future: the clock was put back,
  // and the process may be gone.
  await sql`
    with ahead as (
      update webhook_workers set seen_at = clock_timestamp()
      where seen_at > clock_timestamp() + ${goneAfter} and id <> ${worker}
    )
    delete from webhook_workers where seen_at < ${gone} and id <> ${worker}`.execute(db);
  const { rows } = await sql<{ workers: number }>`
    select count(*)::int as workers from webhook_workers where seen_at >= ${gone} or id = ${worker}`.execute(
    db,
  );
  return rows[0]?.workers ?? 1;
}

/** @returns the shards that the worker still has */
export async function renewShards(
  db: Queries,
  { owner, shards, leaseMs }: { owner: string; shards: readonly TakenShard[]; leaseMs: number },
): Promise<Set<number>> {
  const held = JSON.stringify(shards.map(({ shard, fence }) => ({ shard, fence })));
  const { rows } = await sql<{ shard: number }>`
    update webhook_shards s set lease_until = ${leaseEnd(leaseMs)}
    from json_to_recordset(${held}::json) as r (shard smallint, fence bigint)
    where s.shard = r.shard and s.fence = r.fence and s.owner = ${owner}
    returning s.shard`.execute(db);
  return new Set(rows.map(({ shard }) => shard));
}

/**
 * Takes up to `most` shards that have no owner, or whose lease has ended. A lease that ends later than any that is given
 * is from before the clock was put back. What the worker owns without holding it was taken by a call whose answer was lost.
 * @param epoch of the log that the worker reads; with another epoch nothing is taken, as its entries no longer exist
 * @param held shards that the worker has already, which only renewShards renews, however late
 */
export async function takeShards(
  db: Queries,
  { owner, epoch, held, most, leaseMs }: Taking,
): Promise<TakenShard[]> {
  const { rows } = await sql<TakenShard>`
    update webhook_shards set owner = ${owner}, fence = fence + 1, lease_until = ${leaseEnd(leaseMs)}
    where shard in (
      select shard from webhook_shards
      where (owner is null or owner = ${owner} or lease_until < clock_timestamp() or lease_until > ${leaseEnd(2 * leaseMs)}) and shard <> all(${[...held]}::smallint[])
        and ${epoch} = (select epoch from log_head)
      order by random() limit ${most} for update skip locked
    )
    returning shard, fence, cursor`.execute(db);
  return rows;
}

/** Gives shards back before their leases end. */
export async function releaseShards(
  db: Queries,
  { owner, shards }: { owner: string; shards: readonly number[] },
): Promise<void> {
  await sql`
    update webhook_shards set owner = null, lease_until = null
    where owner = ${owner} and shard = any(${[...shards]}::smallint[])`.execute(db);
}

export async function workerGone(db: Queries, worker: string): Promise<void> {
  await db.deleteFrom("webhook_workers").where("id", "=", worker).execute();
}

/** For an embedded database, which only one process at a time opens: leases found at its start belong to dead processes. */
export async function endAllLeases(db: Queries): Promise<void> {
  await sql`update webhook_shards set owner = null, lease_until = null where owner is not null`.execute(db);
  await sql`delete from webhook_workers`.execute(db);
}

const leaseEnd = (leaseMs: number) => sql`clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond'`;
