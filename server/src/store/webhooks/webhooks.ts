import type { WebhookFilters } from "@tapewire/contract/filter.ts";
import { keptWebhookFilters, type WebhookFormat } from "@tapewire/contract/webhooks.ts";
import { type Selectable, sql, type Updateable } from "kysely";
import { lockAccount } from "../accounts/accounts.ts";
import { hasFilterRoom } from "../accounts/filter-room.ts";
import type { Queries } from "../engine/db.ts";
import type { Tables } from "../engine/tables.ts";
import { giveUpDue, giveUpTakenBack } from "./plan-limits.ts";
import { selectSecretCheck } from "./secret-check.ts";

type Row = Selectable<Tables["webhook_endpoints"]>;
type Shown = Pick<
  Row,
  | "id"
  | "url"
  | "description"
  | "status"
  | "disabled_reason"
  | "secret"
  | "created_at"
  | "updated_at"
  | "failing_since"
  | "last_delivery_at"
  | "last_status"
  | "last_attempt_at"
  | "last_error"
  | "matched_total"
  | "delivered_total"
  | "matched_today"
  | "delivered_today"
  | "max_age_s"
  | "format"
  | "previous_secret"
  | "previous_secret_until"
>;

/** A stored endpoint, with the counters of the requested day. */
export interface WebhookRow extends Shown {
  readonly filters: WebhookFilters;
}

export interface NewWebhook extends Pick<Row, "id" | "account_id" | "url" | "description" | "secret"> {
  readonly filters: WebhookFilters;
  /** Absent: a day. */
  readonly maxAgeS?: number | undefined;
  readonly format?: WebhookFormat | undefined;
}

/** Changes by a caller; an absent member stays. */
export interface WebhookChanges {
  readonly url?: string | undefined;
  readonly description?: string | null | undefined;
  readonly enabled?: boolean | undefined;
  readonly filters?: WebhookFilters | undefined;
  readonly maxAgeS?: number | undefined;
  readonly format?: WebhookFormat | undefined;
}

/** An endpoint of an account; with another account's id it is not found. */
export interface WebhookKey {
  readonly accountId: string;
  readonly id: string;
}

/** filters_full: the filters of the account's endpoints would be too long together. */
export type Insertion = "made" | "limit_reached" | "filters_full" | "sealed_otherwise";

/**
 * Adds an endpoint, unless its account has `limit` of them; the limit is exact, since creations of an account take turns.
 * @param secretCheck of the sealing secret; `sealed_otherwise` when it is not that of this database
 */
export async function insertWebhook(
  db: Queries,
  made: NewWebhook,
  { limit, secretCheck }: { limit: number; secretCheck: string },
): Promise<Insertion> {
  const { id, account_id, url, description, secret, maxAgeS = 86_400, format = "tapewire" } = made;
  const filters = JSON.stringify(made.filters);
  return db.transaction().execute(async (tx) => {
    // Locked until the commit, so that the sealing secret cannot be replaced meanwhile.
    const { value } = await selectSecretCheck(tx).forShare().executeTakeFirstOrThrow();
    if (value !== secretCheck) return "sealed_otherwise";
    await lockAccount(tx, account_id);
    if (!(await hasFilterRoom(tx, "webhook_endpoints", { accountId: account_id, id }, filters)))
      return "filters_full";
    // Times of one account's endpoints are distinct, so the list has one order. Deliveries begin after the head of the log.
    const inserted = await sql`
      insert into webhook_endpoints
        (id, account_id, url, description, status, filters, secret, max_age_s, format, created_at, updated_at, position)
      select ${id}::uuid, ${account_id}::uuid, ${url}::text, ${description}::text, 'enabled', ${filters}::json,
        ${secret}::bytea, ${maxAgeS}::int, ${format}::text, made_at, made_at, (select last_seq from log_head)
      from (
        select count(*) as endpoints,
          greatest(clock_timestamp(), max(created_at) + interval '1 microsecond') as made_at
        from webhook_endpoints where account_id = ${account_id}
      ) as known
      where endpoints < ${limit}::int`.execute(tx);
    return inserted.numAffectedRows === 1n ? "made" : "limit_reached";
  });
}

/** @param day of UTC, as YYYY-MM-DD, whose counters are read */
const selectWebhooks = (db: Queries, accountId: string, day: string) =>
  db
    .selectFrom("webhook_endpoints")
    .select([
      "id",
      "url",
      "description",
      "status",
      "disabled_reason",
      "filters",
      "secret",
      "created_at",
      "updated_at",
      "failing_since",
      "last_delivery_at",
      "last_status",
      "last_attempt_at",
      "last_error",
      "matched_total",
      "delivered_total",
      "max_age_s",
      "format",
      "previous_secret",
      "previous_secret_until",
      sql<number>`case when counted_on = ${day}::date then matched_today else 0 end`.as("matched_today"),
      sql<number>`case when counted_on = ${day}::date then delivered_today else 0 end`.as("delivered_today"),
    ])
    .where("account_id", "=", accountId);

/** Oldest first. Index: webhook_endpoints_account. */
export async function listWebhooks(db: Queries, accountId: string, day: string): Promise<WebhookRow[]> {
  const rows = await selectWebhooks(db, accountId, day).orderBy("created_at").orderBy("id").execute();
  return rows.map(withFilters);
}

