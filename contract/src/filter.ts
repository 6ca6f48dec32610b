import { z } from "zod";
import { exampleCursor } from "./examples/values.ts";
import {
  type Allowed,
  absentIfNull,
  commaList,
  compareInstants,
  instantText,
  lower,
  notBefore,
  upper,
  valueList,
} from "./input.ts";
import { allowedTagValues, type Dictionary, type TagDimension, tagDimensions } from "./tags.ts";
import { type TitleQuery, titleQuery, titleQueryMeaning, titleQueryOf } from "./title/title.ts";

/** Most characters of a webhook's or a view's filters as JSON; the same as a frame of the stream may have. */
const maxFilterLength = 65_536;
/**
 * Most characters as JSON for all webhook endpoints of an account together, for all its views, and for all its streams in
 * one process.
 */
export const maxAccountFilterLength = 2_097_152;
export const accountFilterRule = `all filters of the account together may have at most ${maxAccountFilterLength.toLocaleString("en")} characters as JSON`;

/**
 * A filter in canonical form: values are trimmed, case-folded, sorted and unique. An absent axis does not restrict.
 * Values within an axis are OR-ed, axes are AND-ed. Bounds: since <= published_at < until.
 */
export interface Filter {
  readonly since?: Date;
  readonly until?: Date;
  readonly aggregators?: readonly string[];
  readonly providers?: readonly string[];
  readonly exchanges?: readonly string[];
  /** `AAPL`, or `NASDAQ:AAPL` for the line on one exchange. */
  readonly symbols?: readonly string[];
  /** Kinds of events; an item passes with any of its events. */
  readonly events?: readonly string[];
  readonly actionability?: boolean;
  readonly sentimentMin?: number;
  readonly sentimentMax?: number;
  /** Least sentiment_conviction and least actionability_score, 0..100. */
  readonly minConviction?: number;
  readonly minActionability?: number;
  /** false: items that repeat a story are left out. */
  readonly storyCopies?: false;
  /** What the title must contain. */
  readonly title?: TitleQuery;
  readonly tags: { readonly [dimension in TagDimension]?: readonly string[] };
}

const sentimentBound = z.int().min(0).max(10);
const scoreBound = z.int().min(0).max(100);

/** An integer in a query, with at most as many digits as a JavaScript number holds exactly. */
export const integerText = z
  .string()
  .regex(/^-?\d+$/, { error: "must be an integer", abort: true })
  .refine((text) => /^-?\d{1,15}$/.test(text), {
    error: ({ input }) => (String(input).startsWith("-") ? "is too small" : "is too large"),
    abort: true,
  })
  .transform(Number);

interface Bounds {
  since?: string | undefined;
  until?: string | undefined;
  sentiment_min?: number | undefined;
  sentiment_max?: number | undefined;
}

export function orderedBounds(bounds: Bounds, context: z.RefinementCtx): void {
  const { since, until, sentiment_min: min, sentiment_max: max } = bounds;
  if (since !== undefined && until !== undefined && compareInstants(since, until) >= 0)
    context.addIssue({ code: "custom", path: ["since"], message: "must be before until" });
  if (min !== undefined && max !== undefined && min > max)
    context.addIssue({ code: "custom", path: ["sentiment_min"], message: "must not be above sentiment_max" });
}

const documented = (description: string, example: string | number) => ({ description, examples: [example] });
const flag = z.enum(["true", "false"]).optional();

/** An optional bound of a score, with its documentation. */
const bound = (schema: typeof scoreBound, description: string, example: number) =>
  integerText.pipe(schema).optional().meta(documented(description, example));
const scoreBounds = {
  sentiment_min: bound(sentimentBound, "Lowest sentiment_score, 0 to 10.", 7),
  sentiment_max: bound(sentimentBound, "Highest sentiment_score, 0 to 10.", 10),
  min_conviction: bound(scoreBound, "Lowest sentiment_conviction, 0 to 100.", 60),
  min_actionability_score: bound(scoreBound, "Lowest actionability_score, 0 to 100.", 70),
};

/**
 * A ticker, whoever writes it: BRK.B, 7203.T, BTC-USD, ^GSPC, ES=F, OVX. P. Items have fewer forms. The name of an exchange
 * is free: a source may name one that no table knows.
 */
