import { isListed, listParams, matches, paramsOf } from "../core/filter.ts";
import { count, percent, plural } from "../core/format.ts";
import { type Loaded, useGet, useLoad } from "../core/load.ts";
import type { Range } from "../core/range.ts";
import { feedStats } from "../core/stats.ts";
import type { FeedList, Filters } from "../core/types.ts";
import { Titles } from "../parts/items.tsx";
import { Lock, Skeleton } from "../parts/states.tsx";

const openRange: Range = { since: null, until: null };

/** Its days are not shown, but of hours an answer may have too many. */
const totalOf = async (filter: Filters, range: Range, signal: AbortSignal) =>
  (await feedStats(filter, { ...range, interval: "day" }, signal)).totals.items;

/** What a filter would have found in the last day or in a range, and the newest of it: known before anything is saved. */
export function WouldMatch({ filter, range = openRange }: { filter: Filters; range?: Range }) {
  const key = `${JSON.stringify(paramsOf(filter))} ${range.since} ${range.until}`;
  const isCounted = isListed(filter);
  const counted = useLoad(isCounted ? `match ${key}` : null, (signal) =>
    Promise.all([totalOf(filter, range, signal), totalOf({}, range, signal)]),
  );
  const newest = useGet<FeedList>("/v1/feeds", {
    ...listParams(filter),
    ...range,
    limit: isCounted ? 5 : 100,
  });
  return (
    <section class="stack" aria-label="What this filter would have matched" aria-live="polite">
      {isCounted ? (
        <Counted of={counted} range={range} />
      ) : (
        <p class="quiet small">Items of a provider are not counted.</p>
      )}
      {newest.failure !== null && <Lock text={newest.failure.message} />}
      {newest.isLoading && <Skeleton lines={5} />}
      {newest.data !== null && (
        <Titles items={newest.data.data.filter((item) => matches(filter, item)).slice(0, 5)} />
      )}
    </section>
  );
}

function Counted({ of, range: { since, until } }: { of: Loaded<readonly number[]>; range: Range }) {
  if (of.failure !== null)
    return <p class="quiet small">How many it would have matched cannot be counted now.</p>;
  if (of.data === null) return <Skeleton lines={1} height={40} />;
  const [items = 0, all = 0] = of.data;
  // Without a beginning a count is of one day.
  const time = since !== null ? "this time" : `the ${until === null ? "last 24 hours" : "24 hours before"}`;
  return (
    <p class="note live num">
      Matches <strong class="strong">{count(items)}</strong> of {plural(all, "item")}
      {items > 0 && items < all && ` (${percent(items / all)})`} in {time}
    </p>
  );
}
