/** Stored items, a page at a time, below what the stream has sent; from the newest where it has sent none. */
import { useEffect, useMemo, useState } from "preact/hooks";
import { get } from "../api.ts";
import { failureOf } from "../core/failure.ts";
import { isListed, listParams, matches } from "../core/filter.ts";
import { dayTime } from "../core/format.ts";
import { iso, type Range } from "../core/range.ts";
import type { FeedList, Filters } from "../core/types.ts";
import type { Live } from "./live.ts";
import { mostWithHistory, type Row, recentRows } from "./tape.ts";

export interface Older {
  /** Reads the next page, unless one is being read, none is left, or a person is asked. */
  readonly read: () => void;
  /** Reads the page whose read failed, or what follows many pages without a row. */
  readonly again: () => void;
  /** What stands below the last row; "": nothing. */
  readonly end: string;
  /** What the button beside it says; "": there is none. */
  readonly button: string;
}

/** After so many pages without a row a person is asked: each is a request. */
const mostBarren = 20;

interface Paging {
  /** undefined: no page was read yet; null: there are no more. */
  cursor: string | null | undefined;
  until: string | null;
  /** Id of the oldest row when the next page was known to follow it. */
  oldest: string | undefined;
  /** Pages without a row, since the last one that had any. */
  barren: number;
  step: "idle" | "reading" | "asking" | "over";
  end: string;
  button: string;
}
const atTheTop: Paging = {
  cursor: undefined,
  until: null,
  oldest: undefined,
  barren: 0,
  step: "idle",
  end: "",
  button: "",
};

/** @param key changes with the filter and the range */
export function useOlder(live: Live, filter: Filters, range: Range, key: string): Older {
  const [, draw] = useState({});
  const paging = useMemo<Paging>(() => ({ ...atTheTop }), [key]);
  useEffect(
    () => () => {
      paging.step = "over";
    },
    [paging],
  );
  const { tape } = live;
  const oldest = () => tape.oldest?.item.id;
  const stop = (end: string, button = "") => {
    Object.assign(paging, { step: button === "" ? "idle" : "asking", end, button, barren: 0 });
    draw({});
  };
  const read = () => {
    if (paging.step !== "idle") return;
    // The tape has lost its oldest rows: what follows begins below those that it has now.
    if (paging.oldest !== oldest()) Object.assign(paging, atTheTop, { oldest: oldest() });
    if (paging.cursor === null) return;
    if (tape.length >= mostWithHistory) return stop("For older items set a time in the filter.");
    paging.step = "reading";
    readPage(live, filter, range, paging).then(take, (error: unknown) => {
      if (paging.step === "reading")
        stop(`Stored items could not be read: ${failureOf(error).message}`, "Try again");
    });
  };
  const take = ({ data, next_cursor }: FeedList) => {
    if (paging.step !== "reading") return;
    paging.step = "idle";
    // Rows went while it was read, which it does not follow any more.
    if (paging.oldest !== undefined && paging.oldest !== oldest()) return read();
    const added = tape.addOlder(data.filter((item) => matches(filter, item)));
    paging.cursor = next_cursor;
    paging.oldest = oldest();
    live.repaint();
    const last = data.at(-1);
    if (next_cursor === null) stop(tape.length > 0 ? "There are no older items." : "");
    else if (added > 0) stop("");
    // Nothing else asks for more after a page without a row.
    else if (last === undefined || ++paging.barren < mostBarren) read();
    else stop(`None down to ${dayTime(Date.parse(last.published_at))}.`, "Look further");
  };
  const again = () => {
    if (paging.step === "asking") stop("");
    read();
  };
  return { read, again, end: paging.end, button: paging.button };
}

function readPage({ tape }: Live, filter: Filters, range: Range, paging: Paging): Promise<FeedList> {
  // A cursor is valid only with the query that it came from.
  if (paging.cursor === undefined) paging.until = untilOf(tape.rows) ?? range.until;
  const { until, cursor } = paging;
  const limit = isListed(filter) ? 100 : 500;
  return get<FeedList>("/v1/feeds", { ...listParams(filter), since: range.since, until, cursor, limit });
}

/** The latest publication of the oldest rows: items do not come in its order. Those that are held are told apart by their ids. */
const untilOf = (rows: readonly Row[]) =>
  rows.length === 0
    ? null
    : iso(Math.max(...rows.slice(0, recentRows).map(({ item }) => Date.parse(item.published_at))) + 1);
