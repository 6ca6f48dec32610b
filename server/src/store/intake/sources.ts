import type { SourceReach } from "@tapewire/contract/admin.ts";
import { type Selectable, sql } from "kysely";
import type { Queries, Write } from "../engine/db.ts";
import type { Tables } from "../engine/tables.ts";
import { wakeDoubted } from "./reach.ts";

/** The stored state of a source (see migrations for each column). */
export type SourceState = Selectable<Tables["sources"]>;

/** What a page of items changes of its source's state; written in the transaction of the items. */
export interface SourceProgress {
  readonly id: string;
  readonly created: number;
  readonly newestItemAt: Date | null;
  /** Versions that only went back to an earlier one; see isDamped. */
  readonly damped: number;
  /** Time from source time to first sight, of the new items that came live. */
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
  /** A note on a successful poll; undefined: the note of the poll before stays. */
  readonly note?: string | null | undefined;
  /** What the poll shows about reaching its host; absent: nothing. */
  readonly way?: { readonly host: string; readonly reach: SourceReach };
  /** false: the failure is not the source's. */
  readonly counts?: boolean;
  /** Validators of a complete poll; undefined leaves the old ones. */
  readonly validators?: { readonly etag: string | null; readonly lastModified: string | null };
  /** false once everything the source showed is stored; a failed poll leaves it as it is. */
  readonly walking: boolean;
  /** Items of the answers that were left out because they are older than what is kept; absent: nothing was read. */
  readonly tooOld?: number;
  /** The walk had a floor and was planned at this time. */
  readonly sweptAt?: Date;
  readonly reconciledTo?: string;
  /** The new address that the source announced; null: unchanged. */
  readonly movedTo?: string | null;
}

/** Lags kept per source, those of its last live items. */
const keptLags = 200;

export async function sourceStates(db: Queries): Promise<SourceState[]> {
  return db.selectFrom("sources").selectAll().orderBy("id").execute();
}

/** The columns that show how a source is doing. */
export type SourceStanding = Pick<
  SourceState,
  "id" | "failures" | "reach" | "last_poll_at" | "newest_item_at" | "typical_gap_s"
>;

export async function sourceStandings(db: Queries): Promise<SourceStanding[]> {
  const columns = ["id", "failures", "reach", "last_poll_at", "newest_item_at", "typical_gap_s"] as const;
  return db.selectFrom("sources").select(columns).execute();
}

/** The typical gap moves a fifth towards each new gap; items that came together count one gap between them. */
export function saveProgress({ id, created, newestItemAt, damped, lagsMs }: SourceProgress): Write {
  return sql`
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
      end`;
}

/** Called before the first item of a walk is stored. */
export async function saveWalkStart(db: Queries, id: string): Promise<void> {
  await sql`
    insert into sources as s (id, walking) values (${id}, true)
    on conflict (id) do update set
      walk_from = case when s.walking then s.walk_from else s.newest_item_at end, walking = true`.execute(db);
}

/** Makes a row for each entry of the sources, so that it can be claimed. */
export async function registerSources(db: Queries, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`
    insert into sources (id) select unnest(${ids}::text[]) on conflict (id) do nothing`.execute(db);
}

export interface Claim {
  /** Entries that this process can poll. */
  readonly sources: readonly string[];
  /** The host of each of them, in their order; absent: each has one of its own. */
  readonly hosts?: readonly HostRoom[];
  readonly limit: number;
  readonly leaseMs: number;
}

/** Sources of one host take turns there: of all that are due so many are claimed. */
export interface HostRoom {
  readonly host: string;
  readonly room: number;
}

/**
 * Takes sources that are due and that no other process polls. Every process claims, so they share the work; the leases of
 * a process that dies end and others take over. All by the database's clock.
 * @returns the claimed sources, each with a lease_owner of its own, the longest due first
 */
export async function claimSources(
  db: Queries,
  { sources, hosts = sources.map((host) => ({ host, room: 1 })), limit, leaseMs }: Claim,
): Promise<SourceState[]> {
  // Polled in the future, or with a lease longer than any that is given: the clock was put back since, and these times
  // mean nothing.
  const isDue = sql`(next_poll_at is null or next_poll_at <= now() or last_poll_at > now() + interval '1 minute')
    and (lease_until is null or lease_until < now() or lease_until > now() + ${2 * leaseMs}::float8 * interval '1 ms')`;
  const found = await sql<SourceState>`
    update sources s set lease_owner = gen_random_uuid(), lease_until = now() + ${leaseMs}::float8 * interval '1 ms'
    from (
      select id from sources
      where ${isDue} and id in (
        select id from (
          select id, at.room, row_number() over (partition by at.host order by next_poll_at nulls first, id) as place
          from sources join unnest(${sources}::text[], ${hosts.map(({ host }) => host)}::text[],
            ${hosts.map(({ room }) => room)}::int[]) as at (id, host, room) using (id)
          where ${isDue}
        ) placed where place <= room)
      order by next_poll_at nulls first limit ${limit} for update skip locked
    ) due
    where s.id = due.id
    returning s.*`.execute(db);
  const dueMs = ({ next_poll_at }: SourceState) => next_poll_at?.getTime() ?? 0;
  return found.rows.sort((a, b) => dueMs(a) - dueMs(b));
}

/** Time until the next of these sources is due, ms; null when none is scheduled. */
export async function nextDueInMs(db: Queries, sources: readonly string[]): Promise<number | null> {
  const found = await sql<{ due_ms: number | null }>`
    select (extract(epoch from min(greatest(next_poll_at, coalesce(lease_until, next_poll_at))) - now()) * 1000)::float8
      as due_ms
    from sources where id = any(${sources}::text[])`.execute(db);
  return found.rows[0]?.due_ms ?? null;
}

/** Renews the lease of a walk that goes on. @returns false when the lease was lost */
export async function renewLease(
  db: Queries,
  { id, lease, leaseMs }: { id: string; lease: string; leaseMs: number },
): Promise<boolean> {
  const found = await sql`
    update sources set lease_until = now() + ${leaseMs}::float8 * interval '1 ms'
    where id = ${id} and lease_owner = ${lease} returning id`.execute(db);
  return found.rows.length > 0;
}

/** Gives back a lease that a stopping process holds, so that another can take the source at once. */
export async function releaseLease(db: Queries, lease: string): Promise<void> {
  await sql`update sources set lease_owner = null, lease_until = null where lease_owner = ${lease}`.execute(
    db,
  );
}

/** Ends all leases, for a database that only one process can open: at its start none is in use. */
export async function releaseEverything(db: Queries): Promise<void> {
  await sql`update sources set lease_owner = null, lease_until = null where lease_owner is not null`.execute(
    db,
  );
  await sql`update pending_documents set lease_until = null where lease_until is not null`.execute(db);
}

/** Characters of `last_error`, which may quote what a server sent. */
const longestError = 1000;

/**
 * Saves the end of a poll and releases the source. A poll that lost its lease changes nothing. If a hub has called since
 * the poll began, a successful poll leaves the source due.
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
      too_old = coalesce(${poll.tooOld ?? null}::int, too_old),
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
