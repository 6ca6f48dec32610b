import type { Filter } from "@tapewire/contract/filter.ts";
import { matches } from "./filter.ts";
import type { FeedItem } from "./item.ts";
import { compareListKeys, type ListKey, type ListPosition, listKey, listKeyOf } from "./list-key.ts";

/** Beyond so many a page is made anew rather than compared with each. */
const kept = 256;

/** What a page showed, and when. */
export interface Shown {
  readonly filter: Filter;
  readonly after: ListPosition | null;
  /** The final item when more follow, else null. */
  readonly last: ListPosition | null;
  /** How far the log was known when it was read; null: not to be told. */
  readonly state: number | null;
}

/** The last things that came into the window: whether they touch a page is cheaper to tell than to make it again. */
export class WindowChanges {
  #state = 0;
  /** The newest has the number `#state`. */
  #recent: { item: FeedItem; key: ListKey }[] = [];

  /** Grows with every item. */
  get state(): number {
    return this.#state;
  }

  add(item: FeedItem): void {
    this.#state += 1;
    this.#recent.push({ item, key: listKey(Date.parse(item.published_at), item.id) });
    if (this.#recent.length > 2 * kept) this.#recent = this.#recent.slice(-kept);
  }

  /** Every page may have changed. */
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
      // A version that no longer matches takes an item away, from this page or from what follows it.
      if (item.revision > 0) return false;
      return (end !== null && compareListKeys(key, end) < 0) || !matches(item, filter);
    });
  }
}
