import { z } from "zod";
import { exampleIds } from "./examples/values.ts";
import { filingFacts } from "./filings.ts";
import { tagSet } from "./tags.ts";

/** RFC 3339 in UTC with milliseconds, as every answer carries it. */
export const timestamp = z.iso.datetime({ precision: 3 }).meta({
  id: "Timestamp",
  description: "RFC 3339, UTC with milliseconds.",
  examples: ["2026-03-02T14:30:00.125Z"],
});
export const itemId = z.uuid().meta({
  description: "UUIDv5 of unique_id, the same in every deployment.",
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
    logoid: z.string().nullable().describe("Names its picture; null when there is none."),
  })
  .meta({ id: "SymbolRef" });
export type SymbolRef = z.infer<typeof symbolRef>;

/** The scores of an item. All null when `locked`, and where the engine did not judge. */
export const scoring = z
  .object({
    actionability: z.boolean().nullable().describe("Whether the item is likely to move price."),
    actionability_score: percent.nullable().describe("Strength of that judgement, 0..100."),
    actionability_comment: z.string().nullable().describe("One line of rationale."),
    sentiment_score: z
      .int()
      .min(0)
      .max(10)
      .nullable()
      .describe("0 most bearish .. 10 most bullish; 5 + sentiment_short, kept for older clients."),
    sentiment_short: direction.nullable().describe("Direction over hours to days, -5 .. +5."),
    sentiment_long: direction.nullable().describe("Direction over weeks to quarters, -5 .. +5."),
    sentiment_conviction: percent.nullable().describe("How sure of the short direction, 0..100."),
    sentiment_comment: z.string().nullable().describe("One line of rationale."),
    model: z.string().nullable().describe("Which model judged: flash, pro, or llm:<name>."),
    model_version: z.string().nullable().describe("Version of that model."),
    scored_at: timestamp.nullable().describe("When it judged."),
    locked: z.boolean().describe("true on the Free plan: scores are withheld."),
    message: z.string().optional().describe("Upgrade prompt; present when locked."),
  })
  .meta({ id: "Scoring" });
export type Scoring = z.infer<typeof scoring>;

const itemStatus = z.enum(["published", "revised", "retracted"]);

/** An item as the list and the stream carry it, scores unlocked. Source: interface, FeedItem; decisions, Feed items. */
export const feedItem = z
  .object({
    seq: z.int().positive().describe("Position in the item log: dense, in order of arrival."),
    id: itemId,
    unique_id: z
      .string()
      .describe(
        "What makes it one item: a release's number on its wire, the source's own id, its link, or title and day.",
      ),
    title: z.string().nullable().describe("Headline as the source gives it."),
    link: z.string().nullable().describe("Address of the item at its source."),
    source: z.string().describe("Aggregator: the channel the item was read from."),
    provider_id: z.string().describe("Who issued or wrote the item."),
    type: artifactType,
    published_at: timestamp.describe(
      "The source's time; the time of first sight when the source gives none, only a day, one in the future or of the far past, or releases the item late.",
    ),
    source_time: timestamp.nullable().describe("The time the source itself gives, null when it gives none."),
    scraped_at: timestamp.describe("When we first saw it."),
    updated_at: timestamp.describe("When the item last changed."),
    status: itemStatus.describe(
      "revised: its text, or the story that it is of, changed; retracted: withdrawn.",
    ),
    revision: z.int().min(0).describe("0 at first; one higher with every change."),
    story_id: z.uuid().describe("Id of the first item of the same story."),
    copy_of: z
      .uuid()
      .nullable()
      .optional()
      .describe(
        "Id of the item whose story this one repeats; null when it tells its own. Absent in items stored before this was kept: story_id tells the same.",
      ),
    language: z.string().nullable().describe("ISO 639-1."),
    scoring,
    symbols: z.array(symbolRef).describe("Listed companies and instruments it is about, main ones first."),
    tags: tagSet,
    filing: filingFacts
      .nullable()
      .describe("What a regulatory filing states of itself; null for other items."),
  })
  .meta({ id: "FeedItem" });
export type FeedItem = z.infer<typeof feedItem>;

export const evidence = z
  .object({
    text: z.string().describe("Words of the text."),
    start: z.int().min(0).describe("Offset in title + newline + body, UTF-16 code units."),
    end: z.int().min(0).describe("Offset behind them."),
  })
  .meta({ id: "Evidence" });
export type Evidence = z.infer<typeof evidence>;

/** What the item says of one of its symbols. Scores are null when the caller's plan locks them. */
export const symbolAnalysis = z
  .object({
    ...symbolRef.shape,
    primary: z.boolean().describe("Whether the item is mainly about it."),
    relevance: percent.describe("How much of the item is about it, 0..100."),
    sentiment_short: direction.nullable().describe("Direction over hours to days, -5 .. +5."),
    sentiment_long: direction.nullable().describe("Direction over weeks to quarters, -5 .. +5."),
    sentiment_conviction: percent.nullable().describe("How sure of the short direction, 0..100."),
    sentiment_score: z.int().min(0).max(10).nullable().describe("5 + sentiment_short, 0..10."),
    sentiment_comment: z.string().nullable().describe("One line of rationale."),
    evidence: z.array(evidence).describe("Where the text says so."),
  })
  .meta({ id: "SymbolAnalysis" });
export type SymbolAnalysis = z.infer<typeof symbolAnalysis>;

export const subScores = z
  .object({
    actionability: z
      .object({
        novelty: percent.describe("How new it is against what the feed had carried when it was published."),
        materiality: percent.describe("How large the matter is for the company."),
        clarity: percent.describe("How plainly the text says it."),
        urgency: percent.describe("How soon it matters."),
        credibility: percent.describe("How much the source and wording can be relied on."),
        breadth: percent.describe("How many companies or markets it reaches."),
      })
      .describe("0..100 each."),
    sentiment: z
      .object({
        intensity: percent.describe("How strong the wording is."),
        agreement: percent.describe("How far the parts of the text point the same way."),
        certainty: percent.describe("How definite the statements are."),
      })
      .nullable()
      .describe("0..100 each; null when there is no sentiment."),
  })
  .meta({ id: "SubScores" });
export type SubScores = z.infer<typeof subScores>;

/** What GET /v1/feeds/{id} adds to an item. */
export const itemDetail = z.object({
  analysis: z.array(symbolAnalysis).describe("One entry a symbol."),
  sub_scores: subScores.nullable().describe("null when the caller's plan locks scores."),
  summary: z.string().nullable().describe("Our extract, at most 3 sentences of the source."),
});
export type ItemDetail = z.infer<typeof itemDetail>;

export const feedItemDetail = z
  .object({ ...feedItem.shape, ...itemDetail.shape })
  .meta({ id: "FeedItemDetail" });
export type FeedItemDetail = z.infer<typeof feedItemDetail>;

export const feedList = z
  .object({
    data: z.array(feedItem).describe("Newest first by published_at, then id."),
    next_cursor: z.string().nullable().describe("Opaque; null on the last page."),
  })
  .meta({ id: "FeedList" });
export type FeedList = z.infer<typeof feedList>;
