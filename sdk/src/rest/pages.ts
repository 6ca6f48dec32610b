import type { CallOptions } from "../http/requests.ts";
import { stopperOf } from "../http/waiting.ts";

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Cursor of the next page; null on the last page. */
  readonly cursor: string | null;
  /** Reads the next page. Absent on the last page. */
  readonly next?: () => Promise<Page<T>>;
}

/** Reads the page at the query's cursor; without one the first. */
type ReadPage<Q, T> = (
  query: Q,
  options: CallOptions,
) => PromiseLike<{ readonly data: readonly T[]; readonly next_cursor: string | null }>;

export async function pageOf<Q extends object, T>(
  read: ReadPage<Q, T>,
  query: Q,
  options: CallOptions = {},
): Promise<Page<T>> {
  const { data: items, next_cursor: cursor } = await read(query, options);
  return {
    items,
    cursor,
    ...(cursor && { next: () => pageOf(read, { ...query, cursor }, options) }),
  };
}

/** All items of all pages. The next page is read while the items of one are handled. */
export async function* allItems<Q extends object, T>(
  read: ReadPage<Q, T>,
  query: Q,
  options: CallOptions = {},
): AsyncGenerator<T, void, undefined> {
  const stopper = stopperOf(options.signal);
  try {
    for (let page = await pageOf(read, query, { ...options, signal: stopper.signal }); ; ) {
      const next = page.next?.();
      // Its failure is thrown when its turn comes.
      next?.catch(() => {});
      yield* page.items;
      if (!next) return;
      page = await next;
    }
  } finally {
    // A page that nobody waits for any more.
    stopper.abort();
  }
}
