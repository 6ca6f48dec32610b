import { z } from "zod";
import { lagMs, sourceStatus } from "./admin.ts";
import { timestamp } from "./feeds.ts";
import { tagDimension } from "./tags.ts";

const feedCount = z.int().min(0).describe("Number of items of all time.");
const latestAt = timestamp.nullable().describe("published_at of the newest item; null: there is none.");

export const providerKinds = ["official", "wire", "exchange", "media"] as const;

/** An organisation that issues or writes items. */
export const provider = z
  .object({
    id: z.string().describe("Id of the provider, as in FeedItem.provider_id."),
    name: z.string().describe("Name to show."),
    logo: z.url().describe("Address of a logo that this service draws and serves."),
    url: z.url().nullable().describe("Website of the provider; null when unknown."),
    kind: z
      .enum(providerKinds)
      .nullable()
      .describe("Kind of provider; null for a provider that items name but the configuration does not."),
    feed_count: feedCount,
    latest_at: latestAt,
  })
  .meta({ id: "Provider" });
export type Provider = z.infer<typeof provider>;
export const providerList = z
  .object({ data: z.array(provider).describe("Sorted by name.") })
  .meta({ id: "ProviderList" });

/** Names of the sources: those that are configured and those of pushed items. */
export const sourceList = z
  .object({ data: z.array(z.string()).describe("Sorted by name.") })
  .meta({ id: "SourceList" });

/** Activity of one source, as GET /v1/sources/{name} returns it. */
export const sourceDetail = z
  .object({
    name: z.string().describe("Name of the source."),
    feed_count: feedCount,
    latest_at: latestAt,
    feeds_24h: z.int().describe("Number of items published in the last 24 hours."),
    lag_ms: lagMs,
    status: sourceStatus.describe(
      "stale: there has been no new item for much longer than is usual for the source.",
    ),
    failures: z
      .int()
      .describe("Failed polls in a row. For a source with several entries: the highest number."),
  })
  .meta({ id: "SourceDetail" });
export type SourceDetail = z.infer<typeof sourceDetail>;

/** Number of entries that GET /v1/symbols returns. */
export const symbolListLimit = { min: 1, max: 2_000, fallback: 500 } as const;

/** The search of GET /v1/symbols. */
export const symbolSearch = { characters: 64, entries: 20 } as const;

const symbolEntryFields = {
  short_symbol: z.string().describe("Ticker without its exchange."),
  symbol: z.string().describe("EXCHANGE:TICKER, or a bare ticker when the exchange is unknown."),
  exchange: z.string().nullable().describe("Exchange code; null when unknown."),
  name: z
    .string()
    .nullable()
    .describe(
      "Name of the company or instrument; null for a symbol that items name but the symbol table does not.",
    ),
  logo: z.url().describe("Address of a logo that this service draws and serves."),
  logoid: z.string().nullable().describe("Id of its logo; null when there is none."),
};
export const symbolEntry = z.object(symbolEntryFields).meta({ id: "SymbolEntry" });
export type SymbolEntry = z.infer<typeof symbolEntry>;
export const symbolList = z
  .object({ data: z.array(symbolEntry).describe("Largest first.") })
  .meta({ id: "SymbolList" });

/** Lines of a ticker that GET /v1/symbols/{ticker} tells. */
export const mostLines = 50;

const symbolLine = z
  .object({
    symbol: z.string().describe("EXCHANGE:TICKER."),
    exchange: symbolEntryFields.exchange,
    name: symbolEntryFields.name,
    feed_count: feedCount,
  })
  .meta({ id: "SymbolLine" });

export const symbolDetail = z
  .object({
    ...symbolEntryFields,
    country: z.string().nullable().describe("Country of the issuer, ISO 3166-1 alpha-2."),
    type: z.string().nullable().describe("stock, dr, etf, crypto, index, forex, commodity or yield."),
    sector: z.string().nullable().describe("Sector of the issuer."),
    cik: z.string().nullable().describe("SEC Central Index Key, 10 digits."),
    aliases: z.array(z.string()).describe("Names in a text that are linked to the symbol."),
    delisted_on: z.iso
      .date()
      .nullable()
      .describe(
        "First day on which the symbol is no longer traded; null while it is, or when that is not known.",
      ),
    feed_count: feedCount.describe(
      "Number of items that GET /v1/feeds finds for the symbol as you gave it: for a bare ticker, of all exchanges.",
    ),
    feed_count_24h: z.int().min(0).describe("Number of items published in the last 24 hours."),
    latest_at: latestAt,
    lines: z
      .array(symbolLine)
      .describe(
        `The symbols with this ticker, one for each exchange: those with most items first, at most ${mostLines}. Items that name no exchange are in none of them.`,
      ),
  })
  .meta({ id: "SymbolDetail" });
export type SymbolDetail = z.infer<typeof symbolDetail>;

const tagValue = z.object({
  value: z.string().describe("Value in filters and items."),
  label: z.string().describe("Label to show."),
  definition: z.string().optional().describe("Meaning of the value."),
  count: feedCount,
});

/** A dimension of tags with its values. market_country has only the countries that items have. */
export const tagDimensionValues = z
  .object({
    dimension: tagDimension,
    label: z.string().describe("Label to show."),
    values: z
      .array(tagValue)
      .describe("Values of the dimension. market_country has only the countries that items have."),
  })
  .meta({ id: "TagDimensionValues" });
export type TagDimensionValues = z.infer<typeof tagDimensionValues>;
export const tagList = z
  .object({ data: z.array(tagDimensionValues).describe("One entry per dimension.") })
  .meta({ id: "TagList" });

/** A kind of event. */
export const eventKind = z
  .object({
    name: z.string().describe("Name in filters and items."),
    group: z.string().describe("Group of related kinds."),
    label: z.string().describe("Label to show."),
    meaning: z.string().describe("What has happened when a text tells an event of this kind."),
    count: feedCount,
  })
  .meta({ id: "EventKind" });
export const eventList = z
  .object({
    data: z.array(eventKind).describe("Every kind, with or without items, sorted by group and then by name."),
  })
  .meta({ id: "EventList" });
export type EventList = z.infer<typeof eventList>;
