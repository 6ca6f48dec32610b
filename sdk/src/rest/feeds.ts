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

export class Feeds {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** All items that match, newest first. Reads one page ahead; `limit` is the size of a page. */
  list(query: ListFeedsQuery = {}, options: CallOptions = {}): AsyncGenerator<FeedItem, void, undefined> {
    return allItems((signal) => this.page(query, { ...options, signal }), options.signal);
  }

  /** One page of items, newest first. */
  async page(query: ListFeedsQuery = {}, options: CallOptions = {}): Promise<Page<FeedItem>> {
    const list = await this.#api.request("GET /v1/feeds", { query, ...options });
    return pageOf(list, (cursor) => this.page({ ...query, cursor }, options));
  }

  /** One item with its analysis per symbol. */
  get(
    id: string,
    { asOf, ...options }: CallOptions & { readonly asOf?: Instant } = {},
  ): Call<FeedItemDetail> {
    return this.#api.request("GET /v1/feeds/{id}", { params: { id }, query: { as_of: asOf }, ...options });
  }

  /** Counts of items over time, with the filters of the list. */
  stats(query: ReadFeedStatsQuery = {}, options?: CallOptions): Call<FeedStats> {
    return this.#api.request("GET /v1/feeds/stats", { query, ...options });
  }

  /** The text in which offsets of evidence count. 403 `text_withheld` where the source's licence forbids showing it. */
  text(id: string, options?: CallOptions): Call<ItemText> {
    return this.#api.request("GET /v1/feeds/{id}/text", { params: { id }, ...options });
  }

  /** Every stored score of the item, oldest first. */
  scores(id: string, options?: CallOptions): Call<ItemScores> {
    return this.#api.request("GET /v1/feeds/{id}/scores", { params: { id }, ...options });
  }

  /** A new verdict on the stored text; it is not stored. Costs one score call. */
  score(
    id: string,
    body: Routes["POST /v1/feeds/{id}/score"]["body"] = {},
    options?: CallOptions,
  ): Call<Routes["POST /v1/feeds/{id}/score"]["response"]> {
    return this.#api.request("POST /v1/feeds/{id}/score", {
      params: { id },
      body,
      idempotent: true,
      ...options,
    });
  }
}
