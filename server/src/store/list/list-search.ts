import type { Filter } from "@tapewire/contract/filter.ts";
import { type RawBuilder, sql } from "kysely";
import type { ListPosition } from "../../feed/list-key.ts";
import type { Queries } from "../engine/db.ts";

/** What is looked for in the partitions. */
export interface Search {
  readonly filter: Filter;
  /** Behind this item; null: from the newest. */
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

/** Down the list from where the search starts: right where nothing but time restricts it. */
export const plainBranch: Branch = (month, search) => sql`
  (select id, published_at from ${partition(month)} where ${sql.join([...bounds(search)], and)}
   order by published_at desc, id desc limit ${search.limit})`;

/**
 * Everything in the month that matches, then its newest. `offset 0` keeps the order and the limit from the planner,
 * which would else bet without a stake: for two common values that never meet, that took seconds.
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
  // SQL does not promise the order of an append; each branch is ordered, the whole is put so here.
  return found.rows.sort(newestFirst);
}

/**
 * Down the list, testing each item, for so many items and no more: a bet on meeting matches soon whose stake is known.
 * Where it finds too few, it does not tell whether there are more.
 * @param months neighbours, newest first. They share the stake: what is tested has to be one stretch of the list, or a
 *   page that an older month fills up would pass over what the newer one has behind its part
 */
export function walk(months: readonly string[], rows: number, search: Search): RawBuilder<Found> {
  const branches = months.map(
    (month) => sql`
      (select id, published_at, actionable, sentiment, copy, terms from ${partition(month)}
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
 * Runs with only the indexes of the values to choose from. By its estimates a whole month is often as cheap to read, but
 * they leave out that testing a row against 50 values takes microseconds; and compiling such a plan costs more than
 * running it.
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

/** Where a search begins. */
type Below = Pick<Search, "after"> & { readonly filter: Pick<Filter, "until"> };

/** The position, when it lies further down than `until`; else that bound alone says where the search begins. */
function positionBelow({ filter: { until }, after }: Below): ListPosition | null {
  return after === null || (until !== undefined && until <= after.publishedAt) ? null : after;
}

/** Everything that is searched was published before this instant; null: no bound. */
export function endOf(search: Below): Date | null {
  const after = positionBelow(search);
  return after === null ? (search.filter.until ?? null) : new Date(after.publishedAt.getTime() + 1);
}

/**
 * Of `until` and the position only the one that bounds: given both, the index is entered at the position, however far
 * above `until` it lies, and everything between them is read and dropped.
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
  if (filter.storyCopies === false) yield sql`not copy`;
  for (const ids of groups)
    yield ids.length === 1 ? sql`terms @> ${ids}::int[]` : sql`terms && ${ids}::int[]`;
}

function newestFirst(a: Found, b: Found): number {
  return b.published_at.getTime() - a.published_at.getTime() || (a.id < b.id ? 1 : -1);
}
