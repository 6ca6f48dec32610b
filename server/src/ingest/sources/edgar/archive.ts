import { ParseError } from "../../adapter.ts";
import { decodeText } from "../../decode/decode.ts";
import { foldSpace, safeText } from "../../text/text.ts";
import { type Day, dayOf } from "./time.ts";

/** One line of a daily index. A filing has a line for each of its parties, without their roles. */
export interface IndexLine {
  readonly form: string;
  readonly company: string;
  /** 10 digits. */
  readonly cik: string;
  /** YYYY-MM-DD */
  readonly filed: Day;
  /** With dashes. */
  readonly accession: string;
}

export interface DailyIndex {
  readonly lines: readonly IndexLine[];
  /** Some of its lines could not be read. */
  readonly salvaged: boolean;
}

/** Ten times the busiest day. */
const mostLines = 100_000;
const mostLine = 1_000;

/**
 * An index of EDGAR, by CIK (`master.idx`, divided by bars), by form or by company (`form.idx`, `company.idx` and
 * `crawler.idx`, in columns).
 * @throws {ParseError} when it has not the heading of one
 * Source: recorded indexes of 2018-2025; https://www.sec.gov/search-filings/edgar-search-assistance/accessing-edgar-data.
 */
export function parseDailyIndex(body: Uint8Array): DailyIndex {
  const lines = decodeText(body, "").split("\n", mostLines);
  const heading = lines
    .slice(0, 30)
    .findIndex(
      (line) =>
        /^CIK\|Company Name\|Form Type\|/i.test(line) ||
        /^(Form Type +Company Name|Company Name +Form Type) +CIK +Date Filed/i.test(line),
    );
  const head = lines[heading];
  if (head === undefined) throw new ParseError("no index: its heading is missing");
  const read = head.includes("|") ? barLine : columnLine(head);
  const written = lines.slice(heading + 1).filter((line) => line.trim() !== "" && !/^-+\s*$/.test(line));
  const found = written
    .map((line) => (line.length > mostLine ? null : read(line)))
    .filter((line) => line !== null);
  if (found.length === 0 && written.length > 0) throw new ParseError("no line of the index can be read");
  return { lines: found, salvaged: found.length < written.length };
}

function barLine(line: string): IndexLine | null {
  const [cik = "", company = "", form = "", filed = "", file = ""] = line.split("|");
  return toLine({ cik, company, form, filed, file });
}

/** Long names and forms push the later columns to the right, so the last three are recognised by their content. */
function columnLine(head: string): (line: string) => IndexLine | null {
  const isByForm = /^Form/i.test(head);
  const secondAt = head.search(isByForm ? /Company Name/i : /Form Type/i);
  return (line) => {
    const words = line.trim().split(/\s+/);
    const [cik = "", filed = "", file = ""] = words.slice(-3);
    const rest = line.slice(0, line.lastIndexOf(cik, line.lastIndexOf(filed, line.lastIndexOf(file)) - 1));
    const at = isByForm ? endOfForm(rest, secondAt) : startOfForm(rest.trimEnd(), secondAt);
    const [first, second] = [rest.slice(0, at), rest.slice(at)];
    const named = isByForm ? { form: first, company: second } : { company: first, form: second };
    return toLine({ cik, filed, file, ...named });
  };
}

function endOfForm(rest: string, companyAt: number): number {
  const gap = /\s/.test(rest.charAt(companyAt - 1)) ? companyAt : rest.search(/\s{2}/);
  return gap < 0 ? companyAt : gap;
}

/** After the last gap: a long name may have a space where the column begins. */
function startOfForm(rest: string, formAt: number): number {
  const gap = rest.search(/\s{2,}\S+( \S+)*$/);
  return gap < 0 ? formAt : gap;
}

type Fields = Record<"cik" | "company" | "form" | "filed" | "file", string>;

function toLine({ cik, company, form, filed, file }: Fields): IndexLine | null {
  const accession = /\/(\d{10}-\d{2}-\d{6})(?:\.txt|-index\.html?)\s*$/.exec(file)?.[1];
  const day = dayOf(filed);
  const name = foldSpace(safeText(form));
  if (accession === undefined || day === null || name === "" || !/^\d{1,10}$/.test(cik.trim())) return null;
  return {
    form: name,
    company: foldSpace(safeText(company)),
    cik: cik.trim().padStart(10, "0"),
    filed: day,
    accession,
  };
}

/** Path of a day's index, below the archives' address. */
export function dailyIndexPath(day: Day): string {
  const quarter = Math.ceil(Number(day.slice(5, 7)) / 3);
  return `edgar/daily-index/${day.slice(0, 4)}/QTR${quarter}/master.${day.replaceAll("-", "")}.idx`;
}
