import type { SymbolHints } from "../types.ts";
import type { Candidate } from "./candidates.ts";
import { candidateOf, relevanceOf } from "./candidates.ts";
import { isIsin } from "./isin.ts";
import type { SymbolTable } from "./table/symbol-table.ts";
import { venueKey } from "./table/symbol-table.ts";
import { looksLikeTicker } from "./ticker.ts";
import { entryOfTicker } from "./ticker-patterns.ts";

/** More hints than any feed sends for an item; the rest is ignored. */
const mostHints = 50;
/** The first hint is the subject; the relevance of the others falls with their order. */
const inOrder = (relevance: number, order: number): number => Math.max(relevance - 2 * order, 80);

/** @param hint `AAPL`, `NASDAQ:AAPL`, or as wires write it: `Nasdaq:AAPL`, `Euronext Lisbon:BCP`, `Stockholm:ERIC B` */
function hintedSymbol(table: SymbolTable, hint: string, order: number, on: string): Candidate | null {
  const text = hint.slice(0, 100).trim();
  const colon = text.lastIndexOf(":");
  const written = text.slice(colon + 1).trim();
  const ticker = written.toUpperCase().replace(/\s+(?=[A-Z]$)/, "_");
  const relevance = inOrder(relevanceOf.hint, order);
  if (!looksLikeTicker(ticker.replace(/[.!]$/, ""))) return null;
  const unknown = { method: "hint", entry: null, relevance, position: -1 } as const;
  if (colon < 0) {
    const entry = table.resolve("NASDAQ", ticker, on) ?? entryOfTicker(table, ticker, on);
    if (entry !== undefined) return candidateOf("hint", entry, relevance, -1);
    return { ...unknown, symbol: ticker, exchange: null };
  }
  const named = text.slice(0, colon).trim();
  const exchange = table.exchangeNamed(named) ?? venueKey(named).toUpperCase();
  const entry = table.resolve(exchange, ticker, on);
  if (entry !== undefined) return candidateOf("hint", entry, relevance, -1);
  return exchange === "" ? null : { ...unknown, symbol: `${exchange}:${ticker}`, exchange };
}

function hintedIsin(table: SymbolTable, hint: string, order: number): Candidate | null {
  const isin = hint.trim().toUpperCase();
  const entry = isIsin(isin) ? table.byIsin(isin) : undefined;
  return entry === undefined ? null : candidateOf("isin", entry, inOrder(relevanceOf.hint - 1, order), -1);
}

function hintedCik(table: SymbolTable, cik: string, order: number): Candidate | null {
  const entry = /^\d{1,10}$/.test(cik) ? table.ofIssuer(cik) : undefined;
  if (entry === undefined) return null;
  return candidateOf("cik", entry, inOrder(relevanceOf.cik, order), -1);
}

/** Whether a ticker's line is of another registrant than those that the source names by their numbers. */
function isOthers({ entry }: Candidate, registrants: ReadonlySet<number>): boolean {
  const cik = entry?.cik ?? null;
  return registrants.size > 0 && cik !== null && !registrants.has(Number(cik));
}

/** Candidates from the source's own hints. */
export function candidatesByHint(table: SymbolTable, hints: SymbolHints, on: string): readonly Candidate[] {
  const { symbols, isins, ciks } = hints;
  if (symbols.length + isins.length + ciks.length === 0) return [];
  const registrants = new Set(ciks.slice(0, mostHints).map(Number));
  const tickers = symbols.slice(0, mostHints).map((hint, order) => hintedSymbol(table, hint, order, on));
  return [
    ...tickers.filter((candidate) => candidate !== null && !isOthers(candidate, registrants)),
    ...ciks.slice(0, mostHints).map((cik, order) => hintedCik(table, cik, order)),
    ...isins.slice(0, mostHints).map((isin, order) => hintedIsin(table, isin, order)),
  ].filter((candidate) => candidate !== null);
}
