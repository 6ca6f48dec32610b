import { tokenize } from "../text.ts";
import { exchangeMatches } from "./exchange-patterns.ts";
import { findIsins } from "./isin.ts";
import type { SymbolTable } from "./table/symbol-table.ts";
import type { TickerMatch } from "./ticker.ts";
import type { SymbolEntry } from "./types.ts";

const coins = new Set("BTC,ETH,BNB,SOL,XRP,ADA,DOGE,TRX".split(","));
const usVenues = new Set("NASDAQ,NYSE,AMEX,CBOE,OTC,DEMO".split(","));

/** $BTC means the coin although funds have that ticker; other cashtags mean a U.S. line if there is one. */
export function entryOfTicker(table: SymbolTable, ticker: string, on: string): SymbolEntry | undefined {
  if (coins.has(ticker)) return table.get(`CRYPTO:${ticker}USD`);
  const lines = table.byTickerOn(ticker, on);
  const us = lines.find(({ exchange }) => usVenues.has(exchange)) ?? table.resolve("NASDAQ", ticker, on);
  return us ?? lines[0] ?? table.get(`CRYPTO:${ticker}USD`);
}

/** "$US 5,000", "$A200" and "$C 3m" are money. */
const currencyMarks = new Set("US,A,C,NZ,S,HK,CAN,AUD,CAD,USD,EU".split(","));
const beforeAmount = /^\s?\d/;

/** "Revenue ($B)" heads a column in billions; "Macy's ($M)" names the company. */
const scaleMarks = new Set("B,M,K,T,MM,BN,MN".split(","));

function cashtagMatches(
  table: SymbolTable,
  text: string,
  words: () => ReadonlySet<string>,
  on: string,
): readonly TickerMatch[] {
  if (!text.includes("$")) return [];
  const found: TickerMatch[] = [];
  for (const match of text.matchAll(/(?<![\p{L}\p{N}$])\$([A-Z]{1,6}(?:[.-][A-Z]{1,2})?)(?![\p{L}])/gu)) {
    const ticker = (match[1] ?? "").replace("-", ".");
    const end = match.index + match[0].length;
    if (
      beforeAmount.test(text.slice(end, end + 2)) &&
      (currencyMarks.has(ticker) || text.charAt(end) !== " ")
    )
      continue;
    const entry =
      entryOfTicker(table, ticker, on) ?? entryOfTicker(table, ticker.replace(/\.[A-Z]+$/, ""), on);
    if (entry === undefined) continue;
    const isScale = scaleMarks.has(ticker) && text.charAt(match.index - 1) === "(";
    if (isScale && !anyNamedIn(words(), entry)) continue;
    found.push({ method: "cashtag", entry, exchange: entry.exchange, ticker, start: match.index });
  }
  return found;
}

function isinMatches(table: SymbolTable, text: string): readonly TickerMatch[] {
  return findIsins(text).flatMap(({ isin, start }): readonly TickerMatch[] => {
    const entry = table.byIsin(isin);
    if (entry === undefined) return [];
    return [{ method: "isin", entry, exchange: entry.exchange, ticker: entry.shortSymbol, start }];
  });
}

/** Suffixes after a ticker, `(AAPL.O)`, `(SHOP.TO)`, with their venues. */
const suffixVenues: Readonly<Record<string, string>> = {
  O: "NASDAQ",
  N: "NYSE",
  L: "LSE",
  DE: "XETR",
  PA: "EURONEXT",
  AS: "EURONEXT",
  T: "TSE",
  HK: "HKEX",
  TO: "TSX",
  V: "TSXV",
  NS: "NSE",
  AX: "ASX",
  MI: "MIL",
  MC: "BME",
  ST: "OMXSTO",
  CO: "OMXCOP",
  HE: "OMXHEX",
  OL: "OSL",
  SW: "SIX",
};

const plainFirstWords = new Set(
  "the,first,american,united,national,general,new,u.s,us,global,international,great,royal,north,south,east,west,bank,china,india,canadian,european,capital".split(
    ",",
  ),
);

/** Whether the text has enough of the company's name: its first word, or its first two if the first is common. */
export function namedIn(words: ReadonlySet<string>, name: string): boolean {
  const [first, second] = tokenize(name);
  if (first === undefined || !(words.has(first.word) || words.has(`${first.word}'s`))) return false;
  if (!plainFirstWords.has(first.word) && first.word.length > 2) return true;
  return second !== undefined && words.has(second.word);
}

/** One of the company's names, former ones included. */
const anyNamedIn = (words: ReadonlySet<string>, { name, aliases }: SymbolEntry): boolean =>
  namedIn(words, name) || aliases.some((alias) => namedIn(words, alias));

/** "(AAPL)" alone proves nothing (it could be CEO or EPS), so the text must also have the name. */
function bracketMatches(
  table: SymbolTable,
  text: string,
  words: () => ReadonlySet<string>,
  on: string,
): readonly TickerMatch[] {
  const found: TickerMatch[] = [];
  for (const match of text.matchAll(/[([]([A-Z]{1,6}|[A-Z0-9]{1,6}\.[A-Z]{1,2})[)\]]/g)) {
    const ticker = match[1] ?? "";
    const dot = ticker.lastIndexOf(".");
    const venue = dot > 0 ? suffixVenues[ticker.slice(dot + 1)] : undefined;
    const isNamed = (candidate: SymbolEntry) => anyNamedIn(words(), candidate);
    const suffixed =
      venue === undefined ? undefined : table.resolve(venue, ticker.slice(0, dot), on, isNamed);
    const entry = suffixed ?? table.byTickerOn(ticker, on).find(isNamed);
    if (entry === undefined) continue;
    const method = suffixed === undefined ? "ticker_and_name" : "exchange_pattern";
    found.push({ method, entry, exchange: entry.exchange, ticker, start: match.index });
  }
  return found;
}

/**
 * @param words lower-case words of the whole text, for the name beside a bare "(TICK)"; computed only then
 * @param on YYYY-MM-DD of the text
 */
export function findTickers(
  table: SymbolTable,
  text: string,
  words: () => ReadonlySet<string>,
  on: string,
): readonly TickerMatch[] {
  const bracketed = text.includes("(") || text.includes("[");
  return [
    ...exchangeMatches({ table, on, isNamed: (entry) => anyNamedIn(words(), entry) }, text),
    ...cashtagMatches(table, text, words, on),
    ...isinMatches(table, text),
    ...(bracketed ? bracketMatches(table, text, words, on) : []),
  ];
}
