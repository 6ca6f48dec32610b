import { tokenize } from "../../text.ts";
import type { ListedTicker } from "../sec-tickers.ts";
import type { SymbolEntry } from "../types.ts";
import { isCommonShare } from "./issuer-line.ts";
import type { FormerTicker } from "./symbol-history.ts";
import type { SymbolRow } from "./symbol-rows.ts";

/** A table's lines after a day's list of registrants was applied. */
export interface RefreshedRows {
  readonly rows: ReadonlyMap<string, SymbolRow>;
  /** Old symbols of lines that moved to another exchange. */
  readonly moved: readonly FormerTicker[];
  /** Lines whose ticker went to another company. */
  readonly ended: readonly SymbolRow[];
}

const usVenues = ["NASDAQ", "NYSE", "AMEX", "CBOE", "OTC"] as const;
/** The SEC's NYSE covers NYSE American and NYSE Arca. */
const sameVenue = (listed: string | null, ours: string): boolean =>
  listed === null || listed === ours || (listed === "NYSE" && ours === "AMEX");
/** Least share of our lines in a list; a list with fewer is incomplete, and ends no line. */
const leastCoverage = 0.8;

const legalWords = new Set(
  "inc corp co ltd plc company corporation incorporated limited lp llc sa nv ag se ab asa de the new md adr ads holdings group trust".split(
    " ",
  ),
);
const bareName = (name: string): string =>
  tokenize(name.replace(/\/.*$/, ""))
    .map(({ word }) => word)
    .filter((word) => !legalWords.has(word))
    .join(" ");

const lettersOf = (name: string): string =>
  [...bareName(name).replaceAll(/[^a-z0-9]|and/g, "")].sort().join("");
