import type { Filter } from "@tapewire/contract/filter.ts";
import { type RawBuilder, sql } from "kysely";
import type { ListPosition } from "../../feed/list-key.ts";
import type { Queries } from "../engine/db.ts";

/** A search of the partitions. */
export interface Search {
  readonly filter: Filter;
  /** Continue after this item; null: from the newest. */
  readonly after: ListPosition | null;
  /** Term ids of each axis that names values. */
  readonly groups: readonly (readonly number[])[];
  readonly limit: number;
}

export interface Found {
  id: string;
  published_at: Date;
}

type Branch = (month: string, search: Search) => RawBuilder<Found>;

/** Scans down the list from the start of the search; for filters that only time restricts. */
export const plainBranch: Branch = (month, search) => sql`
  (select id, published_at from ${partition(month)} where ${sql.join([...bounds(search)], and)}
   order by published_at desc, id desc limit ${search.limit})`;

/**
 * Finds everything in the month that matches, then the newest of it. `offset 0` hides the order and the limit from the
 * planner, which would otherwise bet on finding matches early: for two common values that never coincide, that took
 * seconds.
 */
export const fencedBranch: Branch = (month, search) => sql`
  (select * from (
     select id, published_at from ${partition(month)}
     where ${sql.join([...bounds(search), ...conditions(search)], and)} offset 0
   ) fenced
   order by published_at desc, id desc limit ${search.limit})`;

/** Searches these months in one statement. @returns newest first, at most `search.limit` */
export async function readMonths(
  db: Queries,
  months: readonly string[],
  search: Search,
  branch: Branch,
): Promise<Found[]> {
  const branches = months.map((month) => branch(month, search));
  const found = await sql<Found>`
    select * from (${sql.join(branches, unionAll)}) months limit ${search.limit}`.execute(db);
  // SQL does not promise the order of an append: each branch is sorted, and the whole is sorted here.
  return found.rows.sort(newestFirst);
}

/**
 * Scans down the list and tests each item, up to a fixed number of items: a bet on finding matches early whose cost is
 * bounded. When it finds too few, there may still be more.
 * @param months neighbours, newest first. They share the limit: the tested items must be one stretch of the list, or a
 *   page filled from an older month could skip items of the newer one
 */
export function walk(months: readonly string[], rows: number, search: Search): RawBuilder<Found> {
  const branches = months.map(
    (month) => sql`
      (select id, published_at, actionable, sentiment, conviction, actionability_score, copy, terms
       from ${partition(month)}
       where ${sql.join([...bounds(search)], and)}
       order by published_at desc, id desc limit ${rows})`,
  );
  return sql`
    select id, published_at from (
      select * from (${sql.join(branches, unionAll)}) months limit ${rows}
    ) walked
    where ${sql.join([...conditions(search)], and)} limit ${search.limit}`;
}

export async function walkMonths(
  db: Queries,
  months: readonly string[],
  rows: number,
  search: Search,
): Promise<Found[]> {
  const found = await walk(months, rows, search).execute(db);
  return found.rows.sort(newestFirst);
}

/**
 * Runs with only the indexes of the values to choose from. The planner often thinks that reading a whole month is as
 * cheap, but its estimates ignore that testing a row against 50 values takes microseconds; and JIT compilation of such a
 * plan costs more than running it.
 */
export async function byIndex<T>(db: Queries, work: (tx: Queries) => Promise<T>): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await sql`
      select set_config('enable_seqscan', 'off', true), set_config('enable_indexscan', 'off', true),
        set_config('jit', 'off', true)`.execute(tx);
    return work(tx);
  });
}

const and = sql` and `;
const unionAll = sql` union all `;
const partition = (month: string) => sql.table(`items_${month}`);

/** The bounds from which a search starts. */
type Below = Pick<Search, "after"> & { readonly filter: Pick<Filter, "until"> };

/** The position, if it lies further down than `until`; otherwise null, and `until` alone is the start. */
function positionBelow({ filter: { until }, after }: Below): ListPosition | null {
  return after === null || (until !== undefined && until <= after.publishedAt) ? null : after;
}

/** Everything searched was published before this instant; null: no bound. */
export function endOf(search: Below): Date | null {
  const after = positionBelow(search);
  return after === null ? (search.filter.until ?? null) : new Date(after.publishedAt.getTime() + 1);
}

/**
 * Uses only the tighter of `until` and the position: given both, the database enters the index at the position, even if
 * it lies far above `until`, and reads and drops everything between them.
 */
function* bounds({ filter, after }: Search): Generator<RawBuilder<unknown>> {
  yield sql`true`;
  const { since, until } = filter;
  const below = positionBelow({ filter, after });
  if (since !== undefined) yield sql`published_at >= ${since}`;
  if (below !== null) yield sql`(published_at, id) < (${below.publishedAt}, ${below.id}::uuid)`;
  else if (until !== undefined) yield sql`published_at < ${until}`;
}

function* conditions({ filter, groups }: Search): Generator<RawBuilder<unknown>> {
  yield sql`true`;
  if (filter.actionability !== undefined) yield sql`actionable = ${filter.actionability}`;
  if (filter.sentimentMin !== undefined) yield sql`sentiment >= ${filter.sentimentMin}`;
  if (filter.sentimentMax !== undefined) yield sql`sentiment <= ${filter.sentimentMax}`;
  if (filter.minConviction !== undefined) yield sql`conviction >= ${filter.minConviction}`;
  if (filter.minActionability !== undefined) yield sql`actionability_score >= ${filter.minActionability}`;
  if (filter.storyCopies === false) yield sql`not copy`;
  for (const ids of groups)
    yield ids.length === 1 ? sql`terms @> ${ids}::int[]` : sql`terms && ${ids}::int[]`;
}

function newestFirst(a: Found, b: Found): number {
  return b.published_at.getTime() - a.published_at.getTime() || (a.id < b.id ? 1 : -1);
}
