import type { Filter } from "@tapewire/contract/filter.ts";
import { matches } from "../filter.ts";
import type { FeedItem } from "../item.ts";
import { compareListKeys, type ListKey, type ListPosition, listKey, listKeyOf } from "../list-key.ts";

/** Changes remembered; after more, a page is read again. */
const kept = 256;

/** What a page showed, and at which state. */
export interface Shown {
  readonly filter: Filter;
  readonly after: ListPosition | null;
  /** The final item when more follow, else null. */
  readonly last: ListPosition | null;
  /** The state of the window when the page was read; null: unknown. */
  readonly state: number | null;
}

/** The last changes of the window: to check whether they affect a page is cheaper than to read the page again. */
export class WindowChanges {
  #state = 0;
  /** The last entry belongs to `#state`. */
  #recent: { item: FeedItem; key: ListKey }[] = [];

  /** Grows by one with every item. */
  get state(): number {
    return this.#state;
  }

  add(item: FeedItem): void {
    this.#state += 1;
    this.#recent.push({ item, key: listKey(Date.parse(item.published_at), item.id) });
    if (this.#recent.length > 2 * kept) this.#recent = this.#recent.slice(-kept);
  }

  /** Invalidates every page. */
  forget(): void {
    this.#state += 1;
    this.#recent = [];
  }

  /** Whether nothing that came since can have changed the page. */
  spare({ filter, after, last, state }: Shown): boolean {
    if (state === null || this.#state - state > this.#recent.length) return false;
    if (state === this.#state) return true;
    const begin = after === null ? null : listKeyOf(after);
    const end = last === null ? null : listKeyOf(last);
    return this.#recent.slice(state - this.#state).every(({ item, key }) => {
      if (begin !== null && compareListKeys(key, begin) >= 0) return true;
      // A new version that no longer matches removes an item, from this page or from those after it.
      if (item.revision > 0) return false;
      return (end !== null && compareListKeys(key, end) < 0) || !matches(item, filter);
    });
  }
}
