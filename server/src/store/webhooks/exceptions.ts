import { sql } from "kysely";
import type { Queries } from "../engine/db.ts";
import { rowTable } from "../engine/row-table.ts";
import type { AttemptRow, Trigger } from "./attempts.ts";

/** A delivery that failed, or was unfinished when its endpoint's position passed it. */
export interface Exception {
  readonly seq: number;
  readonly itemId: string;
  readonly state: "due" | "dead";
  readonly trigger: Trigger;
  /** Whether the endpoint's counters still have to count its end. */
  readonly counts: boolean;
  /** Failed attempts. */
  readonly attempts: number;
  /** When it is tried again; for a dead one, when it was given up. */
  readonly dueAt: Date;
  readonly firstAt: Date;
  readonly lastStatus: number | null;
  readonly lastError: string | null;
  /** Identifies the order that it still waits for; null: it was not ordered, or was tried since. */
  readonly order: number | null;
}

/** A delivery that has ended, and needs no row any more. */
export interface Settled extends Pick<Exception, "counts" | "order"> {
  readonly state: "settled";
}

/** What an attempt has made of an exception. */
export type Change = (Exception | Settled) & {
  readonly id: string;
  readonly run: number;
  readonly seq: number;
};

/** Exception.order of a row x: the microsecond in which it was ordered, as no attempt fits between two orders of one. */
const orderOfRow = sql`case when x.trigger = 'resend' and x.attempts = 0
  then (extract(epoch from x.due_at) * 1000000)::bigint end`;

/**
 * Stores what attempts made of exceptions; open ones of an endpoint that was disabled meanwhile are given up. The rows of
 * the endpoints must be locked, as an order locks them.
 */
export async function storeExceptions(tx: Queries, changes: readonly Change[]): Promise<void> {
  const ordered = await keepOrders(tx, changes);
  const rest = changes.filter(({ id, seq }) => !ordered.has(`${id} ${seq}`));
  const ended = rest.flatMap(({ id, seq, state }) => (state === "settled" ? [{ id, seq }] : []));
  const open = rest.filter(({ state }) => state !== "settled");
  if (ended.length > 0)
    await sql`
      delete from webhook_exceptions x
      using json_to_recordset(${JSON.stringify(ended)}::json) as r (id uuid, seq bigint)
      where x.endpoint_id = r.id and x.seq = r.seq`.execute(tx);
  if (open.length > 0)
    await sql`
      insert into webhook_exceptions as x (endpoint_id, seq, item_id, state, trigger, counts, attempts, due_at, first_at,
        last_status, last_error)
      select r.id, r.seq, r."itemId", case when e.status = 'enabled' then r.state else 'dead' end, r.trigger, r.counts,
        r.attempts, case when e.status = 'enabled' or r.state = 'dead' then r."dueAt" else clock_timestamp() end,
        r."firstAt", r."lastStatus",
        case when e.status = 'enabled' or r.state = 'dead' then r."lastError" else 'disabled' end
      from json_to_recordset(${JSON.stringify(open)}::json) as r (
        id uuid, run int, seq bigint, "itemId" uuid, state text, trigger text, counts boolean, attempts smallint,
        "dueAt" timestamptz, "firstAt" timestamptz, "lastStatus" int, "lastError" text
      )
      join webhook_endpoints e on e.id = r.id and e.run = r.run
      on conflict (endpoint_id, seq) do update set
        state = excluded.state, trigger = excluded.trigger, attempts = excluded.attempts, due_at = excluded.due_at,
        counts = case when x.state = 'dead' then excluded.counts else x.counts or excluded.counts end,
        last_status = excluded.last_status, last_error = excluded.last_error`.execute(tx);
}

/** What was given up, and came by a replay, is given up no longer. Its failure stays counted, as a replay counts nothing. */
export async function endGivenUp(tx: Queries, came: readonly Pick<AttemptRow, "endpointId" | "seq">[]) {
  await sql`
    delete from webhook_exceptions x using ${rowTable(came, cameColumns)}
    where x.endpoint_id = r."endpointId" and x.seq = r.seq and x.state = 'dead'`.execute(tx);
}

const cameColumns = [
  ["endpointId", "uuid"],
  ["seq", "bigint"],
] as const;

/**
 * Of a delivery that was ordered while an attempt of it was under way the order stays, however that attempt ended. Its end
 * is counted once: by that attempt, or, when that is to be tried again, by the order.
 * @returns their endpoints and seqs
 */
async function keepOrders(tx: Queries, changes: readonly Change[]): Promise<Set<string>> {
  if (changes.length === 0) return new Set();
  const { rows } = await sql<{ id: string; seq: number }>`
    update webhook_exceptions x set
      counts = case when r.counts then r.state = 'due' else x.counts end,
      last_status = r."lastStatus", last_error = r."lastError"
    from json_to_recordset(${JSON.stringify(changes)}::json) as r (
      id uuid, seq bigint, state text, counts boolean, "order" bigint, "lastStatus" int, "lastError" text
    )
    where x.endpoint_id = r.id and x.seq = r.seq and x.state = 'due'
      and ${orderOfRow} is not null and ${orderOfRow} is distinct from r."order"
    returning x.endpoint_id as id, x.seq`.execute(tx);
  return new Set(rows.map(({ id, seq }) => `${id} ${seq}`));
}

/**
 * The next `most` deliveries of each endpoint to be tried again, soonest first, whether or not they are due yet.
 * Index: webhook_exceptions_due.
 */
export async function nextExceptions(
  db: Queries,
  endpoints: readonly string[],
  most: number,
): Promise<(Exception & { readonly endpointId: string })[]> {
  const { rows } = await sql<Exception & { endpointId: string }>`
    select x.endpoint_id as "endpointId", x.seq, x.item_id as "itemId", x.state, x.trigger, x.counts, x.attempts,
      x.due_at as "dueAt", x.first_at as "firstAt", x.last_status as "lastStatus", x.last_error as "lastError",
      ${orderOfRow} as "order"
    from unnest(${[...endpoints]}::uuid[]) as e (id)
    cross join lateral (
      select * from webhook_exceptions where endpoint_id = e.id and state = 'due' order by due_at limit ${most}
    ) x`.execute(db);
  return rows;
}
