import type { SymbolEntry, SymbolTable } from "./symbol-table.ts";
import { tokenize } from "./text.ts";

/** A ticker written as one. `entry` is missing when the venue is known and the ticker is not (a new listing). */
export interface TickerMatch {
  readonly method: "exchange_pattern" | "cashtag" | "ticker_and_name";
  readonly entry: SymbolEntry | null;
  readonly exchange: string;
  readonly ticker: string;
  readonly start: number;
}

const tickerText = /^[A-Z0-9](?:[A-Z0-9]|[.\-_/&](?=[A-Z0-9])){0,11}$/;
export const looksLikeTicker = (text: string): boolean => tickerText.test(text);

const isTickerCharacter = (character: string): boolean => /[A-Za-z0-9.\-_/&]/.test(character);
const quotes = new Set(['"', "'", "“", "”", "‘", "’", "*"]);

/** Words that name cities or are words: a ticker after them counts only when the table knows it there. */
const weakVenues = new Set(
  "london,tokyo,frankfurt,stuttgart,oslo,toronto,paris,amsterdam,brussels,lisbon,madrid,milan,stockholm,copenhagen,helsinki,six,set,aim,pink,bit,fra,hel,ger,arca,hong kong,demo".split(
    ",",
  ),
);

interface Venue {
  readonly exchange: string;
  readonly weak: boolean;
  readonly start: number;
}

/** Longest name of up to four words that ends right before `end`, so "NYSE American" wins over "American". */
function venueBefore(table: SymbolTable, text: string, end: number): Venue | null {
  const from = Math.max(0, end - 48);
  const head = text.slice(from, end).trimEnd();
  const boundaries = [...head.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu)]
    .map(({ index }) => index)
    .slice(-5);
  for (const start of boundaries) {
    const name = head.slice(start);
    if (/[()[\];,"]/.test(name) || !/^[\p{Lu}\d]/u.test(name)) continue;
    const exchange = table.exchangeNamed(name);
    if (exchange !== null) return { exchange, weak: weakVenues.has(name.toLowerCase()), start: from + start };
  }
  return null;
}

/** "NYSE and TSX:", "NASDAQ/TSX:", "NYSE, TSX:" name several venues for the tickers that follow. */
function venuesBefore(table: SymbolTable, text: string, colon: number): readonly Venue[] {
  const venues: Venue[] = [];
  let end = colon;
  while (venues.length < 4) {
    const venue = venueBefore(table, text, end);
    if (venue === null) break;
    venues.unshift(venue);
    const before = text.slice(Math.max(0, venue.start - 6), venue.start);
    const separator = /(?:\s*[/,&]\s*|\s+and\s+)$/.exec(before);
    if (separator === null) break;
    end = venue.start - separator[0].length;
  }
  return venues;
}

interface Ticker {
  readonly text: string;
  readonly end: number;
}

function tickerAt(text: string, from: number): Ticker | null {
  let start = from;
  while (start - from < 4 && (text.charAt(start) === " " || quotes.has(text.charAt(start)))) start += 1;
  let end = start;
  while (end - start < 13 && isTickerCharacter(text.charAt(end))) end += 1;
  while (end > start && /[.\-_/&]/.test(text.charAt(end - 1))) end -= 1;
  const found = text.slice(start, end);
  if (!looksLikeTicker(found)) return null;
  while (quotes.has(text.charAt(end))) end += 1;
  return { text: found, end };
}

/** Tickers after the colon: "GOOG, GOOGL", "GOOG and GOOGL". One that a colon follows is the next venue's name. */
function tickersAfter(text: string, colon: number): readonly Ticker[] {
  const tickers: Ticker[] = [];
  let from = colon + 1;
  while (tickers.length < 6) {
    const ticker = tickerAt(text, from);
    if (ticker === null) break;
    const rest = text.slice(ticker.end, ticker.end + 24);
    if (tickers.length > 0 && /^(?:[ \w.-]{0,16}:| [A-Za-z])/.test(rest) && !/^ and /.test(rest)) break;
    tickers.push(ticker);
    const separator = /^(?:\s*[,/&]\s*|\s+and\s+)/.exec(rest);
    if (separator === null) break;
    from = ticker.end + separator[0].length;
  }
  return tickers;
}

/** Numbers are tickers in Asia only; elsewhere "(NYSE: 12)" is a slip. */
const numericVenues = new Set("HKEX,TSE,KRX,TWSE,TPEX,SSE,SZSE,TADAWUL,MYX".split(","));

/** An unknown ticker is kept only where the text leaves no doubt: in brackets, at a venue that is no plain word. */
function credible(venue: Venue, ticker: string, bracketed: boolean, first: boolean): boolean {
  if (venue.weak || !bracketed || !first || ticker.length > 6) return false;
  return numericVenues.has(venue.exchange) ? true : /^[A-Z]/.test(ticker);
}

/** "(NASDAQ: AAPL)" in all its forms; brackets are optional when the table knows the line. */
function exchangeMatches(table: SymbolTable, text: string): readonly TickerMatch[] {
  const found: TickerMatch[] = [];
  for (let colon = text.indexOf(":"); colon >= 0; colon = text.indexOf(":", colon + 1)) {
    const venues = venuesBefore(table, text, colon);
    if (venues.length === 0) continue;
    const head = text.slice(Math.max(0, colon - 120), colon);
    const bracketed = Math.max(head.lastIndexOf("("), head.lastIndexOf("[")) > head.search(/[)\]][^)\]]*$/);
    tickersAfter(text, colon).forEach((ticker, position) => {
      const known = venues.map((venue) => table.resolve(venue.exchange, ticker.text));
      venues.forEach((venue, index) => {
        const entry = known[index] ?? null;
        if (
          entry === null &&
          (known.some(Boolean) || !credible(venue, ticker.text, bracketed, position === 0))
        )
          return;
        const { exchange } = entry ?? venue;
        found.push({ method: "exchange_pattern", entry, exchange, ticker: ticker.text, start: venue.start });
      });
    });
  }
  return found;
}

