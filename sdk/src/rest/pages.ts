import { stopperOf } from "../http/waiting.ts";

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Cursor of the next page; null on the last page. */
  readonly cursor: string | null;
  /** Reads the next page. Absent on the last page. */
  readonly next?: () => Promise<Page<T>>;
}

/** Reads the page at a cursor; without one the first. */
type ReadPage<T> = (
  cursor?: string,
) => PromiseLike<{ readonly data: readonly T[]; readonly next_cursor: string | null }>;

export async function pageOf<T>(read: ReadPage<T>, at?: string): Promise<Page<T>> {
  const { data: items, next_cursor: cursor } = await read(at);
  return { items, cursor, ...(cursor === null ? {} : { next: () => pageOf(read, cursor) }) };
}

/** All items of all pages. The next page is read while the items of one are handled. */
export async function* allItems<T>(
  readBy: (signal: AbortSignal) => ReadPage<T>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void, undefined> {
  const stopper = stopperOf(signal);
  try {
    for (let page = await pageOf(readBy(stopper.signal)); ; ) {
      const next = page.next?.();
      // Its failure is thrown when its turn comes.
      next?.catch(() => {});
      yield* page.items;
      if (next === undefined) return;
      page = await next;
    }
  } finally {
    // A page that nobody waits for any more.
    stopper.abort();
  }
}
