import { z } from "zod";
import { exampleIds } from "./examples/values.ts";
import { filingFacts } from "./filings.ts";
import { tagSet } from "./tags.ts";

/** RFC 3339 in UTC with milliseconds, as every response has it. */
export const timestamp = z.iso.datetime({ precision: 3 }).meta({
  id: "Timestamp",
  description: "RFC 3339 date-time in UTC with milliseconds.",
  examples: ["2026-03-02T14:30:00.125Z"],
});
export const itemId = z.uuid().meta({
  description: "UUIDv5 of unique_id, so the same in every deployment.",
  examples: [exampleIds.item],
});

const direction = z.int().min(-5).max(5);
const percent = z.int().min(0).max(100);

export const artifactTypes = ["news", "filing", "research", "ugc"] as const;
export const artifactType = z.enum(artifactTypes).meta({ id: "ArtifactType", description: "Kind of text." });
export type ArtifactType = z.infer<typeof artifactType>;

export const symbolRef = z
  .object({
    symbol: z.string().describe("EXCHANGE:TICKER, or a bare ticker when the exchange is unknown."),
    exchange: z.string().nullable().describe("Exchange code; null when unknown."),
    short_symbol: z.string().nullable().describe("Ticker without its exchange."),
    logoid: z.string().nullable().describe("Id of its logo; null when there is none."),
  })
  .meta({ id: "SymbolRef" });
export type SymbolRef = z.infer<typeof symbolRef>;

/** The scores of an item. All are null when `locked`, and when the item was not scored. */
export const scoring = z
  .object({
    actionability: z.boolean().nullable().describe("Whether the item is rated likely to move the price."),
    actionability_score: percent.nullable().describe("Actionability from 0 (not actionable) to 100."),
    actionability_comment: z.string().nullable().describe("Rationale in one line."),
    sentiment_score: z
      .int()
      .min(0)
      .max(10)
      .nullable()
      .describe("0 most bearish .. 10 most bullish; 5 + sentiment_short. Kept for older clients."),
    sentiment_short: direction
      .nullable()
      .describe("Expected direction over the next hours to days, -5 most bearish .. +5 most bullish."),
    sentiment_long: direction
      .nullable()
      .describe("Expected direction over weeks to quarters, -5 most bearish .. +5 most bullish."),
    sentiment_conviction: percent.nullable().describe("Confidence in the short direction, 0..100."),
    sentiment_comment: z.string().nullable().describe("Rationale in one line."),
    model: z
      .string()
      .nullable()
      .describe(
        "Model that scored the item: pro, or flash where pro would not have answered in time or is not used; onnx:<name> after a rescoring by a classifier of the operator's.",
      ),
    model_version: z.string().nullable().describe("Version of that model."),
    scored_at: timestamp.nullable().describe("When the item was scored."),
    locked: z.boolean().describe("true: scores are withheld, as on the Free plan."),
    message: z.string().optional().describe("Upgrade prompt. Present when locked is true."),
  })
  .meta({ id: "Scoring" });
export type Scoring = z.infer<typeof scoring>;

export const evidence = z
  .object({
    text: z.string().describe("The quoted words."),
    start: z
      .int()
      .min(0)
      .describe("Offset of the first character in title + newline + body, in UTF-16 code units."),
    end: z.int().min(0).describe("Offset after the last character."),
  })
  .meta({ id: "Evidence" });
export type Evidence = z.infer<typeof evidence>;

/** What a company does in an event. Events of one company without another party have a subject. */
export const eventRoles = [
  "subject",
  "target",
  "acquirer",
  "seller",
  "buyer",
  "supplier",
  "customer",
  "rival",
  "partner",
  "plaintiff",
  "defendant",
  "broker",
  "adviser",
  "regulator",
  "venue",
  "other",
] as const;
export const eventRole = z
  .enum(eventRoles)
  .meta({ id: "EventRole", description: "What the company does in the event." });
export type EventRole = z.infer<typeof eventRole>;

/** Most events of one item. */
export const mostEvents = 8;
const eventName = z.string().regex(/^[a-z][a-z0-9_]{0,63}$/);

/** One event that a text tells, with one company's part in it. */
export const eventMention = z
  .object({
    name: eventName.describe("Kind of event, as GET /v1/events lists it."),
    role: eventRole,
    symbol: z
      .string()
      .nullable()
      .describe(
        "The company with this role, EXCHANGE:TICKER or a bare ticker; null when the event has none, or it is not a known symbol.",
      ),
    evidence: evidence
      .nullable()
      .describe(
        "The words that tell the event; null when there is no quote, and when the caller's plan locks scores.",
      ),
  })
  .meta({ id: "EventMention" });
export type EventMention = z.infer<typeof eventMention>;

/** The events of a text, as items and verdicts carry them. */
export const eventFields = {
  event: eventName
    .nullable()
    .describe(
      "Kind of the leading event; null when no known event was found. GET /v1/events lists all kinds. `other_` and the name of a group: news of the group by its wording, without words that prove a kind.",
    ),
  events: z
    .array(eventMention)
    .max(mostEvents)
    .describe(
      "Events that the text tells, the leading one first. Items stored before this member existed: [].",
    ),
};

