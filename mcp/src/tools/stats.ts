import type { FeedStats } from "tapewire";
import { z } from "zod";
import { line, most } from "../wording/clean.ts";
import { present } from "../wording/item.ts";
import { bytesOf, limits, type Shown } from "../wording/results.ts";
import { tool } from "./define.ts";
import { filterShape, queryOf, timeShape } from "./filters.ts";

const axes = [
  "none",
  "source",
  "symbol",
  "exchange",
  "event",
  "actionability",
  "actionability_score",
  "sentiment",
  "corp_activity",
  "market",
  "market_country",
  "economic_category",
] as const;

export const feedStats = tool({
  name: "feed_stats",
  bucket: "reference",
  title: "Count items over time",
  description: "Counts of items, default last 24 h, by interval and axis. Filters as in search_feed.",
  input: z.strictObject({
    ...filterShape,
    ...timeShape,
    interval: z.enum(["minute", "hour", "day"]).default("hour"),
    by: z.enum(axes).default("none"),
    top: z.int().min(1).max(12).default(8),
  }),
  output: z.object({
    interval: z.string(),
    from: z.string(),
    until: z.string(),
    complete: z.boolean().describe("false: older items not counted"),
    items: z.number(),
    actionable: z.number().optional(),
    sentiment_mean: z.number().optional(),
    series: z.array(
      z.looseObject({
        key: z.string().optional().describe("absent: others"),
        items: z.number(),
        points: z.array(z.array(z.unknown())).optional().describe("[start, items]"),
      }),
    ),
    truncated: z.boolean().describe("points left out: take a longer interval"),
  }),
  run: async (args, { tapewire }, signal) => {
    const stats = await tapewire.feeds.stats(
      { ...queryOf(args), interval: args.interval, by: args.by, top: args.top },
      { signal },
    );
    const whole = counted(stats, true);
    return bytesOf(whole) <= limits.bytes ? whole : counted(stats, false);
  },
});

interface Sums {
  readonly items: number;
  readonly actionable: number | null;
  readonly scored: number | null;
  readonly sentiment_sum: number | null;
}

/** 0..10, in hundredths; null: nothing is scored, or the plan locks scores. */
export function meanOf({
  scored,
  sentiment_sum: sum,
}: Pick<Sums, "scored" | "sentiment_sum">): number | null {
  return scored === null || sum === null || scored === 0 ? null : Math.round((100 * sum) / scored) / 100;
}

type Point = FeedStats["series"][number]["points"][number];

function sumOf(points: readonly Point[]): Sums {
  const add = (a: number | null, b: number | null) => (a === null || b === null ? null : a + b);
  return points.reduce<Sums>(
    (sums, [, items, actionable, scored, sentiment]) => ({
      items: sums.items + items,
      actionable: add(sums.actionable, actionable),
      scored: add(sums.scored, scored),
      sentiment_sum: add(sums.sentiment_sum, sentiment),
    }),
    { items: 0, actionable: 0, scored: 0, sentiment_sum: 0 },
  );
}

const shownSums = (sums: Sums) => ({
  items: sums.items,
  ...present({ actionable: sums.actionable, sentiment_mean: meanOf(sums) }),
});

function counted({ interval, from, until, complete, totals, series }: FeedStats, withPoints: boolean): Shown {
  const rows = series.map(({ key, points }) => ({
    ...(key === null ? {} : { key: line(key, most.name) }),
    ...shownSums(sumOf(points)),
    ...(withPoints
      ? { points: points.map(([at, items]) => [new Date(at).toISOString().slice(0, 16), items]) }
      : {}),
  }));
  const sums = shownSums(totals);
  const hint = "The points do not fit: take a longer interval, a shorter range, or a smaller top.";
  return {
    data: { interval, from, until, complete, ...sums, series: rows, truncated: !withPoints },
    lines: [
      `${from} to ${until}${complete ? "" : " (older items are not counted)"}: ${sumText(sums)}`,
      ...rows.map((row) => `${row.key ?? "all others"}: ${sumText(row)}`),
      ...(withPoints ? [] : [hint]),
    ],
  };
}

function sumText({ items, actionable, sentiment_mean: mean }: ReturnType<typeof shownSums>): string {
  return `${items} items, ${actionable ?? "-"} actionable, mean sentiment ${mean ?? "-"} of 10`;
}
