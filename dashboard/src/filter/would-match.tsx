import { listParams, paramsOf } from "../core/filter.ts";
import { count, percent, span } from "../core/format.ts";
import { useGet, useLoad } from "../core/load.ts";
import { isOpen, iso, type Range, rangeWords } from "../core/range.ts";
import { type FeedStats, feedStats } from "../core/stats.ts";
import type { FeedList, Filters } from "../core/types.ts";
import { Titles } from "../parts/items.tsx";
import { Lock, Skeleton } from "../parts/states.tsx";

interface Answer {
  readonly items: number;
  readonly of: number;
  /** For how long there are items in the range. */
  readonly ms: number;
}

/** A count has at most so many intervals. */
const mostHours = 1_400;
/** An hour as the unit is too coarse below this. */
const shortMs = 6 * 3_600_000;
const openRange: Range = { since: null, until: null };

async function countOf(filter: Filters, { since, until }: Range, signal: AbortSignal): Promise<Answer> {
  const end = until === null ? Date.now() : Date.parse(until);
  const isLong = since !== null && end - Date.parse(since) > mostHours * 3_600_000;
  const asked = {
    ...(since !== null && { since }),
    ...(until !== null && { until }),
    ...(isLong && { interval: "day" as const }),
  };
  const [some, all] = await Promise.all([feedStats(filter, asked, signal), feedStats({}, asked, signal)]);
  const untilMs = Date.parse(some.until);
  const from = await recordedFrom(all, untilMs, signal);
  return { items: some.totals.items, of: all.totals.items, ms: Math.max(60_000, untilMs - from) };
}

/** A service that has run for a few minutes has no news of the whole range: a rate is over the time that has some. */
async function recordedFrom(all: FeedStats, until: number, signal: AbortSignal): Promise<number> {
  const from = Date.parse(all.from);
  const first = Math.max(from, all.series[0]?.points[0]?.[0] ?? from);
  if (first === from || until - first > shortMs) return first;
  const asked = { interval: "minute", since: iso(first), until: iso(until) } as const;
  return (await feedStats({}, asked, signal)).series[0]?.points[0]?.[0] ?? first;
}

/** A few things a day are none an hour. */
function rateOf(items: number, ms: number): string {
  const hourly = (items * 3_600_000) / ms;
  return hourly >= 1 ? `${count(Math.round(hourly))} an hour` : `${count(Math.round(hourly * 24))} a day`;
}

/** What a filter would have found in the last day or in a range, and the newest of it: known before anything is saved. */
export function WouldMatch({ filter, range = openRange }: { filter: Filters; range?: Range }) {
  const key = `${JSON.stringify(paramsOf(filter))} ${range.since} ${range.until}`;
  const counted = useLoad(`match ${key}`, (signal) => countOf(filter, range, signal));
  const newest = useGet<FeedList>("/v1/feeds", { ...listParams(filter), ...range, limit: 5 });
  return (
    <section class="stack" aria-label="What this filter would have matched" aria-live="polite">
      <Counted
        answer={counted.data}
        hasFailed={counted.failure !== null}
        when={isOpen(range) ? null : rangeWords(range)}
      />
      {newest.failure !== null && <Lock text={newest.failure.message} />}
      {newest.isLoading && <Skeleton lines={5} />}
      {newest.data !== null && <Titles items={newest.data.data} />}
    </section>
  );
}

interface CountedProps {
  readonly answer: Answer | null;
  readonly hasFailed: boolean;
  /** The range in words; null: the last day. */
  readonly when: string | null;
}

function Counted({ answer, hasFailed, when }: CountedProps) {
  if (hasFailed) return <p class="quiet small">How many it would have matched cannot be counted now.</p>;
  if (answer === null) return <Skeleton lines={1} height={40} />;
  const { items, of, ms } = answer;
  return (
    <p class="note live num">
      Would have matched <strong class="strong">{count(items)}</strong> of {count(of)}{" "}
      {when === null ? `in ${span(ms)}` : `in this time (${when})`}
      {of > 0 && ` (${percent(items / of)})`} · {rateOf(items, ms)}
    </p>
  );
}
