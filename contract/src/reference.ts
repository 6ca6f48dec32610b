import { z } from "zod";
import { lagMs, sourceStatus } from "./admin.ts";
import { timestamp } from "./feeds.ts";
import { tagDimension } from "./tags.ts";

const feedCount = z.int().min(0).describe("Items of all time.");
const latestAt = timestamp.nullable().describe("published_at of the newest item; null: no item.");

export const providerKinds = ["official", "wire", "exchange", "media"] as const;

/** Who issues or writes items. */
export const provider = z
  .object({
    id: z.string().describe("FeedItem.provider_id."),
    name: z.string().describe("Name to show."),
    logo: z.url().describe("A picture that this service draws and serves."),
    url: z.url().nullable().describe("Its own site; null when not known."),
    kind: z.enum(providerKinds).nullable().describe("null: items name it, the configuration does not."),
    feed_count: feedCount,
    latest_at: latestAt,
  })
  .meta({ id: "Provider" });
export type Provider = z.infer<typeof provider>;
export const providerList = z
  .object({ data: z.array(provider).describe("By name.") })
  .meta({ id: "ProviderList" });

/** Names of the sources: those configured, and those that pushed items came under. */
export const sourceList = z
  .object({ data: z.array(z.string()).describe("By name.") })
  .meta({ id: "SourceList" });

/** Activity of one source, as GET /v1/sources/{name} tells it. */
export const sourceDetail = z
  .object({
    name: z.string().describe("Name of the source."),
    feed_count: feedCount,
    latest_at: latestAt,
    feeds_24h: z.int().describe("Items published in the last 24 hours."),
    lag_ms: lagMs,
    status: sourceStatus.describe("stale: its newest item is older than its rhythm lets expect."),
    failures: z.int().describe("Failed polls in a row, of its worst entry."),
  })
  .meta({ id: "SourceDetail" });
export type SourceDetail = z.infer<typeof sourceDetail>;

/** Entries that GET /v1/symbols answers. */
export const symbolListLimit = { min: 1, max: 2_000, fallback: 500 } as const;

const symbolEntryFields = {
  short_symbol: z.string().describe("Ticker without its exchange."),
  symbol: z.string().describe("EXCHANGE:TICKER, or a bare ticker when the exchange is unknown."),
  exchange: z.string().nullable().describe("Exchange code; null when unknown."),
  name: z.string().nullable().describe("null: items name the symbol, the symbol table does not."),
  logo: z.url().describe("A picture that this service draws and serves."),
  logoid: z.string().nullable().describe("Names its picture; null when there is none."),
};
export const symbolEntry = z.object(symbolEntryFields).meta({ id: "SymbolEntry" });
export type SymbolEntry = z.infer<typeof symbolEntry>;
export const symbolList = z
  .object({ data: z.array(symbolEntry).describe("Largest first.") })
  .meta({ id: "SymbolList" });

export const symbolDetail = z
  .object({
    ...symbolEntryFields,
    country: z.string().nullable().describe("ISO 3166-1 alpha-2 of the issuer."),
    type: z.string().nullable().describe("stock, dr, etf, crypto, index, forex, commodity or yield."),
    sector: z.string().nullable().describe("Sector of the issuer."),
    cik: z.string().nullable().describe("SEC Central Index Key, 10 digits."),
    aliases: z.array(z.string()).describe("Names that are linked to it."),
    feed_count: feedCount.describe(
      "Items that GET /v1/feeds finds by the symbol as it was asked for: of all its lines for a bare ticker.",
    ),
    feed_count_24h: z.int().min(0).describe("Items published in the last 24 hours."),
    latest_at: latestAt,
  })
  .meta({ id: "SymbolDetail" });
export type SymbolDetail = z.infer<typeof symbolDetail>;

const tagValue = z.object({
  value: z.string().describe("What filters and items name."),
  label: z.string().describe("Words to show."),
  definition: z.string().optional().describe("What it stands for."),
  count: feedCount,
});

/** A dimension of tags with its values; of market_country those that items have. */
export const tagDimensionValues = z
  .object({
    dimension: tagDimension,
    label: z.string().describe("Words to show."),
    values: z.array(tagValue).describe("Of market_country only those that items have."),
  })
  .meta({ id: "TagDimensionValues" });
export type TagDimensionValues = z.infer<typeof tagDimensionValues>;
export const tagList = z
  .object({ data: z.array(tagDimensionValues).describe("One entry a dimension.") })
  .meta({ id: "TagList" });
