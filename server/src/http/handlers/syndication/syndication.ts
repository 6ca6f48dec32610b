import { ApiError } from "@tapewire/contract/errors/errors.ts";
import type { FeedItem, FeedList } from "@tapewire/contract/feeds.ts";
import { filterOfQuery, type ListQuery } from "@tapewire/contract/filter.ts";
import { LRUCache } from "lru-cache";
import type { Caller } from "../../../account/keys/auth.ts";
import type { Db } from "../../../store/engine/db.ts";
import { summariesOf } from "../../../store/log/item-texts.ts";
import type { Handlers } from "../../contract-routes.ts";
import type { Answer } from "../../wire/types.ts";
import { EncodedBody } from "../../wire/wire.ts";
import type { ListPages } from "../list-pages.ts";
import { entryOf } from "./entry.ts";
import { jsonFeedOf } from "./json-feed.ts";
import { newsfeedOf } from "./openbb.ts";
import { rssOf } from "./rss.ts";
import type { ReaderFeed } from "./types.ts";

export interface SyndicationDeps {
  readonly db: Db;
  /** Address of the service for clients, without a slash at its end. */
  readonly publicUrl: () => string;
  readonly providerName: (id: string) => string;
}

/** Memory for feeds that were made. Readers ask for the same few again and again. */
const keptBytes = 16 * 2 ** 20;

interface Format {
  readonly path: string;
  readonly type: string;
  readonly write: (feed: ReaderFeed) => string;
}

const rss: Format = {
  path: "/v1/feeds.rss",
  type: "application/rss+xml; charset=utf-8",
  write: rssOf,
};
const json: Format = {
  path: "/v1/feeds.json",
  type: "application/feed+json; charset=utf-8",
  write: (feed) => JSON.stringify(jsonFeedOf(feed)),
};
const openBb: Format = {
  path: "/openbb/newsfeed",
  type: "application/json; charset=utf-8",
  write: (feed) => JSON.stringify(newsfeedOf(feed)),
};

interface Asked {
  readonly query: Readonly<ListQuery>;
  readonly search: string;
  readonly caller: Caller;
}

export interface Syndication extends Pick<Handlers, "readFeedsAsRss" | "readFeedsAsJsonFeed"> {
  /** For OpenBB Workspace. */
  readonly newsfeed: Handlers["readFeedsAsJsonFeed"];
}

/** The list for feed readers: pages of the list itself, written in their formats. */
export function syndicationHandlers(deps: SyndicationDeps, pages: ListPages): Syndication {
  const written = new LRUCache<string, EncodedBody>({
    maxSize: keptBytes,
    sizeCalculation: ({ mostBytes }, key) => mostBytes + 2 * key.length,
  });
  const answer = async (format: Format, { query, search, caller }: Asked): Promise<Answer> => {
    const sizes = caller.plan.feed_list;
    if (sizes === null) throw new ApiError("plan_required");
    const limit = Math.min(query.limit ?? sizes.page_default, sizes.page_max);
    const asked = withoutKey(search);
    const request = { text: asked.toString(), filter: filterOfQuery(query), cursor: query.cursor, limit };
    const page = await pages.page(request, caller.accountId);
    const headers = { "Content-Type": format.type, "X-Page-Limit": String(sizes.page_max) };
    // Equal pages have equal tags. The addresses inside follow from the query.
    const name = [format.path, deps.publicUrl(), search, page.etag].join(" ");
    const known = written.get(name);
    if (known !== undefined) {
      page.onSent?.();
      return { body: known, headers };
    }
    const list: FeedList = JSON.parse(page.bytes.toString());
    page.onSent?.();
    const body = new EncodedBody(format.write(await feedOf(list, { deps, format, search, asked })));
    written.set(name, body);
    return { body, headers };
  };
  return {
    readFeedsAsRss: (input) => answer(rss, input),
    readFeedsAsJsonFeed: (input) => answer(json, input),
    newsfeed: (input) => answer(openBb, input),
  };
}

interface Addressed {
  readonly deps: SyndicationDeps;
  readonly format: Format;
  /** As it was sent. */
  readonly search: string;
  readonly asked: URLSearchParams;
}

async function feedOf(
  { data, next_cursor }: FeedList,
  { deps, format, search, asked }: Addressed,
): Promise<ReaderFeed> {
  const summaries = await summariesOf(deps.db.main, data);
  const home = deps.publicUrl();
  const address = (query: URLSearchParams) =>
    `${home}${format.path}${query.size === 0 ? "" : `?${query.toString()}`}`;
  const older = new URLSearchParams(search);
  if (next_cursor !== null) older.set("cursor", next_cursor);
  const entry = (item: FeedItem) =>
    entryOf(item, summaries.get(item.id) ?? null, deps.providerName(item.provider_id));
  return {
    home: `${home}/`,
    self: address(asked),
    next: next_cursor === null ? null : address(older),
    entries: data.map(entry),
  };
}

function withoutKey(search: string): URLSearchParams {
  const query = new URLSearchParams(search);
  query.delete("api_key");
  return query;
}
