/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Cursor of the next page; null on the last page. */
  readonly cursor: string | null;
  /** Reads the next page. Absent on the last page. */
  readonly next?: () => Promise<Page<T>>;
}

/** @param next reads the page at a cursor */
export function pageOf<T>(
  { data, next_cursor: cursor }: { readonly data: readonly T[]; readonly next_cursor: string | null },
  next: (cursor: string) => Promise<Page<T>>,
): Page<T> {
  return { items: data, cursor, ...(cursor === null ? {} : { next: () => next(cursor) }) };
}

/** All items of all pages. The next page is read while the items of one are handled. */
export async function* allItems<T>(
  first: (signal: AbortSignal) => Promise<Page<T>>,
  signal: AbortSignal | undefined,
): AsyncGenerator<T, void, undefined> {
  const stopper = new AbortController();
  const stop = () => stopper.abort(signal?.reason);
  if (signal?.aborted === true) stop();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    let page = await first(stopper.signal);
    for (;;) {
      const next = page.next?.();
      // Its failure is thrown when its turn comes.
      next?.catch(() => {});
      yield* page.items;
      if (next === undefined) return;
      page = await next;
    }
  } finally {
    signal?.removeEventListener("abort", stop);
    // A page that nobody waits for any more.
    stopper.abort();
  }
}
