import type { SourceReach } from "@tapewire/contract/admin.ts";
import { type Selectable, sql } from "kysely";
import type { Queries } from "../engine/db.ts";
import type { Tables } from "../engine/tables.ts";
import { wakeDoubted } from "./reach.ts";

/** Where a source stands, as the table has it (see migrations for each column). */
export type SourceState = Selectable<Tables["sources"]>;

/** What a page of items changes of its source's state; written in the transaction of the items. */
export interface SourceProgress {
  readonly id: string;
  readonly created: number;
  readonly newestItemAt: Date | null;
  /** Versions that only went back to an earlier one; see isDamped. */
  readonly damped: number;
  /** Source time to first sight of the new items that came live. */
  readonly lagsMs: readonly number[];
}

/** The end of a poll. */
export interface PollResult {
  readonly id: string;
  /** The lease that the poll was made under. */
  readonly lease: string;
  readonly tookMs: number;
  readonly nextPollInMs: number;
  /** null: the poll succeeded. */
  readonly error: string | null;
  /** What there is to say of a poll that succeeded; undefined: what was said of the one before. */
  readonly note?: string | null | undefined;
  /** What the poll tells of the way to its host; nothing when absent. */
  readonly way?: { readonly host: string; readonly reach: SourceReach };
  /** false: the failure is not the source's. */
  readonly counts?: boolean;
  /** Validators of a complete poll; undefined leaves the old ones. */
  readonly validators?: { readonly etag: string | null; readonly lastModified: string | null };
  /** false once everything the source showed is stored; a failed poll leaves it as it is. */
  readonly walking: boolean;
  /** The walk had a floor and was planned at this time. */
  readonly sweptAt?: Date;
  readonly reconciledTo?: string;
  /** Where the source says it is now; null: where it was. */
  readonly movedTo?: string | null;
}

/** Lags kept of a source: its last live items. */
const keptLags = 200;

export async function sourceStates(db: Queries): Promise<SourceState[]> {
  return db.selectFrom("sources").selectAll().orderBy("id").execute();
}

/** What tells how a source is doing. */
export type SourceStanding = Pick<
  SourceState,
  "id" | "failures" | "reach" | "last_poll_at" | "newest_item_at" | "typical_gap_s"
>;

export async function sourceStandings(db: Queries): Promise<SourceStanding[]> {
  const columns = ["id", "failures", "reach", "last_poll_at", "newest_item_at", "typical_gap_s"] as const;
  return db.selectFrom("sources").select(columns).execute();
}

/** The typical gap follows the last ones by a fifth; items that came together count one gap between them. */
export async function saveProgress(
  tx: Queries,
  { id, created, newestItemAt, damped, lagsMs }: SourceProgress,
): Promise<void> {
  await sql`
    insert into sources as s (id, items, newest_item_at, damped, damped_at, lags_ms)
    values (${id}, ${created}, ${newestItemAt}, ${damped}, case when ${damped > 0} then now() end,
      (${lagsMs}::int[])[1:${sql.lit(keptLags)}])
    on conflict (id) do update set
      items = s.items + excluded.items,
      newest_item_at = greatest(s.newest_item_at, excluded.newest_item_at),
      damped = s.damped + excluded.damped,
      damped_at = coalesce(excluded.damped_at, s.damped_at),
      lags_ms = (excluded.lags_ms || s.lags_ms)[1:${sql.lit(keptLags)}],
      typical_gap_s = case
        when excluded.items = 0 or excluded.newest_item_at is null or s.newest_item_at is null
          or excluded.newest_item_at <= s.newest_item_at then s.typical_gap_s
        else 0.8 * coalesce(s.typical_gap_s, extract(epoch from excluded.newest_item_at - s.newest_item_at) / excluded.items)
          + 0.2 * extract(epoch from excluded.newest_item_at - s.newest_item_at) / excluded.items
      end`.execute(tx);
}

/** Before the first item of a walk is stored. */
export async function saveWalkStart(db: Queries, id: string): Promise<void> {
  await sql`
    insert into sources as s (id, walking) values (${id}, true)
    on conflict (id) do update set
      walk_from = case when s.walking then s.walk_from else s.newest_item_at end, walking = true`.execute(db);
}

