import { ParseError } from "../../adapter.ts";
import { htmlToText, tidyLines } from "../../text/html-text.ts";
import { foldSpace, safeText } from "../../text/text.ts";
import { itemNumber } from "./event-items.ts";
import type { Party } from "./forms.ts";
import { easternTime } from "./time.ts";

/** One document of a submission. */
export interface FilingDocument {
  /** As filed: 8-K, EX-99.1, GRAPHIC ... */
  readonly type: string;
  readonly seq: string;
  /** Empty in submissions before 2001; descriptions are often empty today too. */
  readonly filename: string;
  readonly description: string;
  /** The content of <TEXT>: HTML, XML, plain text or an encoded file. */
  readonly text: string;
}

/** A full submission: the header's facts and the documents. */
export interface Submission {
  readonly accession: string;
  readonly form: string;
  /** Headings of 8-K items, as the header words them. */
  readonly items: readonly string[];
  /** Their numbers, for known headings. */
  readonly itemNumbers: readonly string[];
  /** YYYYMMDD; null when the header names none. */
  readonly period: string | null;
  /** YYYYMMDD; null when the header names none. */
  readonly filed: string | null;
  /** null in submissions before 2001. */
  readonly acceptedAt: Date | null;
  readonly names: readonly string[];
  /** 10 digits each, in the order of names; a company with two roles is there twice. */
  readonly ciks: readonly string[];
  readonly parties: readonly Party[];
  /** The number of documents by the header; sometimes one too many. */
  readonly documentCount: number;
  readonly documents: readonly FilingDocument[];
}

/** A header has some 50 lines per party; only this much of it is read. */
const mostHeader = 500_000;

/** Sections of the header, with the role that the live list gives to the same party. */
const roles: Readonly<Record<string, string>> = {
  ISSUER: "Issuer",
  "REPORTING OWNER": "Reporting",
  "SUBJECT COMPANY": "Subject",
  "FILED BY": "Filed by",
  FILER: "Filer",
  DEPOSITOR: "Depositor",
  "SERIAL COMPANY": "Filer",
};

/**
 * A full submission (`<accession>.txt`) of EDGAR: SGML header, then the documents one after the other.
 * @param source bytes, or text already decoded
 * @throws {ParseError} when it is no submission: no SEC-HEADER with an accession number and a form
 * Source: recorded submissions of 1995-2026; SEC, "EDGAR Public Dissemination Service technical specification".
 */
export function parseSubmission(source: Uint8Array | string): Submission {
  const text = typeof source === "string" ? source : decodeSubmission(source);
  const first = text.indexOf("<DOCUMENT>");
  const header = readHeader(text.slice(0, Math.min(first < 0 ? text.length : first, mostHeader)));
  const [accession] = header.all("ACCESSION NUMBER");
  const [form] = header.all("CONFORMED SUBMISSION TYPE");
  if (accession === undefined || form === undefined || !/^\d{10}-\d{2}-\d{6}$/.test(accession))
    throw new ParseError("no submission: accession number or form is missing");
  const items = header.all("ITEM INFORMATION");
  const documents = first < 0 ? [] : readDocuments(text, first);
  const announced = Number(header.all("PUBLIC DOCUMENT COUNT")[0] ?? Number.NaN);
  return {
    accession,
    form,
    items,
    itemNumbers: items.map(itemNumber).filter((number) => number !== null),
    period: header.all("CONFORMED PERIOD OF REPORT")[0] ?? null,
    filed: header.all("FILED AS OF DATE")[0] ?? null,
    acceptedAt: easternTime(header.accepted),
    names: header.parties.map(({ name }) => name),
    ciks: header.parties.map(({ cik }) => cik),
    parties: header.parties,
    documentCount: Number.isInteger(announced) ? announced : documents.length,
    documents,
  };
}

/** Whether this is a full submission, and not one of its documents or pages. */
export function isSubmission(body: Uint8Array): boolean {
  const start = new TextDecoder("latin1").decode(body.subarray(0, 4_000));
  return start.includes("<SEC-HEADER>") || start.includes("ACCESSION NUMBER:");
}

