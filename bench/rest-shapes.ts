/**
 * The filter shapes on which the list is measured, as query strings of GET /v1/feeds. Together they have everything that
 * breaks designs: common and rare values, values without data, ORs, bounds, deep positions, and values that rarely or never
 * occur together.
 */
import { aggregators, countries, symbolOf } from "./rest-items.ts";

export interface Shape {
  readonly name: string;
  readonly query: string;
}

/** A long search with a new filter each time, for many more times than the window remembers. */
export function neverTheSame(n: number): string {
  const asked = countries.slice(1, 51).filter((_, at) => at !== n % 50);
  return `aggregator=${aggregators[0]}&market_country=${asked.join(",")}&sentiment_min=${Math.floor(n / 50) % 9}`;
}

const ticker = (rank: number) => symbolOf(rank).short_symbol ?? "";
const tickers = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => ticker(from + n)).join(",");
const otherExchange = symbolOf(40).exchange === "NYSE" ? "ASX" : "NYSE";

export const shapes: readonly Shape[] = [
  { name: "newest", query: "limit=50" },
  { name: "newest, page of 500", query: "limit=500" },
  { name: "deep in the list", query: "until=2026-02-03T11:00:00Z" },
  { name: "hot symbol", query: `symbol=${ticker(0)}` },
  { name: "rare symbol", query: `symbol=${ticker(4900)}` },
  { name: "symbol and two tags", query: `symbol=${ticker(3)}&corp_activity=earnings&market=crypto` },
  { name: "actionable, bullish", query: "actionability=true&sentiment_min=8" },
  { name: "event, sure of it", query: "event=guidance_raised,guidance_cut&min_conviction=60" },
  { name: "high scores alone", query: "min_actionability_score=95&min_conviction=95" },
  { name: "exchange", query: "exchange=NASDAQ" },
  {
    name: "two lists of tags",
    query: "corp_activity=esg,recommendation&economic_category=trade,labor,prices",
  },
  { name: "rare country", query: `market_country=${countries.at(-1)}` },
  {
    name: "aggregator within a month",
    query: `aggregator=${aggregators[7]}&since=2026-04-10T00:00:00Z&until=2026-05-10T00:00:00Z`,
  },
  { name: "country without data", query: "market_country=ZW" },
  { name: "common, never meet", query: `aggregator=${aggregators[0]}&market_country=JP` },
  { name: "rare and common", query: `symbol=${ticker(3000)}&market_country=US` },
  { name: "symbol, other exchange", query: `symbol=${ticker(40)}&exchange=${otherExchange}` },
  { name: "of the past only", query: `symbol=${ticker(4990)},${ticker(4991)}&market_country=US` },
  {
    name: "50 common, never meet",
    query: `aggregator=${aggregators[0]}&market_country=${countries.slice(1, 51).join(",")}`,
  },
  {
    name: "many common ORs, few meet",
    query: `symbol=${tickers(0, 50)}&exchange=ASX,NSE,B3&market_country=${countries.slice(30).join(",")}&actionability=true&sentiment_min=10`,
  },
];
