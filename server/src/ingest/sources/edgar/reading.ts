import { ParseError } from "../../adapter.ts";
import type { FetchedResponse } from "../../fetch/types.ts";
import type { RawItem } from "../../raw-item.ts";
import { textLimits } from "../../text/text.ts";
import { readForm } from "./details/details.ts";
import { wantedDocuments } from "./documents.ts";
import { isItemNumber, itemNumber } from "./event-items.ts";
import {
  decodeSubmission,
  documentText,
  type FilingDocument,
  isSubmission,
  parseSubmission,
} from "./filing.ts";
import { isEventReport, originalSought, type Party } from "./forms.ts";
import { parseFilingIndex } from "./index-page.ts";
import { aboutCiks, filingFacts, plainTitle } from "./list.ts";
import { type Day, dayOf } from "./time.ts";

/** The parts of a filing that were read: its header or index page, and documents, the primary one first. */
interface ReadFiling {
  readonly accession: string;
  readonly form: string;
  readonly itemNumbers: readonly string[];
  readonly filed: Day | null;
  readonly period: Day | null;
  readonly acceptedAt: Date | null;
  readonly parties: readonly Party[];
  readonly documents: readonly FilingDocument[];
}

/**
 * The item with the text of its filing, the parties of its header and the facts of its form.
 * @param read a full submission, or an index page and the documents it led to
 * @throws {ParseError} when it is neither, or of another filing
 */
export function withFiling(item: RawItem, read: readonly FetchedResponse[]): RawItem {
  if (read.length === 0) return item;
  const filing = readFiling(read);
  if (item.filing !== null && item.filing.accession !== filing.accession)
    throw new ParseError(`filing ${filing.accession} is not the one asked for`);
  const form = item.filing?.form ?? filing.form;
  const filed = filing.filed ?? item.filing?.filed ?? null;
  const parties = filing.parties.length > 0 ? filing.parties : listedParties(item);
  const { title, body, originalFiled, ...facts } = described(item, { ...filing, form, filed, parties });
  const ciks = aboutCiks(parties);
  return {
    ...item,
    title,
    body,
    publishedAt: item.precision === "second" ? item.publishedAt : (filing.acceptedAt ?? item.publishedAt),
    precision: filing.acceptedAt === null ? item.precision : "second",
    symbols: [...new Set([...item.symbols, ...facts.symbols])],
    ciks: ciks.length > 0 ? ciks : item.ciks,
    original: originalSought(form, parties, originalFiled),
    filing: filingFacts({ ...filing, ...facts, form, parties, filed }),
  };
}

/** The headline, the text and the facts of a filing. */
function described(item: RawItem, { accession, form, filed, parties, documents, ...filing }: ReadFiling) {
  const texts = readableTexts(documents);
  const facts = readForm({ form, filed, documents, text: texts[0] ?? "" }, { accession, parties });
  const parts = [facts.sentences, ...(facts.saysAll ? [] : texts)].filter((part) => part !== "");
  const body = parts.join("\n\n").slice(0, textLimits.body).toWellFormed();
  const items = allItems(item, form, filing.itemNumbers, body);
  const title = facts.title(items);
  return {
    title: title === null ? item.title : plainTitle(title),
    body: body === "" ? item.body : isEventReport(form) ? withoutCover(body) : body,
    items,
    symbols: facts.symbols,
    details: facts.details,
    period: filing.period ?? facts.period,
    amends: facts.amends,
    originalFiled: facts.originalFiled,
  };
}

function listedParties({ filing }: RawItem): Party[] {
  return filing?.parties.map(({ name, cik, role }) => ({ name, cik, role: role ?? "" })) ?? [];
}

function readFiling(read: readonly FetchedResponse[]): ReadFiling {
  const whole = read.find(({ body }) => isSubmission(body));
  if (whole !== undefined) {
    const submission = parseSubmission(whole.body);
    return { ...submission, filed: dayOf(submission.filed), period: dayOf(submission.period) };
  }
  const [page, ...documents] = read;
  const index = parseFilingIndex(page?.body ?? new Uint8Array());
  const listed = wantedDocuments(index);
  return {
    ...index,
    itemNumbers: index.items,
    documents: documents.flatMap(({ body }, at) => {
      const { type = "", seq = "", filename = "", description = "" } = listed[at] ?? {};
      return [{ type, seq, filename, description, text: readDocument(body) }];
    }),
  };
}

/** Notices that EDGAR sends with status 200 instead of a document. */
const refusal = /Request Rate Threshold Exceeded|Undeclared Automated Tool|<Code>AccessDenied/i;

function readDocument(body: Uint8Array): string {
  const text = decodeSubmission(body);
  if (refusal.test(text.slice(0, 5_000))) throw new ParseError("a notice of EDGAR in place of a document");
  return text.trim();
}

/** The primary document, then press releases and the like (EX-99.*; the text of a PDF), up to the limit of a body. */
function readableTexts([primary, ...others]: readonly FilingDocument[]): string[] {
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

/** 8-K items of list, header and text; for other forms only those of the list. */
function allItems(item: RawItem, form: string, stated: readonly string[], text: string): string[] {
  const listed = item.filing?.items ?? [];
  return isEventReport(form) ? mergedItems([...listed, ...stated], text) : [...listed];
}

/**
 * The items of the list, the header and the headings in the text, in order: the first two leave some out (often 9.01).
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

/**
 * An 8-K from its first item on. The cover before it, 1,200 to 3,300 characters in every recorded one, is the same printed
 * form for all and would take the place of the text in what is read.
 */
function withoutCover(text: string): string {
  const first = /^Item[\s.:]{0,5}\d\.\d{2}\b/im.exec(text.slice(0, mostCover));
  return first === null ? text : text.slice(first.index);
}

const mostCover = 10_000;
