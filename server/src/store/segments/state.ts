import { sql } from "kysely";
import type { ListPosition } from "../../feed/list-key.ts";
import type { Db, Queries } from "../engine/db.ts";

/** How far the segments are. */
export interface SegmentState {
  /** The log that it tells of. */
  readonly epoch: string;
  /** Grows with every change. */
  readonly generation: number;
  /** Entries of the log up to it are in the segments. */
  readonly foldedSeq: number;
  /** A process that has read the log up to it may show the segments. */
  readonly asOf: number;
  /** Items older than it are not in segments yet. "all": every item is. "none": the first build has not begun. */
  readonly builtTo: ListPosition | "all" | "none";
}

/** The segments as one statement saw them. */
export interface SegmentList {
  readonly state: SegmentState;
  /** Of the months that exist. */
  readonly ids: readonly number[];
}

interface StateRow {
  epoch: string;
  generation: number;
  folded_seq: number;
  as_of: number;
  building: boolean;
  built_at: Date | null;
  built_id: string | null;
}

export async function segmentState(db: Queries): Promise<SegmentState> {
  const found = await sql<StateRow>`
    select h.epoch, s.generation, s.folded_seq, s.as_of, s.building, s.built_at, s.built_id
    from segment_state s, log_head h`.execute(db);
  return stateOf(found.rows[0]);
}

export async function segmentList(db: Queries): Promise<SegmentList> {
  const found = await sql<StateRow & { ids: number[] }>`
    select h.epoch, s.generation, s.folded_seq, s.as_of, s.building, s.built_at, s.built_id,
      array(
        select id::float8 from segments
        where retired_at is null and month in (
          select right(c.relname, 6) from pg_inherits i join pg_class c on c.oid = i.inhrelid
          where i.inhparent = 'items'::regclass
        )
      ) as ids
    from segment_state s, log_head h`.execute(db);
  return { state: stateOf(found.rows[0]), ids: found.rows[0]?.ids ?? [] };
}

function stateOf(row: StateRow | undefined): SegmentState {
  if (row === undefined) throw new Error("segment_state has no row");
  const { epoch, generation, folded_seq: foldedSeq, as_of: asOf, building, built_at, built_id } = row;
  const place = built_at === null || built_id === null ? "none" : { publishedAt: built_at, id: built_id };
  return { epoch, generation, foldedSeq, asOf, builtTo: building ? place : "all" };
}

/** How long a worker that is gone keeps others away. */
const leaseSeconds = 60;

/** Takes or prolongs the lease; one that ends later than any that is given is from before the clock was put back. @returns whether the worker has it */
export async function holdSegments(db: Queries, worker: string): Promise<boolean> {
  const found = await sql`
    update segment_state set worker = ${worker}, lease_until = now() + make_interval(secs => ${leaseSeconds})
    where worker is null or worker = ${worker} or lease_until < now()
      or lease_until > now() + make_interval(secs => ${2 * leaseSeconds})
    returning only_row`.execute(db);
  return found.rows.length > 0;
}

/** Gives the lease back, so that another process need not wait for its end. */
export async function leaveSegments(db: Queries, worker: string): Promise<void> {
  await sql`update segment_state set worker = null, lease_until = null where worker = ${worker}`.execute(db);
}

/** A segment that is to be stored. */
export interface NewSegment {
  readonly month: string;
  readonly head: Uint8Array;
  readonly body: Uint8Array;
}

export interface SegmentChange {
  readonly added: readonly NewSegment[];
  /** Ids of segments whose items the added ones have. */
  readonly replaced: readonly number[];
  /** The state after the change, whose generation is that of the one before. */
  readonly state: SegmentState;
}

/**
 * Changes the segments in one transaction.
 * @returns false: they were changed by another process meanwhile, or the log lost entries that they were made of
 */
export async function changeSegments(db: Db, { added, replaced, state }: SegmentChange): Promise<boolean> {
  const place = state.builtTo === "all" || state.builtTo === "none" ? null : state.builtTo;
  return db.slow.transaction().execute(async (tx) => {
    const changed = await sql`
      update segment_state set generation = generation + 1, folded_seq = ${state.foldedSeq}, as_of = ${state.asOf},
        building = ${state.builtTo !== "all"}, built_at = ${place?.publishedAt ?? null}, built_id = ${place?.id ?? null}
      where generation = ${state.generation} and exists (
        select from log_head where epoch = ${state.epoch} and last_seq >= ${Math.max(state.asOf, state.foldedSeq)}
      ) returning only_row`.execute(tx);
    if (changed.rows.length === 0) return false;
    for (const { month, head, body } of added)
      await tx.insertInto("segments").values({ month, head, body, retired_at: null }).execute();
    if (replaced.length > 0)
      await sql`update segments set retired_at = now() where id = any(${[...replaced]}::bigint[])`.execute(
        tx,
      );
    return true;
  });
}

/** How long processes may go on reading segments that were replaced. */
const retiredSeconds = 60;

/** Deletes segments that were replaced a while ago, and those of months that were dropped, not only detached. */
export async function forgetSegments(db: Queries): Promise<void> {
  await sql`
    delete from segments
    where retired_at < now() - make_interval(secs => ${retiredSeconds})
      or to_regclass('items_' || month) is null`.execute(db);
}

/** Deletes the segments of a month whose tables are made anew. What is being made of them is given up. */
export async function forgetSegmentsOf(tx: Queries, month: string): Promise<void> {
  // Locked first, as who changes segments does: in another order two of them would wait for each other.
  await sql`select from segment_state for update`.execute(tx);
  await sql`
    with gone as (delete from segments where month = ${month} returning id)
    update segment_state set generation = generation + 1 where exists (select from gone)`.execute(tx);
}

/** For a database whose items were put there by other means: they are all built anew. */
export async function buildSegmentsAnew(db: Queries): Promise<void> {
  await sql`delete from segments`.execute(db);
  await sql`
    update segment_state set generation = generation + 1, building = true, built_at = null, built_id = null,
      folded_seq = (select last_seq from log_head), as_of = (select last_seq from log_head)`.execute(db);
}

/** Items in lists, by the planner's statistics: for the progress of a build. */
export async function roughItems(db: Queries): Promise<number> {
  const found = await sql<{ items: number }>`
    select coalesce(sum(greatest(c.reltuples, 0)), 0)::float8 as items
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'items'::regclass`.execute(
    db,
  );
  return found.rows[0]?.items ?? 0;
}
