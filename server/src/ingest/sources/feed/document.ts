import { parseAtomFeed, parseJsonFeed, parseRdfFeed, parseRssFeed } from "feedsmith";
import { ParseError } from "../../adapter.ts";
import { boundXml, cutNote, feedLimits, tooManyEntries } from "../../decode/bounded-xml.ts";
import { decodeDocument } from "../../decode/decode.ts";
import { mendXml, salvageXml } from "../../decode/salvage.ts";
import { atomEntry, type FeedEntry, jsonEntry, rdfEntry, rssEntry } from "./entries.ts";
import {
  type HubLinks,
  hubLinks,
  jsonHubLinks,
  keepOriginLinks,
  nextLink,
  type Tombstone,
  tombstonesOf,
  ttlOf,
} from "./extensions.ts";
import { usualForms } from "./old-forms.ts";

/** The content of a feed in any format. */
export interface FeedDocument {
  readonly language: string | null;
  readonly base: string | null;
  readonly ttlMs: number | null;
  readonly hub: HubLinks;
  /** Address of the page of older items, as written; null: none is named. */
  readonly next: string | null;
  readonly deleted: readonly Tombstone[];
  /** At most feedLimits.entries. */
  readonly entries: readonly FeedEntry[];
  /** The document was damaged, and only part of it was read. */
  readonly salvaged: boolean;
  /** What was cut off because it was too long; null: nothing. */
  readonly cut: string | null;
}

/**
 * Reads a feed in any of the usual formats. Only this folder reads with the feed library.
 * @throws {ParseError} when the bytes are no feed, and no entry can be recovered
 */
export function readFeedDocument(body: Uint8Array, contentType: string): FeedDocument {
  const { text, kind } = decodeDocument(body, contentType);
  if (kind === "xml") {
    const { text: bounded, cut } = boundXml(text);
    return { ...readXml(withPlainDates(usualForms(mendXml(bounded)))), cut };
  }
  const whole = orNull(() => jsonDocument(text));
  if (whole === null) throw new ParseError("the answer is JSON, but no JSON Feed");
  return whole;
}

/** The library ignores a date inside markup (the FDA's `<pubDate><time ...>`). */
function withPlainDates(text: string): string {
  if (!text.includes("<time")) return text;
  return text.replaceAll(
    /(<(?:pubDate|dc:date)>\s{0,200})<time\b[^<>]{0,300}>([^<]{0,100})<\/time>/gi,
    "$1$2",
  );
}

function readXml(given: string): FeedDocument {
  const { text, keepsOrigin } = keepOriginLinks(given);
  const read = (part: string) => orNull(() => xmlDocument(part, keepsOrigin));
  const whole = read(text);
  const end = endOfRoot(text);
  if (whole !== null && end !== null) return whole;
  const unwrapped = end === null || end === text.length ? null : read(text.slice(0, end));
  if (unwrapped !== null) return unwrapped;
  // A cut document may parse without its last complete items.
  const kept = salvageXml(text);
  const saved = kept === null ? null : read(kept);
  const better = (saved?.entries.length ?? -1) > (whole?.entries.length ?? -1) ? saved : whole;
  if (better === null) throw new ParseError("the answer cannot be read as a feed");
  return { ...better, salvaged: true };
}

/** How far before the end of the text the end of the document is searched; servers append less than this. */
const tailLength = 4_000;
const rootEnd = /<\/(?:[a-z][\w.-]{0,30}:)?(?:rss|feed|rdf)\s{0,100}>/gi;

/** After the last end tag of a root: the end of a page around the feed, or junk, may follow. */
function endOfRoot(text: string): number | null {
  const start = Math.max(0, text.length - tailLength);
  let end: number | null = null;
  for (const { index, 0: tag } of text.slice(start).matchAll(rootEnd)) end = start + index + tag.length;
  return end;
}

/** The library's one error says no more than "not a feed". */
function orNull<T>(parse: () => T): T | null {
  try {
    return parse();
  } catch {
    return null;
  }
}

// One more than are used, to see whether there are more.
const options = { maxItems: feedLimits.entries + 1 };

/** The text begins with its root, so the library need not search all of it for the signs of each format. */
function xmlDocument(text: string, keepsOrigin: boolean): FeedDocument {
  const root = /^<(?:[a-z][\w.-]{0,30}:)?(rss|feed|rdf)/i.exec(text)?.[1]?.toLowerCase();
  if (root === "feed") return atomDocument(text, keepsOrigin);
  return root === "rdf" ? rdfDocument(text) : rssDocument(text, keepsOrigin);
}

function rssDocument(text: string, keepsOrigin: boolean): FeedDocument {
  const feed = parseRssFeed(text, options);
  return {
    ...bounded((feed.items ?? []).map((item) => rssEntry(item, keepsOrigin))),
    language: feed.language ?? null,
    base: feed.link ?? null,
    ttlMs: ttlOf(feed),
    hub: hubLinks(feed.atom?.links),
    next: nextLink(feed.atom?.links),
    deleted: [],
  };
}

function atomDocument(text: string, keepsOrigin: boolean): FeedDocument {
  const feed = parseAtomFeed(text, options);
  return {
    ...bounded((feed.entries ?? []).map((entry) => atomEntry(entry, keepsOrigin))),
    language: null,
    base: feed.xml?.base ?? null,
    ttlMs: ttlOf(feed),
    hub: hubLinks(feed.links),
    next: nextLink(feed.links),
    deleted: tombstonesOf(text),
  };
}

function rdfDocument(text: string): FeedDocument {
  const feed = parseRdfFeed(text, options);
  return {
    ...bounded((feed.items ?? []).map(rdfEntry)),
    language: null,
    base: feed.link ?? null,
    ttlMs: ttlOf(feed),
    hub: hubLinks(feed.atom?.links),
    next: nextLink(feed.atom?.links),
    deleted: [],
  };
}

function jsonDocument(text: string): FeedDocument {
  const feed = parseJsonFeed(text, options);
  return {
    ...bounded((feed.items ?? []).map(jsonEntry)),
    language: feed.language ?? null,
    base: feed.home_page_url ?? null,
    ttlMs: null,
    hub: jsonHubLinks(feed),
    next: feed.next_url ?? null,
    deleted: [],
  };
}

function bounded(given: readonly FeedEntry[]): Pick<FeedDocument, "entries" | "salvaged" | "cut"> {
  const entries = given.slice(0, feedLimits.entries);
  return { entries, salvaged: false, cut: given.length > entries.length ? cutNote([tooManyEntries]) : null };
}
