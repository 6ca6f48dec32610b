import type { Filter, LogItem } from "../feed/item.ts";
import type { ListPosition } from "../feed/list-key.ts";

/** A page of the list: matching items, newest first; `last`: the final one when more follow, else null. */
export type LatestItems = (
  filter: Filter,
  page: { readonly behind: ListPosition | null; readonly limit: number; readonly owner: string },
) => Promise<{ readonly items: readonly LogItem[]; readonly last: ListPosition | null }>;

/** Usually few items come in between the tip and the query, so one page is enough. */
const arrivalsMeanwhile = 20;
/** When another process has just written many items that are not read here yet, they all precede the tip's items. */
const furtherItems = 500;
const mostPages = 20;

/**
 * The newest matching items, newest first, without those after the tip, which follow as live items.
 * @param owner the calling account
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
