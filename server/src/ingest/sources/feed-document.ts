import { type AtomFeed, type JsonFeed, parseFeed, type RdfFeed, type RssFeed } from "feedsmith";
import { ParseError } from "../adapter.ts";
import { type Decoded, decodeDocument } from "../decode.ts";
import { mendXml, salvageXml } from "../salvage.ts";

/** An entry of any feed format, still as written: markup, relative links and dates are the reader's business. */
export interface FeedEntry {
  readonly guid: string | null;
  readonly title: string | null;
  readonly link: string | null;
  /** Longest first. */
  readonly texts: readonly string[];
  readonly dates: readonly string[];
  readonly categories: readonly { readonly name: string; readonly domain: string | null }[];
  readonly language: string | null;
  /** xml:base. */
  readonly base: string | null;
}

export interface FeedDocument {
  readonly language: string | null;
  readonly base: string | null;
  readonly entries: readonly FeedEntry[];
  readonly salvaged: boolean;
}

/**
 * Reads a feed in any of the usual formats. The only code that knows the feed library.
 * @throws {ParseError} when the bytes are no feed and none can be saved out of them
 */
export function readFeedDocument(body: Uint8Array, contentType: string): FeedDocument {
  const decoded = mended(decodeDocument(body, contentType));
  const whole = tryParse(decoded);
  if (decoded.kind === "json") {
    if (whole === null) throw new ParseError("the answer is JSON, but no JSON Feed");
    return { ...whole, salvaged: false };
  }
  const end =
    /<\/(?:[a-z][\w.-]{0,30}:)?(?:rss|feed|rdf)\s*>(?![\s\S]*<\/(?:[a-z][\w.-]{0,30}:)?(?:rss|feed|rdf)\s*>)/i.exec(
      decoded.text.slice(-tailLength),
    );
  if (whole !== null && end !== null) return { ...whole, salvaged: false };
  const unwrapped = end === null ? null : tryParse({ kind: "xml", text: cutBehind(decoded.text, end) });
  if (unwrapped !== null) return { ...unwrapped, salvaged: false };
  // A cut document may parse, short of its last complete items.
  const text = salvageXml(decoded.text);
  const saved = text === null ? null : tryParse({ kind: "xml", text });
  const better = (saved?.entries.length ?? -1) > (whole?.entries.length ?? -1) ? saved : whole;
  if (better === null) throw new ParseError("the answer cannot be read as a feed");
  return { ...better, salvaged: true };
}

function mended({ text, kind }: Decoded): Decoded {
  return { kind, text: kind === "xml" ? mendXml(text) : text };
}

/** Where the end of the document is looked for: what servers append to it is shorter. */
const tailLength = 4_000;

/** Without what follows the root: the end of a page the feed is wrapped in, or trailing junk. */
function cutBehind(text: string, end: RegExpExecArray): string {
  return text.slice(0, text.length - Math.min(tailLength, text.length) + end.index + end[0].length);
}

function tryParse({ text }: Decoded): Omit<FeedDocument, "salvaged"> | null {
  try {
    const { format, feed } = parseFeed(text);
    switch (format) {
      case "rss":
        return {
          language: feed.language ?? null,
          base: feed.link ?? null,
          entries: (feed.items ?? []).map(rssEntry),
        };
      case "atom":
        return { language: null, base: feed.xml?.base ?? null, entries: (feed.entries ?? []).map(atomEntry) };
      case "rdf":
        return { language: null, base: feed.link ?? null, entries: (feed.items ?? []).map(rdfEntry) };
      case "json":
        return {
          language: feed.language ?? null,
          base: feed.home_page_url ?? null,
          entries: (feed.items ?? []).map(jsonEntry),
        };
    }
  } catch {
    // The library's one error says no more than "not a feed".
    return null;
  }
}

const present = <T>(values: readonly (T | null | undefined)[]): T[] =>
  values.filter((value) => value !== null && value !== undefined);
