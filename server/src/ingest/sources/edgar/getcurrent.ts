import { Parser } from "htmlparser2";
import { ParseError } from "../../adapter.ts";
import { decodeText } from "../../decode/decode.ts";
import { foldSpace, safeText } from "../../text/text.ts";

/** One row of the live list. A filing has a row for each of its parties. */
export interface GetcurrentRow {
  /** With dashes: 0000123456-25-000001. */
  readonly accession: string;
  /** As filed, from category@term. */
  readonly form: string;
  readonly company: string;
  /** 10 digits. */
  readonly cik: string;
  /** Issuer, Reporting, Filer, Subject, Filed by ... */
  readonly role: string;
  /** Time of acceptance, ISO 8601 with offset, as given. */
  readonly updated: string;
  /** Filing date, YYYY-MM-DD; empty when the row names none. */
  readonly filed: string;
  /** 8-K item numbers in order; empty for other forms. */
  readonly items: readonly string[];
  /** Index page of the filing. */
  readonly link: string;
}

export interface GetcurrentPage {
  readonly rows: readonly GetcurrentRow[];
  /** The document is cut, or some of its rows could not be read. */
  readonly salvaged: boolean;
}

/** Text of one entry while it is parsed. */
type Entry = Record<"title" | "summary" | "updated" | "id" | "link" | "term", string>;

/** The list is four levels deep; much deeper documents are no list, and depth costs the parser time. */
const mostDepth = 64;
/** A summary is a few lines; the rest of a longer one is ignored. */
const mostText = 20_000;

/**
 * The rows of one page of EDGAR's live list (`browse-edgar?action=getcurrent&output=atom`).
 * @param bytes the body; its XML declaration names the encoding (ISO-8859-1 in practice)
 * @returns rows in the order of the page; none when the list is whole and empty
 * @throws {ParseError} when it is not an Atom feed, or nothing in it could be read
 * Source: recorded pages of December 2025; the SEC documents the address but not the format.
 */
export function parseGetcurrent(bytes: Uint8Array): GetcurrentPage {
  const { entries, isFeed, isWhole } = readEntries(decodeText(bytes, ""));
  if (!isFeed) throw new ParseError("not an Atom feed");
  const rows = entries.map(toRow).filter((row) => row !== null);
  const salvaged = !isWhole || rows.length < entries.length;
  if (salvaged && rows.length === 0) throw new ParseError("an Atom feed without a readable entry");
  return { rows, salvaged };
}

function readEntries(xml: string): { entries: Entry[]; isFeed: boolean; isWhole: boolean } {
  const entries: Entry[] = [];
  const path: string[] = [];
  let entry: Entry | null = null;
  let isFeed = false;
  let isWhole = false;
  const parser = new Parser(
    {
      onopentag(name, { href, term }) {
        path.push(name);
        if (path.length > mostDepth) throw new ParseError("nested too deeply for an Atom feed");
        if (path.length === 1) isFeed = name === "feed";
        if (path.length === 2 && name === "entry") entry = blank();
        else if (path.length === 3 && entry !== null) {
          if (name === "link" && entry.link === "") entry.link = href ?? "";
          if (name === "category" && entry.term === "") entry.term = term ?? "";
        }
      },
      ontext(text) {
        const name = path[2];
        if (entry === null || path.length !== 3) return;
        if (name === "title" || name === "summary" || name === "updated" || name === "id")
          if (entry[name].length < mostText) entry[name] += text;
      },
      onclosetag(name, isImplied) {
        // An implied end tag means that the document is cut: its last entry is left out.
        if (path.length === 2 && entry !== null) {
          if (!isImplied) entries.push(entry);
          entry = null;
        }
        path.pop();
        if (path.length === 0 && name === "feed") isWhole = !isImplied;
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return { entries, isFeed, isWhole };
}

function blank(): Entry {
  return { title: "", summary: "", updated: "", id: "", link: "", term: "" };
}

/** null when a required fact is missing. */
function toRow({ title, summary, updated, id, link, term }: Entry): GetcurrentRow | null {
  const accession = /\d{10}-\d{2}-\d{6}/.exec(id)?.[0];
  const form = foldSpace(safeText(term));
  const headline = foldSpace(safeText(title));
  const party = /^(.*) \((\d{1,10})\) \(([^()]*)\)$/.exec(
    headline.startsWith(`${form} - `) ? headline.slice(form.length + 3) : headline,
  );
  const [, company, cik, role] = party ?? [];
  if (accession === undefined || form === "" || cik === undefined) return null;
  return {
    accession,
    form,
    company: company ?? "",
    cik: cik.padStart(10, "0"),
    role: role ?? "",
    updated: updated.trim(),
    filed: /Filed:(?:<\/b>)?\s*(\d{4}-\d{2}-\d{2})/.exec(summary)?.[1] ?? "",
    items: [...summary.matchAll(/\bItem (\d{1,2}\.\d{2})\b/g)].map(([, number = ""]) => number),
    link: link.trim(),
  };
}
