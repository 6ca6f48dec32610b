import type { FeedItem, SymbolDetail } from "tapewire";
import { type FeedStats, type Page, TapewireError } from "tapewire";
import { z } from "zod";
import { line, most } from "../wording/clean.ts";
import { briefItem, itemLine, itemOf, present, type ShownItem } from "../wording/item.ts";
import { fitting, type Shown } from "../wording/results.ts";
import { tool } from "./define.ts";
import { meanOf } from "./stats.ts";

const hours = { min: 1, max: 240, fallback: 24 } as const;
const hourMs = 3_600_000;

export const symbolOverview = tool({
  name: "symbol_overview",
  title: "Overview of a symbol",
  description: "Who the symbol is, how much news it had, its events, mean sentiment, and the newest items.",
  input: z.strictObject({
    symbol: z.string().min(1).max(60).describe("AAPL or NASDAQ:AAPL"),
    hours: z.int().min(hours.min).max(hours.max).default(hours.fallback),
  }),
  output: z.object({
    symbol: z.string(),
    name: z.string().optional(),
    type: z.string().optional(),
    sector: z.string().optional(),
    country: z.string().optional(),
    since: z.string(),
    items_counted: z.number(),
    actionable: z.number().optional(),
    sentiment_mean: z.number().optional().describe("0..10"),
    events: z.array(z.looseObject({})).describe("name, items"),
    items: z.array(briefItem),
    truncated: z.boolean().describe("search_feed has the others"),
  }),
  run: async ({ symbol, hours }, { tapewire, now }, signal) => {
    const since = new Date(now().getTime() - hours * hourMs);
    const [detail, stats, page] = await Promise.all([
      tapewire.symbols.get(symbol, { signal }),
      tapewire.feeds.stats({ symbol, since, interval: "hour", by: "event", top: 6 }, { signal }),
      tapewire.feeds.page({ symbol, since, limit: 10, story_copies: false }, { signal }).catch(withoutList),
    ]);
    const all = page?.items.map(itemOf) ?? [];
    const isLastPage = page === null || page.cursor === null;
    return fitting(all, (items) =>
      overview(detail, stats, { items, hasMore: !isLastPage || items.length < all.length }),
    );
  },
});

/** Plans without the list have the counts all the same. */
function withoutList(error: unknown): Page<FeedItem> | null {
  if (error instanceof TapewireError && error.code === "plan_required") return null;
  throw error;
}

function overview(
  detail: SymbolDetail,
  { from, totals, series }: FeedStats,
  { items, hasMore }: { items: readonly ShownItem[]; hasMore: boolean },
): Shown {
  const events = series.flatMap(({ key, points }) =>
    key === null ? [] : [{ name: key, items: points.reduce((sum, [, count]) => sum + count, 0) }],
  );
  const about = {
    symbol: line(detail.symbol, most.name),
    ...present({
      name: detail.name === null ? null : line(detail.name, most.name),
      type: detail.type,
      sector: detail.sector,
      country: detail.country,
    }),
  };
  const { items: counted } = totals;
  const measured = present({ actionable: totals.actionable, sentiment_mean: meanOf(totals) });
  return {
    data: { ...about, since: from, items_counted: counted, ...measured, events, items, truncated: hasMore },
    lines: [
      [about.symbol, about.name, about.type, about.sector].filter((one) => one !== undefined).join(" | "),
      `Since ${from}: ${counted} items, ${measured.actionable ?? "-"} actionable, mean sentiment ${measured.sentiment_mean ?? "-"} of 10`,
      ...events.map(({ name, items: count }) => `${name}: ${count}`),
      ...items.map(itemLine),
      ...(hasMore ? [`More items: search_feed with symbol ${about.symbol}.`] : []),
    ],
  };
}
