import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";

export interface TokensWanted {
  readonly accountId: string;
  readonly bucket: string;
  readonly ratePerSecond: number;
  /** What a full bucket holds. */
  readonly burst: number;
  /** null: the database's clock, which all processes share. */
  readonly now: Date | null;
  /** Requests that wait, each for one token. */
  readonly waiting: number;
  /** Tokens that may be taken for later requests, out of the upper half of the bucket. */
  readonly ahead: number;
}

export interface TokensGranted {
  readonly granted: number;
  /** What is left in the bucket at a moment `aheadMs` from now; `aheadMs` is above 0 when this clock is behind another. */
  readonly tokens: number;
  readonly aheadMs: number;
}

/** A clock that is further behind was put back. An empty bucket stays closed for at most this long after such a step. */
export const clocksDifferS = 90;

/**
 * Fills an account's bucket up to `now` and takes whole tokens from it, exactly over all processes: the row's lock
 * orders them. A clock that is behind another refills nothing, so no time counts twice; a clock that is further behind
 * than clocks differ was put back, and time counts again from there.
 */
export async function takeTokens(db: Queries, wanted: TokensWanted): Promise<TokensGranted> {
  const { accountId, bucket, ratePerSecond, burst, now, waiting, ahead } = wanted;
  const behind = sql`extract(epoch from b.refilled_at - excluded.refilled_at)::float8`;
  const passed = sql`greatest(0, extract(epoch from excluded.refilled_at - b.refilled_at)::float8)`;
  const full = sql`least(${burst}::float8, b.tokens + ${ratePerSecond}::float8 * ${passed})`;
  const taken = (held: typeof full) =>
    // The small addend makes up for sums of fractions that fall short of a whole token.
    sql`least(floor(${held} + 1e-6), greatest(${waiting}::float8,
      least(${ahead}::float8, floor(${held} - ${burst}::float8 / 2))))`;
  const first = taken(sql`${burst}::float8`);
  const found = await sql<TokensGranted>`
    insert into rate_buckets as b (account_id, bucket, tokens, granted, refilled_at)
    values (${accountId}, ${bucket}, ${burst}::float8 - ${first}, ${first},
      coalesce(${now}::timestamptz, clock_timestamp()))
    on conflict (account_id, bucket) do update set
      tokens = greatest(0, ${full} - ${taken(full)}),
      granted = ${taken(full)},
      refilled_at = case when ${behind} > ${clocksDifferS}::float8 then excluded.refilled_at
        else greatest(b.refilled_at, excluded.refilled_at) end
    returning granted, tokens,
      greatest(0, extract(epoch from refilled_at - coalesce(${now}::timestamptz, clock_timestamp())) * 1000)::float8
        as "aheadMs"`.execute(db);
  const [row] = found.rows;
  if (row === undefined) throw new TypeError("an upsert without a row");
  return row;
}
