import type { SourceConfig } from "../../../config/sources.ts";
import { ParseError } from "../../adapter.ts";
import type { FetchedResponse, FetchRequest } from "../../fetch/types.ts";
import type { RawItem } from "../../raw-item.ts";
import { isSubmission } from "./filing.ts";
import {
  baseForm,
  isEventReport,
  isLateNotice,
  isOffering,
  isOwnership,
  namesSubject,
  stakeSchedule,
} from "./forms.ts";
import { type FilingIndex, type ListedDocument, parseFilingIndex } from "./index-page.ts";

/** The fetcher stops a body at 15 MiB. */
const mostDocument = 15_000_000;
const mostExhibit = 5_000_000;
const mostExhibits = 3;

/**
 * Which documents of a form are read.
 * whole: header and documents in one request, for forms that are small or need more than their first document; in parts
 * when it is too large.
 * parts: the index page, the primary document and informative exhibits: two to five requests instead of one submission
 * with pictures and XBRL, which for 8-Ks is ten times as large.
 * index: only the parties, when the list shows only some of them. none: form and title are enough.
 * The busiest minute on record, of 57 filings, takes some 80 of the 300 requests that 5 a second allow. Annual and
 * quarterly reports are read without exhibits, since their news was out before as an 8-K.
 */
type Reading = "whole" | "parts" | "index" | "none";

/** Forms read in parts, beside event reports, stakes, offerings and late notices. */
const inParts = /^(6-K|425|SC TO.*|SC ?14D9.*|SC 13E3|10-[KQ]T?|20-F|40-F)$/;
const whole = new Set(["144", "D", "13F-HR"]);
/** Forms whose exhibits are read: press releases and presentations are filed there. */
const withExhibits = /^(6-K|425|SC TO.*|SC ?14D9.*|SC 13E3)$/;

function readingOf({ form, parties }: NonNullable<RawItem["filing"]>): Reading {
  const base = baseForm(form);
  if (isOwnership(form) || stakeSchedule(form) !== null || isLateNotice(form) || whole.has(base))
    return "whole";
  if (isEventReport(form) || isOffering(form) || inParts.test(base)) return "parts";
  return namesSubject(parties.map(({ role }) => role)) ? "none" : "index";
}

/** The next document of a filing to read; see Adapter.enrich. */
export function nextDocument(
  { filing }: RawItem,
  source: SourceConfig,
  read: readonly FetchedResponse[],
): FetchRequest | null {
  if (filing === null || filing.cik === null) return null;
  const reading = readingOf(filing);
  const folder = filingFolder(source, filing.cik, filing.accession);
  const submission = `${folder}/${filing.accession}.txt`;
  const [first] = read;
  if (first === undefined) {
    if (reading === "none") return null;
    const page = request(`${folder}/${filing.accession}-index.htm`);
    return reading === "whole" ? { ...request(submission), ifTooLarge: page } : page;
  }
  if (reading === "index" || isSubmission(first.body)) return null;
  const index = tryIndex(first.body);
  if (index === null) return null;
  const wanted = wantedDocuments(index);
  // Before 2001 documents had no names and are only in the submission.
  if (wanted.length === 0) return read.length === 1 && reading === "parts" ? request(submission) : null;
  const next = wanted[read.length - 1];
  return next === undefined ? null : request(`${folder}/${next.filename}`);
}

function tryIndex(body: Uint8Array): FilingIndex | null {
  try {
    return parseFilingIndex(body);
  } catch (error) {
    if (error instanceof ParseError) return null;
    throw error;
  }
}

function request(url: string): FetchRequest {
  return {
    url,
    accept: "text/html, application/xml, text/plain, */*;q=0.1",
    conditional: false,
    trusted: true,
  };
}

/** The folder of a filing: below the CIK of any of its parties. */
export function filingFolder(source: SourceConfig, cik: string, accession: string): string {
  const archives = source.archives_url.replace(/\/+$/, "");
  return `${archives}/edgar/data/${Number(cik)}/${accession.replaceAll("-", "")}`;
}

/** The documents to read, in order: the primary one, then press releases and other exhibits 99. */
export function wantedDocuments({ form, documents }: FilingIndex): ListedDocument[] {
  const readable = documents.filter(({ filename, sizeBytes }) => {
    return /\.(html?|txt|xml)$/i.test(filename) && (sizeBytes ?? 0) <= mostDocument;
  });
  const primary =
    readable.find(({ seq, type }) => seq === "1" && type === form) ??
    readable.find(({ type }) => type === form) ??
    readable.find(({ seq }) => seq === "1");
  if (primary === undefined) return [];
  const hasExhibits = isEventReport(form) || isOffering(form) || withExhibits.test(baseForm(form));
  const exhibits = readable
    .filter(({ type, sizeBytes }) => /^EX-99\b/i.test(type) && (sizeBytes ?? 0) <= mostExhibit)
    .toSorted((a, b) => Number(isPress(b)) - Number(isPress(a)) || byNumber.compare(a.type, b.type));
  return [primary, ...(hasExhibits ? exhibits.slice(0, mostExhibits) : [])];
}

function isPress({ description }: ListedDocument): boolean {
  return /\b(press|news) release\b/i.test(description);
}

const byNumber = new Intl.Collator("en", { numeric: true });
