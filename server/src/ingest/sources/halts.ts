import { Parser } from "htmlparser2";
import type { SourceConfig } from "../../config/sources.ts";
import { type Adapter, type ParsedPage, ParseError, plainPage } from "../adapter.ts";
import { parseDate } from "../dates/dates.ts";
import { cutNote } from "../decode/bounded-xml.ts";
import { decodeDocument } from "../decode/decode.ts";
import { mendXml } from "../decode/salvage.ts";
import type { FetchedResponse } from "../fetch/types.ts";
import type { RawItem } from "../raw-item.ts";
import { foldSpace, safeText } from "../text/text.ts";
import { haltExchange, haltReason } from "./halt-codes.ts";

/**
 * Nasdaq's list of trade halts on all US markets: `https://www.nasdaqtrader.com/rss.aspx?feed=tradehalts`. A halt stays
 * in the list, and its row changes when the resumption times are set: same identity, other title and text.
 * Nothing beyond the list is read, so a halt never waits for a document.
 */
export const haltsAdapter: Adapter = {
  identityKind: "halt",
  plan: ({ url }) => ({ request: { url, accept, conditional: true, trusted: true }, floor: null }),
  parse,
  enrich: () => null,
  withDocuments: (item) => item,
};

/** A category of every item of this adapter. */
export const haltCategory = "trade halt";

const accept = "application/rss+xml, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.1";
/** Dates and times of the list have no zone and are Eastern, whatever the source's entry says. */
const zone = "America/New_York";
const mostHalts = 5_000;

/** The list is four levels deep; much deeper documents are no list, and depth costs the parser time. */
const mostDepth = 64;
const mostText = 500;

const fieldNames = [
  "HaltDate",
  "HaltTime",
  "IssueSymbol",
  "IssueName",
  "Market",
  "ReasonCode",
  "PauseThresholdPrice",
  "ResumptionDate",
  "ResumptionQuoteTime",
  "ResumptionTradeTime",
] as const;
type FieldName = (typeof fieldNames)[number];
type Row = Record<FieldName, string>;

/** @throws {ParseError} when the answer is no RSS, or none of its rows could be read */
function parse(response: FetchedResponse, source: SourceConfig): ParsedPage {
  const { text, kind } = decodeDocument(response.body, response.headers["content-type"] ?? "");
  if (kind === "json") throw new ParseError("the answer is JSON, not the list of trade halts");
  const { rows, ttlMinutes, isWhole, isCut } = readRows(mendXml(text));
  const items = rows.flatMap((row) => toItem(row, source, response.fetchedAt) ?? []);
  if (rows.length > 0 && items.length === 0) throw new ParseError("no row of the list names a halt");
  const ttlMs = /^[1-9]\d{0,4}$/.test(ttlMinutes) ? Number(ttlMinutes) * 60_000 : null;
  const salvaged = !isWhole || items.length < rows.length;
  const cut = isCut ? cutNote([`the list has more than ${mostHalts} halts`]) : null;
  return { ...plainPage(items, { salvaged, ttlMs }), cut };
}