/** A row for each entry of the sources, so that it can be claimed. */
export async function registerSources(db: Queries, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    insert into sources (id) select unnest(${ids}::text[]) on conflict (id) do nothing`.execute(db);
}

export interface Claim {
  /** Entries this process can poll. */
  readonly sources: readonly string[];
  readonly limit: number;
  readonly leaseMs: number;
}

/**
 * Takes sources whose next poll is due and that no other process polls. Every process claims, so they share the work;
 * one that dies is replaced when its leases end. All by the database's clock.
 * @returns the claimed, each with a lease_owner of its own, the longest due first
 */
export async function claimSources(db: Queries, { sources, limit, leaseMs }: Claim): Promise<SourceState[]> {
  const found = await sql<SourceState>`
    update sources s set lease_owner = gen_random_uuid(), lease_until = now() + ${leaseMs}::float8 * interval '1 ms'
    from (
      select id from sources
      where id = any(${sources}::text[]) and (next_poll_at is null or next_poll_at <= now())
        and (lease_until is null or lease_until < now())
      order by next_poll_at nulls first limit ${limit} for update skip locked
    ) due
    where s.id = due.id
    returning s.*`.execute(db);
  const dueMs = ({ next_poll_at }: SourceState) => next_poll_at?.getTime() ?? 0;
  return found.rows.sort((a, b) => dueMs(a) - dueMs(b));
}

/** Time until the next of these sources is due, ms; null when none is waiting. */
export async function nextDueInMs(db: Queries, sources: readonly string[]): Promise<number | null> {
  const found = await sql<{ due_ms: number | null }>`
    select (extract(epoch from min(greatest(next_poll_at, coalesce(lease_until, next_poll_at))) - now()) * 1000)::float8
      as due_ms
    from sources where id = any(${sources}::text[])`.execute(db);
  return found.rows[0]?.due_ms ?? null;
}

/** A walk that goes on. @returns false when the lease was lost */
export async function renewLease(
  db: Queries,
  { id, lease, leaseMs }: { id: string; lease: string; leaseMs: number },
): Promise<boolean> {
  const found = await sql`
    update sources set lease_until = now() + ${leaseMs}::float8 * interval '1 ms'
    where id = ${id} and lease_owner = ${lease} returning id`.execute(db);
  return found.rows.length > 0;
}

/** Gives back what a stopping process has not finished; another takes it at once. */
export async function releaseLease(db: Queries, lease: string): Promise<void> {
  await sql`update sources set lease_owner = null, lease_until = null where lease_owner = ${lease}`.execute(
    db,
  );
}

/** Of a database that only one process can open, whatever was leased is free when it starts. */
export async function releaseEverything(db: Queries): Promise<void> {
  await sql`update sources set lease_owner = null, lease_until = null where lease_owner is not null`.execute(
    db,
  );
  await sql`update pending_documents set lease_until = null where lease_until is not null`.execute(db);
}

/** Characters of `last_error`: it may quote what a server sent. */
const longestError = 1000;

/**
 * Saves the end of a poll and gives the source free. A poll that lost its lease changes nothing. A hub that has called
 * since the poll began is not forgotten.
 */
export async function savePoll(db: Queries, poll: PollResult): Promise<void> {
  const ok = poll.error === null;
  const complete = ok && !poll.walking;
  const { note, validators, sweptAt, reconciledTo, movedTo, way, counts = true } = poll;
  const reach = way?.reach ?? "unknown";
  await sql`
    update sources set
      last_poll_at = now(),
      last_ok_at = case when ${ok} then now() else last_ok_at end,
      next_poll_at = case
        when exists (
          select from hub_subscriptions h
          where h.source_id = sources.id and h.pinged_at > now() - ${poll.tookMs}::float8 * interval '1 ms'
        ) and ${ok} then now()
        else now() + ${poll.nextPollInMs}::float8 * interval '1 ms' end,
      failures = case when ${ok} then 0 when ${counts} then failures + 1 else failures end,
      last_error = case
        when ${ok && note === undefined} then
          case when failures = 0 and reach not in ('doubted', 'unreached') then last_error end
        else left(${poll.error ?? note ?? null}::text, ${sql.lit(longestError)}) end,
      etag = case when ${validators !== undefined} then ${validators?.etag ?? null} else etag end,
      last_modified = case when ${validators !== undefined} then ${validators?.lastModified ?? null} else last_modified end,
      backfilled = backfilled or ${ok},
      walking = walking and not ${complete},
      swept_at = coalesce(${sweptAt ?? null}::timestamptz, swept_at),
      reconciled_to = coalesce(${reconciledTo ?? null}::text, reconciled_to),
      moved_to = case when ${movedTo !== undefined} then ${movedTo ?? null}::text else moved_to end,
      reach = ${reach}, host = coalesce(${way?.host ?? null}::text, host),
      reach_since = case
        when reach = ${reach} then reach_since
        when reach in ('doubted', 'unreached') and ${isAway(reach)} then reach_since
        else now() end,
      lease_owner = null, lease_until = null
    where id = ${poll.id} and lease_owner = ${poll.lease}`.execute(db);
  if (reach === "reached") await wakeDoubted(db);
}

function isAway(reach: SourceReach): boolean {
  return reach === "doubted" || reach === "unreached";
}
