import { ApiError } from "@tapewire/contract/errors.ts";
import type { Filter } from "@tapewire/contract/filter.ts";
import { type RawBuilder, sql } from "kysely";
import type { ListPosition } from "../feed/cursor.ts";
import { termGroups } from "../feed/filter.ts";
import type { Queries } from "./db.ts";
import { isTimeout } from "./errors.ts";
import { docsOf } from "./item-reads.ts";
import type { Partitions } from "./partitions.ts";

export interface PageRequest {
  readonly filter: Filter;
  /** Behind this item; null: from the newest. */
  readonly after: ListPosition | null;
  readonly limit: number;
}

export interface Page {
  /** Stored JSON of the items, newest first. */
  readonly docs: readonly string[];
  /** The final item when more follow, else null. */
  readonly last: ListPosition | null;
}

interface Row {
  id: string;
  published_at: Date;
}

/**
 * One page of items, newest first by (published_at, id).
 * @param limit rows wanted, 1..1000 (one more is read)
 * @throws {ApiError} overloaded, when a statement takes longer than the list pool allows; read-only, so safe to retry
 */
export async function pageItems(
  db: Queries,
  partitions: Partitions,
  { filter, after, limit }: PageRequest,
): Promise<Page> {
  try {
    const groups = await groupIds(db, filter);
    const found =
      groups === null ? [] : await newest(db, partitions, { filter, after, groups, limit: limit + 1 });
    const rows = found.slice(0, limit);
    const final = rows.at(-1);
    const last =
      final !== undefined && found.length > limit ? { publishedAt: final.published_at, id: final.id } : null;
    return { docs: await docsOf(db, rows), last };
  } catch (error) {
    if (isTimeout(error)) throw new ApiError("overloaded", { cause: error, headers: { "Retry-After": "5" } });
    throw error;
  }
}

/** Term ids of each axis; null when an axis names only values that no item has. */
async function groupIds(db: Queries, filter: Filter): Promise<number[][] | null> {
  const groups = termGroups(filter);
  if (groups.length === 0) return [];
  const found = await db
    .selectFrom("terms")
    .select(["id", "kind"])
    .where((where) =>
      where.or(groups.map(({ kind, values }) => where("kind", "=", kind).and("value", "in", values))),
    )
    .execute();
  const ids = groups.map(({ kind }) => found.filter((term) => term.kind === kind).map(({ id }) => id));
  return ids.some((group) => group.length === 0) ? null : ids;
}

interface Search extends PageRequest {
  readonly groups: readonly (readonly number[])[];
}

/**
 * Reads month by month, newest first, and stops when the page is full. The number of months of a statement grows, so
 * that a usual page plans one or two partitions and a sparse filter does not take a statement a month.
 */
async function newest(db: Queries, partitions: Partitions, search: Search): Promise<Row[]> {
  const { filter, after, limit } = search;
  const until = after === null ? (filter.until ?? null) : new Date(after.publishedAt.getTime() + 1);
  const months = await partitions.between(db, filter.since ?? null, until);
  const rows: Row[] = [];
  for (let start = 0, size = 2; start < months.length && rows.length < limit; start += size, size *= 4) {
    const branches = months.slice(start, start + size).map((month) => branch(month, search));
    const found = await sql<Row>`
      select * from (${sql.join(branches, sql` union all `)}) months limit ${limit - rows.length}`.execute(
      db,
    );
    // SQL does not promise the order of an append; each branch is ordered, the whole is put so here.
    rows.push(...found.rows.sort(byPosition));
  }
  return rows;
}

function byPosition(a: Row, b: Row): number {
  return b.published_at.getTime() - a.published_at.getTime() || (a.id < b.id ? 1 : -1);
}

/**
 * The newest matching rows of one month. With value filters `offset 0` fences the condition off, so that the planner
 * takes the month's GIN index and sorts what it finds, instead of betting that a walk down the list meets matches soon:
 * that bet took seconds for two common values that never meet.
 */
function branch(month: string, search: Search): RawBuilder<Row> {
  const rows = sql`select id, published_at from ${sql.table(`items_${month}`)} where ${conditions(search)}`;
  const fenced = search.groups.length === 0 ? rows : sql`select * from (${rows} offset 0) fenced`;
  return sql`(${fenced} order by published_at desc, id desc limit ${search.limit})`;
}

function conditions({ filter, after, groups }: Search): RawBuilder<unknown> {
  const parts = [sql`true`];
  if (filter.since !== undefined) parts.push(sql`published_at >= ${filter.since}`);
  if (filter.until !== undefined) parts.push(sql`published_at < ${filter.until}`);
  if (after !== null) parts.push(sql`(published_at, id) < (${after.publishedAt}, ${after.id}::uuid)`);
  if (filter.actionability !== undefined) parts.push(sql`actionable = ${filter.actionability}`);
  if (filter.sentimentMin !== undefined) parts.push(sql`sentiment >= ${filter.sentimentMin}`);
  if (filter.sentimentMax !== undefined) parts.push(sql`sentiment <= ${filter.sentimentMax}`);
  if (filter.storyCopies === false) parts.push(sql`not copy`);
  for (const ids of groups)
    parts.push(ids.length === 1 ? sql`terms @> ${ids}::int[]` : sql`terms && ${ids}::int[]`);
  return sql.join(parts, sql` and `);
}
