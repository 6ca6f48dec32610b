import { decodeHTML } from "entities";
import { ParseError } from "../../adapter.ts";
import { decodeText } from "../../decode/decode.ts";
import { foldSpace, safeText } from "../../text/text.ts";
import type { Party } from "./forms.ts";
import { type Day, dayOf, easternTime } from "./time.ts";

/** A row of the list of a filing's documents. */
export interface ListedDocument {
  readonly seq: string;
  readonly description: string;
  /** "" in filings before 2001. A rendered view precedes its raw XML, with the same sequence. */
  readonly filename: string;
  /** As filed: 8-K, EX-99.1, GRAPHIC ... */
  readonly type: string;
  /** null when the page does not give it. */
  readonly sizeBytes: number | null;
}

/** The index page of a filing (`<accession>-index.htm`). */
export interface FilingIndex {
  readonly accession: string;
  readonly form: string;
  readonly filed: Day | null;
  readonly acceptedAt: Date | null;
  readonly period: Day | null;
  /** Numbers of 8-K items. */
  readonly items: readonly string[];
  readonly parties: readonly Party[];
  readonly documents: readonly ListedDocument[];
}

/** Some 10 kB; one with a thousand exhibits is 400 kB. */
const mostPage = 1_000_000;
const mostRows = 2_000;
const mostParties = 200;

/**
 * Reads the page by its rows and classes, without a tree, so that time is linear whatever the page contains.
 * @throws {ParseError} when it is no index page of a filing
 * Source: recorded pages of filings of 2000-2026.
 */
export function parseFilingIndex(body: Uint8Array): FilingIndex {
  const html = decodeText(body.subarray(0, mostPage), "");
  const accession = /Accession\b[^0-9]{0,200}(\d{10}-\d{2}-\d{6})/.exec(html)?.[1];
  const form = /<strong>Form ([^<]{1,40})<\/strong>/.exec(html)?.[1];
  if (accession === undefined || form === undefined) throw new ParseError("no index page of a filing");
  const info = readInfo(html);
  return {
    accession,
    form: plain(form),
    filed: dayOf(info.get("Filing Date")),
    acceptedAt: easternTime(info.get("Accepted")?.replaceAll(/\D/g, "")),
    period: dayOf(info.get("Period of Report")),
    items: [...(info.get("Items") ?? "").matchAll(/\bItem (\d{1,2}\.\d{2})\b/g)].map(([, item = ""]) => item),
    parties: readParties(html),
    documents: readDocuments(html),
  };
}

function readInfo(html: string): Map<string, string> {
  const info = new Map<string, string>();
  for (const part of html.split('<div class="infoHead">').slice(1, 20)) {
    const [head = "", value = ""] = part.slice(0, 5_000).split("</div>", 2);
    info.set(plain(head), plain(value));
  }
  return info;
}

/** "Acme (UK) Ltd (Filer) CIK : 0000000000 (see all company filings)"; the role of an owner is a link. */
const party = /^(.{1,300}?) ?\( ?([A-Za-z][A-Za-z ]{0,30}?) ?\) CIK ?: ?(\d{10})\b/;

function readParties(html: string): Party[] {
  return html
    .split('<span class="companyName">')
    .slice(1, mostParties)
    .flatMap((part) => {
      const line = plain(part.slice(0, 2_000).split("</span>", 1)[0] ?? "");
      const [, name, role = "", cik] = party.exec(line) ?? [];
      return name === undefined || cik === undefined ? [] : [{ name, cik, role }];
    });
}

function readDocuments(html: string): ListedDocument[] {
  return html
    .split('class="tableFile"')
    .slice(1)
    .flatMap((table) => (table.split("</table>", 1)[0] ?? "").split("<tr").slice(1))
    .slice(0, mostRows)
    .flatMap((row) => {
      const cells = row
        .split("<td")
        .slice(1, 6)
        .map((cell) => cell.slice(cell.indexOf(">") + 1));
      const [seq = "", description = "", document = "", type = "", size = ""] = cells;
      return cells.length < 5
        ? []
        : [
            {
              seq: plain(seq),
              description: plain(description),
              filename: filenameOf(document),
              type: plain(type),
              sizeBytes: /^\d{1,12}$/.test(plain(size)) ? Number(plain(size)) : null,
            },
          ];
    });
}

/** From the address, also through a viewer or rendered view: `/ix?doc=/…/a.htm`, `/…/xslF345X05/a.xml`. */
function filenameOf(cell: string): string {
  const href = /\bhref="([^"]{1,1000})"/.exec(cell)?.[1] ?? "";
  const name = href.slice(href.lastIndexOf("/") + 1);
  return /^[\w][\w.~-]{0,200}$/.test(name) ? name : "";
}

function plain(markup: string): string {
  return foldSpace(safeText(decodeHTML(markup.slice(0, 20_000).replaceAll(/<[^<>]{0,2000}>/g, " "))));
}