export async function readWebhook(
  db: Queries,
  { accountId, id }: WebhookKey,
  day: string,
): Promise<WebhookRow | null> {
  const row = await selectWebhooks(db, accountId, day).where("id", "=", id).executeTakeFirst();
  return row === undefined ? null : withFilters(row);
}

/**
 * Setting `enabled`, another URL or another format resets the endpoint: what the service had found about it is dropped.
 * @param limit of enabled endpoints of the account: at the limit no other is enabled
 */
export async function updateWebhook(
  db: Queries,
  { accountId, id }: WebhookKey,
  wanted: WebhookChanges,
  limit = Number.POSITIVE_INFINITY,
): Promise<"changed" | "not_found" | "limit_reached" | "filters_full"> {
  const { url, description, filters, maxAgeS, format } = wanted;
  const changes: Updateable<Tables["webhook_endpoints"]> = {
    ...(url === undefined ? {} : { url }),
    ...(description === undefined ? {} : { description }),
    ...(filters === undefined ? {} : { filters: JSON.stringify(filters) }),
    ...(maxAgeS === undefined ? {} : { max_age_s: maxAgeS }),
    ...(format === undefined ? {} : { format }),
  };
  if (Object.keys(changes).length === 0 && wanted.enabled === undefined) return "changed";
  return db.transaction().execute(async (tx) => {
    if (wanted.enabled === true || filters !== undefined) await lockAccount(tx, accountId);
    const endpoint = tx
      .selectFrom("webhook_endpoints")
      .select(["status", "url", "format"])
      .where("account_id", "=", accountId)
      .where("id", "=", id);
    const known = await endpoint.forUpdate().executeTakeFirst();
    if (known === undefined) return "not_found";
    // A client may send back the record as it read it: `enabled: false` must not clear the reason of a disabled endpoint.
    const enabled = wanted.enabled === false && known.status !== "enabled" ? undefined : wanted.enabled;
    if (
      filters !== undefined &&
      !(await hasFilterRoom(tx, "webhook_endpoints", { accountId, id }, JSON.stringify(filters)))
    )
      return "filters_full";
    const begins = enabled === true && known.status !== "enabled";
    if (begins && (await enabledOf(tx, accountId)) >= limit) return "limit_reached";
    if (begins) await giveUpTakenBack(tx, id);
    const isOther = (url ?? known.url) !== known.url || (format ?? known.format) !== known.format;
    const isAnew = enabled !== undefined || isOther;
    await tx
      .updateTable("webhook_endpoints")
      .set({
        ...changes,
        ...statusOf(enabled),
        updated_at: sql`clock_timestamp()`,
        changed_at: sql`clock_timestamp()`,
      })
      .$if(isAnew, (update) => update.set(foundNothing))
      .$if(begins, (update) => update.set(fromTheHead))
      .where("id", "=", id)
      .execute();
    if (begins || enabled === false) await giveUpDue(tx, [id]);
    return "changed";
  });
}

function statusOf(enabled: boolean | undefined): Updateable<Tables["webhook_endpoints"]> {
  if (enabled === undefined) return {};
  return { status: enabled ? "enabled" : "disabled", disabled_reason: null };
}

async function enabledOf(tx: Queries, accountId: string): Promise<number> {
  const { enabled } = await tx
    .selectFrom("webhook_endpoints")
    .select((count) => count.fn.countAll<number>().as("enabled"))
    .where("account_id", "=", accountId)
    .where("status", "=", "enabled")
    .executeTakeFirstOrThrow();
  return enabled;
}

const foundNothing = {
  resets: sql<number>`resets + 1`,
  failing_since: null,
  breaker_openings: null,
  breaker_until: null,
};

/** An endpoint that is enabled gets new entries only; earlier ones can be ordered with `recover`. */
const fromTheHead = {
  position: sql<number>`(select last_seq from log_head)`,
  joined: false,
  run: sql<number>`run + 1`,
  replay_seq: null,
  replay_to: null,
};

/**
 * Gives an endpoint another secret; the previous one also signs for a while.
 * @param overlapMs how long, from now
 * @returns false when there is no such endpoint
 */
export async function rotateSecret(
  db: Queries,
  { accountId, id }: WebhookKey,
  { secret, overlapMs }: { secret: Uint8Array; overlapMs: number },
): Promise<boolean> {
  const rotated = await sql`
    update webhook_endpoints set previous_secret = secret,
      previous_secret_until = clock_timestamp() + ${overlapMs}::float8 * interval '1 millisecond',
      secret = ${secret}::bytea, updated_at = clock_timestamp(), changed_at = clock_timestamp()
    where account_id = ${accountId} and id = ${id}`.execute(db);
  return rotated.numAffectedRows === 1n;
}

/**
 * Deletes the endpoint. forgetDeliveries deletes the records of its deliveries later, since they may be many.
 * @returns false when there is no such endpoint
 */
export async function deleteWebhook(db: Queries, { accountId, id }: WebhookKey): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const deleted = await tx
      .deleteFrom("webhook_endpoints")
      .where("account_id", "=", accountId)
      .where("id", "=", id)
      .executeTakeFirst();
    if (deleted.numDeletedRows !== 1n) return false;
    await tx.insertInto("webhook_removals").values({ id, removed_at: sql`clock_timestamp()` }).execute();
    return true;
  });
}

function withFilters<R extends { filters: unknown }>(row: R): R & { filters: WebhookFilters } {
  return { ...row, filters: keptWebhookFilters.parse(row.filters) };
}
