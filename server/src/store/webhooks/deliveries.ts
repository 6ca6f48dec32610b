import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";
import { rowTable } from "../engine/row-table.ts";
import { type AttemptRow, insertAttempts } from "./attempts.ts";
import { type Change, type Exception, endGivenUp, type Settled, storeExceptions } from "./exceptions.ts";
import { giveUpDue } from "./plan-limits.ts";

/** Changes of an endpoint since the last commit. */
export interface EndpointProgress {
  readonly id: string;
  readonly run: number;
  /** What it says about failures is valid only while the endpoint still has this number of resets. */
  readonly resets: number;
  readonly position: number | null;
  readonly matched: number;
  readonly delivered: number;
  readonly failed: number;
  readonly expired: number;
  readonly failingSince: Date | null;
  /** null: no attempt was answered. */
  readonly answeredAt: Date | null;
  readonly attempted: boolean;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  readonly lastAttemptAt: Date | null;
  readonly replaySeq: number | null;
  readonly replayTo: number | null;
  readonly breakerOpenings: number | null;
  readonly breakerUntil: Date | null;
  /** Not null: the service disables the endpoint for this reason. */
  readonly disabledReason: string | null;
  /** By seq. */
  readonly exceptions: ReadonlyMap<number, Exception | Settled>;
}

export interface ShardProgress {
  readonly shard: number;
  readonly fence: number;
  readonly cursor: number;
}

export interface DeliveryCommit {
  /** UUID of this commit. */
  readonly id: string;
  readonly owner: string;
  /** Epoch of the log that the positions belong to. */
  readonly epoch: string;
  /** Day of the counts, UTC, YYYY-MM-DD. */
  readonly day: string;
  /** Includes the shards of all `endpoints`. */
  readonly shards: readonly ShardProgress[];
  readonly endpoints: readonly EndpointProgress[];
  readonly attempts: readonly AttemptRow[];
}

/** Some shards now belong to another worker or another log: nothing of the commit was stored. */
export class FencedError extends Error {
  override readonly name = "FencedError";
  readonly lost: ReadonlySet<number>;
  constructor(lost: ReadonlySet<number>) {
    super(`${lost.size} shards were taken over`);
    this.lost = lost;
  }
}

/**
 * Stores the progress of deliveries in one transaction: cursors, positions, counts, exceptions, attempts. The rows of
 * the shards stay locked to the end, so no other worker takes one over meanwhile.
 * @throws {FencedError} when one was taken over before, or the log was replaced
 */
export async function commitDeliveries(db: Queries, commit: DeliveryCommit): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await advanceShards(tx, commit);
    for (const endpoints of inChunks(commit.endpoints)) await advanceEndpoints(tx, endpoints, commit.day);
    for (const changes of inChunks(changesOf(commit.endpoints))) await storeExceptions(tx, changes);
    const replayed = commit.attempts.filter(({ trigger, ok }) => trigger === "replay" && ok);
    for (const came of inChunks(replayed)) await endGivenUp(tx, came);
    for (const attempts of inChunks(commit.attempts)) await insertAttempts(tx, attempts);
    const disabled = commit.endpoints.filter(({ disabledReason }) => disabledReason !== null);
    if (disabled.length > 0) await giveUpDueOfDisabled(tx, disabled);
  });
}

/** Rows per statement: the database holds their text in memory several times over. */
const chunkRows = 1_000;

function inChunks<T>(rows: readonly T[]): T[][] {
  const starts = Array.from({ length: Math.ceil(rows.length / chunkRows) }, (_, n) => n * chunkRows);
  return starts.map((start) => rows.slice(start, start + chunkRows));
}

function changesOf(endpoints: readonly EndpointProgress[]): Change[] {
  return endpoints.flatMap(({ id, run, exceptions }) =>
    [...exceptions].map(([seq, change]) => ({ id, run, ...change, seq })),
  );
}

/**
 * Whether a commit without an answer was stored; false also when all its shards have since had other commits. Waits for a
 * commit that is still being stored, because it holds the rows of its shards.
 */
export async function wasCommitted(db: Queries, id: string, shards: readonly number[]): Promise<boolean> {
  const { rows } = await sql<{ lastCommit: string | null }>`
    select last_commit as "lastCommit" from webhook_shards where shard = any(${[...shards]}::smallint[])
    order by shard for share`.execute(db);
  return rows.some(({ lastCommit }) => lastCommit === id);
}

const shardColumns = [
  ["shard", "smallint"],
  ["fence", "bigint"],
  ["cursor", "bigint"],
] as const;

