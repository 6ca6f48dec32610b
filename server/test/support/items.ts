import type { FeedItem } from "@tapewire/contract/feeds.ts";
import { itemIdOf, type NewItem } from "../../src/feed/item.ts";
import { nothingRecalled } from "../../src/feed/story/story.ts";

/** What a test says of an item; the rest is filled in. */
export interface Facts {
  uniqueId: string;
  publishedAt?: string;
  source?: string;
  provider?: string;
  /** "EXCHANGE:TICKER" */
  symbols?: readonly string[];
  /** Kinds, the leading one first. */
  events?: readonly string[];
  tags?: FeedItem["tags"];
  actionability?: boolean | null;
  sentiment?: number | null;
  conviction?: number | null;
  score?: number | null;
  aliases?: readonly string[];
  claims?: readonly string[];
  title?: string;
  body?: string;
  contentKey?: string;
  story?: NewItem["story"];
  recalled?: NewItem["recalled"];
  alone?: NewItem["alone"];
  completes?: boolean;
  pending?: NewItem["pending"];
  filing?: FeedItem["filing"];
  original?: NewItem["original"];
}

/** An item ready for the log, about an invented issuer. */
export function newItem(facts: Facts): NewItem {
  const { uniqueId, publishedAt = "2026-03-02T14:30:00.000Z", source = "wire-a", provider = source } = facts;
  const id = itemIdOf(uniqueId);
  const sentiment = facts.sentiment === undefined ? 5 : facts.sentiment;
  return {
    identity: [uniqueId, ...(facts.aliases ?? [])],
    claims: facts.claims ?? [],
    contentKey: facts.contentKey ?? "",
    story: facts.story ?? null,
    recalled: facts.recalled ?? nothingRecalled,
    alone: facts.alone ?? null,
    original: facts.original ?? null,
    pending: facts.pending ?? null,
    completes: facts.completes ?? false,
    body: facts.body ?? "",
    detail: { analysis: [], sub_scores: null, summary: null },
    item: {
      id,
      unique_id: uniqueId,
      title: facts.title ?? `Item ${uniqueId}`,
      link: null,
      source,
      provider_id: provider,
      type: "news",
      published_at: publishedAt,
      source_time: publishedAt,
      scraped_at: publishedAt,
      updated_at: publishedAt,
      status: "published",
      revision: 0,
      story_id: id,
      language: null,
      scoring: {
        actionability: facts.actionability === undefined ? false : facts.actionability,
        actionability_score: facts.score === undefined ? 10 : facts.score,
        actionability_comment: "nothing found",
        sentiment_score: sentiment,
        sentiment_short: sentiment === null ? null : sentiment - 5,
        sentiment_long: sentiment === null ? null : 0,
        sentiment_conviction: facts.conviction ?? (sentiment === null ? null : 20),
        sentiment_comment: null,
        model: "flash",
        model_version: "test",
        scored_at: publishedAt,
        locked: false,
      },
      event: facts.events?.[0] ?? null,
      events: (facts.events ?? []).map((name) => ({
        name,
        role: "subject",
        symbol: facts.symbols?.[0] ?? null,
        evidence: null,
      })),
      symbols: (facts.symbols ?? []).map((symbol) => ({
        symbol,
        exchange: symbol.split(":")[0] ?? null,
        short_symbol: symbol.split(":")[1] ?? null,
        logoid: null,
      })),
      tags: facts.tags ?? {},
      filing: facts.filing ?? null,
    },
  };
}