const itemStatus = z.enum(["published", "revised", "retracted"]);

/** An item as the list and the stream carry it, scores unlocked. Source: interface, FeedItem; decisions, Feed items. */
export const feedItem = z
  .object({
    seq: z.int().positive().describe("Position in the item log: dense, in order of arrival."),
    id: itemId,
    unique_id: z
      .string()
      .describe(
        "Identity of the item: a release's number on its wire, the source's own id, the link, or title and day.",
      ),
    title: z.string().nullable().describe("Headline as the source gives it."),
    link: z.string().nullable().describe("Address of the item at its source."),
    source: z.string().describe("Aggregator: the source that the item was read from."),
    provider_id: z.string().describe("Who issued or wrote the item."),
    type: artifactType,
    published_at: timestamp.describe(
      "Time of publication that the source gives. The time of first sight is used instead when the source gives none, only a day, a time in the future or far in the past, or when it releases the item late.",
    ),
    source_time: timestamp.nullable().describe("The time that the source gives; null when it gives none."),
    scraped_at: timestamp.describe("When the service first saw the item."),
    updated_at: timestamp.describe("When the item last changed."),
    status: itemStatus.describe(
      "revised: the text of the item, or the story it belongs to, has changed. retracted: the item was withdrawn.",
    ),
    revision: z.int().min(0).describe("0 at first, increased by one with every change."),
    story_id: z.uuid().describe("Id of the first item of the same story."),
    copy_of: z
      .uuid()
      .nullable()
      .optional()
      .describe(
        "Id of the item that this one is a copy of; null when it is no copy. Absent in items stored before this member existed: use story_id.",
      ),
    language: z.string().nullable().describe("ISO 639-1."),
    scoring,
    ...eventFields,
    symbols: z
      .array(symbolRef)
      .describe("Listed companies and instruments that the item is about, main ones first."),
    tags: tagSet,
    filing: filingFacts.nullable().describe("Facts of a regulatory filing; null for other items."),
  })
  .meta({ id: "FeedItem" });
export type FeedItem = z.infer<typeof feedItem>;

/** What the item says about one of its symbols. Scores are null when the caller's plan locks them. */
export const symbolAnalysis = z
  .object({
    ...symbolRef.shape,
    primary: z.boolean().describe("Whether the item is mainly about this symbol."),
    relevance: percent.describe("How much of the item is about this symbol, 0..100."),
    sentiment_short: direction
      .nullable()
      .describe("Expected direction over the next hours to days, -5 most bearish .. +5 most bullish."),
    sentiment_long: direction
      .nullable()
      .describe("Expected direction over weeks to quarters, -5 most bearish .. +5 most bullish."),
    sentiment_conviction: percent.nullable().describe("Confidence in the short direction, 0..100."),
    sentiment_score: z.int().min(0).max(10).nullable().describe("5 + sentiment_short, 0..10."),
    sentiment_comment: z.string().nullable().describe("Rationale in one line."),
    evidence: z.array(evidence).describe("Quotes from the text that support this."),
  })
  .meta({ id: "SymbolAnalysis" });
export type SymbolAnalysis = z.infer<typeof symbolAnalysis>;

export const subScores = z
  .object({
    actionability: z
      .object({
        novelty: percent.describe("How new the matter is, compared with what the feed had carried before."),
        materiality: percent.describe("How much the matter weighs for the company."),
        clarity: percent.describe("How clearly the text states it."),
        urgency: percent.describe("How soon it matters."),
        credibility: percent.describe("How reliable the source and the wording are."),
        breadth: percent.describe("How many companies or markets are affected."),
      })
      .describe("0..100 each."),
    sentiment: z
      .object({
        intensity: percent.describe("How strong the wording is."),
        agreement: percent.describe("How far the parts of the text agree in direction."),
        certainty: percent.describe("How definite the statements are."),
      })
      .nullable()
      .describe("0..100 each; null when there is no sentiment."),
  })
  .meta({ id: "SubScores" });
export type SubScores = z.infer<typeof subScores>;

/** The members that GET /v1/feeds/{id} adds to an item. */
export const itemDetail = z.object({
  analysis: z.array(symbolAnalysis).describe("One entry per symbol."),
  sub_scores: subScores.nullable().describe("null when the caller's plan locks scores."),
  summary: z.string().nullable().describe("Extract: at most 3 sentences of the source."),
});
export type ItemDetail = z.infer<typeof itemDetail>;

export const feedItemDetail = z
  .object({ ...feedItem.shape, ...itemDetail.shape })
  .meta({ id: "FeedItemDetail" });
export type FeedItemDetail = z.infer<typeof feedItemDetail>;

export const feedList = z
  .object({
    data: z.array(feedItem).describe("Newest first by published_at, then id."),
    next_cursor: z.string().nullable().describe("Cursor of the next page, opaque; null on the last page."),
  })
  .meta({ id: "FeedList" });
export type FeedList = z.infer<typeof feedList>;

/**
 * The score that older clients read, kept beside direction and conviction.
 * @param shortDirection integer -5..+5
 * @returns 0 (most bearish) .. 10 (most bullish)
 */
export function sentimentScore(shortDirection: number): number {
  return 5 + shortDirection;
}
