import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";

/** Under a cap a block is at most this share of what is left, so that one process does not hold units that others need. */
const shareOfRest = 16;

export interface LeaseRequest {
  readonly accountId: string;
  /** UTC, YYYY-MM-DD. */
  readonly day: string;
  /** null: no limit. */
  readonly cap: number | null;
  readonly wanted: number;
}

interface Leased {
  readonly granted: number;
  /** The ordinal of the first that was granted. */
  readonly first: number;
}

/** Leases some of the live items that an account may still receive on a day, exactly over all processes. */
export async function leaseFeedUnits(db: Queries, request: LeaseRequest): Promise<Leased> {
  const { accountId, day } = request;
  const leased = await leaseOfRow(db, request);
  if (leased !== undefined) return leased;
  await sql`insert into usage_days (account_id, day) values (${accountId}, ${day}) on conflict do nothing`.execute(
    db,
  );
  return (await leaseOfRow(db, request)) ?? { granted: 0, first: 1 };
}

/** @returns undefined when the day has no row yet */
async function leaseOfRow(
  db: Queries,
  { accountId, day, cap, wanted }: LeaseRequest,
): Promise<Leased | undefined> {
  const { rows } = await sql<Leased>`
    with held as (
      select feed, case when ${cap}::int is null then ${wanted}::int else
        least(${wanted}::int, greatest(0, ${cap}::int - feed), greatest(1, (${cap}::int - feed) / ${shareOfRest}::int))
        end as granted
      from usage_days where account_id = ${accountId} and day = ${day} for update
    )
    update usage_days set feed = held.feed + held.granted from held
    where account_id = ${accountId} and day = ${day}
    returning held.granted::int as granted, (held.feed + 1)::int as first`.execute(db);
  return rows[0];
}

/**
 * Gives back the last `unused` ordinals before `end`, unless later ordinals have been leased.
 * @returns whether they were given back
 */
export async function returnFeedUnits(
  db: Queries,
  { accountId, day, end, unused }: { accountId: string; day: string; end: number; unused: number },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("usage_days")
    .set({ feed: end - 1 - unused })
    .where("account_id", "=", accountId)
    .where("day", "=", day)
    .where("feed", "=", end - 1)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Units leased on a day. */
export async function feedUnitsOf(db: Queries, accountId: string, day: string): Promise<number> {
  const row = await db
    .selectFrom("usage_days")
    .select("feed")
    .where("account_id", "=", accountId)
    .where("day", "=", day)
    .executeTakeFirst();
  return row?.feed ?? 0;
}

/**
 * Takes up to `wanted` of the snapshot items that an account may have on a day, exactly over all processes.
 * @returns how many were granted
 */
export async function takeSnapshotUnits(
  db: Queries,
  { accountId, day, wanted, cap }: { accountId: string; day: string; wanted: number; cap: number },
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    await sql`insert into usage_days (account_id, day) values (${accountId}, ${day}) on conflict do nothing`.execute(
      tx,
    );
    const used = await tx
      .selectFrom("usage_days")
      .select("snapshot")
      .where("account_id", "=", accountId)
      .where("day", "=", day)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const granted = Math.max(0, Math.min(wanted, cap - used.snapshot));
    await tx
      .updateTable("usage_days")
      .set({ snapshot: used.snapshot + granted })
      .where("account_id", "=", accountId)
      .where("day", "=", day)
      .execute();
    return granted;
  });
}

/** Gives back the units of items that were not sent. */
export async function returnSnapshotUnits(
  db: Queries,
  { accountId, day, unsent }: { accountId: string; day: string; unsent: number },
): Promise<void> {
  await sql`
    update usage_days set snapshot = greatest(0, snapshot - ${unsent}::int)
    where account_id = ${accountId} and day = ${day}`.execute(db);
}
