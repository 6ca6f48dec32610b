import type { SourceConfig } from "../../config/sources.ts";
import type { Adapter, ParsedPage } from "../adapter.ts";
import type { FetchedResponse } from "../fetch/types.ts";
import { type ItemIdentity, itemIdentity } from "../identity/identity.ts";
import type { RawItem } from "../raw-item.ts";
import { textLimits } from "../text/text.ts";
import { feedAdapter } from "./feed/feed.ts";

/**
 * Announcements of the National Stock Exchange of India:
 * `https://nsearchives.nseindia.com/content/RSS/Online_announcements.xml`. RSS whose titles are bare company names; the
 * description has the announcement, as `... has informed the Exchange about ... |SUBJECT: ...`. Times have no zone and
 * are in the source's (Asia/Kolkata).
 */
export const nseAdapter: Adapter = {
  plan: feedAdapter.plan,
  parse,
  enrich: () => null,
  withDocuments: (item) => item,
};

/** @throws {ParseError} as a feed */
function parse(response: FetchedResponse, source: SourceConfig): ParsedPage {
  // The headline is made from the text, which the feed would not read.
  const page = feedAdapter.parse(response, { ...source, headline_only: false });
  return { ...page, items: page.items.map(announcement) };
}

function announcement(item: RawItem): RawItem {
  const { text, subject } = splitText(item.body);
  const news = newsOf(text, subject);
  const parts = [item.title, news].filter((part) => part !== null && part !== "");
  const title = parts.length === 0 ? null : shortened(parts.join(": "));
  const symbol = symbolOf(item.link);
  const titled = { ...item, title, body: text };
  return {
    ...titled,
    ...identityOf(titled),
    symbols: symbol === null ? item.symbols : [`NSE:${symbol}`],
    categories: subject === null ? item.categories : [...item.categories, subject],
  };
}

function splitText(body: string): { text: string; subject: string | null } {
  const [text = "", subject = ""] = body.split(/\|\s{0,3}SUBJECT\s{0,3}:/i, 2).map((part) => part.trim());
  return { text, subject: subject === "" ? null : subject };
}

/** Uninformative subjects; the text has the news then. */
const vague = /^(?:general updates?|updates?|others?|general|announcements?|intimation|disclosures?)$/i;
const preamble =
  /^.{0,200}?\b(?:has|have) (?:informed|intimated|submitted to) the exchange\s{0,3}(?:about|regarding|that|of|the)?\s/i;

function newsOf(text: string, subject: string | null): string {
  if (subject !== null && !vague.test(subject)) return subject;
  const news = text.replace(preamble, "").trim();
  return news === "" ? (subject ?? "") : news;
}

const longestTitle = 250;

function shortened(title: string): string {
  if (title.length <= longestTitle) return title;
  const cut = title.slice(0, Math.min(longestTitle, textLimits.title)).toWellFormed();
  return `${cut.slice(0, Math.max(cut.lastIndexOf(" "), longestTitle / 2)).replace(/[,;:.]$/, "")}…`;
}

/**
 * Attachments are named SYMBOL_DDMMYYYYhhmmss_....pdf; other names (INDAS_117298_..., Announcement_...) have no symbol.
 * The symbol table writes `-` and `&` as `_`: BAJAJ-AUTO is BAJAJ_AUTO, M&M is M_M.
 */
function symbolOf(link: string | null): string | null {
  const path = link === null ? undefined : URL.parse(link)?.pathname;
  const [, name] = /\/([^/]{1,60}?)_\d{14}(?:_[^/]{0,200})?\.[A-Za-z]{3,5}$/.exec(path ?? "") ?? [];
  const symbol = name?.replaceAll(/%26/g, "&");
  return symbol !== undefined && /^[A-Z0-9][A-Z0-9&-]{0,19}$/.test(symbol)
    ? symbol.replaceAll(/[&-]/g, "_")
    : null;
}

/** Without an attachment of its own an announcement is identified by its text, since its title is only the company's name. */
function identityOf(item: RawItem): ItemIdentity {
  const { identity, claims } = item;
  if (!identity[0].startsWith("hash:")) return { identity, claims };
  const { source, publishedAt, title, body } = item;
  return itemIdentity({ source, guid: null, link: null, title: `${title ?? ""} ${body}`, publishedAt });
}
