import type { ListFeedsQuery, SubscriptionFilters } from "tapewire";
import { z } from "zod";

/** What a query takes: the list is asked by one, and so is a stream of server-sent events. */
const mostValues = 50;
const list = () =>
  z
    .string()
    .min(1)
    .max(500)
    .refine((text) => text.split(",").length <= mostValues, `takes at most ${mostValues} values`)
    .optional();

/** The filters of the list, under its names. Values that do not exist are refused by the service, which names them. */
export const filterShape = {
  symbol: list(),
  event: list(),
  actionability: z.boolean().optional(),
  min_actionability_score: z.int().optional(),
  min_conviction: z.int().optional(),
  sentiment_min: z.int().optional(),
  sentiment_max: z.int().optional(),
  aggregator: list(),
  exchange: list(),
  corp_activity: list(),
  market: list(),
  market_country: list(),
  economic_category: list(),
  story_copies: z.boolean().optional(),
  q: z.string().optional(),
};

/** The same with their meaning, for the tool that the others refer to. */
export const describedFilters = {
  ...filterShape,
  symbol: list().describe("AAPL or NASDAQ:AAPL; lists: comma-separated, OR-ed"),
  event: list().describe("Kinds, from list_values"),
  actionability: z.boolean().optional().describe("true: likely to move the price"),
  min_actionability_score: z.int().optional().describe("0..100"),
  sentiment_min: z.int().optional().describe("0 bearish, 5 neutral, 10 bullish"),
  aggregator: list().describe("Sources"),
  story_copies: z.boolean().optional().describe("false: the first item of each story only"),
  q: filterShape.q.describe('Title: words "phrases" -not'),
};

/** Bounds of published_at. */
export const timeShape = {
  since: z.string().optional().describe("RFC 3339"),
  until: z.string().optional(),
};

type Filters = z.infer<z.ZodObject<typeof filterShape>>;
type Times = z.infer<z.ZodObject<typeof timeShape>>;

/** The arguments as the query of the list: they have the same names. */
export const queryOf = (args: Filters & Times): ListFeedsQuery => args;

/** The arguments as the filters of a stream. */
export function subscriptionOf(args: Filters): SubscriptionFilters {
  const { symbol, exchange, aggregator, event, corp_activity, market, market_country, economic_category } =
    args;
  return {
    symbols: values(symbol),
    exchanges: values(exchange),
    aggregators: values(aggregator),
    event: values(event),
    tags: {
      corp_activity: values(corp_activity),
      market: values(market),
      market_country: values(market_country),
      economic_category: values(economic_category),
    },
    actionability: args.actionability,
    min_actionability_score: args.min_actionability_score,
    min_conviction: args.min_conviction,
    sentiment_min: args.sentiment_min,
    sentiment_max: args.sentiment_max,
    story_copies: args.story_copies,
    q: args.q,
  };
}

const values = (text: string | undefined) => text?.split(",").map((value) => value.trim());