const tickerForm = /^[\p{L}\p{M}\p{N} ._/&!@^=$+#~-]+$/u;
const symbolForms: Allowed = {
  values: { has: (symbol) => tickerForm.test(symbol.slice(symbol.lastIndexOf(":") + 1)) },
  called:
    "a symbol, such as AAPL or NASDAQ:AAPL: a ticker has letters, digits, blanks and . _ - / & ! @ ^ = $ + # ~, and there are no wildcards",
};

/** The filters of a query, without bounds of time. The dictionary gives the allowed tag values. */
export function queryAxes(dictionary: Dictionary) {
  const tag = (dimension: TagDimension, example: string) =>
    commaList(dimension === "market_country" ? upper : lower, tagsOf(dictionary, dimension))
      .optional()
      .meta({
        description: `Comma-separated values, OR-ed. Allowed: ${allowedText(dictionary, dimension)}.`,
        examples: [example],
      });
  return {
    aggregator: commaList(lower)
      .optional()
      .meta(documented("Source name; comma-separated names are OR-ed.", "sec-edgar")),
    actionability: flag.meta(documented("Whether the item is rated likely to move the price.", "true")),
    ...scoreBounds,
    event: commaList(lower, eventsOf(dictionary))
      .optional()
      .meta(
        documented(
          "Kind of event, as GET /v1/events lists it; comma-separated kinds are OR-ed. An item passes with any of its events.",
          "guidance_raised,earnings_beat",
        ),
      ),
    exchange: commaList(upper)
      .optional()
      .meta(documented("Exchange code; comma-separated codes are OR-ed.", "NASDAQ")),
    symbol: commaList(upper, symbolForms)
      .optional()
      .meta(documented("AAPL or NASDAQ:AAPL; comma-separated symbols are OR-ed.", "AAPL,NASDAQ:MSFT")),
    corp_activity: tag("corp_activity", "earnings,dividends"),
    market: tag("market", "stock"),
    market_country: tag("market_country", "US,GB"),
    economic_category: tag("economic_category", "prices,labor"),
    story_copies: flag.meta(
      documented(
        "false: returns only the first item of each story and leaves out items with copy_of.",
        "false",
      ),
    ),
    q: titleQuery.optional().meta(documented(titleQueryMeaning, '"profit warning" -reminder')),
  };
}

/** The filters of a query, and its bounds of time. */
export function filterParameters(dictionary: Dictionary) {
  return {
    since: instantText
      .optional()
      .meta(documented("Earliest published_at, inclusive.", "2026-03-02T00:00:00Z")),
    until: instantText.optional().meta(documented("Latest published_at, exclusive.", "2026-03-03T00:00:00Z")),
    ...queryAxes(dictionary),
  };
}

/** Query of GET /v1/feeds. Unknown parameters are ignored. */
export function listQuery(dictionary: Dictionary) {
  return z
    .object({
      ...filterParameters(dictionary),
      limit: integerText
        .pipe(z.int().min(1))
        .optional()
        .meta(documented("Page size, at least 1. Lowered to the plan's cap, which X-Page-Limit shows.", 50)),
      cursor: z
        .string()
        .min(1)
        .max(500)
        .optional()
        .meta(documented("next_cursor of the previous page.", exampleCursor)),
    })
    .superRefine(orderedBounds);
}
export type ListQuery = z.infer<ReturnType<typeof listQuery>>;

/** The filter of a query. */
export function filterOfQuery(query: Omit<ListQuery, "limit" | "cursor">): Filter {
  return {
    since: query.since === undefined ? undefined : notBefore(query.since),
    until: query.until === undefined ? undefined : notBefore(query.until),
    aggregators: query.aggregator,
    exchanges: query.exchange,
    symbols: query.symbol,
    actionability: query.actionability === undefined ? undefined : query.actionability === "true",
    sentimentMin: query.sentiment_min,
    sentimentMax: query.sentiment_max,
    minConviction: query.min_conviction,
    minActionability: query.min_actionability_score,
    events: query.event,
    storyCopies: query.story_copies === "false" ? false : undefined,
    title: query.q === undefined ? undefined : titleQueryOf(query.q),
    // Written out because every request builds it, and Object.fromEntries is much slower.
    tags: {
      corp_activity: query.corp_activity,
      market: query.market,
      market_country: query.market_country,
      economic_category: query.economic_category,
    } satisfies Record<TagDimension, readonly string[] | undefined>,
  };
}

/** Axes that stream and webhook filters share. */
function filterAxes(dictionary: Dictionary) {
  const values = (dimension: TagDimension) => {
    const fold = dimension === "market_country" ? upper : lower;
    return absentIfNull(valueList(fold, tagsOf(dictionary, dimension))).describe(
      `Values, OR-ed. Allowed: ${allowedText(dictionary, dimension)}.`,
    );
  };
  return {
    symbols: absentIfNull(valueList(upper, symbolForms)).describe("AAPL or NASDAQ:AAPL. Several are OR-ed."),
    exchanges: absentIfNull(valueList(upper)).describe("Exchange codes, OR-ed."),
    actionability: absentIfNull(z.boolean()).describe("Whether the item is rated likely to move the price."),
    sentiment_min: absentIfNull(sentimentBound).describe("Lowest sentiment_score."),
    sentiment_max: absentIfNull(sentimentBound).describe("Highest sentiment_score."),
    min_conviction: absentIfNull(scoreBound).describe("Lowest sentiment_conviction."),
    min_actionability_score: absentIfNull(scoreBound).describe("Lowest actionability_score."),
    event: absentIfNull(valueList(lower, eventsOf(dictionary))).describe(
      "Kinds of events, as GET /v1/events lists them, OR-ed. An item passes with any of its events.",
    ),
    story_copies: absentIfNull(z.boolean()).describe("false: sends only the first item of each story."),
    q: absentIfNull(titleQuery).describe(titleQueryMeaning),
    tags: absentIfNull(
      z.strictObject({
        corp_activity: values("corp_activity"),
        market: values("market"),
        market_country: values("market_country"),
        economic_category: values("economic_category"),
      }),
    ).describe("Tag values by dimension. All dimensions that you give must match."),
  };
}

function allowedText({ tags }: Dictionary, dimension: TagDimension): string {
  if (dimension === "market_country") return "ISO 3166-1 alpha-2 codes";
  return [...allowedTagValues(tags, dimension)].join(", ");
}

function tagsOf(dictionary: Dictionary, dimension: TagDimension): Allowed {
  const values = allowedTagValues(dictionary.tags, dimension);
  const called = values.size <= 50 ? `one of ${[...values].join(", ")}` : "a known code";
  return { values, called };
}

function eventsOf({ events }: Dictionary): Allowed {
  return { values: new Set(events.map(({ name }) => name)), called: "a kind of event that /v1/events lists" };
}

const isShort = (filters: object) => JSON.stringify(filters).length <= maxFilterLength;
const shortRule = `at most ${maxFilterLength} characters as JSON`;

/** Filters of a subscribe frame or a view, as the interface names them. An unknown member is an error: a typo must not widen the filter. */
export function subscriptionFilters(dictionary: Dictionary) {
  return z
    .strictObject({
      ...filterAxes(dictionary),
      aggregators: absentIfNull(valueList(lower)).describe("Names of sources, OR-ed."),
      providers: absentIfNull(valueList(lower)).describe("Ids of providers, OR-ed."),
    })
    .superRefine(orderedBounds)
    .refine(isShort, shortRule)
    .meta({ id: "SubscriptionFilters" });
}
export type SubscriptionFilters = z.infer<ReturnType<typeof subscriptionFilters>>;

/** The filter of a subscription. An empty list restricts nothing, like an absent one. */
export function filterOfSubscription(filters: SubscriptionFilters): Filter {
  const axis = (values: readonly string[] | undefined) => (values?.length === 0 ? undefined : values);
  return {
    symbols: axis(filters.symbols),
    exchanges: axis(filters.exchanges),
    aggregators: axis(filters.aggregators),
    providers: axis(filters.providers),
    actionability: filters.actionability,
    sentimentMin: filters.sentiment_min,
    sentimentMax: filters.sentiment_max,
    minConviction: filters.min_conviction,
    minActionability: filters.min_actionability_score,
    events: axis(filters.event),
    storyCopies: filters.story_copies === false ? false : undefined,
    title: filters.q === undefined ? undefined : titleQueryOf(filters.q),
    tags: Object.fromEntries(tagDimensions.map((name) => [name, axis(filters.tags?.[name])])),
  };
}

/** Filters of a webhook endpoint, as the interface names them. They have the same meaning as on the stream. */
export function webhookFilters(dictionary: Dictionary) {
  return z
    .strictObject(filterAxes(dictionary))
    .superRefine(orderedBounds)
    .refine(isShort, shortRule)
    .meta({ id: "WebhookFilters" });
}
export type WebhookFilters = z.infer<ReturnType<typeof webhookFilters>>;
