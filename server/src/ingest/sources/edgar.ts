import type { SourceConfig } from "../../config/sources.ts";
import {
  type Adapter,
  type FetchedResponse,
  type FetchRequest,
  type ParsedPage,
  ParseError,
  plainPage,
  type Walk,
} from "../adapter.ts";
import type { RawItem } from "../raw-item.ts";
import { cleanTitle, textLimits } from "../text.ts";
import { documentText, parseSubmission, type Submission } from "./edgar-filing.ts";
import {
  aboutParties,
  baseForm,
  filingTitle,
  isEventReport,
  isItemNumber,
  isOwnership,
  itemLabels,
  itemNumber,
  type Party,
} from "./edgar-forms.ts";
import { type GetcurrentRow, parseGetcurrent } from "./edgar-getcurrent.ts";
import {
  describeOwnership,
  type Ownership,
  ownershipTitle,
  parseOwnership,
  tradingSymbols,
} from "./edgar-ownership.ts";

/** Beyond this start EDGAR answers 503 with an HTML page. */
const mostStart = 5_000;

/**
 * EDGAR's live list of filings, and their documents.
 * The source's URL is a getcurrent address: `.../cgi-bin/browse-edgar?action=getcurrent&type=&owner=include&count=100&output=atom`.
 */
export const edgarAdapter: Adapter = { plan, parse, enrich, withDocuments };

