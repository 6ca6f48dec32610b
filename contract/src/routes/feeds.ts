import { z } from "zod";
import { jsonFeed } from "../feed-reads/json-feed.ts";
import { feedStats, statsQuery } from "../feed-reads/stats.ts";
import { itemScores, itemText } from "../feed-reads/texts.ts";
import { feedItemDetail, feedList } from "../feeds.ts";
import { listQuery } from "../filter.ts";
import { instantText } from "../input.ts";
import type { Dictionary } from "../tags.ts";
import { itemById } from "./parameters.ts";
import type { Route } from "./types.ts";

export function feedRoutes(dictionary: Dictionary) {
  return {
    listFeeds: {
      method: "GET",
      path: "/v1/feeds",
      auth: "key",
      section: "feeds",
      needs: "feed_list",
      summary: "List scored items",
      description:
        "Newest first by published_at, then id. An item must match all filters; values within one filter are alternatives. Paging shows each item that existed at the first page exactly once, even while new items arrive.",
      query: listQuery(dictionary),
      status: 200,
      response: feedList,
      headers: ["X-Page-Limit"],
      errors: ["invalid_cursor", "overloaded"],
    },
    readFeedStats: {
      method: "GET",
      path: "/v1/feeds/stats",
      auth: "key",
      section: "feeds",
      bucket: "reference",
      summary: "Count items over time",
      description:
        "Numbers of items per minute, hour or day, with the filters of the list, by the values of one axis. `complete` and `from` tell how far back the counts reach while the index of an older database is built. Responses may be some seconds old. Counts of an account are made one after another; 503 `overloaded` when too many wait. On every plan; uses no quota. On plans without scores the counts that scores decide are null, and filters by score, and the axes actionability and sentiment, are refused.",
      query: statsQuery(dictionary),
      status: 200,
      response: feedStats,
      errors: ["plan_required", "overloaded"],
    },
    ...readerRoutes(dictionary),
    ...itemRoutes,
  } as const satisfies Record<string, Route>;
}

const readerText =
  "The list for programs that read feeds: the same filters, newest first, at most `limit` items. Give the key as `api_key` in the query where a program takes an address only. An item keeps its id when it is revised; when it is withdrawn its title begins with RETRACTED.";

/** The list in the formats of feed readers. */
function readerRoutes(dictionary: Dictionary) {
  const reader = {
    method: "GET",
    auth: "key",
    keyInQuery: true,
    section: "feeds",
    needs: "feed_list",
    query: listQuery(dictionary),
    status: 200,
    headers: ["X-Page-Limit"],
    errors: ["invalid_cursor", "overloaded"],
  } as const;
  return {
    readFeedsAsRss: {
      ...reader,
      path: "/v1/feeds.rss",
      summary: "Read the list as RSS 2.0",
      description: `${readerText} The channel's \`atom:link\` with rel="next" leads to older items.`,
      response: z.string(),
      responseType: "application/rss+xml",
    },
    readFeedsAsJsonFeed: {
      ...reader,
      path: "/v1/feeds.json",
      summary: "Read the list as JSON Feed 1.1",
      description: `${readerText} Scores are in the extension \`_tapewire\`; \`next_url\` leads to older items.`,
      response: jsonFeed,
      responseType: "application/feed+json",
    },
  } as const satisfies Record<string, Route>;
}

/** Of one item. */
const itemRoutes = {
  readFeed: {
    method: "GET",
    path: "/v1/feeds/{id}",
    auth: "key",
    section: "feeds",
    summary: "Read one item with its per-symbol analysis",
    description:
      "On plans without scores the item has scoring.locked = true. With as_of you get the version and the score of that time.",
    params: itemById,
    query: z.object({
      as_of: instantText.optional().meta({
        description:
          "Returns the item as of this time: the newest version that was logged by then, with its score of then. A version is logged when it has been scored. Absent: the newest version.",
        examples: ["2026-03-02T15:00:00Z"],
      }),
    }),
    status: 200,
    response: feedItemDetail,
    errors: ["not_found"],
  },
  readFeedText: {
    method: "GET",
    path: "/v1/feeds/{id}/text",
    auth: "key",
    section: "feeds",
    summary: "Read the text that was scored",
    description:
      "Headline and body of the newest version, in which the offsets of evidence count. On every plan. Texts of sources whose licence does not allow showing them get 403 `text_withheld`; the quotes in evidence are there all the same.",
    params: itemById,
    status: 200,
    response: itemText,
    errors: ["text_withheld", "not_found"],
  },
  listFeedScores: {
    method: "GET",
    path: "/v1/feeds/{id}/scores",
    auth: "key",
    section: "feeds",
    summary: "List every score of one item",
    description:
      "Oldest first: the score of each version and of each re-score. An item in a language without a model has none. Plans without scores get 403.",
    params: itemById,
    status: 200,
    response: itemScores,
    errors: ["plan_required", "not_found"],
  },
} as const satisfies Record<string, Route>;
