import type { SourceConfig } from "../../../config/sources.ts";
import { type Adapter, type ParsedPage, plainPage } from "../../adapter.ts";
import { type ParsedDate, parseDate } from "../../dates/dates.ts";
import type { FetchedResponse, FetchRequest } from "../../fetch/types.ts";
import { guidIdentity, guidKey, itemIdentity, titleKey } from "../../identity/identity.ts";
import { declares, speaksFor } from "../../identity/speakers.ts";
import type { RawItem } from "../../raw-item.ts";
import { cleanBody, cleanTitle } from "../../text/text.ts";
import { categoriesOf } from "./categories.ts";
import { type FeedDocument, readFeedDocument } from "./document.ts";
import type { FeedEntry } from "./entries.ts";
import { headerHubLinks, hubOf } from "./extensions.ts";
import { LinkReader, type PageLink, sharedByOwners } from "./links.ts";
import { providerSlug, publisherOf } from "./publisher.ts";
import { summaryOf } from "./summary.ts";

const accept =
  "application/rss+xml, application/atom+xml, application/rdf+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, */*;q=0.1";

/** RSS 0.9x and 2.0, RDF, Atom and JSON Feed. */
export const feedAdapter: Adapter = {
  plan: ({ url }) => ({ request: requestOf(url), floor: null }),
  parse: parseFeedPage,
  enrich: () => null,
  withDocuments: (item) => item,
};

function requestOf(url: string): FetchRequest {
  return { url, accept, conditional: true, trusted: true };
}

/** The feed gives the address, so it is followed only at the place that the operator's own address names. */
function nextPage({ next }: FeedDocument, source: SourceConfig): FetchRequest | null {
  const url = source.follow_pages && next !== null ? URL.parse(next, source.url) : null;
  return url?.origin === new URL(source.url).origin ? requestOf(url.href) : null;
}

/** An entry with its addresses resolved. */
interface ReadEntry {
  readonly entry: FeedEntry;
  /** guidKey of the guid. */
  readonly key: string | null;
  readonly link: PageLink | null;
  readonly origin: PageLink | null;
}

/** Zones of one country each, for countries whose press writes tickers as names. */
const countryOfZone: ReadonlyMap<string, string> = new Map([
  ["Asia/Kolkata", "IN"],
  ["Asia/Calcutta", "IN"],
]);

/** What the items of a document have in common. */
interface ItemContext {
  readonly source: SourceConfig;
  readonly language: string | null;
  readonly seenAt: Date;
  /** Guids of several items. */
  readonly repeatedGuids: ReadonlySet<string>;
  /** Pages of several items: landing pages. `#1` and `#2` of a page are one address for identities. */
  readonly sharedPages: ReadonlySet<string>;
  /** Guids that the feed declares deleted, with the time of deletion if it gives one. */
  readonly deleted: ReadonlyMap<string, Date | null>;
}

function parseFeedPage(response: FetchedResponse, source: SourceConfig): ParsedPage {
  const { url, headers, fetchedAt } = response;
  const document = readFeedDocument(response.body, headers["content-type"] ?? "");
  const links = new LinkReader([document.base, headers["content-location"] ?? null, url]);
  const read = document.entries.map((entry) => ({
    entry,
    key: entry.guid === null ? null : guidKey(entry.guid),
    link: links.read(entry.link, entry.base),
    origin: entry.originLink === null ? null : links.read(entry.originLink, entry.base),
  }));
  const context = {
    source,
    language: shortLanguage(document.language) ?? source.language,
    seenAt: fetchedAt,
    repeatedGuids: sharedByOwners(read.flatMap(ownedGuid)),
    sharedPages: sharedByOwners(read.flatMap(ownedPages)),
    deleted: deletedGuids(document, source.zone),
  };
  const items = read.flatMap((entry) => rawItem(entry, context) ?? []);
  return plainPage(items, {
    nextPage: nextPage(document, source),
    salvaged: document.salvaged,
    cut: document.cut,
    ttlMs: document.ttlMs,
    hub: hubOf([headerHubLinks(headers.link), document.hub], url),
    retracted: [...context.deleted.keys()].map((guid) => guidIdentity(source.name, guid)),
  });
}

/** An entry that is listed twice has its guid for itself: another entry with it has another page or, without one, other words. */
function ownedGuid({ entry, key, link }: ReadEntry): { name: string; owner: string }[] {
  if (key === null) return [];
  const words = () => titleKey(entry.title ?? "") || titleKey(entry.texts[0] ?? "");
  return [{ name: key, owner: link?.page ?? words() }];
}

