import type { AliasMatch } from "./alias-index.ts";
import { aliasInContext, inBrokerRole, isBroker, isSentenceCase } from "./name-context.ts";
import type { SymbolEntry } from "./symbol-table.ts";
import { SymbolTable, venueKey } from "./symbol-table.ts";
import type { Token } from "./text.ts";
import { sentences, tokenize } from "./text.ts";
import { entryOfTicker, findTickers, looksLikeTicker } from "./ticker-patterns.ts";
import type { LinkedSymbol, LinkMethod, SymbolHints } from "./types.ts";

export type { ExchangeEntry, SymbolEntry } from "./symbol-table.ts";
export { SymbolTable };

/** Read of a body: later paragraphs name customers, rivals and lawyers more often than the subject. */
const bodyRead = 1000;
/** Longer titles are no titles; the rest is not read. */
const titleRead = 1000;
const mostSymbols = 20;

/** A line with the proof that put it on the list. */
interface Candidate {
  readonly method: LinkMethod;
  readonly entry: SymbolEntry | null;
  readonly symbol: string;
  readonly exchange: string | null;
  readonly relevance: number;
  /** Offset in title + newline + body; hints come before any text. */
  readonly position: number;
}

const relevanceOf: Readonly<Record<LinkMethod, number>> = {
  hint: 98,
  cik: 98,
  exchange_pattern: 92,
  cashtag: 88,
  ticker_and_name: 86,
  alias: 80,
  alias_in_context: 72,
};
/** What is named below the headline is less the subject. */
const bodyDiscount = 25;
/** Where the source named the subject, names found in the text are company it keeps. */
const besideHintsMost = 60;

const known = (method: LinkMethod, entry: SymbolEntry, relevance: number, position: number): Candidate => ({
  method,
  entry,
  symbol: entry.symbol,
  exchange: entry.exchange,
  relevance,
  position,
});

function hintedSymbol(table: SymbolTable, hint: string, order: number): Candidate | null {
  const text = hint.trim();
  const colon = text.lastIndexOf(":");
  const ticker = text
    .slice(colon + 1)
    .trim()
    .toUpperCase();
  const relevance = Math.max(relevanceOf.hint - 2 * order, 80);
  if (!looksLikeTicker(ticker.replace(/[.!]$/, ""))) return null;
  const unknown = { method: "hint", entry: null, relevance, position: -1 } as const;
  if (colon < 0) {
    const entry = table.resolve("NASDAQ", ticker) ?? entryOfTicker(table, ticker);
    if (entry !== undefined) return known("hint", entry, relevance, -1);
    return { ...unknown, symbol: ticker, exchange: null };
  }
  const named = text.slice(0, colon).trim();
  const exchange = table.exchangeNamed(named) ?? venueKey(named).toUpperCase();
  const entry = table.resolve(exchange, ticker);
  if (entry !== undefined) return known("hint", entry, relevance, -1);
  return exchange === "" ? null : { ...unknown, symbol: `${exchange}:${ticker}`, exchange };
}

function hinted(table: SymbolTable, hints: SymbolHints): readonly Candidate[] {
  const symbols = hints.symbols.map((hint, order) => hintedSymbol(table, hint, order));
  const registrants = hints.ciks.map((cik, order) => {
    const entry = /^\d{1,10}$/.test(cik) ? table.byCik(cik)[0] : undefined;
    const relevance = Math.max(relevanceOf.cik - 2 * order, 80);
    return entry === undefined ? null : known("cik", table.mainLine(entry), relevance, -1);
  });
  return [...symbols, ...registrants].filter((candidate) => candidate !== null);
}

/** A piece of the item, title or body, with what finding names in it needs. */
interface Section {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly offset: number;
  readonly discount: number;
}

function written(table: SymbolTable, section: Section, words: ReadonlySet<string>): readonly Candidate[] {
  return findTickers(table, section.text, words).map(({ method, entry, exchange, ticker, start }) => {
    const relevance = relevanceOf[method] - section.discount;
    const position = section.offset + start;
    if (entry !== null) return known(method, entry, relevance, position);
    return { method, entry, symbol: `${exchange}:${ticker}`, exchange, relevance, position };
  });
}

function sentenceAround(text: string, token: Token): string {
  const span = sentences(text).find(({ start, end }) => start <= token.start && token.start < end);
  return span === undefined ? text : text.slice(span.start, span.end);
}

/** "Reserve Bank of India" is not Bank of India. */
const centralBank = (tokens: readonly Token[], match: AliasMatch): boolean =>
  tokens[match.first]?.word === "bank" &&
  /^(?:Reserve|Central|National)$/.test(tokens[match.first - 1]?.raw ?? "");

interface NamedCompany {
  readonly match: AliasMatch;
  readonly entry: SymbolEntry;
  readonly broker: boolean;
}

