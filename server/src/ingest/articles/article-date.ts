import { parseDate } from "../dates/dates.ts";

/** The members of a document that are used here; those of browsers and of linkedom have them. */
interface Elements {
  querySelectorAll(selector: string): Iterable<{
    readonly textContent: string | null;
    getAttribute(name: string): string | null;
  }>;
}

/** Names under which pages give their publication time, the most reliable first. In lower case. */
const metaNames = [
  "datepublished",
  "article:published_time",
  "og:article:published_time",
  "iso-8601-publish-date",
  "parsely-pub-date",
  "dc.date.issued",
  "dcterms.issued",
  "sailthru.date",
  "publish-date",
  "pubdate",
  "date",
];
const longestScript = 200_000;
const longestDate = 100;

/**
 * When a page was published, by its data for search engines, its meta elements, or the one time that it shows. Times of
 * linked articles do not count.
 * @returns ISO 8601; null when the page gives no time, or a time without a zone, which could be half a day off
 */
export function pagePublishedAt(page: Elements): string | null {
  for (const text of [...ofScripts(page), ...ofMeta(page), ...ofTimes(page)]) {
    const at = instantOf(text);
    if (at !== null) return at;
  }
  return null;
}

function ofScripts(page: Elements): string[] {
  return [...page.querySelectorAll('script[type="application/ld+json"]')].flatMap(({ textContent }) => {
    const json = (textContent ?? "").slice(0, longestScript);
    return /"datePublished"\s{0,20}:\s{0,20}"([^"]{1,100})"/.exec(json)?.[1] ?? [];
  });
}

function ofMeta(page: Elements): string[] {
  const said = new Map<string, string>();
  for (const meta of page.querySelectorAll("meta")) {
    const value = meta.getAttribute("content") ?? meta.getAttribute("value");
    for (const key of ["itemprop", "property", "name"]) {
      const name = meta.getAttribute(key)?.toLowerCase();
      if (value !== null && name !== undefined && !said.has(name)) said.set(name, value);
    }
  }
  return metaNames.flatMap((name) => said.get(name) ?? []);
}

function ofTimes(page: Elements): string[] {
  const timesOf = (selector: string) =>
    [...page.querySelectorAll(selector)].flatMap((time) => time.getAttribute("datetime") ?? []);
  const marked = [...timesOf('[itemprop="datePublished"]'), ...timesOf("time[pubdate]")];
  const shown = new Set(timesOf("time"));
  return [...marked, ...(shown.size === 1 ? shown : [])];
}

function instantOf(text: string): string | null {
  const parsed = text === "" || text.length > longestDate ? null : parseDate(text, "UTC");
  return parsed === null || parsed.zoneAssumed || parsed.precision !== "second"
    ? null
    : parsed.at.toISOString();
}
