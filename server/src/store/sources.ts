import { type Selectable, sql } from "kysely";
import type { Queries } from "./db.ts";
import type { Tables } from "./tables.ts";

/** Where a source stands, as the table has it (see its migration for `backfilled` and `walking`). */
export type SourceState = Selectable<Tables["sources"]>;

/** What a page of items changes of its source's state; written in the transaction of the items. */
export interface SourceProgress {
  readonly id: string;
  readonly created: number;
  readonly newestItemAt: Date | null;
}

/** The end of a poll. */
export interface PollResult {
  readonly id: string;
  readonly polledAt: Date;
  readonly nextPollAt: Date;
  /** null: the poll succeeded. */
  readonly error: string | null;
  /** Validators of a complete poll; undefined leaves the old ones. */
  readonly validators?: { readonly etag: string | null; readonly lastModified: string | null };
  /** false once everything the source showed is stored; a failed poll leaves it as it is. */
  readonly walking: boolean;
}

export async function sourceStates(db: Queries): Promise<SourceState[]> {
  return db.selectFrom("sources").selectAll().orderBy("id").execute();
}

export async function sourceState(db: Queries, id: string): Promise<SourceState | null> {
  return (await db.selectFrom("sources").selectAll().where("id", "=", id).executeTakeFirst()) ?? null;
}

export async function saveProgress(
  tx: Queries,
  { id, created, newestItemAt }: SourceProgress,
): Promise<void> {
  await sql`
    insert into sources (id, items, newest_item_at) values (${id}, ${created}, ${newestItemAt})
    on conflict (id) do update set
      items = sources.items + excluded.items,
      newest_item_at = greatest(sources.newest_item_at, excluded.newest_item_at)`.execute(tx);
}

/** Before the first item of a walk is stored. */
export async function saveWalkStart(db: Queries, id: string): Promise<void> {
  await sql`
    insert into sources (id, walking) values (${id}, true)
    on conflict (id) do update set walking = true`.execute(db);
}

export async function savePoll(db: Queries, poll: PollResult): Promise<void> {
  const ok = poll.error === null;
  const complete = ok && !poll.walking;
  const { validators } = poll;
  await sql`
    insert into sources (id, last_poll_at, last_ok_at, next_poll_at, failures, last_error, etag, last_modified,
      backfilled)
    values (${poll.id}, ${poll.polledAt}, ${ok ? poll.polledAt : null}, ${poll.nextPollAt}, ${ok ? 0 : 1},
      ${poll.error}, ${validators?.etag ?? null}, ${validators?.lastModified ?? null}, ${ok})
    on conflict (id) do update set
      last_poll_at = excluded.last_poll_at,
      last_ok_at = coalesce(excluded.last_ok_at, sources.last_ok_at),
      next_poll_at = excluded.next_poll_at,
      failures = case when ${ok} then 0 else sources.failures + 1 end,
      last_error = excluded.last_error,
      etag = case when ${validators !== undefined} then excluded.etag else sources.etag end,
      last_modified = case when ${validators !== undefined} then excluded.last_modified else sources.last_modified end,
      backfilled = sources.backfilled or excluded.backfilled,
      walking = sources.walking and not ${complete}`.execute(db);
}
