import type { LinkedSymbol, SymbolHints } from "../types.ts";
import type { Candidate } from "./candidates.ts";
import { candidateOf, rankSymbols, relevanceOf } from "./candidates.ts";
import { candidatesByHint } from "./hints.ts";
import { candidatesInIndia, isIndian } from "./names/indian-names.ts";
import { candidatesByName, candidatesByNativeName } from "./names/names.ts";
import { type Section, sectionOf } from "./section.ts";
import { type SymbolTable, today } from "./table/symbol-table.ts";
import { findTickers } from "./ticker-patterns.ts";

/** How much of a body is read: later paragraphs name customers, rivals and lawyers more often than the subject. */
const bodyRead = 1000;
/** How much of a title is read; longer ones are no titles. */
const titleRead = 1000;
/** Names below the headline are less often the subject. */
const bodyDiscount = 25;
/** When the source named the subject, other names in the text are beside it. */
const besideHintsMost = { title: 60, body: 50 } as const;

/** The parts of an item that linking reads. */
export interface LinkedText {
  readonly title: string;
  readonly body: string;
  /** Resolves reused tickers and names that changed hands; today when missing. */
  readonly publishedAt?: Date | undefined;
  /** Country of the source, ISO alpha-2: its market's tickers count as names. */
  readonly country?: string | undefined;
}

/** YYYY-MM-DD of a day in UTC; an unreadable date counts as today. */
function dayOf(date: Date | undefined): string {
  if (date === undefined || Number.isNaN(date.getTime())) return today;
  const year = date.getUTCFullYear();
  return year < 1000 || year > 9999 ? today : date.toISOString().slice(0, 10);
}

const capitalWords =
  /(?<![\p{L}\p{N}])(\p{Lu}[\p{L}\p{N}&'’-]{1,30}(?: \p{Lu}[\p{L}\p{N}&'’-]{0,30}){0,3}),?(?: (?:Inc|Corp|Ltd|Co)\.?)? ?[([]$/u;

/** The name before a bracket: "Metsera" of "to buy Metsera (NASDAQ: MTSR)". */
const nameBefore = (text: string, bracketed: number): string | undefined =>
  capitalWords.exec(text.slice(Math.max(0, bracketed - 80), bracketed))?.[1];

function written(
  table: SymbolTable,
  section: Section,
  words: () => ReadonlySet<string>,
  on: string,
): readonly Candidate[] {
  return findTickers(table, section.text, words, on).map(({ method, entry, exchange, ticker, start }) => {
    const relevance = relevanceOf[method] - section.discount;
    const position = section.offset + start;
    if (entry !== null) return candidateOf(method, entry, relevance, position);
    const name = nameBefore(section.text, start);
    return { method, entry, symbol: `${exchange}:${ticker}`, exchange, relevance, position, name };
  });
}

/** A company named by the source keeps its rank when the text names another of its lines. */
function hintedToo(fromSource: readonly Candidate[]): ReadonlySet<string> {
  return new Set(
    fromSource.flatMap(({ symbol, entry }) => (entry === null ? [symbol] : [symbol, entry.primary])),
  );
}

/**
 * The instruments an item is about: from the source's own hints, then tickers and security codes written as such,
 * then names.
 * @param text title and body, clean; at most the first 1,000 characters of each are read
 * @returns primary first, then by relevance; at most 20; empty when nothing is proven
 * Order of trust and the roles of companies: docs of scoring, MODEL_CARD.md.
 */
export function linkSymbols(
  table: SymbolTable,
  text: LinkedText,
  hints: SymbolHints,
): readonly LinkedSymbol[] {
  const on = dayOf(text.publishedAt);
  const title = text.title.slice(0, titleRead);
  const body = text.body.slice(0, bodyRead);
  const sections = [sectionOf(title, 0, 0)];
  if (body !== "") sections.push(sectionOf(body, text.title.length + 1, bodyDiscount));
  let known: ReadonlySet<string> | null = null;
  const words = (): ReadonlySet<string> => {
    known ??= new Set(sections.flatMap(({ tokens }) => tokens.map(({ word }) => word)));
    return known;
  };
  const fromSource = candidatesByHint(table, hints, on);
  const tickers = sections.flatMap((section) => written(table, section, words, on));
  const names = candidatesByName(table, sections, tickers, on);
  const native = sections.flatMap((section) => candidatesByNativeName(table, section));
  const indian = isIndian(sections, hints, text.country)
    ? sections.flatMap((section) => candidatesInIndia(table, section))
    : [];
  const found = [...tickers, ...names, ...native, ...indian];
  if (fromSource.length === 0) return rankSymbols(table, found);
  const beside = hintedToo(fromSource);
  const mostAt = (position: number): number =>
    position > text.title.length ? besideHintsMost.body : besideHintsMost.title;
  const less = found.map((candidate) =>
    beside.has(candidate.symbol)
      ? candidate
      : { ...candidate, relevance: Math.min(candidate.relevance, mostAt(candidate.position)) },
  );
  return rankSymbols(table, [...fromSource, ...less]);
}