async function advanceShards(tx: Queries, { id, owner, epoch, shards }: DeliveryCommit): Promise<void> {
  const { rows } = await sql<{ shard: number }>`
    update webhook_shards s set cursor = r.cursor, last_commit = ${id}
    from ${rowTable(shards, shardColumns)}
    where s.shard = r.shard and s.fence = r.fence and s.owner = ${owner}
      and ${epoch} = (select epoch from log_head)
    returning s.shard`.execute(tx);
  const mine = new Set(rows.map(({ shard }) => shard));
  const lost = shards.filter(({ shard }) => !mine.has(shard));
  if (lost.length > 0) throw new FencedError(new Set(lost.map(({ shard }) => shard)));
}

const progressColumns = [
  ["id", "uuid"],
  ["run", "int"],
  ["resets", "int"],
  ["position", "bigint"],
  ["matched", "bigint"],
  ["delivered", "bigint"],
  ["failed", "bigint"],
  ["expired", "bigint"],
  ["failingSince", "timestamptz"],
  ["answeredAt", "timestamptz"],
  ["attempted", "boolean"],
  ["lastStatus", "int"],
  ["lastError", "text"],
  ["lastAttemptAt", "timestamptz"],
  ["replaySeq", "bigint"],
  ["replayTo", "bigint"],
  ["breakerOpenings", "int"],
  ["breakerUntil", "timestamptz"],
  ["disabledReason", "text"],
] as const;

/**
 * Adds the counts in any case; moves positions only if the endpoint's run has not ended, and stores findings about
 * failures only if it was not reset since.
 */
async function advanceEndpoints(
  tx: Queries,
  endpoints: readonly EndpointProgress[],
  day: string,
): Promise<void> {
  const today = (column: string) => {
    const known = sql.ref(`e.${column}_today`);
    const more = sql.ref(`r.${column}`);
    return sql`${sql.ref(`${column}_today`)} = ${more} + case when e.counted_on >= ${day}::date then ${known} else 0 end`;
  };
  const total = (column: string) =>
    sql`${sql.ref(`${column}_total`)} = ${sql.ref(`e.${column}_total`)} + ${sql.ref(`r.${column}`)}`;
  const counted = ["matched", "delivered", "failed", "expired"];
  await sql`
    update webhook_endpoints e set
      ${sql.join(counted.flatMap((column) => [today(column), total(column)]))},
      counted_on = greatest(e.counted_on, ${day}::date),
      position = case when r.running then r.position else e.position end,
      joined = r.running or e.joined,
      replay_seq = case when r.running and e.replay_to = r."replayTo" then r."replaySeq" else e.replay_seq end,
      failing_since = case when r.telling then r."failingSince" else e.failing_since end,
      breaker_openings = case when r.telling then r."breakerOpenings" else e.breaker_openings end,
      breaker_until = case when r.telling then r."breakerUntil" else e.breaker_until end,
      last_delivery_at = greatest(e.last_delivery_at, r."answeredAt"),
      last_status = case when r.attempted then r."lastStatus" else e.last_status end,
      last_error = case when r.attempted then r."lastError" else e.last_error end,
      last_attempt_at = greatest(e.last_attempt_at, r."lastAttemptAt"),
      status = case when r.disabling then 'auto_disabled' else e.status end,
      disabled_reason = case when r.disabling then r."disabledReason" else e.disabled_reason end,
      updated_at = case when r.disabling then clock_timestamp() else e.updated_at end,
      changed_at = case when r.disabling then clock_timestamp() else e.changed_at end
    from (
      select r.*, k.run = r.run and k.status = 'enabled' as running,
        k.run = r.run and k.status = 'enabled' and k.resets = r.resets as telling,
        r."disabledReason" is not null and k.run = r.run and k.status = 'enabled' and k.resets = r.resets as disabling
      from ${rowTable(endpoints, progressColumns)}
      join webhook_endpoints k on k.id = r.id
      order by r.id for update of k
    ) r
    where e.id = r.id`.execute(tx);
}

async function giveUpDueOfDisabled(tx: Queries, endpoints: readonly EndpointProgress[]): Promise<void> {
  const disabled = await tx
    .selectFrom("webhook_endpoints")
    .select("id")
    .where(
      "id",
      "in",
      endpoints.map(({ id }) => id),
    )
    .where("status", "<>", "enabled")
    .execute();
  await giveUpDue(
    tx,
    disabled.map(({ id }) => id),
  );
}
