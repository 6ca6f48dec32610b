import type { JsonFeed } from "@tapewire/contract/feed-reads/json-feed.ts";
import type { Entry } from "./entry.ts";
import type { ReaderFeed } from "./types.ts";

/** JSON Feed 1.1. */
export function jsonFeedOf({ home, self, next, entries }: ReaderFeed): JsonFeed {
  return {
    version: "https://jsonfeed.org/version/1.1",
    title: "Tapewire",
    home_page_url: home,
    feed_url: self,
    ...(next === null ? {} : { next_url: next }),
    items: entries.map(itemOf),
  };
}

function itemOf({ item, title, summary, markup, author, symbols }: Entry): JsonFeed["items"][number] {
  const { scoring } = item;
  return {
    id: item.id,
    ...(item.link === null ? {} : { url: item.link }),
    ...(title === null ? {} : { title }),
    content_html: markup,
    ...(summary === null ? {} : { summary }),
    date_published: item.published_at,
    date_modified: item.updated_at,
    authors: [{ name: author }],
    tags: item.event === null ? [...symbols] : [...symbols, item.event],
    ...(item.language === null ? {} : { language: item.language }),
    _tapewire: {
      type: item.type,
      source: item.source,
      provider_id: item.provider_id,
      status: item.status,
      symbols: item.symbols,
      event: item.event,
      actionability: scoring.actionability,
      actionability_score: scoring.actionability_score,
      sentiment_short: scoring.sentiment_short,
      sentiment_long: scoring.sentiment_long,
      sentiment_conviction: scoring.sentiment_conviction,
    },
  };
}