/** Submissions are ASCII or UTF-8; old ones contain bytes of Windows-1252. */
export function decodeSubmission(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

interface Header {
  readonly all: (key: string) => string[];
  readonly accepted: string | undefined;
  readonly parties: Party[];
}

function readHeader(header: string): Header {
  const values = new Map<string, string[]>();
  const parties: Party[] = [];
  let role = "Filer";
  let name: string | null = null;
  for (const line of header.split("\n")) {
    const colon = line.indexOf(":");
    if (colon < 0) continue;
    const key = line.slice(0, colon).trim();
    const value = foldSpace(safeText(line.slice(colon + 1)));
    // Sections start in the first column and have no value; indented lines belong to the party above.
    if (value === "" && /^\S/.test(line)) {
      role = roles[key.replaceAll("-", " ")] ?? sentenceCase(key);
      name = null;
    } else if (key === "COMPANY CONFORMED NAME") name = value;
    else if (key === "CENTRAL INDEX KEY" && name !== null) {
      parties.push({ name, cik: value.padStart(10, "0"), role });
      name = null;
    } else if (value !== "" && /^\S/.test(line)) {
      const known = values.get(key);
      if (known === undefined) values.set(key, [value]);
      else known.push(value);
    }
  }
  const accepted = /^<ACCEPTANCE-DATETIME>\s*(\d{14})/m.exec(header)?.[1];
  return { all: (key) => values.get(key) ?? [], accepted, parties };
}

function sentenceCase(key: string): string {
  return key.slice(0, 1) + key.slice(1).toLowerCase();
}

function readDocuments(text: string, first: number): FilingDocument[] {
  const documents: FilingDocument[] = [];
  for (let start = first; start >= 0; ) {
    const next = text.indexOf("<DOCUMENT>", start + 1);
    const block = text.slice(start, next < 0 ? text.length : next);
    documents.push(readDocument(block));
    start = next;
  }
  return documents;
}

function readDocument(block: string): FilingDocument {
  const textAt = block.indexOf("<TEXT>");
  const head = textAt < 0 ? block : block.slice(0, textAt);
  const end = block.lastIndexOf("</TEXT>");
  const field = (tag: string): string => {
    const at = head.indexOf(`<${tag}>`);
    if (at < 0) return "";
    return foldSpace(safeText(head.slice(at + tag.length + 2, lineEnd(head, at))));
  };
  return {
    type: field("TYPE"),
    seq: field("SEQUENCE"),
    filename: field("FILENAME"),
    description: field("DESCRIPTION"),
    text: textAt < 0 ? "" : block.slice(textAt + "<TEXT>".length, end < textAt ? block.length : end).trim(),
  };
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf("\n", from);
  return end < 0 ? text.length : end;
}

/** How much of one document's text is examined; longer ones are tables or encoded files. */
const mostMarkup = 4_000_000;

/** The visible text of a document; empty for images, PDF and other encoded files. */
export function documentText({ text }: FilingDocument, maxLength: number): string {
  if (/^(<PDF>\s*)?begin \d{3} /.test(text)) return "";
  const markup = text.slice(0, mostMarkup).replace(/^<(XML|XBRL)>\s*/, "");
  const start = markup.slice(0, 20_000);
  if (/<(html|body|div|p|font|td|br)[\s>]/i.test(start)) return htmlToText(markup, maxLength);
  if (/^<\?xml|^<[a-z]\w*[\s>]/i.test(start) && !/^<(PAGE|S|C|CAPTION|TABLE)>/.test(start))
    return xmlText(markup, maxLength);
  // Plain text, with the few tags of the 1990s (<PAGE>, <TABLE>, <S>, <C>) at the start of lines.
  return tidyLines(markup.replaceAll(/<\/?(PAGE|TABLE|CAPTION|S|C|FN|F\d)>/gi, " "), maxLength, true);
}

/** Elements on how the document was sent, which do not interest readers. */
const formalities = new Set([
  "ccc",
  "confirmingCopyFlag",
  "liveTestFlag",
  "overrideInternetFlag",
  "returnCopyFlag",
  "schemaVersion",
]);

/** "percent of class: 8.5" for each element with text, since schedules filed as XML have no other text. */
function xmlText(xml: string, maxLength: number): string {
  const lines: string[] = [];
  for (const [, name = "", value = ""] of xml.matchAll(/<(?:\w+:)?(\w{1,80})(?:\s[^<>]*)?>([^<]+)</g)) {
    const text = value.includes("&") ? htmlToText(value) : value.trim();
    if (text !== "" && !formalities.has(name)) lines.push(`${words(name)}: ${text}`);
  }
  return tidyLines(lines.join("\n"), maxLength, false);
}

function words(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}
