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
  /** When its source listed it so, in the precision of the database: what comes of this listing leaves a newer one alone. */
  readonly queuedAt: string;
}

type Listed = Pick<DueDocument, "itemId" | "queuedAt">;

/**
 * Adds the documents to be read, and removes those that were; part of the transaction that stores the items. Documents of an
 * item that is listed anew while they are read stay leased until that reading ends: a source that lists all its items
 * anew again and again must not have more of them read at once.
 */
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
  const done = requests.flatMap(({ items }, request) =>
    items.flatMap(({ completes }, index) => (completes ? (outcomes[request]?.[index]?.id ?? []) : [])),
  );
  const [again, read] = [done.filter((id) => stale.has(id)), done.filter((id) => !stale.has(id))];
  const writes = [
    ...(again.length === 0
      ? []
      : [sql`update pending_documents set lease_until = null where item_id = any(${again}::uuid[])`]),
    ...(read.length === 0 ? [] : [sql`delete from pending_documents where item_id = any(${read}::uuid[])`]),
  ];
  if (rows.length === 0) return writes;
  const write = sql`
    insert into pending_documents (item_id, source_id, class, raw, due_at)
    select item_id, source_id, class, raw, now() from json_to_recordset(${JSON.stringify(rows)}::json)
      as r (item_id uuid, source_id text, class smallint, raw json)
    on conflict (item_id) do update set source_id = excluded.source_id, raw = excluded.raw, class = excluded.class, tries = 0, due_at = excluded.due_at,
      queued_at = now()`;
  return [...writes, write];
}

/** A lease longer than any that is given is from before the clock was put back. */
const longestLease = sql`interval '1 hour'`;
const isLeased = sql`(p.lease_until >= now() and p.lease_until <= now() + ${longestLease})`;
const isDue = sql`p.due_at <= now() and ${isLeased} is not true`;

/** No document is postponed by more: hosts are believed up to a day. */
const longestDelay = sql`interval '25 hours'`;

/**
 * Takes a document that is due, of the highest class; no other process takes it for a while. A source of which `each` are
 * being read is passed over, whoever reads them: processes that claim in the same instant may exceed that by one each.
 * @returns null: none is due
 */
export async function claimDocument(db: Queries, claim: Claim): Promise<DueDocument | null> {
  const [row] = (await claimStatement(claim).execute(db)).rows;
  if (row === undefined) return null;
  const { item_id, source_id, raw, tries, queued_at } = row;
  return { itemId: item_id, sourceId: source_id, raw, tries, queuedAt: queued_at };
}

interface ClaimedRow {
  readonly item_id: string;
  readonly source_id: string;
  readonly raw: unknown;
  readonly tries: number;
  readonly queued_at: string;
}

export interface Claim {
  /** Entries whose documents this process can read. */
  readonly sources: readonly string[];
  readonly each: number;
  readonly leaseMs: number;
}

/**
 * Indexes: pending_documents_lines and pending_documents_leased (0026). A line is what waits of one source in one class: its
 * first is found however many wait behind it, and what is not due yet is not looked at.
 */
export function claimStatement({ sources, each, leaseMs }: Claim) {
  return sql<ClaimedRow>`
    with recursive lines as (
      (select source_id, class from pending_documents order by source_id, class limit 1)
      union all
      select next.source_id, next.class from lines l cross join lateral (
        select source_id, class from pending_documents p
        where (p.source_id, p.class) > (l.source_id, l.class) order by source_id, class limit 1
      ) next
    ),
    best as (
      select l.source_id, l.class from lines l cross join lateral (
        select due_at from pending_documents p
        where p.source_id = l.source_id and p.class = l.class and ${isDue} order by due_at limit 1
      ) first
      where l.source_id = any(${sources}::text[]) and ${each} > (
        select count(*) from pending_documents p where p.source_id = l.source_id and ${isLeased}
      )
      order by l.class desc, first.due_at limit 1
    )
    update pending_documents p set lease_until = now() + ${leaseMs}::float8 * interval '1 ms'
    from best cross join lateral (
      select item_id from pending_documents p
      where p.source_id = best.source_id and p.class = best.class and ${isDue}
      order by due_at limit 1 for update skip locked
    ) due
    where p.item_id = due.item_id
    returning p.item_id, p.source_id, p.raw, p.tries, p.queued_at::text`;
}

/** For documents that are not available yet. @param counts whether this try counts towards giving up */
export async function postponeDocument(
  db: Queries,
  { itemId, queuedAt }: Listed,
  { delayMs, counts }: { delayMs: number; counts: boolean },
): Promise<void> {
  const isSame = sql`queued_at = ${queuedAt}::timestamptz`;
  await sql`
    update pending_documents set lease_until = null,
      tries = case when ${isSame} then tries + ${counts ? 1 : 0} else tries end,
      due_at = case when ${isSame} then now() + ${delayMs}::float8 * interval '1 ms' else due_at end
    where item_id = ${itemId}`.execute(db);
}

/** Leaves documents to whoever claims them next. */
export async function releaseDocument(db: Queries, itemId: string): Promise<void> {
  await db
    .updateTable("pending_documents")
    .set({ lease_until: null })
    .where("item_id", "=", itemId)
    .execute();
}

/** Gives up documents that cannot be read or are not worth more tries: the item stays as it was listed. */
export async function dropDocument(db: Queries, { itemId, queuedAt }: Listed): Promise<void> {
  await sql`
    with dropped as (
      delete from pending_documents where item_id = ${itemId} and queued_at = ${queuedAt}::timestamptz
    )
    update pending_documents set lease_until = null
    where item_id = ${itemId} and queued_at <> ${queuedAt}::timestamptz`.execute(db);
}

/**
 * Gives up documents unread for that long: their host is gone, or no process reads their source any more. What is due later than
 * any is postponed is from before the clock was put back, and is due.
 */
export async function tidyDocuments(db: Queries, days: number): Promise<void> {
  await sql`delete from pending_documents where queued_at < now() - ${days}::float8 * interval '1 day'`.execute(
    db,
  );
  await sql`update pending_documents set due_at = now() where due_at > now() + ${longestDelay}`.execute(db);
}

/** How many documents wait, by source. */
export async function pendingBySource(db: Queries): Promise<Map<string, number>> {
  const found = await sql<{ source_id: string; count: number }>`
    select source_id, count(*) as count from pending_documents group by source_id`.execute(db);
  return new Map(found.rows.map(({ source_id, count }) => [source_id, count]));
}
