import type { LinkedSymbol, LinkMethod } from "../types.ts";
import type { SymbolTable } from "./table/symbol-table.ts";
import type { SymbolEntry } from "./types.ts";

const mostSymbols = 20;

/** A line with the proof that made it a candidate. */
export interface Candidate {
  readonly method: LinkMethod;
  readonly entry: SymbolEntry | null;
  readonly symbol: string;
  readonly exchange: string | null;
  readonly relevance: number;
  /** Offset in title + newline + body; hints have positions before any text. */
  readonly position: number;
  /** The text's name for a line that the table does not know. */
  readonly name?: string | undefined;
}

/** Confidence of each proof, 0..100, in the headline. */
export const relevanceOf: Readonly<Record<LinkMethod, number>> = {
  hint: 98,
  cik: 98,
  exchange_pattern: 92,
  cashtag: 88,
  isin: 87,
  ticker_and_name: 86,
  alias: 80,
  alias_in_context: 78,
};

/** The first name is the subject more often than the most certain one. */
export const laterBy = (order: number): number => Math.min(2 * order, 8);

export const candidateOf = (
  method: LinkMethod,
  entry: SymbolEntry,
  relevance: number,
  position: number,
): Candidate => ({
  method,
  entry,
  symbol: entry.symbol,
  exchange: entry.exchange,
  relevance,
  position,
});

/** Bounded, so that a name repeated in the body never outranks one in the title. */
const mostForMentions = 4;
/** Least distance of two separate mentions, in characters; a name and its ticker in brackets are one. */
const apart = 60;

/** One candidate per line: the best proof stays, every further mention adds a little, and the first position counts. */
function merge(candidates: readonly Candidate[]): readonly Candidate[] {
  const bySymbol = new Map<string, { readonly best: Candidate; readonly mentions: number }>();
  for (const candidate of candidates) {
    const other = bySymbol.get(candidate.symbol);
    if (other === undefined) {
      bySymbol.set(candidate.symbol, { best: candidate, mentions: 0 });
      continue;
    }
    const { best } = other;
    const better = candidate.relevance > best.relevance ? candidate : best;
    const position = Math.min(best.position, candidate.position);
    const hintSeen = best.position < 0 && candidate.position >= 0;
    const again = Math.abs(candidate.position - best.position) > apart ? 1 : 0;
    const mentions = Math.min(mostForMentions, other.mentions + (hintSeen ? 2 : again));
    bySymbol.set(candidate.symbol, { best: { ...better, position }, mentions });
  }
  // Above 100 too, until they are ordered: else two that a source names come in the order of the alphabet.
  return [...bySymbol.values()].map(({ best, mentions }) =>
    mentions === 0 ? best : { ...best, relevance: best.relevance + mentions },
  );
}

/**
 * Adds the company's main line beside a named line, so that readers of either find the item. The main line leads, except
 * where the source itself, or the text by an exchange or code, specified the line.
 */
function withMainLines(table: SymbolTable, candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.flatMap((candidate) => {
    const { entry, relevance, method } = candidate;
    if (entry === null) return [candidate];
    const main = table.mainLine(entry);
    if (main === entry) return [candidate];
    const [own, other] =
      method === "hint" || method === "isin" ? [relevance, relevance - 1] : [relevance - 1, relevance];
    return [{ ...candidate, relevance: own }, { ...candidateOf(method, main, other, candidate.position) }];
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
    name: entry?.name ?? candidate.name ?? shortSymbol,
    country: entry?.country ?? null,
    type: entry?.type ?? "stock",
    method: candidate.method,
    relevance: Math.max(1, Math.min(100, Math.round(candidate.relevance))),
    primary: position === 0,
    ...(entry === null ? {} : { rank: entry.rank }),
  };
}

/** @returns at most 20, by relevance, then by position; the first is the primary */
export function rankSymbols(table: SymbolTable, candidates: readonly Candidate[]): readonly LinkedSymbol[] {
  if (candidates.length === 0) return [];
  return merge(withMainLines(table, candidates))
    .toSorted(
      (a, b) => b.relevance - a.relevance || a.position - b.position || (a.symbol < b.symbol ? -1 : 1),
    )
    .slice(0, mostSymbols)
    .map(linked);
}
