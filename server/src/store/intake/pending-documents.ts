import { sql } from "kysely";
import type { AppendPlan } from "../append/append-plan.ts";
import type { AppendRequest } from "../append/append-request.ts";
import type { Queries, Write } from "../engine/db.ts";

/** A stored item whose documents are to be read now. */
export interface DueDocument {
  readonly itemId: string;
  readonly sourceId: string;
  /** The item as its source listed it, as JSON. */
  readonly raw: unknown;
  /** Failed tries. */
  readonly tries: number;
}

/** Adds the documents to be read, and removes those that were; part of the transaction that stores the items. */
export function savePending(
  requests: readonly AppendRequest[],
  { outcomes, stale }: Pick<AppendPlan, "outcomes" | "stale">,
): readonly Write[] {
  const queued = requests.flatMap(({ items, sourceId }, request) =>
    items.flatMap(({ pending }, index) => {
      const outcome = outcomes[request]?.[index];
      if (pending === null || sourceId === null || outcome === undefined) return [];
      if (outcome.status === "duplicate" || outcome.status === "too_old") return [];
      return [{ item_id: outcome.id, source_id: sourceId, class: pending.class, raw: pending.raw }];
    }),
  );
  const rows = [...new Map(queued.map((row) => [row.item_id, row])).values()];
  const done = requests
    .flatMap(({ items }, request) =>
      items.flatMap(({ completes }, index) => (completes ? (outcomes[request]?.[index]?.id ?? []) : [])),
    )
    .filter((id) => !stale.has(id));
  const read =
    done.length === 0 ? [] : [sql`delete from pending_documents where item_id = any(${done}::uuid[])`];
  if (rows.length === 0) return read;
  const write = sql`
    insert into pending_documents (item_id, source_id, class, raw, due_at)
    select item_id, source_id, class, raw, now() from json_to_recordset(${JSON.stringify(rows)}::json)
      as r (item_id uuid, source_id text, class smallint, raw json)
    on conflict (item_id) do update set source_id = excluded.source_id, raw = excluded.raw, class = excluded.class, tries = 0, due_at = excluded.due_at,
      queued_at = now(), lease_until = null`;
  return [...read, write];
}

/** No document is postponed by more: hosts are believed up to a day. */
const longestDelay = sql`interval '25 hours'`;

/**
 * Takes documents that are due, higher classes first; no other process takes them for a while.
 * Times later than any that are given are from before the clock was put back.
 * @param sources entries whose documents this process can read
 */
export async function claimDocuments(
  db: Queries,
  sources: readonly string[],
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<DueDocument[]> {
  const found = await sql<{ item_id: string; source_id: string; raw: unknown; tries: number }>`
    update pending_documents p set lease_until = now() + ${leaseMs}::float8 * interval '1 ms'
    from (
      select item_id from pending_documents
      where (due_at <= now() or due_at > now() + ${longestDelay})
        and (lease_until is null or lease_until < now() or lease_until > now() + ${2 * leaseMs}::float8 * interval '1 ms')
        and source_id = any(${sources}::text[])
      order by class desc, due_at limit ${limit} for update skip locked
    ) due
    where p.item_id = due.item_id
    returning p.item_id, p.source_id, p.raw, p.tries`.execute(db);
  return found.rows.map(({ item_id, source_id, raw, tries }) => ({
    itemId: item_id,
    sourceId: source_id,
    raw,
    tries,
  }));
}

/** For documents that are not available yet. @param counts whether this try counts towards giving up */
export async function postponeDocument(
  db: Queries,
  itemId: string,
  { delayMs, counts }: { delayMs: number; counts: boolean },
): Promise<void> {
  await sql`
    update pending_documents
    set tries = tries + ${counts ? 1 : 0}, lease_until = null, due_at = now() + ${delayMs}::float8 * interval '1 ms'
    where item_id = ${itemId}`.execute(db);
}

/** Gives up documents that cannot be read or are not worth more tries: the item stays as it was listed. */
export async function dropDocument(db: Queries, itemId: string): Promise<void> {
  await db.deleteFrom("pending_documents").where("item_id", "=", itemId).execute();
}

/** Gives up documents unread for that long: their host is gone, or no process reads their source any more. */
export async function dropOldDocuments(db: Queries, days: number): Promise<void> {
  await sql`delete from pending_documents where queued_at < now() - ${days}::float8 * interval '1 day'`.execute(
    db,
  );
}

/** How many documents wait, by source. */
export async function pendingBySource(db: Queries): Promise<Map<string, number>> {
  const found = await sql<{ source_id: string; count: number }>`
    select source_id, count(*) as count from pending_documents group by source_id`.execute(db);
  return new Map(found.rows.map(({ source_id, count }) => [source_id, count]));
}
