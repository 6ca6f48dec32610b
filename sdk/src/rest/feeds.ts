import type { Call } from "../http/call.ts";
import type { Api, CallOptions } from "../http/requests.ts";
import type {
  FeedItem,
  FeedItemDetail,
  FeedStats,
  Instant,
  ItemScores,
  ItemText,
  ListFeedsQuery,
  ReadFeedStatsQuery,
  Routes,
} from "../types.ts";
import { allItems, type Page, pageOf } from "./pages.ts";

export interface Feeds {
  /** All items that match, newest first. Reads one page ahead; `limit` is the size of a page. */
  list(query?: ListFeedsQuery, options?: CallOptions): AsyncGenerator<FeedItem, void, undefined>;
  /** One page of items, newest first. */
  page(query?: ListFeedsQuery, options?: CallOptions): Promise<Page<FeedItem>>;
  /** One item with its analysis per symbol. */
  get(id: string, options?: CallOptions & { readonly asOf?: Instant }): Call<FeedItemDetail>;
  /** Counts of items over time, with the filters of the list. */
  stats(query?: ReadFeedStatsQuery, options?: CallOptions): Call<FeedStats>;
  /** The text in which offsets of evidence count. 403 `text_withheld` where the source's licence forbids showing it. */
  text(id: string, options?: CallOptions): Call<ItemText>;
  /** Every stored score of the item, oldest first. */
  scores(id: string, options?: CallOptions): Call<ItemScores>;
  /** A new verdict on the stored text; it is not stored. Costs one score call. */
  score(
    id: string,
    body?: Routes["POST /v1/feeds/{id}/score"]["body"],
    options?: CallOptions,
  ): Call<Routes["POST /v1/feeds/{id}/score"]["response"]>;
}

export function feedsOf({ request }: Api): Feeds {
  const read = (query: ListFeedsQuery, options: CallOptions) =>
    request("GET /v1/feeds", { query, ...options });
  return {
    list: (query = {}, options) => allItems(read, query, options),
    page: (query = {}, options) => pageOf(read, query, options),
    get: (id, { asOf, ...options } = {}) =>
      request("GET /v1/feeds/{id}", { params: { id }, query: { as_of: asOf }, ...options }),
    stats: (query, options) => request("GET /v1/feeds/stats", { query, ...options }),
    text: (id, options) => request("GET /v1/feeds/{id}/text", { params: { id }, ...options }),
    scores: (id, options) => request("GET /v1/feeds/{id}/scores", { params: { id }, ...options }),
    score: (id, body = {}, options) =>
      request("POST /v1/feeds/{id}/score", { params: { id }, body, idempotent: true, ...options }),
  };
}
