import { sql } from "kysely";
import type { Queries } from "./db.ts";

export interface LeaseRequest {
  readonly accountId: string;
  /** UTC, YYYY-MM-DD. */
  readonly day: string;
  /** null: no limit. */
  readonly cap: number | null;
  /** How many to take of what is left; null: there is no limit. */
  readonly blockOf: (rest: number | null) => number;
}

/**
 * Takes some of the live items an account may still receive on a day, exactly over all processes.
 * @returns how many were granted, and the ordinal of the first
 */
export async function leaseFeedUnits(
  db: Queries,
  { accountId, day, cap, blockOf }: LeaseRequest,
): Promise<{ granted: number; first: number }> {
  return db.transaction().execute(async (tx) => {
    await sql`insert into usage_days (account_id, day) values (${accountId}, ${day}) on conflict do nothing`.execute(
      tx,
    );
    const { feed } = await tx
      .selectFrom("usage_days")
      .select("feed")
      .where("account_id", "=", accountId)
      .where("day", "=", day)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const rest = cap === null ? null : Math.max(0, cap - feed);
    const granted = rest === null ? blockOf(null) : Math.min(rest, blockOf(rest));
    await tx
      .updateTable("usage_days")
      .set({ feed: feed + granted })
      .where("account_id", "=", accountId)
      .where("day", "=", day)
      .execute();
    return { granted, first: feed + 1 };
  });
}

/** Gives the last `unused` ordinals before `end` back, unless others were leased behind them. */
export async function returnFeedUnits(
  db: Queries,
  { accountId, day, end, unused }: { accountId: string; day: string; end: number; unused: number },
): Promise<void> {
  await db
    .updateTable("usage_days")
    .set({ feed: end - 1 - unused })
    .where("account_id", "=", accountId)
    .where("day", "=", day)
    .where("feed", "=", end - 1)
    .execute();
}

/** Units of a day that are leased. */
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

/** Gives back what there was nothing to send for. */
export async function returnSnapshotUnits(
  db: Queries,
  { accountId, day, unsent }: { accountId: string; day: string; unsent: number },
): Promise<void> {
  await sql`
    update usage_days set snapshot = greatest(0, snapshot - ${unsent}::int)
    where account_id = ${accountId} and day = ${day}`.execute(db);
}
