import type { LogItem } from "../../feed/item.ts";

const mostItems = 4_096;

/**
 * Entries that the bus brought before their predecessors: kept, so that the table is read once for a hole and not for
 * everything after it. Consecutive in seq; bounded, because what is not kept is in the table.
 */
export class HeardEntries {
  #items: readonly LogItem[] = [];

  /** @param items consecutive; when they do not continue what is kept, they replace it */
  add(items: readonly LogItem[]): void {
    const isNext = this.#items.at(-1)?.seq === (items[0]?.seq ?? 0) - 1;
    const kept = isNext ? [...this.#items, ...items] : items;
    this.#items = kept.length > mostItems ? [] : kept;
  }

  /** The entries that directly follow the head; those up to it are dropped. */
  takeAfter(head: number): readonly LogItem[] {
    const after = this.#items.filter(({ seq }) => seq > head);
    const isNext = after[0]?.seq === head + 1;
    this.#items = isNext ? [] : after;
    return isNext ? after : [];
  }

  clear(): void {
    this.#items = [];
  }
}
