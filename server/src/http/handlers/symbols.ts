import { ApiError } from "@tapewire/contract/errors.ts";
import {
  type SymbolEntry as ListEntry,
  type SymbolDetail,
  symbolListLimit,
} from "@tapewire/contract/reference.ts";
import type { SymbolTable } from "@tapewire/scoring/linking/table/symbol-table.ts";
import type { SymbolEntry } from "@tapewire/scoring/linking/types.ts";
import { cachedFor } from "../../runtime/cached-for.ts";
import { linesNamed, symbolCounts, type TermActivity, termActivity } from "../../store/list/reference.ts";
import type { Handlers } from "../contract-routes.ts";
import { logoIdOf } from "../logos.ts";
import { EncodedBody } from "../wire/wire.ts";
import type { ReferenceDeps } from "./reference.ts";

/** A symbol, and what the table says of it; null: only items name it. */
interface Line extends Pick<ListEntry, "symbol" | "short_symbol" | "exchange"> {
  readonly entry: SymbolEntry | null;
}

/** The list tells no counts: they only order symbols of one rank. */
const listMaxAgeMs = 30_000;
/** Encoded lists of so many lengths are kept; a list of another length is encoded for each call. */
const mostLengths = 8;

export function symbolHandlers(deps: ReferenceDeps): Pick<Handlers, "listSymbols" | "readSymbol"> {
  return { listSymbols: listSymbols(deps), readSymbol: readSymbol(deps) };
}

/**
 * GET /v1/symbols: the table's, by rank, shares before other kinds, then by items, then by name. What only items name has
 * no rank and would follow the thousands that have one, so no list is long enough to show it. A ticker is listed once, by
 * the line that GET /v1/symbols/{ticker} reads: filters take tickers, which could not tell two entries apart.
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
  return async ({ query: { limit = symbolListLimit.fallback } }) => {
    const { entries, byLength } = await list();
    const body = byLength.get(limit) ?? new EncodedBody(`{"data":[${entries.slice(0, limit).join(",")}]}`);
    if (byLength.size < mostLengths) byLength.set(limit, body);
    return { body };
  };
}

/** The main lines that the longest list may show: all of the rank at which it ends. */
function largest(table: SymbolTable): readonly SymbolEntry[] {
  const main = table.entries.filter((entry) => table.byTicker(entry.shortSymbol)[0] === entry);
  const lastRank = main[symbolListLimit.max - 1]?.rank ?? Number.POSITIVE_INFINITY;
  return main.filter(({ rank }) => rank <= lastRank);
}

/** A company's: what the news is about, before the futures, currencies and coins of its rank. */
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
 * GET /v1/symbols/{ticker}. Counts what was asked for: the items that `symbol={ticker}` finds in GET /v1/feeds, of all
 * lines for a bare ticker.
 */
function readSymbol(deps: ReferenceDeps): Handlers["readSymbol"] {
  const { db, clock, symbols } = deps;
  return async ({ params: { ticker } }) => {
    const asked = ticker.toUpperCase();
    const activity = await termActivity(db.list, { kind: "symbol", value: asked }, clock.now());
    const known = asked.includes(":") ? symbols().get(asked) : symbols().byTicker(asked)[0];
    if (known !== undefined) return { body: detailOf(deps, lineOf(known), activity) };
    if (activity.count === 0) throw new ApiError("not_found", { detail: `There is no symbol '${ticker}'` });
    const [line = asked] = asked.includes(":") ? [] : await linesNamed(db.list, asked);
    return { body: detailOf(deps, namedLine(symbols(), line), activity) };
  };
}

const tickerOf = (symbol: string): string => symbol.slice(symbol.indexOf(":") + 1);

function lineOf(entry: SymbolEntry): Line {
  return { symbol: entry.symbol, short_symbol: entry.shortSymbol, exchange: entry.exchange, entry };
}

/** A symbol that items name: the table may still know it as a line that has ended. */
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

function detailOf(deps: ReferenceDeps, line: Line, activity: TermActivity): SymbolDetail {
  const { entry } = line;
  return {
    ...entryOf(deps, line),
    country: entry?.domicile ?? null,
    type: orNull(entry?.type),
    sector: entry?.sector ?? null,
    cik: entry?.cik ?? null,
    aliases: [...(entry?.aliases ?? [])],
    feed_count: activity.count,
    feed_count_24h: activity.lastDay,
    latest_at: activity.latestAt?.toISOString() ?? null,
  };
}

/** The table's files leave empty what is not known. */
const orNull = (text: string | undefined): string | null => (text === undefined || text === "" ? null : text);
