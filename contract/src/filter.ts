import { z } from "zod";
import { instantText, isStorable, storableRule } from "./input.ts";
import { allowedTagValues, type TagDictionary, type TagDimension, tagDimensions } from "./tags.ts";

/** Bound on the values of one axis: of a list query (its SQL stays bounded) and of a stream or webhook filter. */
export const maxQueryValues = 50;
export const maxFilterValues = 1000;

/**
 * A filter in its one canonical form: values trimmed, folded in case, without repeats and sorted; an absent axis does
 * not restrict. Values within an axis are OR-ed, axes are AND-ed. Bounds: since <= published_at < until.
 */
export interface Filter {
  readonly since?: Date;
  readonly until?: Date;
  readonly aggregators?: readonly string[];
  readonly providers?: readonly string[];
  readonly exchanges?: readonly string[];
  /** `AAPL`, or `NASDAQ:AAPL` for the line on one exchange. */
  readonly symbols?: readonly string[];
  readonly actionability?: boolean;
  readonly sentimentMin?: number;
  readonly sentimentMax?: number;
  /** false: items that repeat a story are left out. */
  readonly storyCopies?: false;
  readonly tags: { readonly [dimension in TagDimension]?: readonly string[] };
}

const lower = (text: string) => text.toLowerCase();
const upper = (text: string) => text.toUpperCase();
const sentimentBound = z.int().min(0).max(10);

type Fold = (text: string) => string;
const distinct = (values: readonly string[], fold: Fold) =>
  [...new Set(values.map((v) => fold(v.trim())))].sort();

/** `a,b` of a query string: at least one value, none empty. */
function commaList(fold: Fold, allowed?: ReadonlySet<string>) {
  const values = z
    .array(allowedValue(allowed))
    .min(1)
    .max(maxQueryValues, `at most ${maxQueryValues} values`);
  return z
    .string()
    .transform((text) => distinct(text.split(","), fold))
    .pipe(values);
}

function valueList(fold: Fold, allowed?: ReadonlySet<string>) {
  return z
    .array(z.string())
    .max(maxFilterValues, `at most ${maxFilterValues} values`)
    .transform((values) => distinct(values, fold))
    .pipe(z.array(allowedValue(allowed)));
}

function allowedValue(allowed?: ReadonlySet<string>) {
  const value = z
    .string()
    .min(1, "must not be empty")
    .max(200, "at most 200 characters")
    .refine(isStorable, storableRule);
  if (allowed === undefined) return value;
  const list = allowed.size <= 50 ? `one of ${[...allowed].join(", ")}` : "a known code";
  return value.refine((v) => allowed.has(v), { error: (issue) => `'${String(issue.input)}' is not ${list}` });
}

const integerText = z
  .string()
  .regex(/^-?\d{1,9}$/, "must be an integer")
  .transform(Number);
const instant = instantText.transform((text) => new Date(text)).pipe(z.date());

interface Bounds {
  since?: Date | undefined;
  until?: Date | undefined;
  sentiment_min?: number | undefined;
  sentiment_max?: number | undefined;
}

function orderedBounds(bounds: Bounds, context: z.RefinementCtx): void {
  const { since, until, sentiment_min: min, sentiment_max: max } = bounds;
  if (since !== undefined && until !== undefined && since >= until)
    context.addIssue({ code: "custom", path: ["since"], message: "must be before until" });
  if (min !== undefined && max !== undefined && min > max)
    context.addIssue({ code: "custom", path: ["sentiment_min"], message: "must not be above sentiment_max" });
}

/** Query of GET /v1/feeds. Unknown parameters are ignored; the tag values are those of the dictionary. */
export function listQuery(dictionary: TagDictionary) {
  const tag = (dimension: TagDimension) =>
    commaList(dimension === "market_country" ? upper : lower, allowedTagValues(dictionary, dimension))
      .optional()
      .describe("Comma-separated values, OR within.");
  return z
    .object({
      since: instant.optional().describe("Lower bound of published_at, inclusive."),
      until: instant.optional().describe("Upper bound of published_at, exclusive."),
      aggregator: commaList(lower).optional().describe("Source name; comma-separated names are OR-ed."),
      actionability: z.enum(["true", "false"]).optional(),
      sentiment_min: integerText.pipe(sentimentBound).optional(),
      sentiment_max: integerText.pipe(sentimentBound).optional(),
      exchange: commaList(upper).optional().describe("Exchange code; comma-separated codes are OR-ed."),
      symbol: commaList(upper).optional().describe("AAPL or NASDAQ:AAPL; comma-separated symbols are OR-ed."),
      corp_activity: tag("corp_activity"),
      market: tag("market"),
      market_country: tag("market_country").describe("Comma-separated ISO 3166-1 alpha-2 codes, OR within."),
      economic_category: tag("economic_category"),
      story_copies: z
        .enum(["true", "false"])
        .optional()
        .describe("false: only the first item of each story."),
      limit: integerText
        .pipe(z.int().min(1))
        .optional()
        .describe("Page size, at least 1; clamped to the plan's cap, which X-Page-Limit tells."),
      cursor: z.string().min(1).max(500).optional().describe("next_cursor of the page before."),
    })
    .superRefine(orderedBounds);
}
export type ListQuery = z.infer<ReturnType<typeof listQuery>>;

/** The filter of a list query. */
export function filterOfQuery(query: ListQuery): Filter {
  return {
    since: query.since,
    until: query.until,
    aggregators: query.aggregator,
    exchanges: query.exchange,
    symbols: query.symbol,
    actionability: query.actionability === undefined ? undefined : query.actionability === "true",
    sentimentMin: query.sentiment_min,
    sentimentMax: query.sentiment_max,
    storyCopies: query.story_copies === "false" ? false : undefined,
    tags: Object.fromEntries(tagDimensions.map((dimension) => [dimension, query[dimension]])),
  };
}

/** Filters of a subscribe frame, as the interface names them. Unknown members are errors: a typo must not widen a feed. */
export function subscriptionFilters(dictionary: TagDictionary) {
  const values = (dimension: TagDimension) =>
    valueList(
      dimension === "market_country" ? upper : lower,
      allowedTagValues(dictionary, dimension),
    ).optional();
  return z
    .strictObject({
      symbols: valueList(upper).optional(),
      exchanges: valueList(upper).optional(),
      aggregators: valueList(lower).optional(),
      providers: valueList(lower).optional(),
      actionability: z.boolean().optional(),
      sentiment_min: sentimentBound.optional(),
      sentiment_max: sentimentBound.optional(),
      story_copies: z.boolean().optional().describe("false: only the first item of each story."),
      tags: z
        .strictObject({
          corp_activity: values("corp_activity"),
          market: values("market"),
          market_country: values("market_country"),
          economic_category: values("economic_category"),
        })
        .optional(),
    })
    .superRefine(orderedBounds)
    .meta({ id: "SubscriptionFilters" });
}
export type SubscriptionFilters = z.infer<ReturnType<typeof subscriptionFilters>>;

/** The filter of a subscription; an empty list restricts nothing, like an absent one. */
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
    storyCopies: filters.story_copies === false ? false : undefined,
    tags: Object.fromEntries(tagDimensions.map((name) => [name, axis(filters.tags?.[name])])),
  };
}