function namedCompanies(table: SymbolTable, { text, tokens }: Section): readonly NamedCompany[] {
  const sentenceCase = isSentenceCase(tokens);
  return table.aliases.find(tokens).flatMap((match) => {
    const entry = table.get(match.symbol);
    if (entry === undefined || match.safety === "never") return [];
    if (centralBank(tokens, match)) return [];
    if (match.safety === "context" && !aliasInContext(text, tokens, match, sentenceCase)) return [];
    const words = tokens.slice(match.first, match.last);
    return [{ match, entry, broker: isBroker(entry, words.map(({ word }) => word).join(" ")) }];
  });
}

function named(table: SymbolTable, section: Section, ticked: boolean): readonly Candidate[] {
  const companies = namedCompanies(table, section);
  const others = ticked || companies.some(({ broker }) => !broker);
  return companies.flatMap(({ match, entry, broker }) => {
    const first = section.tokens[match.first];
    if (first === undefined || section.text.charAt(first.start - 1) === "$") return [];
    if (broker && inBrokerRole(sentenceAround(section.text, first), section.tokens, match, others)) return [];
    const method = match.safety === "safe" ? "alias" : "alias_in_context";
    return [known(method, entry, relevanceOf[method] - section.discount, section.offset + first.start)];
  });
}

/** One entry a line: the best proof stays, every further mention adds a little, and the first place counts. */
function merge(candidates: readonly Candidate[]): readonly Candidate[] {
  const bySymbol = new Map<string, Candidate>();
  for (const candidate of candidates) {
    const other = bySymbol.get(candidate.symbol);
    if (other === undefined) {
      bySymbol.set(candidate.symbol, candidate);
      continue;
    }
    const [best, less] = other.relevance >= candidate.relevance ? [other, candidate] : [candidate, other];
    const inTitle = best.position < 0 && less.position >= 0 ? 2 : 1;
    bySymbol.set(candidate.symbol, {
      ...best,
      relevance: Math.min(100, best.relevance + inTitle),
      position: Math.min(best.position, less.position),
    });
  }
  return [...bySymbol.values()];
}

/**
 * Adds the company's main line beside a line that was named, so that readers of either find the item. The main
 * line leads, except where the source itself said which line it means.
 */
function withMainLines(table: SymbolTable, candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.flatMap((candidate) => {
    const { entry, relevance, method } = candidate;
    if (entry === null) return [candidate];
    const main = table.mainLine(entry);
    if (main === entry) return [candidate];
    const [own, other] = method === "hint" ? [relevance, relevance - 1] : [relevance - 1, relevance];
    return [{ ...candidate, relevance: own }, { ...known(method, main, other, candidate.position) }];
  });
}

function linked(candidate: Candidate, position: number): LinkedSymbol {
  const { entry, symbol, exchange } = candidate;
  const shortSymbol = entry?.shortSymbol ?? symbol.slice(symbol.indexOf(":") + 1);
  return {
    symbol,
    exchange,
    short_symbol: shortSymbol,
    logoid: entry === null || entry.logoid === "" ? null : entry.logoid,
    name: entry?.name ?? shortSymbol,
    country: entry?.country ?? null,
    type: entry?.type ?? "stock",
    method: candidate.method,
    relevance: Math.max(1, Math.min(100, Math.round(candidate.relevance))),
    primary: position === 0,
  };
}

/**
 * The instruments an item is about: from the source's own hints, then tickers written as such, then names.
 * @param text title and body, clean; at most the first 1,000 characters of each are read
 * @returns primary first, then by relevance; at most 20; empty when nothing is proven
 * Order of trust and the broker rule: docs of scoring, MODEL_CARD.md.
 */
export function linkSymbols(
  table: SymbolTable,
  text: { readonly title: string; readonly body: string },
  hints: SymbolHints,
): readonly LinkedSymbol[] {
  const title = text.title.slice(0, titleRead);
  const body = text.body.slice(0, bodyRead);
  const sections: readonly Section[] = [
    { text: title, tokens: tokenize(title), offset: 0, discount: 0 },
    { text: body, tokens: tokenize(body), offset: text.title.length + 1, discount: bodyDiscount },
  ];
  const words = new Set(sections.flatMap(({ tokens }) => tokens.map(({ word }) => word)));
  const fromSource = hinted(table, hints);
  const tickers = sections.flatMap((section) => written(table, section, words));
  const names = sections.flatMap((section) => named(table, section, tickers.length > 0));
  const beside = fromSource.length > 0 ? hintedToo(fromSource) : null;
  const found = [...tickers, ...names].map((candidate) =>
    beside === null || beside.has(candidate.symbol)
      ? candidate
      : { ...candidate, relevance: Math.min(candidate.relevance, besideHintsMost) },
  );
  return merge(withMainLines(table, [...fromSource, ...found]))
    .toSorted(
      (a, b) => b.relevance - a.relevance || a.position - b.position || (a.symbol < b.symbol ? -1 : 1),
    )
    .slice(0, mostSymbols)
    .map(linked);
}

/** A company named by the source keeps its rank when the text names it by another of its lines. */
function hintedToo(fromSource: readonly Candidate[]): ReadonlySet<string> {
  return new Set(
    fromSource.flatMap(({ symbol, entry }) => (entry === null ? [symbol] : [symbol, entry.primary])),
  );
}
