import { ApiError } from "@tapewire/contract/errors/errors.ts";
import {
  type FeedStats,
  type StatsAxis,
  type StatsInterval,
  statsLimits,
} from "@tapewire/contract/feed-reads/stats.ts";
import { filterOfQuery } from "@tapewire/contract/filter.ts";
import { notBefore } from "@tapewire/contract/input.ts";
import { type Dictionary, tagDimensions } from "@tapewire/contract/tags.ts";
import type { SymbolTable } from "@tapewire/scoring/linking/table/symbol-table.ts";
import { LRUCache } from "lru-cache";
import { asksForScores } from "../../../feed/filter.ts";
import { bucketsOf, type Counted, type Counts } from "../../../feed/window/window-counts.ts";
import { type CountAxis, isOfScores } from "../../../feed/window/window-terms.ts";
import type { FeedIndex } from "../../../itemlog/feed-index.ts";
import type { Clock } from "../../../runtime/clock.ts";
import { processorDeadline } from "../../../runtime/sharing/processor-deadline.ts";
import { dayMs } from "../../../runtime/utc-day.ts";
import type { Handlers } from "../../contract-routes.ts";
import { EncodedBody } from "../../wire/wire.ts";

export interface FeedStatsDeps {
  readonly index: FeedIndex;
  readonly clock: Clock;
  readonly dictionary: Dictionary;
  /** The current symbol table. It is replaced when listings are updated. */
  readonly symbols: () => SymbolTable;
}

/** Longest time that a response lags behind the items. */
const maxAgeMs = 5_000;
const keptBytes = 8 * 2 ** 20;
/** Processor time of a count, which gives other requests their turn in between. */
const mostMs = 1_000;

const intervals: Readonly<Record<StatsInterval, number>> = { minute: 60_000, hour: 3_600_000, day: dayMs };
const axes: Readonly<Record<StatsAxis, CountAxis | null>> = {
  none: null,
  source: "aggregator",
  symbol: "ticker",
  exchange: "exchange",
  event: "event",
  actionability: "actionability",
  actionability_score: "actionability_score",
  sentiment: "sentiment",
  corp_activity: "corp_activity",
  market: "market",
  market_country: "market_country",
  economic_category: "economic_category",
};

type Query = Parameters<Handlers["readFeedStats"]>[0]["query"];

/** GET /v1/feeds/stats. Responses are kept for some seconds. */
export function readFeedStats(deps: FeedStatsDeps): Handlers["readFeedStats"] {
  const { clock } = deps;
  const kept = new LRUCache<string, { readonly body: EncodedBody; readonly madeMs: number }>({
    maxSize: keptBytes,
    sizeCalculation: ({ body }, key) => body.mostBytes + 3 * key.length,
  });
  return async ({ query, search, caller }) => {
    const isLocked = !caller.plan.scores_visible;
    if (isLocked) refuseScores(query);
    const key = `${isLocked} ${search}`;
    const nowMs = clock.now().getTime();
    const known = kept.get(key);
    // A clock that was set back must not keep a response for ever.
    if (known !== undefined && Math.abs(nowMs - known.madeMs) < maxAgeMs) return { body: known.body };
    const body = new EncodedBody(
      JSON.stringify(await statsOf(deps, query, { nowMs, isLocked, owner: caller.accountId })),
    );
    kept.set(key, { body, madeMs: nowMs });
    return { body };
  };
}

/** @throws {ApiError} plan_required: the counts would tell what the plan withholds */
function refuseScores(query: Query): void {
  if (!isOfScores(query.by ?? "none") && !asksForScores(filterOfQuery(query))) return;
  throw new ApiError("plan_required", {
    detail: "The plan of this key does not show scores, so it cannot filter or group by them",
  });
}