const distinctiveWords = (name: string): readonly string[] =>
  bareName(name.replaceAll(/['’]/g, ""))
    .split(" ")
    .filter((word) => word.length > 3 && !plainWords.has(word));

/**
 * Whether two spellings ("HUNT J B TRANSPORT SERVICES INC", "Macro Bank Inc." in the SEC's list) mean one name: the same
 * letters, or a common word that is no plain one.
 */
function sameName(a: string, b: string): boolean {
  if (lettersOf(a) === lettersOf(b)) return true;
  const [left, right] = [bareName(a), bareName(b)];
  if (left !== "" && right !== "" && (left.startsWith(right) || right.startsWith(left))) return true;
  const words = new Set(distinctiveWords(a));
  return distinctiveWords(b).some((word) => words.has(word));
}

/** "ACME ROCKETS INC /DE/" becomes "Acme Rockets Inc"; names in mixed case stay as they are. */
function displayName(name: string): string {
  const plain = name.replace(/\s*\/[^/]*\/?\s*$/, "").trim();
  if (plain === "" || plain !== plain.toUpperCase()) return plain === "" ? name : plain;
  return plain.replaceAll(/[\p{L}\p{N}]+/gu, (word) => {
    if (/^(?:OF|AND|FOR|IN|DE|ON)$/.test(word)) return word.toLowerCase();
    const acronym = word.length <= 3 && !legalWords.has(word.toLowerCase());
    return acronym ? word : word.charAt(0) + word.slice(1).toLowerCase();
  });
}

/** Common words: a name made of these alone ("First Capital", "New Energy") needs context. */
const plainWords = new Set(
  "first new american national united general global international great north south east west capital energy financial bank health care holdings group partners resources technologies systems solutions digital growth income value research water power solar medical life home media network gold silver mining oil gas real estate trust fund acquisition data cloud data green blue red black white smart next one".split(
    " ",
  ),
);

/** The name without its legal form, marked if it could mean something else. */
function derivedAliases(name: string): readonly string[] {
  const words = displayName(name)
    .replace(/^The /, "")
    .split(/[\s,]+/);
  while (words.length > 1 && legalWords.has((words.at(-1) ?? "").replaceAll(".", "").toLowerCase()))
    words.pop();
  const alias = words.join(" ").trim();
  if (alias.length < 3) return [];
  const risky = words.length === 1 || words.every((word) => plainWords.has(word.toLowerCase()));
  return [risky ? `~${alias}` : alias];
}

/** Preferred shares, warrants, units and rights are left out. */
function isSideLine({ ticker, cik }: ListedTicker, byTicker: ReadonlyMap<string, ListedTicker>): boolean {
  if (/\.(?:P.*|W.*|U.*|R.*)$/.test(ticker)) return true;
  return /^[A-Z]{4}[WURPZ]$/.test(ticker) && byTicker.get(ticker.slice(0, 4))?.cik === cik;
}

function newRow(listed: ListedTicker, exchange: string, primary: string | null, on: string): SymbolRow {
  const marked = primary === null ? derivedAliases(listed.name) : [];
  const symbol = `${exchange}:${listed.ticker}`;
  const name = displayName(listed.name);
  const entry: SymbolEntry = {
    symbol,
    shortSymbol: listed.ticker,
    exchange,
    type: "stock",
    name,
    domicile: null,
    country: "US",
    sector: null,
    cik: listed.cik,
    logoid: bareName(name).replaceAll(/[^a-z0-9]+/g, "-"),
    primary: primary ?? symbol,
    rank: 9999,
    aliases: marked.map((alias) => alias.replace("~", "")),
    validFrom: on,
    validTo: null,
  };
  return { entry, marked };
}

/** A new name leads; the old one stays as an alias. */
function renamed(row: SymbolRow, listed: ListedTicker, isMain: boolean): SymbolRow {
  const { entry, marked } = row;
  const cik = listed.cik;
  const share = entry.type === "stock" || entry.type === "dr";
  if (!share || !isMain || sameName(entry.name, listed.name)) return { ...row, entry: { ...entry, cik } };
  const names = [...derivedAliases(listed.name), ...marked];
  // The SEC translates the names of foreign companies.
  const foreign = entry.domicile !== null && entry.domicile !== "US";
  const name = foreign ? entry.name : displayName(listed.name);
  const aliases = [...new Set([...names.map((alias) => alias.replace(/^[~!]/, "")), entry.name])];
  return { entry: { ...entry, name, cik, aliases }, marked: [...names, entry.name] };
}

/** Lines of the table while the list is applied. */
class Overlay {
  readonly rows: Map<string, SymbolRow>;
  readonly moved: FormerTicker[] = [];
  readonly ended: SymbolRow[] = [];
  readonly #on: string;
  readonly #mainOfCik = new Map<string, string>();

  constructor(rows: ReadonlyMap<string, SymbolRow>, on: string) {
    this.rows = new Map(rows);
    this.#on = on;
    const own = [...rows.values()]
      .map(({ entry }) => entry)
      .filter(({ primary, symbol }) => primary === symbol);
    // The share is set last, the largest one of all, since a bank's notes have its CIK and its size too.
    const common = (entry: SymbolEntry): number => Number(isCommonShare(entry));
    for (const { cik, symbol } of own.sort((a, b) => common(a) - common(b) || b.rank - a.rank))
      if (cik !== null) this.#mainOfCik.set(cik, symbol);
  }

  known(ticker: string): SymbolRow | undefined {
    for (const venue of usVenues) {
      const row = this.rows.get(`${venue}:${ticker}`);
      if (row !== undefined) return row;
    }
    return undefined;
  }

  lay(listed: ListedTicker): void {
    const row = this.known(listed.ticker);
    if (row === undefined) {
      if (listed.exchange !== null) this.#add(listed, listed.exchange);
      return;
    }
    const { cik, symbol, exchange } = row.entry;
    if (cik !== null && cik !== listed.cik && !sameName(row.entry.name, listed.name)) {
      if (listed.exchange === null || row.entry.type !== "stock") return;
      this.ended.push({ ...row, entry: { ...row.entry, validTo: this.#on } });
      this.rows.delete(symbol);
      this.#add(listed, sameVenue(listed.exchange, exchange) ? exchange : listed.exchange);
    } else if (sameVenue(listed.exchange, exchange) || listed.exchange === null) {
      this.rows.set(symbol, this.#renamed(row, listed));
    } else this.#move(this.#renamed(row, listed), listed.exchange);
  }

  end(symbol: string, row: SymbolRow): void {
    this.rows.set(symbol, { ...row, entry: { ...row.entry, validTo: this.#on } });
  }

  #renamed(row: SymbolRow, listed: ListedTicker): SymbolRow {
    const main = this.#mainOfCik.get(listed.cik) ?? row.entry.symbol;
    return renamed(row, listed, main === row.entry.symbol);
  }

  #add(listed: ListedTicker, exchange: string): void {
    const row = newRow(listed, exchange, this.#mainOfCik.get(listed.cik) ?? null, this.#on);
    this.rows.set(row.entry.symbol, row);
    if (row.entry.primary === row.entry.symbol) this.#mainOfCik.set(listed.cik, row.entry.symbol);
  }

  #move({ entry, marked }: SymbolRow, exchange: string): void {
    const symbol = `${exchange}:${entry.shortSymbol}`;
    const primary = entry.primary === entry.symbol ? symbol : entry.primary;
    this.rows.delete(entry.symbol);
    this.rows.set(symbol, { entry: { ...entry, symbol, exchange, primary }, marked });
    this.moved.push({ was: entry.symbol, symbol, validFrom: null, validTo: this.#on });
    if (primary !== symbol) return;
    for (const [other, row] of this.rows)
      if (row.entry.primary === entry.symbol)
        this.rows.set(other, { ...row, entry: { ...row.entry, primary: symbol } });
  }
}

const judged = ({ entry }: SymbolRow): boolean =>
  entry.cik !== null &&
  (entry.type === "stock" || entry.type === "dr") &&
  usVenues.some((venue) => venue === entry.exchange);

/**
 * Applies the SEC's list to the table: adds new U.S. lines with derived names; names and CIKs follow the list, and old names
 * stay; lines that moved keep their old symbol as a former one; lines of registrants that the list no longer has end on
 * `on`. No line ends when the list lacks over a fifth of our registrants' lines.
 * @param listed rows of parseSecTickers @param on YYYY-MM-DD, the day of the list
 */
export function refreshRows(
  rows: ReadonlyMap<string, SymbolRow>,
  listed: readonly ListedTicker[],
  on: string,
): RefreshedRows {
  const byTicker = new Map(listed.map((row) => [row.ticker, row]));
  const overlay = new Overlay(rows, on);
  for (const row of listed) if (!isSideLine(row, byTicker) || overlay.known(row.ticker)) overlay.lay(row);
  const registrants = [...overlay.rows].filter(([, row]) => judged(row));
  const gone = registrants.filter(([, { entry }]) => !byTicker.has(entry.shortSymbol));
  if (gone.length <= registrants.length * (1 - leastCoverage))
    for (const [symbol, row] of gone) overlay.end(symbol, row);
  return { rows: overlay.rows, moved: overlay.moved, ended: overlay.ended };
}
