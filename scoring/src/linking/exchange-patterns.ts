import type { SymbolTable } from "./table/symbol-table.ts";
import { looksLikeTicker, type TickerMatch } from "./ticker.ts";
import type { SymbolEntry } from "./types.ts";

const isTickerCharacter = (character: string): boolean => /[A-Za-z0-9.\-_/&]/.test(character);
const quotes = new Set(['"', "'", "“", "”", "‘", "’", "*"]);

/** Venue names that are also cities or words: a ticker after them counts only if the table has it there. */
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

/** Several venues for the tickers that follow: "NYSE and TSX:", "NASDAQ/TSX:", "NYSE, TSX:". */
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

/** Tickers after the colon: "GOOG, GOOGL", "GOOG and GOOGL". A word followed by a colon is the next venue's name. */
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

/** An unknown ticker is kept only in brackets, at a venue that is no plain word. */
function credible(venue: Venue, ticker: string, bracketed: boolean, first: boolean): boolean {
  if (venue.weak || !bracketed || !first || ticker.length > 6) return false;
  return numericVenues.has(venueOf(venue.exchange, ticker)) === /^\d/.test(ticker);
}

/** TSE is Tokyo, where tickers are numbers; some writers mean Toronto. */
const venueOf = (exchange: string, ticker: string): string =>
  exchange === "TSE" && /^[A-Z]/.test(ticker) ? "TSX" : exchange;

/** What the lines of a text are looked up by. */
interface Lookup {
  readonly table: SymbolTable;
  /** YYYY-MM-DD of the text. */
  readonly on: string;
  /** Whether the text has one of the company's names. */
  readonly isNamed: (entry: SymbolEntry) => boolean;
}

/** Pairs venues with tickers; in "(TSX/NYSE: CNR, CNI)" the first venue has the first ticker. */
function paired(
  { table, on, isNamed }: Lookup,
  venues: readonly Venue[],
  tickers: readonly Ticker[],
): readonly (readonly (SymbolEntry | undefined)[])[] {
  const all = tickers.map(({ text }) =>
    venues.map(({ exchange }) => table.resolve(venueOf(exchange, text), text, on, isNamed)),
  );
  if (venues.length < 2 || venues.length !== tickers.length) return all;
  const diagonal = all.map((row, index) => row[index]);
  if (diagonal.some((entry) => entry === undefined)) return all;
  return all.map((row, index) => row.map((entry, place) => (place === index ? entry : undefined)));
}

/** Whether a bracket is open at `at`, looking back over the length of a list of venues. */
function inBrackets(text: string, at: number): boolean {
  for (let index = at - 1; index >= 0 && at - index <= 120; index -= 1) {
    const character = text.charAt(index);
    if (character === "(" || character === "[") return true;
    if (character === ")" || character === "]") return false;
  }
  return false;
}

function matchesAt(lookup: Lookup, text: string, colon: number): readonly TickerMatch[] {
  const found: TickerMatch[] = [];
  const venues = venuesBefore(lookup.table, text, colon);
  if (venues.length === 0) return found;
  const tickers = tickersAfter(text, colon);
  const bracketed = inBrackets(text, colon);
  const lines = paired(lookup, venues, tickers);
  tickers.forEach((ticker, position) => {
    const known = lines[position] ?? [];
    venues.forEach((venue, index) => {
      const entry = known[index] ?? null;
      if (entry === null && (known.some(Boolean) || !credible(venue, ticker.text, bracketed, position === 0)))
        return;
      const exchange = entry?.exchange ?? venueOf(venue.exchange, ticker.text);
      found.push({ method: "exchange_pattern", entry, exchange, ticker: ticker.text, start: venue.start });
    });
  });
  return found;
}

/** "(NASDAQ: AAPL)" in all its forms; brackets are optional when the table knows the line. */
export function exchangeMatches(lookup: Lookup, text: string): readonly TickerMatch[] {
  const found: TickerMatch[] = [];
  for (let colon = text.indexOf(":"); colon >= 0; colon = text.indexOf(":", colon + 1))
    found.push(...matchesAt(lookup, text, colon));
  return found;
}
