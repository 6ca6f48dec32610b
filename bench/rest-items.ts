/**
 * The items on which the list is measured: item i is a function of (i, total) alone, so every run and every engine sees the
 * same items. A year; 5 % come up to two days late; values are drawn by Zipf's law, as in real news: few sources, symbols
 * and countries make up most of it.
 *
 * Two properties are there because they break designs: the first aggregator carries only US news and the second only
 * Japanese, so two common values never occur with the other's country; and the last symbols occur only in the first tenth of
 * the year, so a search for one of them passes everything newer.
 */
import { readFileSync } from "node:fs";
import { countryCodes } from "@tapewire/contract/countries.ts";
import type { FeedItem, SymbolRef } from "@tapewire/contract/feeds.ts";
import { type TagSet, tagDictionary } from "@tapewire/contract/tags.ts";
import { eventCatalogue } from "@tapewire/scoring/flash/events/catalogue.ts";
import { itemIdOf } from "../server/src/feed/item.ts";

/** Raised with every change of the generated items: a database of another version is not used. */
export const generatorVersion = 1;

const firstAt = Date.parse("2025-11-01T00:00:00Z");
const spanMs = 365 * 24 * 3_600_000;
const lateMs = 48 * 3_600_000;

const dictionary = tagDictionary.parse(
  JSON.parse(readFileSync(new URL("../config/tags.json", import.meta.url), "utf8")),
);
const named = (count: number, name: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => name(i));
const twoDigits = (index: number) => String(index).padStart(2, "0");

export const aggregators = named(20, (i) => `wire-${twoDigits(i)}`);
export const providers = named(60, (i) => `provider-${twoDigits(i)}`);
export const exchanges = "NASDAQ NYSE XETR LSE TSE HKEX EURONEXT SIX TSX ASX NSE B3".split(" ");
const symbolCount = 5_000;
/** Symbols that occur only in the first tenth of the year. */
const goneSymbols = 50;
const commonCountries = ["US", "JP", "GB", "DE", "CN", "FR", "CA", "IN", "HK", "AU"];
const otherCountries = [...countryCodes].filter((code) => !commonCountries.includes(code));
export const countries = [...commonCountries, ...otherCountries].slice(0, 60);
const activities = dictionary.corp_activity.values.map(({ value }) => value);
const markets = dictionary.market.values.map(({ value }) => value);
const categories = dictionary.economic_category.values.map(({ value }) => value);
const words =
  "agrees announces approves board buyback capital closes contract court credit cuts debt deal delays demand dividend earnings expands export fund guidance halts index inflation insurer launches margin merger names offer outlook plans plant profit quarter raises rates recall regulator results revenue sells shares stake supply talks tender trial unit units upgrade wins withdraws yield".split(
    " ",
  );

/** A ticker of four letters. @param rank 0 is the most common symbol, 4999 the rarest */
export function symbolOf(rank: number): SymbolRef {
  const letters = [17_576, 676, 26, 1].map((place) =>
    String.fromCharCode(65 + (Math.floor(rank / place) % 26)),
  );
  const ticker = letters.join("");
  const exchange = exchanges[Math.floor(exchanges.length * random(rank ^ 0x5eed)() ** 2)] ?? "NYSE";
  return { symbol: `${exchange}:${ticker}`, exchange, short_symbol: ticker, logoid: null };
}
const symbols = Array.from({ length: symbolCount }, (_, rank) => symbolOf(rank));

/** Pseudo-random numbers in [0, 1) from the seed (mulberry32). */
function random(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Draws a rank below `count` with weight 1 / (rank + 1). */
function zipf(count: number): (next: () => number) => number {
  const sums = new Float64Array(count);
  let sum = 0;
  for (let rank = 0; rank < count; rank++) {
    sum += 1 / (rank + 1);
    sums[rank] = sum;
  }
  return (next) => {
    const drawn = next() * sum;
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) > drawn) high = middle;
      else low = middle + 1;
    }
    return low;
  };
}
const draw = {
  aggregator: zipf(aggregators.length),
  provider: zipf(providers.length),
  symbol: zipf(symbolCount),
  activity: zipf(activities.length),
  market: zipf(markets.length),
  country: zipf(countries.length),
  category: zipf(categories.length),
  event: zipf(eventCatalogue.length),
};

