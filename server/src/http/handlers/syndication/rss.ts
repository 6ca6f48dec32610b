import { generateRssFeed } from "feedsmith";
import { version } from "../../../runtime/version.ts";
import type { Entry } from "./entry.ts";
import type { ReaderFeed } from "./types.ts";

/** How often readers should come back, minutes. */
const ttl = 1;
const mediaType = "application/rss+xml";

/** RSS 2.0, with paging by RFC 5005. */
export function rssOf({ home, self, next, entries }: ReaderFeed): string {
  const newest = entries.reduce<string | null>(
    (latest, { item }) => (latest === null || item.updated_at > latest ? item.updated_at : latest),
    null,
  );
  return generateRssFeed({
    title: "Tapewire",
    link: home,
    description: "Scored news and regulatory filings",
    // Not the time of the request: an unchanged page stays the same bytes.
    ...(newest === null ? {} : { lastBuildDate: new Date(newest) }),
    generator: `Tapewire ${version}`,
    ttl,
    atom: {
      links: [
        { href: self, rel: "self", type: mediaType },
        ...(next === null ? [] : [{ href: next, rel: "next", type: mediaType }]),
      ],
    },
    items: entries.map(itemOf),
  });
}

function itemOf({ item, title, markup, author, symbols }: Entry) {
  return {
    // An item needs one of both.
    ...(title === null ? {} : { title }),
    ...(item.link === null ? {} : { link: item.link }),
    description: markup,
    categories: [
      ...symbols.map((name) => ({ name, domain: "tapewire:symbol" })),
      ...(item.event === null ? [] : [{ name: item.event, domain: "tapewire:event" }]),
    ],
    guid: { value: item.id, isPermaLink: false },
    pubDate: new Date(item.published_at),
    dc: {
      creators: [author],
      publishers: [item.provider_id],
      ...(item.language === null ? {} : { languages: [item.language] }),
    },
  };
}
