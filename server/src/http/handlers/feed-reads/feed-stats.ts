import { ApiError } from "@tapewire/contract/errors/errors.ts";
import {
  type FeedStats,
  type StatsAxis,
  type StatsInterval,
  statsLimits,
} from "@tapewire/contract/feed-reads/stats.ts";
import { type Filter, filterOfQuery } from "@tapewire/contract/filter.ts";
import { type Dictionary, tagDimensions } from "@tapewire/contract/tags.ts";
import type { SymbolTable } from "@tapewire/scoring/linking/table/symbol-table.ts";
import { LRUCache } from "lru-cache";
import { overloaded } from "../../../account/refusals.ts";
import { asksForScores } from "../../../feed/filter.ts";
import { bucketsOf, type Counted, type Counts } from "../../../feed/window/window-counts.ts";
import { type CountAxis, isOfScores } from "../../../feed/window/window-terms.ts";
import type { FeedIndex } from "../../../itemlog/feed-index.ts";
import type { Clock } from "../../../runtime/clock.ts";
import { Gate, GateError } from "../../../runtime/sharing/gate.ts";
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
/** One count of an account at a time. Its dashboard asks for those of a dozen views and some charts at once. */
const atOnce = { inside: 2, waiting: 64, each: { inside: 1, waiting: 24 } } as const;
const mostWaitMs = 10_000;

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

/** What is counted, in one form however it is asked for, so that it is the key of the response. */
interface Asked {
  readonly interval: StatsInterval;
  readonly by: StatsAxis;
  readonly top: number;
  readonly filter: Filter;
  readonly isLocked: boolean;
}

function askedBy(query: Query, isLocked: boolean): Asked {
  const { interval = "hour", by = "none", top = statsLimits.top.fallback } = query;
  return { interval, by, top, filter: filterOfQuery(query), isLocked };
}

/** GET /v1/feeds/stats. Responses are kept for some seconds. */
export function readFeedStats(deps: FeedStatsDeps): Handlers["readFeedStats"] {
  const { clock } = deps;
  const kept = new LRUCache<string, { readonly body: EncodedBody; readonly madeMs: number }>({
    maxSize: keptBytes,
    sizeCalculation: ({ body }, key) => body.mostBytes + 3 * key.length,
  });
  const gate = new Gate(atOnce);
  return async ({ query, caller }) => {
    const asked = askedBy(query, !caller.plan.scores_visible);
    if (asked.isLocked) refuseScores(asked);
    const key = JSON.stringify(asked);
    const known = () => {
      const found = kept.get(key);
      // A clock that was set back must not keep a response for ever.
      const isFresh = found !== undefined && Math.abs(clock.now().getTime() - found.madeMs) < maxAgeMs;
      return isFresh ? found.body : null;
    };
    const make = async () => {
      const madeMs = clock.now().getTime();
      const range = rangeOf(asked, madeMs);
      const body = new EncodedBody(
        JSON.stringify(await statsOf(deps, asked, { range, owner: caller.accountId })),
      );
      kept.set(key, { body, madeMs });
      return body;
    };
    const body = known();
    if (body !== null) return { body };
    rangeOf(asked, clock.now().getTime());
    // Another request may have made it during the wait.
    return { body: await inTurn(gate, caller.accountId, async () => known() ?? (await make())) };
  };
}

/** @throws {ApiError} overloaded: too many counts wait, or this one waited for too long; what the work throws */
async function inTurn<T>(gate: Gate, owner: string, work: () => Promise<T>): Promise<T> {
  try {
    return await gate.run(work, { owner, waitMs: mostWaitMs });
  } catch (cause) {
    throw cause instanceof GateError ? overloaded({ detail: "Too many counts are under way", cause }) : cause;
  }
}

/** @throws {ApiError} plan_required: the counts would tell what the plan withholds */
function refuseScores({ by, filter }: Asked): void {
  if (!isOfScores(by) && !asksForScores(filter)) return;
  throw new ApiError("plan_required", {
    detail: "The plan of this key does not show scores, so it cannot filter or group by them",
  });
}

async function statsOf(
  { index, dictionary, symbols }: FeedStatsDeps,
  { interval, by, top, filter, isLocked }: Asked,
  { range, owner }: { range: ReturnType<typeof rangeOf>; owner: string },
): Promise<FeedStats> {
  const counted = await index.counts(filter, {
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
function rangeOf({ interval, filter: { since, until } }: Asked, nowMs: number) {
  const bucketMs = intervals[interval];
  const untilMs = until?.getTime() ?? nowMs;
  const fromMs = since?.getTime() ?? Math.max(earliestMs, untilMs - dayMs);
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

const tookTooLong = () => overloaded({ detail: "Counting took too long. Narrow the range or the filters" });

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
