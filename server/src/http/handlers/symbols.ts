import { ApiError } from "@tapewire/contract/errors/errors.ts";
import {
  type SymbolEntry as ListEntry,
  mostLines,
  type SymbolDetail,
  symbolListLimit,
  symbolSearch,
} from "@tapewire/contract/reference.ts";
import { SymbolSearch } from "@tapewire/scoring/linking/table/symbol-search.ts";
import type { SymbolTable } from "@tapewire/scoring/linking/table/symbol-table.ts";
import type { SymbolEntry } from "@tapewire/scoring/linking/types.ts";
import { cachedFor } from "../../runtime/cached-for.ts";
import { linesNamed, symbolCounts, type TermActivity, termActivity } from "../../store/list/reference.ts";
import type { Handlers } from "../contract-routes.ts";
import { logoIdOf } from "../logos.ts";
import { EncodedBody } from "../wire/wire.ts";
import type { ReferenceDeps } from "./reference.ts";

/** A symbol and its entry in the table; null when only items name it. */
interface Line extends Pick<ListEntry, "symbol" | "short_symbol" | "exchange"> {
  readonly entry: SymbolEntry | null;
}

/** Counts only order symbols of equal rank, so they may be old. */
const listMaxAgeMs = 30_000;
/** Number of encoded lists to cache, by length. Lists of other lengths are encoded on each call. */
const mostLengths = 8;

export function symbolHandlers(deps: ReferenceDeps): Pick<Handlers, "listSymbols" | "readSymbol"> {
  return { listSymbols: listSymbols(deps), readSymbol: readSymbol(deps) };
}

/**
 * GET /v1/symbols: the symbols of the table by rank, shares before other kinds, then by number of items, then by name.
 * Symbols that only items name have no rank and come after thousands with one, so no list is long enough to show them. A
 * ticker is listed once, with the symbol that GET /v1/symbols/{ticker} reads, because filters by ticker match both.
 */
function listSymbols(deps: ReferenceDeps): Handlers["listSymbols"] {
  const { db, clock, symbols } = deps;
  const list = cachedFor(clock, listMaxAgeMs, async () => {
    const lines = largest(symbols());
    const counts = await symbolCounts(
      db.main,
      lines.map(({ shortSymbol }) => shortSymbol),
    );
    const entries = lines.toSorted(bySize(counts)).map((line) => JSON.stringify(entryOf(deps, lineOf(line))));
    return { entries, byLength: new Map<number, EncodedBody>() };
  });
  const search = searchOf(deps);
  return async ({ query: { q, limit = symbolListLimit.fallback } }) => {
    if (q !== undefined) return { body: { data: search(q, Math.min(limit, symbolSearch.entries)) } };
    const { entries, byLength } = await list();
    const body = byLength.get(limit) ?? new EncodedBody(`{"data":[${entries.slice(0, limit).join(",")}]}`);
    if (byLength.size < mostLengths) byLength.set(limit, body);
    return { body };
  };
}

/** @returns searches the current table. Its index takes a tenth of a second to make, so it is made for the first search. */
function searchOf(deps: ReferenceDeps): (query: string, most: number) => ListEntry[] {
  let made: { readonly table: SymbolTable; readonly search: SymbolSearch } | null = null;
  return (query, most) => {
    const table = deps.symbols();
    if (made?.table !== table) made = { table, search: new SymbolSearch(table) };
    return made.search.find(query, most).map((entry) => entryOf(deps, lineOf(entry)));
  };
}

/** The symbols that the longest list may show, including all of the last rank. */
function largest(table: SymbolTable): readonly SymbolEntry[] {
  const main = table.entries.filter((entry) => table.byTicker(entry.shortSymbol)[0] === entry);
  const lastRank = main[symbolListLimit.max - 1]?.rank ?? Number.POSITIVE_INFINITY;
  return main.filter(({ rank }) => rank <= lastRank);
}

