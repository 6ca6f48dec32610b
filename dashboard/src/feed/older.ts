/** Older items, a page at a time, below what the stream has sent. */
import { useEffect, useRef, useState } from "preact/hooks";
import { get } from "../api.ts";
import { failureOf } from "../core/failure.ts";
import { listParams, matches } from "../core/filter.ts";
import { iso, type Range } from "../core/range.ts";
import type { FeedList, Filters } from "../core/types.ts";
import type { Live } from "./live.ts";
import { mostWithHistory, type Row } from "./tape.ts";

export interface Older {
  /** Reads the next page, unless one is being read, none is left, or the last read failed. */
  readonly read: () => void;
  /** Reads the page whose read failed. */
  readonly again: () => void;
  /** What stands below the last row; "": nothing. */
  readonly end: string;
  readonly isFailed: boolean;
}

interface Paging {
  /** undefined: no page was read yet; null: there are no more. */
  cursor: string | null | undefined;
  until: string | undefined;
  step: "idle" | "reading" | "failed";
}
const atTheTop: Paging = { cursor: undefined, until: undefined, step: "idle" };

interface End {
  readonly end: string;
  readonly isFailed: boolean;
}
const notYet: End = { end: "", isFailed: false };

/** @param key changes with the filter and the range */
export function useOlder(live: Live, filter: Filters, range: Range, key: string): Older {
  const [shown, show] = useState(notYet);
  const current = useRef<Paging>({ ...atTheTop });
  useEffect(() => {
    current.current = { ...atTheTop };
    show(notYet);
  }, [key]);
  const read = () => {
    const paging = current.current;
    if (paging.step !== "idle" || paging.cursor === null) return;
    if (live.tape.length >= mostWithHistory)
      return show({ end: "For older items set a time in the filter.", isFailed: false });
    paging.step = "reading";
    readPage(live, filter, range, paging).then(
      (page) => {
        Object.assign(paging, { step: "idle", cursor: page.next_cursor });
        if (paging !== current.current) return;
        live.tape.addOlder(page.data.filter((item) => matches(filter, item)));
        live.repaint();
        show({ end: page.next_cursor === null ? "There are no older items." : "", isFailed: false });
      },
      (error: unknown) => {
        paging.step = "failed";
        if (paging !== current.current) return;
        show({ end: `Older items could not be read: ${failureOf(error).message}`, isFailed: true });
      },
    );
  };
  const again = () => {
    if (current.current.step === "failed") current.current.step = "idle";
    show(notYet);
    read();
  };
  return { read, again, ...shown };
}

function readPage({ tape }: Live, filter: Filters, range: Range, paging: Paging): Promise<FeedList> {
  // A cursor is valid only with the query that it came from.
  paging.until ??= untilOf(tape.oldest);
  const { until, cursor } = paging;
  return get<FeedList>("/v1/feeds", { ...listParams(filter), since: range.since, until, cursor, limit: 100 });
}

const untilOf = (row: Row | undefined) =>
  row === undefined ? undefined : iso(Date.parse(row.item.published_at) + 1);