/** The item that arrived as number i (from 0) of `total`; its seq is i + 1. */
export function itemAt(i: number, total: number): FeedItem {
  const next = random(i);
  const scrapedAt = firstAt + Math.floor(((i + next()) / total) * spanMs);
  const delayMs = next() < 0.05 ? next() * lateMs : 500 + next() * 4_500;
  const source = draw.aggregator(next);
  const carried = carriedSymbols(next, i < total / 10);
  const uniqueId = `guid:bench:${i}`;
  const id = itemIdOf(uniqueId);
  const publishedAt = new Date(Math.floor(scrapedAt - delayMs)).toISOString();
  const at = new Date(scrapedAt).toISOString();
  return {
    seq: i + 1,
    id,
    unique_id: uniqueId,
    title: sentence(next, 11, carried[0]?.short_symbol ?? "Market"),
    link: `https://${aggregators[source]}.example/${publishedAt.slice(0, 10)}/${id}`,
    source: aggregators[source] ?? "",
    provider_id: providers[draw.provider(next)] ?? "",
    type: "news",
    published_at: publishedAt,
    source_time: publishedAt,
    scraped_at: at,
    updated_at: at,
    status: "published",
    revision: 0,
    story_id: i > 0 && next() < 0.04 ? itemIdOf(`guid:bench:${i - 1}`) : id,
    language: "en",
    scoring: scoringOf(next, at),
    ...eventsOf(i),
    symbols: carried,
    tags: tagsOf(next, source),
    filing: null,
  };
}

/** Drawn apart from the other members, so that these stay as they were measured before. */
function eventsOf(i: number): Pick<FeedItem, "event" | "events"> {
  const { name } = eventCatalogue[draw.event(random(~i))] ?? { name: "other" };
  return { event: name, events: [{ name, role: "subject", symbol: null, evidence: null }] };
}

function carriedSymbols(next: () => number, early: boolean): SymbolRef[] {
  const ranks = new Set<number>();
  const count = Math.floor(next() * 5);
  for (let n = 0; n < count; n++) {
    const rank = draw.symbol(next);
    ranks.add(!early && rank >= symbolCount - goneSymbols ? rank - goneSymbols : rank);
  }
  return [...ranks].flatMap((rank) => symbols[rank] ?? []);
}

function tagsOf(next: () => number, source: number): TagSet {
  const country = source === 0 ? "US" : source === 1 ? "JP" : (countries[draw.country(next)] ?? "US");
  const one = (values: readonly string[], rank: number) => [values[rank] ?? ""];
  return {
    ...(next() < 0.7 ? { corp_activity: one(activities, draw.activity(next)) } : {}),
    market: one(markets, draw.market(next)),
    market_country: [country],
    ...(next() < 0.4 ? { economic_category: one(categories, draw.category(next)) } : {}),
  };
}

/** 8 % actionable, 90 % not, 2 % not judged. */
function scoringOf(next: () => number, at: string): FeedItem["scoring"] {
  const drawn = next();
  const judged = drawn < 0.98;
  const sentiment = Math.floor(next() * 11);
  return {
    actionability: judged ? drawn < 0.08 : null,
    actionability_score: judged ? Math.floor(next() * 101) : null,
    actionability_comment: judged ? sentence(next, 24, "Because") : null,
    sentiment_score: judged ? sentiment : null,
    sentiment_short: judged ? sentiment - 5 : null,
    sentiment_long: judged ? 0 : null,
    sentiment_conviction: judged ? Math.floor(next() * 101) : null,
    sentiment_comment: judged ? sentence(next, 24, "Reads as") : null,
    model: "flash",
    model_version: "bench",
    scored_at: at,
    locked: false,
  };
}

/** Filler as long as headlines and rationales. */
function sentence(next: () => number, length: number, start: string): string {
  return [start, ...named(length, () => words[Math.floor(next() * words.length)] ?? "")].join(" ");
}
