import type { SourceConfig } from "../../config/sources.ts";
import { type Adapter, type FetchedResponse, type ParsedPage, plainPage } from "../adapter.ts";
import { canonicalUrl } from "../canonical-url.ts";
import { parseDate } from "../dates.ts";
import { guidKey, itemIdentity } from "../identity.ts";
import type { RawItem } from "../raw-item.ts";
import { cleanBody, cleanTitle } from "../text.ts";
import { type FeedEntry, readFeedDocument } from "./feed-document.ts";

const accept =
  "application/rss+xml, application/atom+xml, application/rdf+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, application/json;q=0.8, */*;q=0.1";

/** RSS 0.9x and 2.0, RDF, Atom and JSON Feed. */
export const feedAdapter: Adapter = {
  plan: ({ url }) => ({ request: { url, accept, conditional: true, trusted: true }, floor: null }),
  parse: parseFeedPage,
  enrich: () => null,
  withDocuments: (item) => item,
};

/** Real feeds hold 10 to 200. A document made to hold half a million must not hold up everything else. */
const mostEntries = 2_000;

function parseFeedPage(response: FetchedResponse, source: SourceConfig): ParsedPage {
  const document = readFeedDocument(response.body, response.headers["content-type"] ?? "");
  const { language, base } = document;
  const entries = document.entries.slice(0, mostEntries);
  const read = entries.map((entry) => ({
    entry,
    link: absolute(entry.link, [
      entry.base,
      base,
      response.headers["content-location"] ?? null,
      response.url,
    ]),
  }));
  const guids = repeated(read.map(({ entry: { guid } }) => (guid === null ? null : guidKey(guid))));
  const links = linksOfSeveral(read);
  const items = read.flatMap(({ entry, link }) => {
    const repeats = {
      guidRepeats: entry.guid !== null && guids.has(guidKey(entry.guid)),
      linkRepeats: link !== null && links.has(canonicalUrl(link) ?? link),
    };
    return rawItem(entry, link, { source, language, repeats, seenAt: response.fetchedAt }) ?? [];
  });
  return plainPage(items, { salvaged: document.salvaged || entries.length < document.entries.length });
}

interface ItemContext {
  source: SourceConfig;
  language: string | null;
  seenAt: Date;
  repeats: { guidRepeats: boolean; linkRepeats: boolean };
}

/** null for an entry that says nothing: neither title nor text nor address. */
function rawItem(
  entry: FeedEntry,
  link: string | null,
  { source, language, repeats, seenAt }: ItemContext,
): RawItem | null {
  const title = entry.title === null ? null : cleanTitle(entry.title);
  const text = cleanBody(entry.texts[0] ?? "");
  if (title === null && text === "" && link === null) return null;
  const date = firstDate(entry.dates, source.zone);
  const { guid } = entry;
  const { name } = source;
  return {
    source: name,
    providerId: source.provider,
    type: source.type,
    identity: itemIdentity({
      source: name,
      guid,
      link,
      title,
      publishedAt: date?.at ?? null,
      body: text,
      ...repeats,
    }),
    seenAt,
    title,
    link,
    body: source.headline_only ? "" : text,
    publishedAt: date?.at ?? null,
    precision: date?.precision ?? "none",
    language: shortLanguage(entry.language) ?? shortLanguage(language) ?? source.language,
    symbols: entry.categories.filter(isTicker).flatMap(({ name: ticker }) => cleanTitle(ticker) ?? []),
    isins: [],
    ciks: [],
    categories: entry.categories
      .filter((category) => !isTicker(category))
      .flatMap(({ name: text }) => cleanTitle(text) ?? []),
    filing: null,
    retracted: false,
  };
}

/** GlobeNewswire names the issuer's tickers: <category domain="https://www.globenewswire.com/rss/stock">Nasdaq:ABCD. */
function isTicker({ name, domain }: FeedEntry["categories"][number]): boolean {
  return domain !== null && /\/rss\/stock$/i.test(domain) && /^[^:]{2,40}:\s*[^\s:]{1,12}$/.test(name.trim());
}

function firstDate(dates: readonly string[], zone: string) {
  for (const text of dates) {
    const date = parseDate(text, zone);
    if (date !== null) return date;
  }
  return null;
}

/** Beyond this an address is an embedded document or an attack, and no browser follows it. */
const longestLink = 4_000;

/** Resolves along the bases, innermost first (RFC 3986 5.1). Only http(s) addresses are kept. */
function absolute(link: string | null, bases: readonly (string | null)[]): string | null {
  const text = link?.trim();
  if (text === undefined || text === "" || text.length > longestLink) return null;
  const base = bases.reduceRight<string | null>(
    (outer, inner) => (inner === null ? outer : (URL.parse(inner, outer ?? undefined)?.href ?? outer)),
    null,
  );
  const url = URL.parse(text, base ?? undefined);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  // An absolute address stays as it was written: it is shown, and compared with what others show.
  const isSafe = /^https?:\/\//i.test(text) && !/[\s\p{Cc}]/u.test(text) && text.isWellFormed();
  return isSafe ? text : url.href;
}

function repeated(values: readonly (string | null)[]): ReadonlySet<string> {
  const seen = new Set<string>();
  const twice = new Set<string>();
  for (const value of values) {
    if (value === null) continue;
    if (seen.has(value)) twice.add(value);
    seen.add(value);
  }
  return twice;
}

/**
 * Pages that items with different guids (or none) share, in one spelling: `#1` and `#2` of a page are the same address
 * to the identity, so they must be here too. The same guid twice is one item twice.
 */
function linksOfSeveral(read: readonly { entry: FeedEntry; link: string | null }[]): ReadonlySet<string> {
  const owners = new Map<string, Set<string>>();
  for (const { entry, link } of read) {
    if (link === null) continue;
    const page = canonicalUrl(link) ?? link;
    const owner = entry.guid === null ? `title ${entry.title}` : `guid ${guidKey(entry.guid)}`;
    owners.set(page, (owners.get(page) ?? new Set()).add(owner));
  }
  return new Set([...owners].filter(([, those]) => those.size > 1).map(([page]) => page));
}

/** "en-US" as "en". */
function shortLanguage(tag: string | null): string | null {
  return /^([A-Za-z]{2})(?:[-_]|$)/.exec(tag?.trim() ?? "")?.[1]?.toLowerCase() ?? null;
}
