import { get } from "../api.ts";
import { failureOf } from "../core/failure.ts";
import { listParams, matches } from "../core/filter.ts";
import { plural } from "../core/format.ts";
import { iso } from "../core/range.ts";
import type { FeedList, Filters, StreamItem } from "../core/types.ts";
import { tell } from "../parts/toast.tsx";
import type { Live } from "./live.ts";
import { mostHeld, type Row } from "./tape.ts";

/** Reads what came while the stream could not resume, newest first; where that is very much, its oldest part stays missing. */
export async function fillGap(live: Live, filter: Filters, { gap }: Row): Promise<void> {
  if (gap === undefined) return;
  const { from, until, seq } = gap;
  const query = { ...listParams(filter), since: from, until, limit: 500 };
  const found: StreamItem[] = [];
  let cursor: string | null | undefined;
  try {
    do {
      const page: FeedList = await get("/v1/feeds", { ...query, cursor });
      found.push(...page.data.filter((item) => item.seq < seq));
      cursor = page.next_cursor;
    } while (cursor !== null && found.length < mostHeld);
  } catch (error) {
    return tell(`The missing items could not be read: ${failureOf(error).message}`);
  }
  const last = found.at(-1);
  const rest =
    cursor === null || last === undefined
      ? undefined
      : { ...gap, until: iso(Date.parse(last.published_at) + 1) };
  const fresh = found.filter((item) => matches(filter, item)).toReversed();
  const count = live.tape.fillGap(gap, fresh, rest);
  live.repaint();
  tell(`${plural(count, "item")} read for the gap`);
}
