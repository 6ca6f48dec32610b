/**
 * What it costs to find the subscriptions that an item goes to: `npm run bench:match`.
 *
 * mix: 5% without a filter, 70% with 1 to 50 symbols (most traded first), the rest by tags, source, provider, exchange or
 * actionability. selective: 1 to 8 symbols of any size each. Items have 3 symbols, 2 exchanges, 5 tags.
 */
import type { Filter } from "@tapewire/contract/filter.ts";
import { type Filterable, matches } from "../server/src/feed/filter.ts";
import { SubscriptionIndex } from "../server/src/feed/subscription-index.ts";

const symbolCount = 8_000;
const exchangeCount = 40;
const sizes = [1_000, 100_000, 1_000_000] as const;
/** The bars, in microseconds per item. */
const barsUs: Readonly<Record<number, number>> = { 1000: 10, 100000: 300, 1000000: 4_000 };

let state = 42;
/** Mulberry32: the same numbers in every run. */
function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
}
const below = (n: number) => Math.floor(random() * n);
/** Zipf's law: rank n occurs 1/n as often as rank 1. */
const zipf = (n: number) => Math.min(n - 1, Math.floor(n ** random()) - 1);
const some = (most: number, draw: () => string) =>
  [...new Set(Array.from({ length: 1 + below(most) }, draw))].sort();

const symbol = (n: number) => `X${n % exchangeCount}:S${n}`;
const tag = (name: string, n: number) => `${name}${n}`;

function mixed(): Filter {
  const kind = random();
  if (kind < 0.05) return { tags: {} };
  if (kind < 0.75) return { symbols: some(50, () => symbol(zipf(symbolCount))), tags: {} };
  if (kind < 0.85)
    return {
      tags: {
        corp_activity: some(3, () => tag("c", zipf(32))),
        ...(random() < 0.3 ? { market_country: some(3, () => tag("C", zipf(60))) } : {}),
      },
    };
  if (kind < 0.9) return { aggregators: some(3, () => tag("a", below(30))), tags: {} };
  if (kind < 0.95) return { providers: some(5, () => tag("p", below(200))), tags: {} };
  if (kind < 0.98) return { exchanges: some(2, () => tag("X", zipf(exchangeCount))), tags: {} };
  return { actionability: true, sentimentMin: below(11), tags: {} };
}

const selective = (): Filter => ({ symbols: some(8, () => symbol(below(symbolCount))), tags: {} });

function anyItem(): Filterable {
  const symbols = Array.from({ length: 3 }, () => zipf(symbolCount));
  return {
    id: "1",
    story_id: "1",
    source: tag("a", zipf(30)),
    provider_id: tag("p", zipf(200)),
    published_at: "2026-01-01T00:00:00.000Z",
    title: "Registrant S1 agrees to sell its mill to S2 for $40 million",
    symbols: symbols.map((n) => ({
      symbol: symbol(n),
      exchange: tag("X", n % exchangeCount),
      short_symbol: `S${n}`,
      logoid: null,
    })),
    events: [{ name: tag("e", zipf(400)), role: "subject", symbol: null, evidence: null }],
    tags: {
      corp_activity: [tag("c", zipf(32)), tag("c", zipf(32))],
      market: [tag("m", zipf(12))],
      market_country: [tag("C", zipf(60))],
      economic_category: [tag("e", zipf(32))],
    },
    scoring: {
      actionability: random() < 0.1,
      actionability_score: 1,
      actionability_comment: null,
      sentiment_score: below(11),
      sentiment_short: 0,
      sentiment_long: 0,
      sentiment_conviction: 0,
      sentiment_comment: null,
      model: null,
      model_version: null,
      scored_at: null,
      locked: false,
    },
  };
}

function measure(name: string, size: number, draw: () => Filter): void {
  const filters = Array.from({ length: size }, draw);
  globalThis.gc?.();
  const before = process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
  const index = new SubscriptionIndex();
  const addStart = performance.now();
  for (const filter of filters) index.add(filter);
  const addUs = ((performance.now() - addStart) * 1000) / size;
  globalThis.gc?.();
  const bytes = (process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers - before) / size;
  const items = Array.from({ length: 200 }, anyItem);
  const rounds = Math.max(1, Math.round(300_000 / size));
  let found = 0;
  const once = () => {
    for (const item of items)
      index.forEachMatch(item, () => {
        found += 1;
      });
  };
  once();
  found = 0;
  const start = performance.now();
  for (let round = 0; round < rounds; round++) once();
  const us = ((performance.now() - start) * 1000) / (rounds * items.length);
  const naive = naiveUs(items.slice(0, Math.max(1, Math.min(200, 2_000_000 / size))), filters);
  const bar = barsUs[size] ?? Number.NaN;
  console.log(
    [
      name.padEnd(10),
      size.toLocaleString("en").padStart(10),
      us.toFixed(1).padStart(10),
      (found / rounds / items.length).toFixed(0).padStart(9),
      naive.toFixed(0).padStart(10),
      addUs.toFixed(1).padStart(8),
      bytes.toFixed(0).padStart(8),
      `   bar ${bar}: ${us <= bar ? "met" : "MISSED"}`,
    ].join(""),
  );
}

/** The definition itself, evaluated filter by filter. */
function naiveUs(items: readonly Filterable[], filters: readonly Filter[]): number {
  const start = performance.now();
  let found = 0;
  for (const item of items) for (const filter of filters) if (matches(item, filter)) found += 1;
  return found < 0 ? 0 : ((performance.now() - start) * 1000) / items.length;
}

console.log("filters      number   us/item  matches   naive us   add us  B/filter");
for (const size of sizes) {
  measure("mix", size, mixed);
  measure("selective", size, selective);
}