const longestFirst = (texts: readonly (string | undefined)[]) =>
  present(texts).sort((a, b) => b.length - a.length);
const named = (names: readonly string[] | undefined) => (names ?? []).map((name) => ({ name, domain: null }));

function rssEntry(item: RssFeed.Item<string>): FeedEntry {
  const link =
    item.link ??
    item.atom?.links?.[0]?.href ??
    // The default is true, but many a guid without the attribute is a bare number.
    (item.guid?.isPermaLink === false || !/^https?:/i.test(item.guid?.value ?? "")
      ? undefined
      : item.guid?.value);
  return {
    guid: item.guid?.value ?? null,
    title: item.title ?? item.dc?.titles?.[0] ?? null,
    link: link ?? item.enclosures?.[0]?.url ?? null,
    texts: longestFirst([item.description, item.content?.encoded]),
    dates: present([
      item.pubDate,
      item.dc?.dates?.[0],
      item.dcterms?.issued?.[0],
      item.dcterms?.created?.[0],
    ]),
    categories: present(
      (item.categories ?? []).map(({ name, domain }) => (name ? { name, domain: domain ?? null } : null)),
    ),
    language: item.dc?.languages?.[0] ?? null,
    base: item.xml?.base ?? null,
  };
}

function atomEntry(entry: AtomFeed.Entry<string>): FeedEntry {
  const links = entry.links ?? [];
  const link =
    links.find(({ rel }) => rel === undefined || rel === "alternate") ??
    links.find(({ rel }) => rel !== "self");
  return {
    guid: entry.id ?? null,
    title: entry.title === undefined ? null : atomText(entry.title),
    link: link?.href ?? entry.content?.src ?? null,
    texts: longestFirst([entry.content && atomText(entry.content), entry.summary && atomText(entry.summary)]),
    dates: present([entry.published, entry.updated, entry.dc?.dates?.[0]]),
    categories: (entry.categories ?? []).flatMap(({ term, label }) => named(present([label ?? term]))),
    language: entry.xml?.lang ?? null,
    base: entry.content?.xml?.base ?? entry.xml?.base ?? null,
  };
}

/** type="text" is plain: what looks like markup in it is not. Binary types are base64 (RFC 4287 4.1.3.3). */
function atomText({ value = "", type = "text" }: AtomFeed.Content): string {
  if (type === "text") return value.includes("<") ? value.replaceAll("<", "&lt;") : value;
  if (/^(?:html|xhtml|text\/|.*[+/]xml$)/i.test(type)) return value;
  return /^[A-Za-z0-9+/=\s]+$/.test(value) ? Buffer.from(value, "base64").toString("utf8") : "";
}

function rdfEntry(item: RdfFeed.Item<string>): FeedEntry {
  return {
    guid: item.rdf?.about ?? null,
    title: item.title ?? item.dc?.titles?.[0] ?? null,
    link: item.link ?? item.rdf?.about ?? null,
    texts: longestFirst([item.description, item.content?.encoded, item.dc?.descriptions?.[0]]),
    dates: present([item.dc?.dates?.[0], item.dcterms?.issued?.[0]]),
    categories: named(item.dc?.subjects),
    language: item.dc?.languages?.[0] ?? null,
    base: item.xml?.base ?? null,
  };
}

function jsonEntry(item: JsonFeed.Item<string>): FeedEntry {
  // content_text is plain: its "<" is no markup.
  const plain = (text: string | undefined) => text?.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return {
    guid: item.id === undefined ? null : String(item.id),
    title: plain(item.title) ?? null,
    link: item.url ?? item.external_url ?? null,
    texts: longestFirst([item.content_html, plain(item.content_text), plain(item.summary)]),
    dates: present([item.date_published, item.date_modified]),
    categories: named(item.tags),
    language: item.language ?? null,
    base: null,
  };
}
