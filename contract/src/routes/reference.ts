import { z } from "zod";
import {
  provider,
  providerList,
  sourceDetail,
  sourceList,
  symbolDetail,
  symbolList,
  symbolListLimit,
  tagDimensionValues,
  tagList,
} from "../reference.ts";
import { tagDimension } from "../tags.ts";
import { bounded } from "./parameters.ts";
import type { Route } from "./types.ts";

const common = { auth: "key", section: "reference" } as const;

export const referenceRoutes = {
  listProviders: {
    ...common,
    method: "GET",
    path: "/v1/providers",
    summary: "List providers",
    description: "Who issues or writes items: those configured and those that items name, by name.",
    status: 200,
    response: providerList,
    errors: [],
  },
  readProvider: {
    ...common,
    method: "GET",
    path: "/v1/providers/{id}",
    summary: "Read one provider",
    description: "Its name, logo and kind, and how much it has issued.",
    params: z.object({
      id: z
        .string()
        .min(1)
        .max(64)
        .meta({ description: "FeedItem.provider_id.", examples: ["newsdesk"] }),
    }),
    status: 200,
    response: provider,
    errors: ["not_found"],
  },
  listSourceNames: {
    ...common,
    method: "GET",
    path: "/v1/sources",
    summary: "List the names of the sources",
    description:
      "Those configured and those that pushed items came under: the values of the aggregator filter.",
    status: 200,
    response: sourceList,
    errors: [],
  },
  readSource: {
    ...common,
    method: "GET",
    path: "/v1/sources/{name}",
    summary: "Read the activity of one source",
    description:
      "Items of all time and of the last 24 hours, the newest, how late they come, and whether it works.",
    params: z.object({
      name: z
        .string()
        .min(1)
        .max(64)
        .meta({ description: "FeedItem.source.", examples: ["sec-edgar"] }),
    }),
    status: 200,
    response: sourceDetail,
    errors: ["not_found", "overloaded"],
  },
  listSymbols: {
    ...common,
    method: "GET",
    path: "/v1/symbols",
    summary: "List tracked symbols",
    description:
      "Those of the symbol table and those that items name, largest first; each ticker once, by its main line.",
    query: z.object({
      limit: bounded(symbolListLimit)
        .optional()
        .meta({ description: `Entries wanted; ${symbolListLimit.fallback} when absent.`, examples: [100] }),
    }),
    status: 200,
    response: symbolList,
    errors: [],
  },
  readSymbol: {
    ...common,
    method: "GET",
    path: "/v1/symbols/{ticker}",
    summary: "Read one symbol with its feed count",
    description: "AAPL, or NASDAQ:AAPL for the line on one exchange; in any case.",
    params: z.object({
      ticker: z
        .string()
        .min(1)
        .max(64)
        .meta({ description: "Ticker, or EXCHANGE:TICKER.", examples: ["NASDAQ:AAPL"] }),
    }),
    status: 200,
    response: symbolDetail,
    errors: ["not_found", "overloaded"],
  },
  listTags: {
    ...common,
    method: "GET",
    path: "/v1/tags",
    summary: "Read the tag dictionary",
    description:
      "Every dimension with its values; of market_country only countries that items have, though filters take any ISO 3166-1 code.",
    status: 200,
    response: tagList,
    errors: [],
  },
  readTagDimension: {
    ...common,
    method: "GET",
    path: "/v1/tags/{dimension}",
    summary: "Read one dimension of the tag dictionary",
    description:
      "Its values with their labels and how many items have them. A dimension that does not exist is 400.",
    params: z.object({
      dimension: tagDimension.meta({ description: "Name of the dimension.", examples: ["corp_activity"] }),
    }),
    status: 200,
    response: tagDimensionValues,
    errors: [],
  },
} as const satisfies Record<string, Route>;
