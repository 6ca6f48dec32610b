import { ApiError } from "@tapewire/contract/errors/errors.ts";
import { filterOfQuery } from "@tapewire/contract/filter.ts";
import { joinDetail, lockDetail } from "../../feed/view.ts";
import { itemAt, type ScoreRow } from "../../store/log/scores.ts";
import type { Handlers } from "../contract-routes.ts";
import type { ListCursors } from "../list-cursors.ts";
import { type FeedStatsDeps, readFeedStats } from "./feed-reads/feed-stats.ts";
import { type ItemTextDeps, listFeedScores, readFeedText } from "./feed-reads/item-texts.ts";
import { ListPages } from "./list-pages.ts";
import { type Syndication, type SyndicationDeps, syndicationHandlers } from "./syndication/syndication.ts";

export interface FeedsDeps extends FeedStatsDeps, ItemTextDeps, SyndicationDeps {
  readonly cursors: ListCursors;
}

type FeedHandlers = Pick<
  Handlers,
  | "listFeeds"
  | "readFeedsAsRss"
  | "readFeedsAsJsonFeed"
  | "readFeedStats"
  | "readFeed"
  | "readFeedText"
  | "listFeedScores"
>;

export function feedHandlers(deps: FeedsDeps): FeedHandlers & Pick<Syndication, "newsfeed"> {
  const pages = new ListPages(deps.index, deps.cursors);
  return {
    listFeeds: listFeeds(pages),
    ...syndicationHandlers(deps, pages),
    readFeedStats: readFeedStats(deps),
    readFeed: readFeed(deps),
    readFeedText: readFeedText(deps),
    listFeedScores: listFeedScores(deps),
  };
}

/** GET /v1/feeds. Every plan with the list sees scores, so a page is the same for all plans. */
function listFeeds(pages: ListPages): Handlers["listFeeds"] {
  return async ({ query, search, caller }) => {
    const sizes = caller.plan.feed_list;
    if (sizes === null) throw new ApiError("plan_required");
    const limit = Math.min(query.limit ?? sizes.page_default, sizes.page_max);
    const request = { text: search, filter: filterOfQuery(query), cursor: query.cursor, limit };
    return {
      body: await pages.page(request, caller.accountId),
      headers: { "X-Page-Limit": String(sizes.page_max) },
    };
  };
}

/** The item with the score of that time, when it differs from the score stored with the version. */
function withScore(whole: string, score: ScoreRow | null): string {
  return score === null ? whole : JSON.stringify({ ...JSON.parse(whole), ...score });
}

/** GET /v1/feeds/{id}. Plans without scores get the item with its scores withheld. */
function readFeed({ db }: FeedsDeps): Handlers["readFeed"] {
  return async ({ params, query, caller }) => {
    const at = query.as_of === undefined ? null : new Date(query.as_of);
    const found = await itemAt(db.main, params.id, at);
    if (found === null) {
      const detail =
        at === null ? "There is no item with this id" : "There was no item with this id at that time";
      throw new ApiError("not_found", { detail });
    }
    const whole = withScore(joinDetail(found.doc, found.detail), found.score);
    return { body: caller.plan.scores_visible ? whole : lockDetail(JSON.parse(whole)) };
  };
}
