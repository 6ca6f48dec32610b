/**
 * The input for measuring the stream: items with frames of 1.5 KB, and filters of every kind in the mix of bench/match.ts.
 * Every item passes all of them, so that deliveries compare with those of servers without filters.
 */
import type { FeedItem } from "@tapewire/contract/feeds.ts";
import type { SubscriptionFilters } from "@tapewire/contract/filter.ts";
import { EncodedItem, formOf } from "../server/src/stream/wire/encoded-item.ts";
import { aggregators, countries, exchanges, itemAt, providers, symbolOf } from "./rest-items.ts";

export const itemBytes = 1_500;
const prepared = 256;
const total = 1_000_000;

/** Every item has these values. */
const common = {
  source: aggregators[0] ?? "",
  provider_id: providers[0] ?? "",
  symbol: symbolOf(0),
  tags: { corp_activity: ["earnings"], market_country: ["US"] },
};

/** Items to send in turn, each under a new seq. */
export function preparedItems(): FeedItem[] {
  return Array.from({ length: prepared }, (_, n) => ofSize(itemOf(n)));
}

function itemOf(n: number): FeedItem {
  const drawn = itemAt(n, total);
  const symbols = [common.symbol, ...drawn.symbols.filter(({ symbol }) => symbol !== common.symbol.symbol)];
  return {
    ...drawn,
    source: common.source,
    provider_id: common.provider_id,
    story_id: drawn.id,
    symbols: symbols.slice(0, 3),
    tags: { ...drawn.tags, ...common.tags },
    scoring: { ...drawn.scoring, actionability: true, sentiment_score: n % 11 },
  };
}

/** With a title that fills its frame up: a header of 4 bytes and the payload. */
function ofSize(item: FeedItem): FeedItem {
  const context = { epoch: "12345678", now: new Date(item.scraped_at) };
  const entry = new EncodedItem({ seq: 100_000, item, doc: "" }, context);
  const missing = itemBytes + 4 - entry.template(formOf("text", false)).bytes.length;
  return { ...item, title: `${item.title}${" filler".repeat(200).slice(0, Math.max(0, missing))}` };
}

/** Spreads n over [0, 1). */
const spread = (n: number, by: number) => (n * by) % 1;

/** The filter of the n-th subscriber: 70 % name 1 to 50 symbols, 5 % nothing, the rest one axis or two. */
export function filterAt(n: number): SubscriptionFilters {
  const kind = spread(n, 0.618_034);
  const size = (most: number) => 1 + Math.floor(spread(n, 0.414_214) * most);
  const others = <T>(most: number, of: (rank: number) => T) =>
    Array.from({ length: size(most) - 1 }, (_, k) => of(k * 97 + n));
  if (kind < 0.05) return {};
  if (kind < 0.75)
    return { symbols: [common.symbol.symbol, ...others(50, (rank) => symbolOf(1 + (rank % 4_999)).symbol)] };
  if (kind < 0.82) return { tags: { corp_activity: common.tags.corp_activity } };
  if (kind < 0.85)
    return {
      tags: {
        corp_activity: common.tags.corp_activity,
        market_country: ["US", ...others(3, (k) => countries[k % 60] ?? "JP")],
      },
    };
  if (kind < 0.9) return { aggregators: [common.source, ...others(3, (k) => aggregators[k % 20] ?? "")] };
  if (kind < 0.95) return { providers: [common.provider_id, ...others(5, (k) => providers[k % 60] ?? "")] };
  if (kind < 0.98)
    return { exchanges: [common.symbol.exchange ?? "", ...others(2, (k) => exchanges[k % 12] ?? "")] };
  return { actionability: true, sentiment_min: 0 };
}
