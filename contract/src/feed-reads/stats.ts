import { z } from "zod";
import { timestamp } from "../feeds.ts";
import { filterParameters, integerText, orderedBounds } from "../filter.ts";
import { type Dictionary, tagDimensions } from "../tags.ts";

export const statsIntervals = ["minute", "hour", "day"] as const;
export type StatsInterval = (typeof statsIntervals)[number];
export const statsAxes = [
  "none",
  "source",
  "symbol",
  "exchange",
  "event",
  "actionability",
  "actionability_score",
  "sentiment",
  ...tagDimensions,
] as const;
export type StatsAxis = (typeof statsAxes)[number];

export const statsLimits = { buckets: 1_500, top: { min: 1, max: 12, fallback: 8 } } as const;
const mostBuckets = statsLimits.buckets.toLocaleString("en");

const interval = z.enum(statsIntervals);
const axis = z.enum(statsAxes);
const { min, max, fallback } = statsLimits.top;

/** Query of GET /v1/feeds/stats. Unknown parameters are ignored. */
export function statsQuery(dictionary: Dictionary) {
  const { since, until, ...filters } = filterParameters(dictionary);
  return z
    .object({
      since: since.meta({
        description: "Earliest published_at, inclusive. Absent: 24 hours before until.",
        examples: ["2026-03-02T00:00:00Z"],
      }),
      until: until.meta({
        description: "Latest published_at, exclusive. Absent: now.",
        examples: ["2026-03-03T00:00:00Z"],
      }),
      interval: interval.optional().meta({
        description: `Length of a point, in UTC. Absent: hour. The range may have at most ${mostBuckets} points.`,
        examples: ["hour"],
      }),
      by: axis.optional().meta({
        description:
          "One series for each value of this axis: those with most items, then one for the other items. An item with several values is in the series of each. symbol: tickers of all exchanges together. actionability_score: ten bins, 0 to 9, 10 to 19 and so on to 90 to 100, all of them with top=12. Absent: none, one series.",
        examples: ["source"],
      }),
      top: integerText
        .pipe(z.int().min(min).max(max))
        .optional()
        .meta({
          description: `Most series, beside the one of the other items. Absent: ${fallback}.`,
          examples: [5],
        }),
      ...filters,
    })
    .superRefine(orderedBounds);
}

const count = z.int().min(0);
const scoreCounts = {
  actionable: count
    .nullable()
    .describe("Items that are rated likely to move the price; null when the plan locks scores."),
  scored: count.nullable().describe("Items that have a sentiment_score; null when the plan locks scores."),
  sentiment_sum: count
    .nullable()
    .describe(
      "Sum of sentiment_score over these items: divided by `scored` it is the mean. null when the plan locks scores.",
    ),
};

const point = z.tuple([
  z.int().describe("Start of the point, in milliseconds since 1970-01-01T00:00:00Z."),
  count.describe("Items."),
  scoreCounts.actionable,
  scoreCounts.scored,
  scoreCounts.sentiment_sum,
]);

const series = z
  .object({
    key: z
      .string()
      .nullable()
      .describe(
        "Value of the axis, as filters take it; of a bin its lowest score; null: the items that are in no other series.",
      ),
    label: z.string().describe("Label to show."),
    points: z
      .array(point)
      .describe(
        "[start, items, actionable, scored, sentiment_sum] of each interval that has items, oldest first. The start is in milliseconds since 1970-01-01T00:00:00Z; the others are as in totals.",
      ),
  })
  .meta({ id: "FeedStatsSeries" });

/** Response of GET /v1/feeds/stats. */
export const feedStats = z
  .object({
    interval: interval.describe("Length of a point."),
    from: timestamp.describe("Items published at or after this time were counted."),
    until: timestamp.describe("Items published before this time were counted."),
    complete: z
      .boolean()
      .describe(
        "false: the index of older items is still being built, and `from` is later than the time that was asked for.",
      ),
    series: z
      .array(series)
      .describe("Most items first; the series of the other items, with the key null, is last."),
    totals: z
      .object({ items: count.describe("Items, each counted once."), ...scoreCounts })
      .describe("Counts of the whole range."),
  })
  .meta({ id: "FeedStats" });
export type FeedStats = z.infer<typeof feedStats>;