function plan(source: SourceConfig): Walk {
  return { request: listRequest(source.url), floor: null };
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
 * One item for each filing of the page, in its order; the rows of a filing's parties are one item.
 * @throws {ParseError} when the answer is no Atom feed (over the rate limit, an HTML page comes with status 200)
 */
function parse(response: FetchedResponse, source: SourceConfig): ParsedPage {
  const { rows, salvaged } = parseGetcurrent(response.body);
  const filings = new Map<string, [GetcurrentRow, ...GetcurrentRow[]]>();
  for (const row of rows.filter(wantedForm(response.url))) {
    const filing = filings.get(row.accession);
    if (filing === undefined) filings.set(row.accession, [row]);
    else filing.push(row);
  }
  const items = [...filings.values()].map((filing) => toItem(filing, source, response.fetchedAt));
  return plainPage(items, { nextPage: rows.length === 0 ? null : nextPage(response.url), salvaged });
}

/** `type=4` also lists 424B2, 497 ...: it is a prefix. Only that form and its amendments are wanted. */
function wantedForm(url: string): (row: GetcurrentRow) => boolean {
  const type = (new URL(url).searchParams.get("type") ?? "").trim().toUpperCase();
  if (type === "") return () => true;
  return ({ form }) => form.toUpperCase() === type || form.toUpperCase() === `${type}/A`;
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

function toItem(
  rows: readonly [GetcurrentRow, ...GetcurrentRow[]],
  source: SourceConfig,
  seenAt: Date,
): RawItem {
  const [{ accession, form, updated, link }] = rows;
  const items = [...new Set(rows.flatMap((row) => row.items))];
  const parties = rows.map(({ company, cik, role }) => ({ name: company, cik, role }));
  const ciks = distinctCiks(aboutParties(parties));
  const accepted = new Date(updated);
  const publishedAt = Number.isNaN(accepted.getTime()) ? null : accepted;
  return {
    source: source.name,
    providerId: source.provider,
    type: "filing",
    identity: [`sec:${accession}`],
    seenAt,
    title: cleanTitle(escaped(filingTitle(form, items, parties))),
    link: httpsLink(link),
    body: itemLabels(items).join("\n"),
    publishedAt,
    precision: publishedAt === null ? "none" : "second",
    language: "en",
    symbols: [],
    isins: [],
    ciks,
    categories: [],
    filing: { form, items, accession, cik: ciks[0] ?? null },
    retracted: false,
  };
}

function distinctCiks(parties: readonly Party[]): string[] {
  return [...new Set(parties.map(({ cik }) => cik))];
}

/** Names are plain text; cleanTitle reads markup. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}

function httpsLink(link: string): string | null {
  const url = URL.canParse(link) ? new URL(link) : null;
  return url?.protocol === "https:" || url?.protocol === "http:" ? link.replace(/^http:/, "https:") : null;
}

/**
 * Forms whose text decides the score. The others are most of the volume (prospectuses of structured notes, fund
 * documents, exempt offerings), often large, and seldom move a price: they score by form and title alone, and a
 * request each would use up the rate that the SEC allows.
 */
const readForms = new Set(
  "8-K,8-K12B,8-K12G3,6-K,3,4,5,SC 13D,SC 13G,SCHEDULE 13D,SCHEDULE 13G,NT 10-K,NT 10-Q,425".split(","),
);

function enrich(
  { filing }: RawItem,
  source: SourceConfig,
  read: readonly FetchedResponse[],
): FetchRequest | null {
  if (filing === null || read.length > 0) return null;
  const form = baseForm(filing.form);
  if (filing.cik === null || !(readForms.has(form) || form.startsWith("SC TO"))) return null;
  const folder = `${Number(filing.cik)}/${filing.accession.replaceAll("-", "")}`;
  const url = `${source.archives_url.replace(/\/+$/, "")}/edgar/data/${folder}/${filing.accession}.txt`;
  return { url, accept: "text/plain, */*;q=0.1", conditional: false, trusted: true };
}

/**
 * The item with the text of its submission, the parties of its header and, for Forms 3, 4 and 5, what was traded.
 * @throws {ParseError} when the answer is no submission, or one of another filing
 */
function withDocuments(item: RawItem, [response]: readonly FetchedResponse[]): RawItem {
  if (response === undefined) return item;
  const submission = parseSubmission(response.body);
  if (item.filing !== null && item.filing.accession !== submission.accession)
    throw new ParseError(`submission ${submission.accession} is not the one asked for`);
  const form = item.filing?.form ?? submission.form;
  const ownership = isOwnership(form) ? findOwnership(submission) : null;
  const texts = ownership === null ? readableTexts(submission) : [describeOwnership(ownership)];
  const text = texts.join("\n\n").slice(0, textLimits.body).toWellFormed();
  const listed = item.filing?.items ?? [];
  const items = isEventReport(form) ? mergedItems([...listed, ...submission.itemNumbers], text) : listed;
  const known = distinctCiks(aboutParties(submission.parties));
  const ciks = known.length > 0 ? known : item.ciks;
  const title = ownership === null ? filingTitle(form, items, submission.parties) : ownershipTitle(ownership);
  const publishedAt = item.publishedAt ?? submission.acceptedAt;
  return {
    ...item,
    title: submission.parties.length === 0 && ownership === null ? item.title : cleanTitle(escaped(title)),
    body: text === "" ? item.body : isEventReport(form) ? withoutCover(text) : text,
    publishedAt,
    precision: publishedAt === null ? "none" : "second",
    symbols: [...new Set([...item.symbols, ...(ownership === null ? [] : tradingSymbols(ownership.symbol))])],
    ciks,
    filing: { form, items, accession: submission.accession, cik: ciks[0] ?? null },
  };
}

/**
 * An 8-K from its first item on. The cover before it, 1,200 to 3,300 characters of every one recorded, is the same
 * printed form for all and would fill what is read of a text first.
 */
function withoutCover(text: string): string {
  const first = /^Item[\s.:]{0,5}\d\.\d{2}\b/im.exec(text.slice(0, mostCover));
  return first === null ? text : text.slice(first.index);
}

const mostCover = 10_000;

/** null for a form before 2003, which is text, and for XML that cannot be read: its text is taken then. */
function findOwnership({ documents }: Submission): Ownership | null {
  const xml = documents.find(({ text }) => text.includes("<ownershipDocument"))?.text;
  if (xml === undefined) return null;
  try {
    return parseOwnership(xml.replace(/^<XML>\s*/, ""));
  } catch (error) {
    if (error instanceof ParseError) return null;
    throw error;
  }
}

/** The primary document, then press releases and the like (EX-99.*; the text of a PDF), up to the limit of a body. */
function readableTexts({ documents }: Submission): string[] {
  const [primary, ...others] = documents;
  if (primary === undefined) return [];
  const texts: string[] = [];
  let room: number = textLimits.body;
  for (const document of [primary, ...others.filter(({ type }) => /^(EX-99\b|TEXT-EXTRACT$)/i.test(type))]) {
    if (room <= 0) break;
    const text = documentText(document, room);
    if (text === "") continue;
    texts.push(text);
    room -= text.length + 2;
  }
  return texts;
}

/**
 * The list and the header leave some items out (often 9.01): those of both and of the headings in the text, in order.
 * A line that only mentions an item of another report ("Item 4.02 of the earlier report ...") is no heading; a number
 * alone on its line has its heading on the next.
 */
function mergedItems(listed: readonly string[], text: string): string[] {
  const headings = [...text.matchAll(/^Item[\s.:]{0,5}(\d\.\d{2})\b[ \t.:\u2013\u2014-]{0,5}(.{0,60})/gim)];
  const inText = headings
    .filter(([, number, words = ""]) => words === "" || itemNumber(words) === number)
    .map(([, number = ""]) => number)
    .filter(isItemNumber);
  return [...new Set([...listed, ...inText])].sort();
}