async function statsOf(
  { index, dictionary, symbols }: FeedStatsDeps,
  query: Query,
  { nowMs, isLocked, owner }: { nowMs: number; isLocked: boolean; owner: string },
): Promise<FeedStats> {
  const { interval = "hour", by = "none", top = statsLimits.top.fallback } = query;
  const range = rangeOf(query, intervals[interval], nowMs);
  const counted = await index.counts(filterOfQuery(query), {
    ...range,
    by: axes[by],
    top,
    owner,
    turn: processorDeadline(mostMs, tookTooLong),
  });
  const labelOf = labels(by, dictionary, symbols());
  return {
    interval,
    from: new Date(counted.fromMs).toISOString(),
    until: new Date(range.untilMs).toISOString(),
    complete: counted.isComplete,
    series: counted.series.map(({ value, counts }) => ({
      key: value,
      label: value === null ? (by === "none" ? "All" : "Other") : labelOf(value),
      points: pointsOf(counts, { firstMs: counted.firstMs, bucketMs: range.bucketMs, isLocked }),
    })),
    totals: totalsOf(counted, isLocked),
  };
}

/** @throws {ApiError} invalid_parameter: the range is empty, or has too many points */
function rangeOf({ since, until }: Query, bucketMs: number, nowMs: number) {
  const untilMs = until === undefined ? nowMs : notBefore(until).getTime();
  const fromMs = since === undefined ? Math.max(earliestMs, untilMs - dayMs) : notBefore(since).getTime();
  if (until === undefined && fromMs >= untilMs)
    throw refused("since", "must be before until, which is now when absent");
  const { count } = bucketsOf({ fromMs, untilMs, bucketMs });
  if (count > statsLimits.buckets)
    throw refused(
      "interval",
      `must be longer, or the range shorter: it has ${count} points, and at most ${statsLimits.buckets} are allowed`,
    );
  return { fromMs, untilMs, bucketMs };
}

const earliestMs = Date.parse("0001-01-01T00:00:00.000Z");

function refused(name: string, detail: string): ApiError {
  return new ApiError("invalid_parameter", { fields: [{ in: "query", name, detail }] });
}

function tookTooLong(): ApiError {
  return new ApiError("overloaded", {
    detail: "Counting took too long. Narrow the range or the filters",
    headers: { "Retry-After": "2" },
  });
}

type Point = FeedStats["series"][number]["points"][number];

function pointsOf(
  counts: Counts,
  { firstMs, bucketMs, isLocked }: { firstMs: number; bucketMs: number; isLocked: boolean },
): Point[] {
  const points: Point[] = [];
  for (let at = 0; at < counts.length; at += 4) {
    const [items = 0, actionable = 0, scored = 0, sum = 0] = counts.subarray(at, at + 4);
    if (items === 0) continue;
    const startMs = firstMs + (at / 4) * bucketMs;
    points.push(isLocked ? [startMs, items, null, null, null] : [startMs, items, actionable, scored, sum]);
  }
  return points;
}

function totalsOf({ totals }: Counted, isLocked: boolean): FeedStats["totals"] {
  const [items = 0, actionable = 0, scored = 0, sum = 0] = totals;
  if (isLocked) return { items, actionable: null, scored: null, sentiment_sum: null };
  return { items, actionable, scored, sentiment_sum: sum };
}

const countryNames = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });

/** @returns a function from the values of the axis to the labels to show */
function labels(by: StatsAxis, { tags, events }: Dictionary, table: SymbolTable): (value: string) => string {
  const named = (entries: readonly { value: string; label: string }[]) => {
    const known = new Map(entries.map(({ value, label }) => [value, label]));
    return (value: string) => known.get(value) ?? value;
  };
  if (by === "symbol") return (ticker) => table.byTicker(ticker)[0]?.name || ticker;
  if (by === "event") return named(events.map(({ name, label }) => ({ value: name, label })));
  if (by === "actionability") return (value) => (value === "true" ? "Actionable" : "Not actionable");
  if (by === "actionability_score")
    return (least) => `${least} to ${least === "90" ? 100 : Number(least) + 9}`;
  if (by === "market_country")
    return (code) => (/^[A-Z]{2}$/.test(code) ? (countryNames.of(code) ?? code) : code);
  const dimension = tagDimensions.find((one) => one === by);
  return dimension === undefined || dimension === "market_country"
    ? (value) => value
    : named(tags[dimension].values);
}
