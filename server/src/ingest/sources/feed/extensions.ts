import { decodeXML } from "entities";
import type { AtomFeed, JsonFeed, RdfFeed, RssFeed } from "feedsmith";
import { isWeb } from "../../identity/canonical-url.ts";

/** An entry that an Atom feed declares deleted (RFC 6721). */
export interface Tombstone {
  readonly guid: string;
  /** As written; null when it is missing. */
  readonly when: string | null;
}

/** Addresses of a feed's hub and of the feed itself, as written; the first of each. */
export interface HubLinks {
  readonly hub: string | null;
  readonly self: string | null;
}

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const periodMs: Readonly<Record<string, number>> = {
  hourly: 60 * minuteMs,
  daily: dayMs,
  weekly: 7 * dayMs,
  monthly: 30 * dayMs,
  yearly: 365 * dayMs,
};

/**
 * How long a feed asks its readers to wait: <ttl> in minutes, else the syndication module's period by its frequency.
 * @returns 0..1 day; null when it gives no usable value
 */
export function ttlOf(
  feed: RssFeed.Feed<string> | RdfFeed.Feed<string> | AtomFeed.Feed<string>,
): number | null {
  const ttl = "ttl" in feed && typeof feed.ttl === "number" ? feed.ttl * minuteMs : null;
  const wanted = ttl ?? syndicationMs(feed.sy);
  return wanted === null || !(wanted >= 0) ? null : Math.min(wanted, dayMs);
}

function syndicationMs(sy: { updatePeriod?: string; updateFrequency?: number } | undefined): number | null {
  const period = Object.entries(periodMs).find(([name]) => name === sy?.updatePeriod?.trim().toLowerCase());
  const frequency = sy?.updateFrequency ?? 1;
  return period === undefined || !(frequency > 0) ? null : Math.round(period[1] / frequency);
}

interface Link {
  readonly rel?: string | undefined;
  readonly href?: string | undefined;
}

export function hubLinks(links: readonly Link[] | undefined): HubLinks {
  return { hub: linkOf(links, "hub"), self: linkOf(links, "self") };
}

/** The page of older items (RFC 5005 3), as written. */
export function nextLink(links: readonly Link[] | undefined): string | null {
  return linkOf(links, "next");
}

function linkOf(links: readonly Link[] | undefined, wanted: string): string | null {
  return links?.find(({ rel }) => rel?.toLowerCase().split(/\s+/).includes(wanted) === true)?.href ?? null;
}

export function jsonHubLinks({ hubs, feed_url }: JsonFeed.Feed<string>): HubLinks {
  const hub = hubs?.find(({ type }) => /^websub$/i.test(type ?? ""));
  return { hub: hub?.url ?? null, self: feed_url ?? null };
}

const longestHeader = 4_000;

/** The links of an HTTP header: `<https://hub.example/>; rel="hub", <https://feed.example/>; rel=self` (RFC 8288). */
export function headerHubLinks(header: string | undefined): HubLinks {
  if (header === undefined) return { hub: null, self: null };
  const links = header
    .slice(0, longestHeader)
    .split("<")
    .slice(1)
    .map((part) => {
      const end = part.indexOf(">");
      const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(part.slice(end + 1)) ?? [];
      return { href: part.slice(0, Math.max(0, end)), rel: quoted ?? bare };
    });
  return hubLinks(links);
}

const longestAddress = 2_000;

/**
 * The hub to subscribe at, and the topic to name there. The HTTP header has precedence over the document (WebSub 4).
 * @param address from which the feed was read: the topic when it names none
 */
export function hubOf(stated: readonly HubLinks[], address: string): { url: string; topic: string } | null {
  const web = (link: string | null) => {
    const text = link?.trim() ?? "";
    const url = text === "" || text.length > longestAddress ? null : URL.parse(text, address);
    return url !== null && isWeb(url) ? url.href : null;
  };
  for (const { hub, self } of stated) {
    const url = web(hub);
    if (url !== null) return { url, topic: web(self) ?? address };
  }
  return null;
}

const mostTombstones = 2_000;

/** A second pass over the text, since the feed library drops these elements; only if the word occurs. */
export function tombstonesOf(text: string): Tombstone[] {
  if (!text.includes("deleted-entry")) return [];
  const found: Tombstone[] = [];
  for (const [, attributes = ""] of withoutCdata(text).matchAll(
    /<(?:[\w.-]{1,40}:)?deleted-entry\s([^<>]{1,4000})>/g,
  )) {
    const guid = attribute(attributes, "ref");
    if (guid !== null && guid !== "") found.push({ guid, when: attribute(attributes, "when") });
    if (found.length === mostTombstones) break;
  }
  return found;
}

function attribute(attributes: string, name: "ref" | "when"): string | null {
  const [, double, single] =
    new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes) ?? [];
  const value = double ?? single;
  return value === undefined ? null : decodeXML(value).trim();
}

function withoutCdata(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let at = text.indexOf("<![CDATA["); at !== -1; at = text.indexOf("<![CDATA[", from)) {
    kept.push(text.slice(from, at));
    const end = text.indexOf("]]>", at);
    if (end === -1) return kept.join(" ");
    from = end + 3;
  }
  return [...kept, text.slice(from)].join(" ");
}

/** Prefixes are declared in the first tag. */
const headLength = 4_000;

/**
 * Renames FeedBurner's element with the page's own address to one that the feed library keeps: the library drops unknown
 * elements, and only it knows which item an element belongs to.
 */
export function keepOriginLinks(text: string): { text: string; keepsOrigin: boolean } {
  if (!text.slice(0, headLength).includes("feedburner")) return { text, keepsOrigin: false };
  return {
    text: text.replaceAll(/<(\/?)feedburner:origLink(?=[\s>])/g, "<$1pingback:target"),
    keepsOrigin: true,
  };
}