/** Shares come before futures, currencies and coins of equal rank, because most news is about companies. */
function isShare({ type }: SymbolEntry): boolean {
  return type === "stock" || type === "dr";
}

/** @param counts items by ticker */
function bySize(counts: ReadonlyMap<string, number>) {
  const countOf = ({ shortSymbol }: SymbolEntry) => counts.get(shortSymbol) ?? 0;
  return (a: SymbolEntry, b: SymbolEntry) =>
    a.rank - b.rank ||
    Number(isShare(b)) - Number(isShare(a)) ||
    countOf(b) - countOf(a) ||
    (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
}

/**
 * GET /v1/symbols/{ticker}. Counts the items that GET /v1/feeds finds with `symbol={ticker}`: for a bare ticker, of all
 * exchanges.
 */
function readSymbol(deps: ReferenceDeps): Handlers["readSymbol"] {
  const { db, history, clock, symbols } = deps;
  return async ({ params: { ticker } }) => {
    const asked = ticker.toUpperCase();
    const activity = await history.read("list", (from) =>
      termActivity(from, { kind: "symbol", value: asked }, clock.now()),
    );
    const known = asked.includes(":") ? symbols().get(asked) : symbols().byTicker(asked)[0];
    if (known === undefined && activity.count === 0)
      throw new ApiError("not_found", { detail: `There is no symbol '${ticker}'` });
    const named = await linesNamed(db.list, tickerOf(asked));
    const [first = asked] = asked.includes(":") ? [] : named.keys();
    const line = known === undefined ? namedLine(symbols(), first) : lineOf(known);
    return { body: { ...detailOf(deps, line, activity), lines: linesOf(symbols(), asked, named) } };
  };
}

/** Every line of the ticker, in the table or named by items: those with most items first, then as the table has them. */
function linesOf(
  table: SymbolTable,
  asked: string,
  named: ReadonlyMap<string, number>,
): SymbolDetail["lines"] {
  const own = table.byTicker(tickerOf(asked)).map(({ symbol }) => symbol);
  return [...new Set([...named.keys(), ...own])].slice(0, mostLines).map((symbol) => {
    const { exchange, entry } = namedLine(table, symbol);
    return { symbol, exchange, name: orNull(entry?.name), feed_count: named.get(symbol) ?? 0 };
  });
}

const tickerOf = (symbol: string): string => symbol.slice(symbol.indexOf(":") + 1);

function lineOf(entry: SymbolEntry): Line {
  return { symbol: entry.symbol, short_symbol: entry.shortSymbol, exchange: entry.exchange, entry };
}

/** A symbol that items name. The table may have it as a former listing. */
function namedLine(table: SymbolTable, symbol: string): Line {
  const entry = table.get(symbol);
  if (entry !== undefined) return lineOf(entry);
  const ticker = tickerOf(symbol);
  const exchange = ticker === symbol ? null : symbol.slice(0, symbol.indexOf(":"));
  return { symbol, short_symbol: ticker, exchange, entry: null };
}

function entryOf({ logoUrl }: ReferenceDeps, { entry, ...line }: Line): ListEntry {
  const logoid = orNull(entry?.logoid);
  const name = orNull(entry?.name);
  return { ...line, name, logo: logoUrl(logoIdOf(logoid ?? line.short_symbol)), logoid };
}

function detailOf(deps: ReferenceDeps, line: Line, activity: TermActivity): Omit<SymbolDetail, "lines"> {
  const { entry } = line;
  return {
    ...entryOf(deps, line),
    country: entry?.domicile ?? null,
    type: orNull(entry?.type),
    sector: entry?.sector ?? null,
    cik: entry?.cik ?? null,
    aliases: [...(entry?.aliases ?? [])],
    delisted_on: entry?.validTo ?? null,
    feed_count: activity.count,
    feed_count_24h: activity.lastDay,
    latest_at: activity.latestAt?.toISOString() ?? null,
  };
}

/** In the files of the table an unknown value is empty. */
const orNull = (text: string | undefined): string | null => (text === undefined || text === "" ? null : text);