/** Two entries with one guid are one item; entries without a guid are distinguished by title. */
function ownedPages({ entry, key, link, origin }: ReadEntry): { name: string; owner: string }[] {
  const owner = key === null ? `title ${entry.title}` : `guid ${key}`;
  const pages = [link, origin].filter((found) => found !== null);
  return pages.map(({ page }) => ({ name: page, owner }));
}

/** null for an empty entry: no title, text or address. */
function rawItem({ entry, key, link, origin }: ReadEntry, context: ItemContext): RawItem | null {
  const { source, seenAt } = context;
  const headline = entry.title === null ? null : cleanTitle(entry.title);
  // A text that would not be kept is read only when there is no headline.
  const isNeeded = !source.headline_only || headline === null || !/[\p{L}\p{N}]/u.test(headline);
  // Without a headline every word counts.
  const text = isNeeded
    ? summaryOf(entry.texts) || (headline === null ? cleanBody(entry.texts[0] ?? "") : "")
    : "";
  if (headline === null && text === "" && link === null) return null;
  const { title, providerId } = credited(headline, entry, source);
  const date = firstDate(entry.dates, source.zone);
  const isShared = (page: string | undefined) => page !== undefined && context.sharedPages.has(page);
  return {
    source: source.name,
    providerId,
    type: source.type,
    ...itemIdentity({
      source: source.name,
      guid: key,
      link: link?.link ?? null,
      page: link?.page ?? null,
      originPage: origin === null || isShared(origin.page) ? null : origin.page,
      title,
      publishedAt: date?.at ?? null,
      body: text,
      guidRepeats: key !== null && context.repeatedGuids.has(key),
      linkRepeats: isShared(link?.page),
      speaksFor: (host) => speaksFor(source, host),
      declares: (host) => declares(source, host),
    }),
    seenAt,
    title,
    link: link?.link ?? null,
    body: text,
    publishedAt: date?.at ?? null,
    precision: date?.precision ?? "none",
    language: shortLanguage(entry.language) ?? context.language,
    ...categoriesOf(entry.categories),
    ciks: [],
    homeCountry: countryOfZone.get(source.zone),
    filing: null,
    retracted: isKill(headline) || (key !== null && context.deleted.has(key)),
  };
}

/** The provider of an item, and its headline without the publisher's name. */
function credited(
  headline: string | null,
  entry: FeedEntry,
  source: SourceConfig,
): { title: string | null; providerId: string } {
  const { entry_providers: allowed } = source;
  if (allowed.length === 0) return { title: headline, providerId: source.provider };
  const named = entry.publisher === null ? null : cleanTitle(entry.publisher);
  const { title, publisher } = publisherOf(headline, named);
  const id = publisher === null ? null : providerSlug(publisher);
  // A feed can say of its entries that anybody wrote them; readers trust a provider's id.
  return { title, providerId: id !== null && allowed.includes(id) ? id : source.provider };
}

/** How wires begin a notice to disregard a release. In capitals, since "Withdrawn: ..." may be any headline. */
const kill = /^(?:\/DISREGARD RELEASE(?![A-Z])|(?:RETRACTED|WITHDRAWN|KILL):(?= |$))/;

function isKill(title: string | null): boolean {
  return title !== null && kill.test(title);
}

/** Without entries that were updated after their deletion, which undoes it (RFC 6721 3). */
function deletedGuids({ deleted, entries }: FeedDocument, zone: string): ReadonlyMap<string, Date | null> {
  const gone = new Map(
    deleted.map(({ guid, when }) => [
      guidKey(guid),
      when === null ? null : (parseDate(when, zone)?.at ?? null),
    ]),
  );
  if (gone.size === 0) return gone;
  for (const { guid, dates } of entries) {
    const at = guid === null ? undefined : gone.get(guidKey(guid));
    if (guid === null || at === undefined || at === null) continue;
    if (dates.some((text) => (parseDate(text, zone)?.at ?? at) > at)) gone.delete(guidKey(guid));
  }
  return gone;
}

function firstDate(dates: readonly string[], zone: string): ParsedDate | null {
  for (const text of dates) {
    const date = parseDate(text, zone);
    if (date !== null) return date;
  }
  return null;
}

/** "en-US" as "en". */
function shortLanguage(tag: string | null): string | null {
  return tag === null ? null : (/^\s*([A-Za-z]{2})(?:[-_\s]|$)/.exec(tag)?.[1]?.toLowerCase() ?? null);
}
