import { sql } from "kysely";
import { z } from "zod";
import type { Queries } from "../engine/db.ts";
import type { WebhookKey } from "./webhooks.ts";

const attempt = z.object({
  attempt: z.number(),
  trigger: z.enum(["item", "resend", "replay"]),
  at: z.string().transform((text) => new Date(text)),
  ok: z.boolean(),
  status: z.number().nullable(),
  error: z.string().nullable(),
  ms: z.number(),
  response: z.string().nullable(),
});

/** The delivery of one log entry to an endpoint. */
export interface DeliveryRow {
  readonly seq: number;
  readonly itemId: string;
  /** due: to be tried (again); failed, expired: given up; disabled: given up when the endpoint was disabled. */
  readonly state: "delivered" | "due" | "failed" | "expired" | "disabled";
  /** When it is tried again, not before a pause of its endpoint ends; null: never, or as soon as the log brings it. */
  readonly nextAttemptAt: Date | null;
  /** Oldest first, at most 20. */
  readonly attempts: readonly z.infer<typeof attempt>[];
}

/**
 * Logged deliveries of an endpoint, newest entry first: all failures of the last 7 days, and successes as long as they
 * were few. Indexes: webhook_attempts_endpoint, the primary key of webhook_exceptions.
 * @param beforeSeq the seq of the last delivery of the page before; null: from the newest
 */
export async function pageDeliveries(
  db: Queries,
  endpointId: string,
  { beforeSeq, limit }: { beforeSeq: number | null; limit: number },
): Promise<DeliveryRow[]> {
  const before = sql`endpoint_id = ${endpointId} and seq < ${beforeSeq ?? Number.MAX_SAFE_INTEGER}`;
  const { rows } = await sql<{
    seq: number;
    itemId: string;
    state: string | null;
    dueAt: Date | null;
    lastError: string | null;
    isSettled: boolean;
    isEnabled: boolean;
    attempts: unknown;
  }>`
    with page as (
      (select distinct seq from webhook_attempts where ${before} order by seq desc limit ${limit})
      union
      (select seq from webhook_exceptions where ${before} order by seq desc limit ${limit})
      order by seq desc limit ${limit}
    )
    select p.seq, coalesce(x.item_id, a.item_id) as "itemId", x.state,
      case when e.status = 'enabled' then greatest(x.due_at,
        case when e.breaker_until > clock_timestamp() then e.breaker_until end) else x.due_at end as "dueAt",
      x.last_error as "lastError", coalesce(a.attempts, '[]') as attempts,
      p.seq <= coalesce(e.position, s.cursor) as "isSettled", e.status = 'enabled' as "isEnabled"
    from page p
    join webhook_endpoints e on e.id = ${endpointId}
    join webhook_shards s on s.shard = get_byte(uuid_send(e.id), 0) % 64
    left join webhook_exceptions x on x.endpoint_id = ${endpointId} and x.seq = p.seq
    left join lateral (
      select (array_agg(item_id))[1] as item_id,
        json_agg(json_build_object('attempt', attempt, 'trigger', trigger, 'at', attempted_at, 'ok', ok,
          'status', status, 'error', error, 'ms', ms, 'response', response) order by id) as attempts
      from (
        select * from webhook_attempts where endpoint_id = ${endpointId} and seq = p.seq order by id desc limit 20
      ) one
    ) a on true
    order by p.seq desc`.execute(db);
  return rows.map(({ seq, itemId, state, dueAt, lastError, attempts: logged, ...where }) => {
    const attempts = z.array(attempt).parse(logged);
    const hasFailed = attempts.at(-1)?.ok === false;
    const shown = state === null && hasFailed ? stateOfTakenBack(where) : stateOf(state, lastError);
    return { ...{ seq, itemId, attempts }, state: shown, nextAttemptAt: shown === "due" ? dueAt : null };
  });
}

/** State of a failed delivery without an exception: its endpoint was paused, and the log brings it again. */
function stateOfTakenBack(where: { isSettled: boolean; isEnabled: boolean }): DeliveryRow["state"] {
  if (where.isSettled) return "expired";
  return where.isEnabled ? "due" : "disabled";
}

function stateOf(state: string | null, lastError: string | null): DeliveryRow["state"] {
  if (state === null) return "delivered";
  if (state === "due") return "due";
  return lastError === "expired" || lastError === "disabled" ? lastError : "failed";
}

