import { z } from "zod";
import type { SourceConfig } from "../../config/sources.ts";
import { type ParsedPage, ParseError, plainPage } from "../adapter.ts";
import { parseDate } from "../dates/dates.ts";
import type { FetchedResponse } from "../fetch/types.ts";
import { itemIdentity } from "../identity/identity.ts";
import type { RawItem } from "../raw-item.ts";
import { cleanBody, cleanTitle } from "../text/text.ts";
import { jsonListAdapter, jsonRequest, readEntries, readJson } from "./json-document.ts";

/**
 * Enforcement reports (recalls) of openFDA, newest first:
 * `https://api.fda.gov/drug/enforcement.json?sort=report_date:desc&limit=100`. Updated weekly and dated to the day, for
 * reference; openFDA itself warns against alerting on it. A recall whose status changes keeps its identity.
 */
export const openFdaAdapter = jsonListAdapter(parse);

/** Limits of the API: entries per page, and entries that may be skipped. */
const mostEntries = 1_000;
const mostSkipped = 25_000;
/** Product descriptions are labels of several hundred characters; a headline names the product. */
const mostProduct = 120;

const text = z.string().nullish();
const enforcement = z.object({
  recall_number: z.string().trim().min(1).max(100),
  /** YYYYMMDD */
  report_date: text,
  recalling_firm: text,
  product_type: text,
  product_description: text,
  reason_for_recall: text,
  /** Class I (may cause death) to Class III. */
  classification: text,
  status: text,
  distribution_pattern: text,
});
type Enforcement = z.infer<typeof enforcement>;

const enforcementPage = z.object({
  meta: z.object({ results: z.object({ skip: z.int().min(0), total: z.int().min(0) }) }).optional(),
  results: z.array(z.unknown()),
});

/** @throws {ParseError} when the answer is no list of reports, or none of them could be read */
function parse(response: FetchedResponse, source: SourceConfig): ParsedPage {
  const answer = readJson(response.body, response.headers["content-type"] ?? "");
  const page = enforcementPage.safeParse(answer);
  if (!page.success) throw new ParseError("the answer is no list of enforcement reports");
  const { results, meta } = page.data;
  const reports = readEntries(results, { schema: enforcement, most: mostEntries, what: "report" });
  const items = reports.map((report) => toItem(report, source, response.fetchedAt));
  const listed = Math.min(results.length, mostEntries);
  const skip = (meta?.results.skip ?? 0) + listed;
  const hasMore = listed > 0 && skip < Math.min(meta?.results.total ?? 0, mostSkipped);
  return plainPage(items, {
    nextPage: hasMore ? jsonRequest(skipping(source.url, skip)) : null,
    salvaged: items.length < results.length,
  });
}

function skipping(url: string, skip: number): string {
  const next = new URL(url);
  next.searchParams.set("skip", String(skip));
  return next.href;
}

function toItem(report: Enforcement, source: SourceConfig, seenAt: Date): RawItem {
  const { recall_number: number } = report;
  const firm = cleanTitle(report.recalling_firm ?? "");
  const product = cleanTitle(report.product_description ?? "");
  const classification = cleanTitle(report.classification ?? "");
  const title = headline(firm, product, classification);
  const publishedAt = parseDate(report.report_date ?? "", source.zone)?.at ?? null;
  return {
    source: source.name,
    providerId: source.provider,
    type: source.type,
    ...itemIdentity({ source: source.name, guid: number, link: null, title, publishedAt }),
    seenAt,
    title,
    link: recordLink(source.url, number),
    body: body(report),
    publishedAt,
    precision: publishedAt === null ? "none" : "day",
    language: source.language,
    symbols: [],
    isins: [],
    ciks: [],
    categories: [report.product_type, report.classification, report.status].flatMap(
      (category) => cleanTitle(category ?? "") ?? [],
    ),
    filing: null,
    retracted: false,
  };
}

function headline(firm: string | null, product: string | null, classification: string | null): string {
  const what = product === null ? "product recall" : `recall of ${shortened(product)}`;
  return `${firm ?? "FDA"}: ${what}${classification === null ? "" : ` (${classification})`}`;
}

/** Shortened between words. */
function shortened(product: string): string {
  if (product.length <= mostProduct) return product;
  const cut = product.slice(0, mostProduct).toWellFormed();
  const end = cut.lastIndexOf(" ");
  return `${end > mostProduct / 2 ? cut.slice(0, end) : cut}…`.replace(/[,;:]?…$/, "…");
}

function body(report: Enforcement): string {
  const lines = [
    ["Reason", report.reason_for_recall],
    ["Product", report.product_description],
    ["Classification", report.classification],
    ["Status", report.status],
    ["Distribution", report.distribution_pattern],
    ["Recall number", report.recall_number],
  ] as const;
  return lines
    .flatMap(([label, value]) => {
      const text = cleanBody(value ?? "").replace(/\.$/, "");
      return text === "" ? [] : [`${label}: ${text}.`];
    })
    .join(" ");
}

/** openFDA has no page for a report, so the link leads to its record. */
function recordLink(url: string, number: string): string {
  const record = new URL(url);
  record.search = "";
  record.searchParams.set("search", `recall_number:"${number.replaceAll('"', "")}"`);
  return record.href;
}
