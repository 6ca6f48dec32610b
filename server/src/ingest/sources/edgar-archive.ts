import { ParseError } from "../adapter.ts";
import { decodeText } from "../decode.ts";
import { foldSpace, safeText } from "../text.ts";
import { type Day, dayOf } from "./edgar-time.ts";

/** One line of a daily index. A filing has a line for each of its parties; their roles are not told. */
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
  /** Lines of it could not be read. */
  readonly salvaged: boolean;
}

/** Ten times the busiest day. */
const mostLines = 100_000;
const mostLine = 1_000;

/**
 * An index of EDGAR, by CIK (`master.idx`, divided by bars) or by form or company (fixed columns).
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
        /^Form Type +Company Name +CIK +Date Filed/i.test(line),
    );
  const head = lines[heading];
  if (head === undefined) throw new ParseError("no index: its heading is missing");
  const read = head.includes("|") ? barLine : columnLine(head.search(/Company Name/i));
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

/** Long names and forms push the columns behind them to the right: the last three are told by what they are. */
function columnLine(companyAt: number): (line: string) => IndexLine | null {
  return (line) => {
    const words = line.trim().split(/\s+/);
    const [cik = "", filed = "", file = ""] = words.slice(-3);
    const rest = line.slice(0, line.lastIndexOf(cik, line.lastIndexOf(filed, line.lastIndexOf(file)) - 1));
    const gap = /\s/.test(rest.charAt(companyAt - 1)) ? companyAt : rest.search(/\s{2}/);
    const at = gap < 0 ? companyAt : gap;
    return toLine({ cik, filed, file, form: rest.slice(0, at), company: rest.slice(at) });
  };
}

type Fields = Record<"cik" | "company" | "form" | "filed" | "file", string>;

function toLine({ cik, company, form, filed, file }: Fields): IndexLine | null {
  const accession = /\/(\d{10}-\d{2}-\d{6})\.txt\s*$/.exec(file)?.[1];
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

/** Where the index of a day stands, below the archives' address. */
export function dailyIndexPath(day: Day): string {
  const quarter = Math.ceil(Number(day.slice(5, 7)) / 3);
  return `edgar/daily-index/${day.slice(0, 4)}/QTR${quarter}/master.${day.replaceAll("-", "")}.idx`;
}