/** How an endpoint is doing. matched = delivered + failed + expired + due + behind, without withheld and disabled ones. */
export interface WebhookStats {
  readonly today: Counts;
  readonly total: Counts;
  /** Deliveries to be tried again, and those that were given up (in the last 7 days). */
  readonly due: number;
  readonly dead: number;
  /** Entries of the log, matching or not, that are not settled for it yet. */
  readonly behindSeqs: number;
  /** The last settled entry of the log. */
  readonly position: number;
  readonly failingSince: Date | null;
  /** Paused until then; null: it is not. */
  readonly pausedUntil: Date | null;
  /** The first of the due deliveries is not tried before; null: none is due. */
  readonly nextAttemptAt: Date | null;
  /** Entries that a replay still has to check; null: no replay is running. */
  readonly replaySeqs: number | null;
}

export interface Counts {
  readonly matched: number;
  readonly delivered: number;
  readonly failed: number;
  readonly expired: number;
}

const backlog = sql`
  (select count(*)::int from webhook_exceptions where endpoint_id = e.id and state = 'due') as due,
  (select count(*)::int from webhook_exceptions where endpoint_id = e.id and state = 'dead') as dead,
  case when e.status = 'enabled' then greatest(0, h.last_seq - coalesce(e.position, s.cursor)) else 0 end
    as "behindSeqs", coalesce(e.position, s.cursor) as position,
  case when e.breaker_until > clock_timestamp() then e.breaker_until end as "pausedUntil",
  (select greatest(due_at, case when e.breaker_until > clock_timestamp() then e.breaker_until end)
    from webhook_exceptions where endpoint_id = e.id and state = 'due' order by due_at limit 1) as "nextAttemptAt"`;
const endpointsWithPosition = sql`
  webhook_endpoints e join webhook_shards s on s.shard = get_byte(uuid_send(e.id), 0) % 64 cross join log_head h`;

export interface Backlog
  extends Pick<WebhookStats, "due" | "dead" | "behindSeqs" | "position" | "pausedUntil" | "nextAttemptAt"> {
  readonly id: string;
}

/** The backlog of each endpoint of an account, oldest endpoint first. */
export async function backlogs(db: Queries, accountId: string): Promise<Backlog[]> {
  const { rows } = await sql<Backlog>`
    select e.id, ${backlog} from ${endpointsWithPosition}
    where e.account_id = ${accountId} order by e.created_at, e.id`.execute(db);
  return rows;
}

/** @param day today in UTC, as YYYY-MM-DD; @returns null when there is no such endpoint */
export async function webhookStats(
  db: Queries,
  { accountId, id }: WebhookKey,
  day: string,
): Promise<WebhookStats | null> {
  const today = (column: string) =>
    sql`case when e.counted_on = ${day}::date then ${sql.ref(`e.${column}_today`)} else 0 end`;
  const counts = (of: (column: string) => ReturnType<typeof sql>) => sql`json_build_object(
    'matched', ${of("matched")}, 'delivered', ${of("delivered")}, 'failed', ${of("failed")}, 'expired', ${of("expired")})`;
  const { rows } = await sql<WebhookStats>`
    select ${counts(today)} as today, ${counts((column) => sql.ref(`e.${column}_total`))} as total,
      ${backlog}, e.failing_since as "failingSince", e.replay_to - e.replay_seq as "replaySeqs"
    from ${endpointsWithPosition}
    where e.account_id = ${accountId} and e.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

export interface WebhookHealth {
  readonly enabled: number;
  /** Of the enabled ones. */
  readonly failing: number;
  readonly auto_disabled: number;
  /** Of the enabled ones: those that failed within a day, and deliver again. */
  readonly recovered: number;
}

/**
 * How many endpoints of all accounts there are, how many fail, and how many did within a day. The attempts, of which an
 * endpoint may have 20,000, are looked through only where the hours have more of them than deliveries.
 */
export async function webhookHealth(db: Queries): Promise<WebhookHealth> {
  const dayAgo = sql`now() - interval '1 day'`;
  const { rows } = await sql<WebhookHealth>`
    select (count(*) filter (where status = 'enabled'))::int as enabled,
      (count(*) filter (where status = 'enabled' and failing_since is not null))::int as failing,
      (count(*) filter (where status = 'auto_disabled'))::int as auto_disabled,
      (count(*) filter (where status = 'enabled' and failing_since is null and last_status between 200 and 299
        and case when exists (
            select from webhook_hours where endpoint_id = e.id and hour > ${dayAgo} - interval '1 hour'
            having sum(unanswered + (select coalesce(sum(one), 0) from unnest(latency) as one)) > sum(delivered))
          then exists (
            select from webhook_attempts where endpoint_id = e.id and not ok and attempted_at > ${dayAgo})
          else false end))::int as recovered
    from webhook_endpoints e`.execute(db);
  return rows[0] ?? { enabled: 0, failing: 0, auto_disabled: 0, recovered: 0 };
}
