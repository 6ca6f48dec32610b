import type { Filter } from "@tapewire/contract/filter.ts";
import { asksForScores } from "../../feed/filter.ts";
import type { ListPosition } from "../../feed/list-key.ts";
import { Gate, GateError } from "../../runtime/sharing/gate.ts";
import type { Queries } from "../engine/db.ts";
import { isMissingTable, StoreError, searchError } from "../engine/errors.ts";
import { docsOf } from "../log/item-reads.ts";
import type { Partitions } from "../log/partitions.ts";
import {
  byIndex,
  endOf,
  type Found,
  fencedBranch,
  plainBranch,
  readMonths,
  type Search,
  walkMonths,
} from "./list-search.ts";
import { filterTerms } from "./list-terms.ts";

export interface PageRequest {
  readonly filter: Filter;
  /** Continue after this item; null: from the newest. */
  readonly after: ListPosition | null;
  readonly limit: number;
  /** The calling account; absent: the service itself. */
  readonly owner?: string;
}

export interface Page {
  /** Stored JSON of the items, newest first. */
  readonly docs: readonly string[];
  /** The final item when more follow, else null. */
  readonly last: ListPosition | null;
}

/** Searches of the whole process: as many as the list's pool has connections, but not all of them for one account. */
const searches = new Gate({ inside: 8, waiting: 64, each: { inside: 3, waiting: 16 } });

/** For all statements of a page together; the list's pool ends a single statement after the same time. */
const searchMs = 2_000;

/**
 * One page of items, newest first by (published_at, id).
 * @param limit rows wanted, 1..1000 (one more is read)
 * @throws {StoreError} timeout, when the search takes over 2 s; busy at once, when too many searches wait
 */
export async function pageItems(db: Queries, partitions: Partitions, request: PageRequest): Promise<Page> {
  try {
    return await searches.run(() => readKept(db, partitions, request), { owner: request.owner ?? null });
  } catch (error) {
    throw error instanceof GateError ? new StoreError("busy") : searchError(error);
  }
}

/** Leaves out months that were dropped since the list of months was read. */
async function readKept(db: Queries, partitions: Partitions, request: PageRequest): Promise<Page> {
  try {
    return await readPage(db, partitions, request);
  } catch (error) {
    if (!isMissingTable(error)) throw error;
    partitions.forget();
    return readPage(db, partitions, request);
  }
}

async function readPage(
  db: Queries,
  partitions: Partitions,
  { filter, after, limit }: PageRequest,
): Promise<Page> {
  const terms = await filterTerms(db, filter);
  if (terms === null) return { docs: [], last: null };
  const search = { filter, after, groups: terms.groups, limit: limit + 1 };
  const months = await partitions.between(db, filter.since ?? null, endOf(search));
  const found = await newest(db, months, search, terms.share);
  const rows = found.slice(0, limit);
  const final = rows.at(-1);
  const last =
    final !== undefined && found.length > limit ? { publishedAt: final.published_at, id: final.id } : null;
  return { docs: (await docsOf(db, rows)).filter((doc) => doc !== null), last };
}

/**
 * Scans the newest months where matches should be near; where they are not, or the scan did not fill the page, searches
 * by the indexes of the values. Both are bounded, so a wrong estimate costs one scan.
 */
async function newest(
  db: Queries,
  months: readonly string[],
  search: Search,
  share: number,
): Promise<Found[]> {
  const { filter, groups, limit } = search;
  if (groups.length === 0 && filter.storyCopies === undefined && !asksForScores(filter))
    return monthByMonth(months, limit, (some, rest) =>
      readMonths(db, some, { ...search, limit: rest }, plainBranch),
    );
  const walkRows = 5_000 + 4 * limit;
  if (months.length > 0 && limit / share <= walkRows / 2) {
    const walked = await walkMonths(db, months.slice(0, 2), walkRows, search);
    if (walked.length === limit) return walked;
  }
  const read = (tx: Queries) =>
    monthByMonth(months, limit, (some, rest) =>
      readMonths(tx, some, { ...search, limit: rest }, fencedBranch),
    );
  return groups.length === 0 ? read(db) : byIndex(db, read);
}

/**
 * Reads months, newest first, until the page is full. Statements cover more and more months, so that a usual page plans
 * one or two partitions and a sparse filter does not take a statement per month.
 */
async function monthByMonth(
  months: readonly string[],
  limit: number,
  read: (some: readonly string[], rest: number) => Promise<Found[]>,
): Promise<Found[]> {
  const started = performance.now();
  const rows: Found[] = [];
  for (let start = 0, size = 2; start < months.length && rows.length < limit; start += size, size *= 4) {
    if (performance.now() - started > searchMs) throw new StoreError("timeout");
    rows.push(...(await read(months.slice(start, start + size), limit - rows.length)));
  }
  return rows;
}
