import type { SourceConfig } from "../../../config/sources.ts";
import {
  type Adapter,
  type ArchiveContext,
  type ArchiveDue,
  type ParsedPage,
  type PlanContext,
  plainPage,
  type Walk,
} from "../../adapter.ts";
import type { FetchedResponse, FetchRequest } from "../../fetch/types.ts";
import { dailyIndexPath, parseDailyIndex } from "./archive.ts";
import { nextDocument } from "./documents.ts";
import { filingClass } from "./forms.ts";
import { parseGetcurrent } from "./getcurrent.ts";
import { byAccession, indexedItem, listedItem, withKnownParties } from "./list.ts";
import { withFiling } from "./reading.ts";
import { firstUnreconciled, indexedTimes, rescanFloor } from "./schedule.ts";
import { wantedFiling, wantedForm } from "./selection.ts";

/** For a larger start EDGAR answers 503 with an HTML page. */
const mostStart = 5_000;

/**
 * EDGAR's live list of filings, their documents, and the daily index, which has the filings that the list did not show.
 * The source's URL is a getcurrent address: `.../cgi-bin/browse-edgar?action=getcurrent&type=&owner=include&count=100&output=atom`.
 */
export const edgarAdapter: Adapter = {
  identityKind: "sec",
  // The SEC blocks an address for ten minutes, and starts again with every request made meanwhile.
  blockNotice: {
    page: /request rate threshold exceeded|undeclared automated tool/i,
    quietMs: 10 * 60_000,
  },
  plan,
  parse,
  documentClass: ({ filing }) => (filing === null ? 1 : filingClass(filing.form, filing.items)),
  enrich: nextDocument,
  withDocuments: withFiling,
  mergeListed: withKnownParties,
  dueArchive,
  parseArchive,
};

function plan(source: SourceConfig, { now, sweptAt }: PlanContext): Walk {
  return { request: listRequest(source.url), floor: rescanFloor(now, sweptAt) };
}

/** Not conditional: the list has neither ETag nor Last-Modified. */
function listRequest(url: string): FetchRequest {
  return {
    url,
    accept: "application/atom+xml, application/xml;q=0.9, */*;q=0.1",
    conditional: false,
    trusted: true,
  };
}

/**
 * One item for each filing of the page, in its order; the rows of a filing's parties become one item. When the page ends
 * between them, the next page adds the others (see withKnownParties).
 * @throws {ParseError} when the answer is no Atom feed (over the rate limit, an HTML page comes with status 200)
 */
function parse(response: FetchedResponse, source: SourceConfig): ParsedPage {
  const { rows, salvaged } = parseGetcurrent(response.body);
  const filings = byAccession(rows.filter(wantedForm(response.url)));
  const items = filings.map((filing) => listedItem(filing, source, response.fetchedAt));
  return plainPage(items, { nextPage: rows.length === 0 ? null : nextPage(response.url), salvaged });
}

function nextPage(url: string): FetchRequest | null {
  const next = new URL(url);
  const start = numberOf(next, "start", 0) + Math.max(1, numberOf(next, "count", 100));
  if (start > mostStart) return null;
  next.searchParams.set("start", String(start));
  return listRequest(next.href);
}

function numberOf(url: URL, name: string, otherwise: number): number {
  const value = url.searchParams.get(name) ?? "";
  return /^\d{1,6}$/.test(value) ? Number(value) : otherwise;
}

/** None for an address that selects by what an index does not have: it would bring filings that nobody asked for. */
function dueArchive(source: SourceConfig, { now, reconciledTo }: ArchiveContext): ArchiveDue | null {
  if (wantedFiling(source.url) === null) return null;
  const day = firstUnreconciled(now, reconciledTo);
  if (day === null) return null;
  const url = `${source.archives_url.replace(/\/+$/, "")}/${dailyIndexPath(day)}`;
  return {
    day,
    ...indexedTimes(day),
    request: { url, accept: "text/plain, */*;q=0.1", conditional: false, trusted: true },
  };
}

/**
 * The filings of a daily index that the source's address selects. Without any the page has no items.
 * @throws {ParseError} when the answer is no index
 */
function parseArchive(response: FetchedResponse, source: SourceConfig): ParsedPage {
  const { lines, salvaged } = parseDailyIndex(response.body);
  const filings = byAccession(lines).filter(wantedFiling(source.url) ?? (() => false));
  const items = filings.map((filing) => indexedItem(filing, source, response.fetchedAt));
  return plainPage(items, { salvaged });
}
