import type { AtomFeed, JsonFeed, RdfFeed, RssFeed } from "feedsmith";

/** An entry of any feed format, as written: the reader handles markup, relative links and dates. */
export interface FeedEntry {
  readonly guid: string | null;
  readonly title: string | null;
  readonly link: string | null;
  /** The page itself, if the link goes through a feed service. */
  readonly originLink: string | null;
  /** Longest first. */
  readonly texts: readonly string[];
  readonly dates: readonly string[];
  readonly categories: readonly FeedCategory[];
  /** Its publisher, in a feed of several publishers. */
  readonly publisher: string | null;
  readonly language: string | null;
  /** xml:base. */
  readonly base: string | null;
}

export interface FeedCategory {
  readonly name: string;
  readonly domain: string | null;
}

/** Maps the library's items; `keepsOrigin`: a substitute element carries the addresses of pages (extensions.ts). */
export function rssEntry(item: RssFeed.Item<string>, keepsOrigin: boolean): FeedEntry {
  const { guid, atom, dc, dcterms } = item;
  // The default is true, but many guids without the attribute are bare numbers.
  const isAddress = guid?.isPermaLink !== false && /^https?:/i.test(guid?.value ?? "");
  const link = item.link ?? atom?.links?.[0]?.href ?? (isAddress ? guid?.value : undefined);
  return {
    guid: guid?.value ?? null,
    title: item.title ?? dc?.titles?.[0] ?? null,
    link: link ?? item.enclosures?.[0]?.url ?? null,
    originLink: (keepsOrigin ? item.pingback?.target : null) ?? null,
    texts: longestFirst(item.description, item.content?.encoded, item.itunes?.summary, dc?.descriptions?.[0]),
    dates: present([item.pubDate, dc?.dates?.[0], dcterms?.issued?.[0], dcterms?.created?.[0]]),
    categories: (item.categories ?? []).flatMap(({ name, domain = null }) => (name ? { name, domain } : [])),
    publisher: item.source?.title ?? dc?.publishers?.[0] ?? null,
    language: dc?.languages?.[0] ?? null,
    base: item.xml?.base ?? null,
  };
}

export function atomEntry(entry: AtomFeed.Entry<string>, keepsOrigin: boolean): FeedEntry {
  const links = entry.links ?? [];
  const link =
    links.find(({ rel }) => rel === undefined || rel === "alternate") ??
    links.find(({ rel }) => rel !== "self");
  const source = entry.source?.title;
  return {
    guid: entry.id ?? null,
    title: entry.title === undefined ? null : atomText(entry.title),
    link: link?.href ?? entry.content?.src ?? null,
    originLink: (keepsOrigin ? entry.pingback?.target : null) ?? null,
    texts: longestFirst(entry.content && atomText(entry.content), entry.summary && atomText(entry.summary)),
    dates: present([entry.published, entry.updated, entry.dc?.dates?.[0]]),
    categories: (entry.categories ?? []).flatMap(({ term, label }) => named(present([label ?? term]))),
    publisher: source === undefined ? (entry.dc?.publishers?.[0] ?? null) : atomText(source),
    language: entry.xml?.lang ?? null,
    base: entry.content?.xml?.base ?? entry.xml?.base ?? null,
  };
}

/** type="text" is plain, so "<" in it begins no tag. Binary types are base64 (RFC 4287 4.1.3.3). */
export function atomText({ value = "", type = "text" }: AtomFeed.Content): string {
  if (type === "text") return value.includes("<") ? value.replaceAll("<", "&lt;") : value;
  if (/^(?:html|xhtml|text\/|.*[+/]xml$)/i.test(type)) return value;
  return /^[A-Za-z0-9+/=\s]+$/.test(value) ? Buffer.from(value, "base64").toString("utf8") : "";
}

export function rdfEntry(item: RdfFeed.Item<string>): FeedEntry {
  const { dc } = item;
  return {
    guid: item.rdf?.about ?? null,
    title: item.title ?? dc?.titles?.[0] ?? null,
    link: item.link ?? item.rdf?.about ?? null,
    originLink: null,
    texts: longestFirst(item.description, item.content?.encoded, dc?.descriptions?.[0]),
    dates: present([dc?.dates?.[0], item.dcterms?.issued?.[0]]),
    categories: named(dc?.subjects),
    publisher: dc?.publishers?.[0] ?? null,
    language: dc?.languages?.[0] ?? null,
    base: item.xml?.base ?? null,
  };
}

export function jsonEntry(item: JsonFeed.Item<string>): FeedEntry {
  // content_text is plain, so its "<" begins no tag.
  const plain = (text: string | undefined) => text?.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return {
    guid: item.id === undefined ? null : String(item.id),
    title: plain(item.title) ?? null,
    link: item.url ?? item.external_url ?? null,
    originLink: null,
    texts: longestFirst(item.content_html, plain(item.content_text), plain(item.summary)),
    dates: present([item.date_published, item.date_modified]),
    categories: named(item.tags),
    publisher: null,
    language: item.language ?? null,
    base: null,
  };
}

const present = <T>(values: readonly (T | null | undefined)[]): T[] =>
  values.filter((value) => value !== null && value !== undefined);
const longestFirst = (...texts: readonly (string | undefined)[]) =>
  present(texts).sort((a, b) => b.length - a.length);
const named = (names: readonly string[] | undefined) => (names ?? []).map((name) => ({ name, domain: null }));