/** `isCut`: there are more rows than are read. */
function readRows(xml: string): { rows: Row[]; ttlMinutes: string; isWhole: boolean; isCut: boolean } {
  const rows: Row[] = [];
  const path: string[] = [];
  let row: Row | null = null;
  let ttlMinutes = "";
  let isWhole = false;
  let isCut = false;
  const parser = new Parser(
    {
      onopentag(name) {
        path.push(localName(name));
        if (path.length > mostDepth) throw new ParseError("nested too deeply for the list of trade halts");
        if (path.at(-1) === "item") row = blankRow();
      },
      ontext(text) {
        const name = path.at(-1);
        if (row === null) {
          if (name === "ttl" && ttlMinutes.length < mostText) ttlMinutes += text.trim();
        } else if (isField(name) && row[name].length < mostText) row[name] += text.slice(0, mostText);
      },
      onclosetag(_name, isImplied) {
        const name = path.pop();
        // An implied end tag means that the document is cut: its last row is left out.
        if (name === "item") {
          if (rows.length === mostHalts) isCut = true;
          else if (row !== null && !isImplied) rows.push(row);
          row = null;
        }
        if (path.length === 0) isWhole = !isImplied;
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return { rows, ttlMinutes, isWhole, isCut };
}

/** Without its prefix, which a document chooses freely. */
const localName = (name: string): string => name.slice(name.indexOf(":") + 1);
const isField = (name: string | undefined): name is FieldName => fieldNames.some((field) => field === name);

function blankRow(): Row {
  return {
    HaltDate: "",
    HaltTime: "",
    IssueSymbol: "",
    IssueName: "",
    Market: "",
    ReasonCode: "",
    PauseThresholdPrice: "",
    ResumptionDate: "",
    ResumptionQuoteTime: "",
    ResumptionTradeTime: "",
  };
}

/** A row with clean texts and times in one form. */
interface Halt {
  readonly symbol: string;
  readonly name: string;
  readonly market: string;
  readonly code: string;
  /** YYYY-MM-DD */
  readonly date: string;
  /** HH:MM:SS */
  readonly time: string;
  readonly at: Date;
  readonly thresholdPrice: string;
  readonly resumption: {
    readonly date: string | null;
    readonly quotes: string | null;
    readonly trades: string | null;
  };
}

/** null for a row without the security or the time of the halt. */
function toHalt(row: Row): Halt | null {
  const text = (name: FieldName) => foldSpace(safeText(row[name]));
  const symbol = text("IssueSymbol").toUpperCase();
  const date = isoDate(text("HaltDate"));
  const time = clockTime(text("HaltTime"));
  if (!/^[A-Z0-9][A-Z0-9 .$+=^*/-]{0,14}$/.test(symbol) || date === null || time === null) return null;
  const at = parseDate(`${date}T${time}`, zone)?.at;
  if (at === undefined) return null;
  return {
    symbol,
    name: text("IssueName"),
    market: text("Market"),
    code: text("ReasonCode").toUpperCase(),
    date,
    time,
    at,
    thresholdPrice: text("PauseThresholdPrice"),
    resumption: {
      date: isoDate(text("ResumptionDate")),
      quotes: clockTime(text("ResumptionQuoteTime")),
      trades: clockTime(text("ResumptionTradeTime")),
    },
  };
}

/** 03/02/2026 as 2026-03-02. */
function isoDate(text: string): string | null {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return null;
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

/** 9:45:10.636 as 09:45:10; the fraction, sometimes after a run of blanks, is not part of the identity. */
function clockTime(text: string): string | null {
  const [, hour, minute, second = "00"] = /^(\d{1,2}):(\d{2})(?::(\d{2}))?(?: ?\.\d{1,9})?$/.exec(text) ?? [];
  if (hour === undefined || minute === undefined) return null;
  return `${hour.padStart(2, "0")}:${minute}:${second}`;
}

function toItem(row: Row, source: SourceConfig, seenAt: Date): RawItem | null {
  const halt = toHalt(row);
  if (halt === null) return null;
  const { symbol, code, date, time, market, at } = halt;
  const exchange = haltExchange(market);
  return {
    source: source.name,
    providerId: source.provider,
    type: source.type,
    identity: [`halt:${symbol}:${date}T${time}:${code === "" ? "none" : code}`],
    claims: [],
    seenAt,
    title: `${symbol}: ${[headline(halt), reasonNote(code)].filter((part) => part !== "").join(" ")}`,
    link: null,
    body: story(halt),
    publishedAt: at,
    precision: "second",
    language: "en",
    symbols: [exchange === null ? symbol : `${exchange}:${symbol}`],
    isins: [],
    ciks: [],
    categories: [haltCategory, ...(code === "" ? [] : [code])],
    filing: null,
    retracted: false,
  };
}

const stateWords = {
  halted: "trading halted",
  paused: "trading paused",
  resuming: "trading to resume",
  "not yet trading": "not yet trading",
  deleted: "deleted from the market",
} as const;

/** A resumption, if known, is more informative than the halt itself. */
function headline({ code, date, resumption }: Halt): string {
  const day = resumption.date === null || resumption.date === date ? "" : `${resumption.date} `;
  if (resumption.trades !== null) return `trading resumes ${day}${shortTime(resumption.trades)} ET`;
  if (resumption.quotes !== null) return `quotation resumes ${day}${shortTime(resumption.quotes)} ET`;
  if (resumption.date !== null) return `trading resumes ${resumption.date}`;
  return stateWords[haltReason(code)?.state ?? "halted"];
}

function reasonNote(code: string): string {
  const label = haltReason(code)?.label;
  if (code === "") return "";
  return label === undefined ? `(${code})` : `(${code}, ${label})`;
}

const shortTime = (time: string): string => time.replace(/:00$/, "");

function story({ symbol, name, market, code, date, time, thresholdPrice, resumption }: Halt): string {
  const security = name === "" ? symbol : `${name} (${symbol})`;
  const { label, state } = haltReason(code) ?? {};
  const day = resumption.date ?? date;
  const verb = state === "paused" ? "paused" : "halted";
  const parts = [
    `Trading in ${security}${market === "" ? "" : `, listed on ${market},`} was ${verb} on ${date} at ${time} ET.`,
    code === "" ? "" : `Reason ${code}${label === undefined ? "" : `: ${label}`}.`,
    thresholdPrice === "" ? "" : `Pause threshold price ${thresholdPrice}.`,
    resumption.quotes === null ? "" : `Quotation resumes on ${day} at ${shortTime(resumption.quotes)} ET.`,
    resumption.trades === null ? "" : `Trading resumes on ${day} at ${shortTime(resumption.trades)} ET.`,
  ];
  return parts.filter((part) => part !== "").join(" ");
}
