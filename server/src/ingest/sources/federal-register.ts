import { z } from "zod";
import type { SourceConfig } from "../../config/sources.ts";
import { type ParsedPage, ParseError, plainPage } from "../adapter.ts";
import { parseDate } from "../dates/dates.ts";
import type { FetchedResponse, FetchRequest } from "../fetch/types.ts";
import { itemIdentity } from "../identity/identity.ts";
import type { RawItem } from "../raw-item.ts";
import { cleanBody, cleanTitle } from "../text/text.ts";
import { jsonListAdapter, jsonRequest, readEntries, readJson } from "./json-document.ts";

/**
 * Documents of the U.S. Federal Register, newest first: `https://www.federalregister.gov/api/v1/documents.json?order=newest`.
 * They are dated to the day; the API needs no key.
 */
export const federalRegisterAdapter = jsonListAdapter(parse);

/** The most documents that the API lists on a page. */
const mostDocuments = 1_000;

const text = z.string().nullish();
const registerDocument = z.object({
  document_number: z.string().trim().min(1).max(100),
  title: text,
  /** Rule, Proposed Rule, Notice, Presidential Document. */
  type: text,
  abstract: text,
  excerpts: text,
  /** YYYY-MM-DD */
  publication_date: text,
  html_url: text,
  agencies: z.array(z.object({ name: text, raw_name: text })).nullish(),
});
type RegisterDocument = z.infer<typeof registerDocument>;

/** An answer without a match has a count of 0 and no results. */
const registerPage = z.union([
  z.object({ results: z.array(z.unknown()), next_page_url: text }),
  z.object({ count: z.literal(0) }).transform(() => ({ results: [], next_page_url: null })),
]);

/** @throws {ParseError} when the answer is no list of documents, or none of them could be read */
function parse(response: FetchedResponse, source: SourceConfig): ParsedPage {
  const answer = readJson(response.body, response.headers["content-type"] ?? "");
  const page = registerPage.safeParse(answer);
  if (!page.success) throw new ParseError("the answer is no list of documents");
  const { results, next_page_url } = page.data;
  const documents = readEntries(results, { schema: registerDocument, most: mostDocuments, what: "document" });
  const items = documents.map((document) => toItem(document, source, response.fetchedAt));
  return plainPage(items, {
    nextPage: nextPage(next_page_url ?? null, source.url),
    salvaged: items.length < results.length,
  });
}

/** The answer gives the address, so it is followed only at the place that the operator's own address names. */
function nextPage(url: string | null, configured: string): FetchRequest | null {
  const next = url === null ? null : URL.parse(url, configured);
  return next?.origin === new URL(configured).origin ? jsonRequest(next.href) : null;
}

function toItem(document: RegisterDocument, source: SourceConfig, seenAt: Date): RawItem {
  const title = cleanTitle(document.title ?? "");
  const link = httpLink(document.html_url ?? null);
  const publishedAt = parseDate(document.publication_date ?? "", source.zone)?.at ?? null;
  const type = cleanTitle(document.type ?? "");
  const agencies = (document.agencies ?? [])
    .slice(0, 20)
    .flatMap(({ name, raw_name }) => cleanTitle(name ?? raw_name ?? "") ?? []);
  const summary = cleanBody(document.abstract ?? document.excerpts ?? "");
  return {
    source: source.name,
    providerId: source.provider,
    type: source.type,
    ...itemIdentity({ source: source.name, guid: document.document_number, link, title, publishedAt }),
    seenAt,
    title,
    link,
    body: body(type, agencies, summary),
    publishedAt,
    precision: publishedAt === null ? "none" : "day",
    language: source.language,
    symbols: [],
    isins: [],
    ciks: [],
    categories: [...(type === null ? [] : [type]), ...agencies],
    filing: null,
    retracted: false,
  };
}

/** The title seldom names the agency, or says whether it is a rule or a notice of a meeting. */
function body(type: string | null, agencies: readonly string[], summary: string): string {
  const head = [type, agencies.join(", ")].filter((part) => part !== null && part !== "").join(" by ");
  return [head === "" ? "" : `${head}.`, summary].filter((part) => part !== "").join(" ");
}

function httpLink(link: string | null): string | null {
  const url = link === null ? null : URL.parse(link.trim());
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}
