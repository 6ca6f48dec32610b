import { z } from "zod";
import {
  eventList,
  provider,
  providerList,
  sourceDetail,
  sourceList,
  symbolDetail,
  symbolList,
  symbolListLimit,
  symbolSearch,
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
    description:
      "Providers issue or write items. Lists those that are configured and those that items name, sorted by name.",
    status: 200,
    response: providerList,
    errors: [],
  },
  readProvider: {
    ...common,
    method: "GET",
    path: "/v1/providers/{id}",
    summary: "Read one provider",
    description: "Name, logo, kind and number of items of one provider.",
    params: z.object({
      id: z
        .string()
        .min(1)
        .max(64)
        .meta({ description: "Id of the provider, as in FeedItem.provider_id.", examples: ["newsdesk"] }),
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
      "Lists the configured sources and those of pushed items. These names are the values of the aggregator filter.",
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
      "Number of items of all time and of the last 24 hours, time of the newest item, lag and health.",
    params: z.object({
      name: z
        .string()
        .min(1)
        .max(64)
        .meta({ description: "Name of the source, as in FeedItem.source.", examples: ["sec-edgar"] }),
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
      "Lists the symbols of the symbol table and those that items name, largest first. Each ticker is listed once, with its main exchange. With q it searches the symbol table.",
    query: z.object({
      q: z
        .string()
        .max(symbolSearch.characters)
        .refine((text) => text.trim() !== "", "must not be blank")
        .optional()
        .meta({
          description: `Search: each word must begin the ticker or a word of the name, in any case and without accents. Returns at most ${symbolSearch.entries} entries: first the one whose ticker is q, then by size, shares before other kinds of like size.`,
          examples: ["appl"],
        }),
      limit: bounded(symbolListLimit)
        .optional()
        .meta({
          description: `Most entries to return. Absent: ${symbolListLimit.fallback}, or ${symbolSearch.entries} with q.`,
          examples: [100],
        }),
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
    description: "Use AAPL, or NASDAQ:AAPL for one exchange; upper or lower case.",
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
      "Every dimension with its values. market_country lists only the countries that items have; filters take any ISO 3166-1 alpha-2 code.",
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
      "Values of the dimension, each with its label and number of items. An unknown dimension gets 400.",
    params: z.object({
      dimension: tagDimension.meta({ description: "Name of the dimension.", examples: ["corp_activity"] }),
    }),
    status: 200,
    response: tagDimensionValues,
    errors: [],
  },
  listEvents: {
    ...common,
    method: "GET",
    path: "/v1/events",
    summary: "List the kinds of events",
    description:
      "Kinds of events that the engine finds in texts, each with its number of items. Their names are the values of the event filter.",
    status: 200,
    response: eventList,
    errors: [],
  },
} as const satisfies Record<string, Route>;