const coins = new Set("BTC,ETH,BNB,SOL,XRP,ADA,DOGE,TRX".split(","));
const usVenues = new Set("NASDAQ,NYSE,AMEX,CBOE,OTC,DEMO".split(","));

/** $BTC means the coin although funds trade under its letters; other cashtags mean a U.S. line if there is one. */
export function entryOfTicker(table: SymbolTable, ticker: string): SymbolEntry | undefined {
  if (coins.has(ticker)) return table.get(`CRYPTO:${ticker}USD`);
  const lines = table.byTicker(ticker);
  const coin = table.get(`CRYPTO:${ticker}USD`);
  return lines.find(({ exchange }) => usVenues.has(exchange)) ?? lines[0] ?? coin;
}

function cashtagMatches(table: SymbolTable, text: string): readonly TickerMatch[] {
  const found: TickerMatch[] = [];
  for (const match of text.matchAll(
    /(?<![\p{L}\p{N}$])\$([A-Z]{1,6}(?:[.-][A-Z]{1,2})?)(?![\p{L}\p{N}])/gu,
  )) {
    const ticker = (match[1] ?? "").replace("-", ".");
    const entry = entryOfTicker(table, ticker) ?? entryOfTicker(table, ticker.replace(/\.[A-Z]+$/, ""));
    if (entry === undefined) continue;
    found.push({ method: "cashtag", entry, exchange: entry.exchange, ticker, start: match.index });
  }
  return found;
}

/** Suffixes that some writers put after a ticker, `(AAPL.O)`, `(SHOP.TO)`, to the venues they stand for. */
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

/** Enough of the company's name stands in the text: its first word, or its first two when the first is common. */
export function namedIn(words: ReadonlySet<string>, name: string): boolean {
  const [first, second] = tokenize(name);
  if (first === undefined || !(words.has(first.word) || words.has(`${first.word}'s`))) return false;
  if (!plainFirstWords.has(first.word) && first.word.length > 2) return true;
  return second !== undefined && words.has(second.word);
}

/** "(AAPL)" proves nothing by itself (CEO, EPS, any abbreviation), so the name must stand there too. */
function bracketMatches(
  table: SymbolTable,
  text: string,
  words: ReadonlySet<string>,
): readonly TickerMatch[] {
  const found: TickerMatch[] = [];
  for (const match of text.matchAll(/[([]([A-Z]{1,6}|[A-Z0-9]{1,6}\.[A-Z]{1,2})[)\]]/g)) {
    const ticker = match[1] ?? "";
    const dot = ticker.lastIndexOf(".");
    const venue = dot > 0 ? suffixVenues[ticker.slice(dot + 1)] : undefined;
    const suffixed = venue === undefined ? undefined : table.resolve(venue, ticker.slice(0, dot));
    const entry = suffixed ?? table.byTicker(ticker).find(({ name }) => namedIn(words, name));
    if (entry === undefined) continue;
    const method = suffixed === undefined ? "ticker_and_name" : "exchange_pattern";
    found.push({ method, entry, exchange: entry.exchange, ticker, start: match.index });
  }
  return found;
}

/** @param words lower-case words of the whole text read, for the name beside a bare "(TICK)" */
export function findTickers(
  table: SymbolTable,
  text: string,
  words: ReadonlySet<string>,
): readonly TickerMatch[] {
  return [
    ...exchangeMatches(table, text),
    ...cashtagMatches(table, text),
    ...bracketMatches(table, text, words),
  ];
}
