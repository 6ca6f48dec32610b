import type { Adapter } from "../adapter.ts";
import type { RawItem } from "../raw-item.ts";

/**
 * The border between two pages of a walk, for sources whose pages may end within an item: the last item of a page waits
 * until a page goes past it, so that it is stored once and whole. A list that grows while it is walked moves down: the
 * next page may end within the waiting item once more, or not reach it. For other sources nothing waits.
 */
export class PageBorder {
  readonly #mergeListed: Adapter["mergeListed"];
  #waiting: readonly RawItem[] = [];

  constructor({ mergeListed }: Pick<Adapter, "mergeListed">) {
    this.#mergeListed = mergeListed;
  }

  /**
   * @param fresh the new items of a page
   * @param last the last item of the page; undefined: the page is empty
   * @returns the items that begin on the page, and those that waited and are whole now
   */
  meet(
    fresh: readonly RawItem[],
    last: RawItem | undefined,
  ): { own: readonly RawItem[]; whole: readonly RawItem[] } {
    const found = new Map(fresh.map((item) => [nameOf(item), item]));
    const names = new Set(this.#waiting.map(nameOf));
    const waited = this.#waiting.map((waiting) => this.#completed(waiting, found.get(nameOf(waiting))));
    const isWhole = (item: RawItem) =>
      last === undefined || (found.has(nameOf(item)) ? nameOf(last) !== nameOf(item) : isOlder(last, item));
    this.#waiting = waited.filter((item) => !isWhole(item));
    return { own: fresh.filter((item) => !names.has(nameOf(item))), whole: waited.filter(isWhole) };
  }

  #completed(waiting: RawItem, rest: RawItem | undefined): RawItem {
    if (rest === undefined) return waiting;
    const whole = this.#mergeListed?.(rest, { item: waiting, body: waiting.body }) ?? waiting;
    return { ...whole, publishedAt: waiting.publishedAt, seenAt: waiting.seenAt };
  }

  /** Lets the last item of a page wait, if it is new. @returns the others */
  hold(own: readonly RawItem[], last: RawItem | undefined): readonly RawItem[] {
    if (this.#mergeListed === undefined || last === undefined || !own.includes(last)) return own;
    this.#waiting = [...this.#waiting, last];
    return own.filter((item) => item !== last);
  }

  /** The waiting items, when no page follows. */
  release(): readonly RawItem[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    return waiting;
  }
}

function nameOf({ identity }: RawItem): string | undefined {
  return identity[0];
}

/** Whether a list that ends with `last`, newest first, has gone past the item. */
function isOlder(last: RawItem, { publishedAt }: RawItem): boolean {
  return last.publishedAt === null || publishedAt === null || last.publishedAt < publishedAt;
}
