import { ApiError } from "@tapewire/contract/errors.ts";
import { filterOfQuery } from "@tapewire/contract/filter.ts";
import type { Routes } from "@tapewire/contract/routes.ts";
import type { ListCursors } from "../feed/cursor.ts";
import { joinDetail, lockDetail } from "../feed/view.ts";
import type { Db } from "../store/db.ts";
import { readItem } from "../store/item-reads.ts";
import { pageItems } from "../store/list.ts";
import type { Partitions } from "../store/partitions.ts";
import type { Handler } from "./route.ts";

export interface FeedsDeps {
  readonly db: Db;
  readonly partitions: Partitions;
  readonly cursors: ListCursors;
}

/** GET /v1/feeds. A page is the concatenation of documents that were encoded when they were stored. */
export function listFeeds({ db, partitions, cursors }: FeedsDeps): Handler<Routes["listFeeds"]> {
  return async ({ query, caller }) => {
    const sizes = caller.plan.feed_list;
    if (sizes === null) throw new ApiError("plan_required");
    const filter = filterOfQuery(query);
    const limit = Math.min(query.limit ?? sizes.page_default, sizes.page_max);
    const page = await pageItems(db.list, partitions, {
      filter,
      after: query.cursor === undefined ? null : cursors.decode(query.cursor, filter),
      limit,
    });
    const next = page.last === null ? null : cursors.encode(page.last, filter);
    return {
      body: `{"data":[${page.docs.join(",")}],"next_cursor":${JSON.stringify(next)}}`,
      headers: { "X-Page-Limit": String(sizes.page_max) },
    };
  };
}

/** GET /v1/feeds/{id}. Plans without scores get the item with its scores withheld. */
export function readFeed({ db }: FeedsDeps): Handler<Routes["readFeed"]> {
  return async ({ params, caller }) => {
    const found = await readItem(db.main, params.id);
    if (found === null) throw new ApiError("not_found", { detail: "There is no item of this id" });
    const whole = joinDetail(found.doc, found.detail);
    return { body: caller.plan.scores_visible ? whole : lockDetail(JSON.parse(whole)) };
  };
}
