import type { WebhookFilters } from "@tapewire/contract/filter.ts";
import { type PlanName, planName } from "@tapewire/contract/plans.ts";
import { keptWebhookFilters, type WebhookFormat } from "@tapewire/contract/webhooks.ts";
import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";

/** An enabled endpoint as its worker reads it. */
export interface EndpointRow {
  readonly id: string;
  readonly shard: number;
  readonly accountId: string;
  readonly plan: PlanName;
  readonly url: string;
  readonly filters: WebhookFilters;
  readonly secret: Uint8Array;
  readonly previousSecret: Uint8Array | null;
  readonly previousSecretUntil: Date | null;
  /** Rises each time the endpoint is enabled. */
  readonly run: number;
  /** Rises each time its owner enables it, disables it, changes its URL or ends a pause: earlier findings are then dropped. */
  readonly resets: number;
  /** Seq up to which all is settled; null: the cursor of its shard. */
  readonly position: number | null;
  readonly joined: boolean;
  readonly maxAgeS: number;
  readonly format: WebhookFormat;
  readonly failingSince: Date | null;
  readonly replaySeq: number | null;
  readonly replayTo: number | null;
  readonly breakerOpenings: number | null;
  readonly breakerUntil: Date | null;
  /** Number of deliveries to be tried again. */
  readonly due: number;
  /** When the first of them is due. */
  readonly dueAt: Date | null;
}

interface Changes {
  readonly enabled: EndpointRow[];
  /** Disabled or deleted. */
  readonly gone: string[];
}

const shardOf = sql<number>`get_byte(uuid_send(e.id), 0) % 64`;

/** The enabled endpoints of these shards. Index: webhook_endpoints_shard. */
export async function endpointsOfShards(db: Queries, shards: readonly number[]): Promise<EndpointRow[]> {
  return readEnabled(db, sql`${shardOf} = any(${[...shards]}::int[])`);
}

/**
 * Endpoints that changed lately, of all shards. Call it again within `withinS`: a change that commits late is found by the
 * next call. Index: webhook_endpoints_changed.
 */
export async function endpointsChanged(db: Queries, withinS: number): Promise<Changes> {
  const since = sql`clock_timestamp() - ${withinS}::float8 * interval '1 second'`;
  const enabled = await readEnabled(db, sql`e.changed_at > ${since}`);
  const { rows } = await sql<{ id: string }>`
    select id from webhook_endpoints where changed_at > ${since} and status <> 'enabled'
    union all
    select id from webhook_removals where removed_at > ${since}`.execute(db);
  return { enabled, gone: rows.map(({ id }) => id) };
}

async function readEnabled(db: Queries, where: ReturnType<typeof sql>): Promise<EndpointRow[]> {
  const { rows } = await sql<Omit<EndpointRow, "filters" | "plan"> & { filters: unknown; plan: string }>`
    select e.id, ${shardOf} as shard, e.account_id as "accountId", a.plan, e.url, e.filters, e.secret,
      e.previous_secret as "previousSecret", e.previous_secret_until as "previousSecretUntil", e.run, e.resets,
      e.position, e.joined, e.max_age_s as "maxAgeS", e.format, e.failing_since as "failingSince", e.replay_seq as "replaySeq",
      e.replay_to as "replayTo", e.breaker_openings as "breakerOpenings", e.breaker_until as "breakerUntil", d.due, d.due_at as "dueAt"
    from webhook_endpoints e
    join accounts a on a.id = e.account_id
    cross join lateral (
      select count(*)::int as due, min(due_at) as due_at
      from webhook_exceptions x where x.endpoint_id = e.id and x.state = 'due'
    ) d
    where e.status = 'enabled' and ${where}`.execute(db);
  return rows.map((row) => ({
    ...row,
    plan: planName.parse(row.plan),
    filters: keptWebhookFilters.parse(row.filters),
  }));
}

/**
 * Makes deliveries due that an earlier worker of these endpoints had under way when it ended.
 * @param underWay the last_error that marks them
 */
export async function wakeParked(db: Queries, endpoints: readonly string[], underWay: string): Promise<void> {
  await sql`
    update webhook_exceptions set due_at = clock_timestamp()
    where endpoint_id = any(${[...endpoints]}::uuid[]) and state = 'due' and last_error = ${underWay}`.execute(
    db,
  );
}

/** The plans of these accounts, by id. */
export async function plansOfAccounts(
  db: Queries,
  accounts: readonly string[],
): Promise<ReadonlyMap<string, PlanName>> {
  const { rows } = await sql<{ id: string; plan: string }>`
    select id, plan from accounts where id = any(${[...accounts]}::uuid[])`.execute(db);
  return new Map(rows.map(({ id, plan }) => [id, planName.parse(plan)]));
}
