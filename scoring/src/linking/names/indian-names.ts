import type { SymbolHints } from "../../types.ts";
import type { Candidate } from "../candidates.ts";
import { candidateOf, laterBy, relevanceOf } from "../candidates.ts";
import type { Section } from "../section.ts";
import type { SymbolTable } from "../table/symbol-table.ts";
import type { SymbolEntry } from "../types.ts";
import { aliasInContext } from "./name-context.ts";
import { list } from "./word-list.ts";

/**
 * In India the press writes tickers as names: "RELIANCE, TCS lead gains", "HDFCBANK slips". Elsewhere the same letters are
 * words, so they count only where the source or the text is Indian.
 */

const indianMarks = list("crore crores lakh lakhs sensex nifty sebi nse bse rupee rupees dalal");

/** By its words, since they are at hand: every text is asked. */
function isIndianText({ tokens, text }: Section): boolean {
  for (let index = 0; index < tokens.length; index += 1) {
    const token = tokens[index];
    if (token === undefined) break;
    if (indianMarks.has(token.word)) return true;
    if (token.raw === "Rs" && /^\.? ?\d/.test(text.slice(token.end, token.end + 3))) return true;
  }
  return text.includes("₹");
}

/** @param country of the source, ISO alpha-2; undefined when it gives none */
export function isIndian(
  sections: readonly Section[],
  { symbols, isins }: SymbolHints,
  country: string | undefined,
): boolean {
  if (country === "IN") return true;
  if (symbols.some((hint) => /^(?:NSE|BSE):/.test(hint)) || isins.some((isin) => isin.startsWith("IN")))
    return true;
  return sections.some(isIndianText);
}

const capitals = /(?<![\p{L}\p{N}$:])[A-Z][A-Z0-9]*(?:[&-][A-Z0-9]+)?(?![\p{L}\p{N}])/gu;
const shortest = 3;
/** Smaller lines have tickers that are words more often than news. */
const smallest = 5000;
/** Also tickers, but words of every market report. */
const words = list(
  "OIL GAS GOLD BANK INDIA POWER STEEL AUTO IDEA FMCG PSU BSE NSE RBI SEBI IPO GDP CPI WPI ETF CEO CFO FII DII FPI GST INR USD",
  "EPS PAT AGM NAV SIP QIP OFS UPI NPA CASA EBITDA EMI TDS MCX IEX LIC SBI",
);
/** Other groups with the same first word. */
const otherGroups = list("power infrastructure infra capital communications naval home steel global");

function lineOf(table: SymbolTable, ticker: string): SymbolEntry | undefined {
  if (words.has(ticker) || (ticker.length < shortest && !ticker.includes("&"))) return undefined;
  const entry = table.line("NSE", ticker) ?? table.line("BSE", ticker);
  return entry !== undefined && entry.type !== "index" && entry.rank <= smallest ? entry : undefined;
}

/** In a headline all in capitals no word stands out as a ticker. */
function isShouted({ tokens }: Section): boolean {
  const long = tokens.filter(({ raw }) => /^\p{L}{4,}/u.test(raw));
  const loud = long.filter(({ raw }) => raw === raw.toUpperCase());
  return long.length >= 4 && loud.length * 10 >= long.length * 7;
}

function tickersIn(table: SymbolTable, section: Section): readonly Candidate[] {
  if (isShouted(section)) return [];
  const found = [...section.text.matchAll(capitals)].flatMap(({ 0: ticker, index }) => {
    const entry = lineOf(table, ticker);
    return entry === undefined ? [] : [{ main: table.mainLine(entry), index }];
  });
  return found.map(({ main, index }, order) => {
    const relevance = relevanceOf.alias - laterBy(order) - section.discount;
    return candidateOf("alias_in_context", main, relevance, section.offset + index);
  });
}

/** Short names that mean another company elsewhere: "Reliance", "Airtel". */
function shortNamesIn(table: SymbolTable, section: Section): readonly Candidate[] {
  return table.indianNames.find(section.tokens, "9999-12-31").flatMap((match) => {
    const first = section.tokens[match.first];
    const entry = table.get(match.symbol);
    if (entry === undefined || first === undefined) return [];
    if (otherGroups.has(section.tokens[match.last]?.word ?? "")) return [];
    if (match.safety !== "safe" && !aliasInContext(section, match, true)) return [];
    const relevance = relevanceOf.alias_in_context - section.discount;
    return [candidateOf("alias_in_context", entry, relevance, section.offset + first.start)];
  });
}

/** Candidates of an Indian text: isIndian. */
export const candidatesInIndia = (table: SymbolTable, section: Section): readonly Candidate[] => [
  ...tickersIn(table, section),
  ...shortNamesIn(table, section),
];
