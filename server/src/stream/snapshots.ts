import type { Filter, LogItem } from "../feed/item.ts";
import type { ListPosition } from "../feed/list-key.ts";

/** A page of the list: items that match, newest first; `last`: the final one when more follow, else null. */
export type LatestItems = (
  filter: Filter,
  page: { readonly behind: ListPosition | null; readonly limit: number; readonly owner: string },
) => Promise<{ readonly items: readonly LogItem[]; readonly last: ListPosition | null }>;

/** Usually little comes in between the tip and the query, and one page does. */
const arrivalsMeanwhile = 20;
/** Where another process has just written much that is not read here yet, all of it lies before the tip's items. */
const furtherItems = 500;
const mostPages = 20;

/**
 * The newest items that match, newest first, what came in after the tip left out: it follows as live.
 * @param owner the account that asks
 */
export async function newestUntil(
  latest: LatestItems,
  filter: Filter,
  { tip, wanted, owner }: { tip: number; wanted: number; owner: string },
): Promise<LogItem[]> {
  const found: LogItem[] = [];
  let behind: ListPosition | null = null;
  for (let pages = 0; pages < mostPages; pages++) {
    const limit = pages === 0 ? wanted + arrivalsMeanwhile : furtherItems;
    const { items, last } = await latest(filter, { behind, limit, owner });
    found.push(...items.filter(({ seq }) => seq <= tip));
    if (found.length >= wanted || last === null) break;
    behind = last;
  }
  return found.slice(0, wanted);
}
