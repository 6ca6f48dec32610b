import type { Adapter } from "../adapter.ts";
import type { RawItem } from "../raw-item.ts";

/**
 * The border between two pages of a walk, for sources whose pages may end within an item: the last item of a page waits
 * for the next page, so that it is stored once and whole. For other sources nothing waits.
 */
export class PageBorder {
  readonly #mergeListed: Adapter["mergeListed"];
  #waiting: RawItem | null = null;

  constructor({ mergeListed }: Pick<Adapter, "mergeListed">) {
    this.#mergeListed = mergeListed;
  }

  /** @param fresh items of a page; @returns those that begin on it, and the one that waited, completed by the page */
  meet(fresh: readonly RawItem[]): { own: readonly RawItem[]; whole: readonly RawItem[] } {
    const [waiting] = this.release();
    if (waiting === undefined) return { own: fresh, whole: [] };
    const [name] = waiting.identity;
    const rest = fresh.find(({ identity }) => identity[0] === name);
    if (rest === undefined) return { own: fresh, whole: [waiting] };
    const whole = this.#mergeListed?.(rest, { item: waiting, body: waiting.body }) ?? waiting;
    return {
      own: fresh.filter((item) => item !== rest),
      whole: [{ ...whole, publishedAt: waiting.publishedAt, seenAt: waiting.seenAt }],
    };
  }

  /** Lets the last item of a page wait, if it is new. @returns the others */
  hold(own: readonly RawItem[], last: RawItem | undefined): readonly RawItem[] {
    if (this.#mergeListed === undefined || last === undefined || !own.includes(last)) return own;
    this.#waiting = last;
    return own.filter((item) => item !== last);
  }

  /** The waiting item, when no page follows. */
  release(): readonly RawItem[] {
    const waiting = this.#waiting;
    this.#waiting = null;
    return waiting === null ? [] : [waiting];
  }
}
