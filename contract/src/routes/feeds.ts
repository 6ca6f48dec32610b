import { z } from "zod";
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
          description: "Returns the item as of this time. Absent: the newest version.",
          examples: ["2026-03-02T15:00:00Z"],
        }),
      }),
      status: 200,
      response: feedItemDetail,
      errors: ["not_found"],
    },
  } as const satisfies Record<string, Route>;
}
