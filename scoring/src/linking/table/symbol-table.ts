import { firstWord } from "../../text.ts";
import type { ListedTicker } from "../sec-tickers.ts";
import type { SymbolEntry } from "../types.ts";
import { AliasIndex, type NameOwner, ownerOf } from "./alias-index.ts";
import { firstWords } from "./first-words.ts";
import { issuerLine } from "./issuer-line.ts";
import { legalNames, withoutArticle } from "./legal-names.ts";
import { NativeIndex, type NativeName, nativeScripts, parseNativeNames } from "./native-index.ts";
import { plainNames } from "./plain-names.ts";
import type { FormerTicker, SymbolHistory } from "./symbol-history.ts";
import { holdsOn, noHistory, parseHistory } from "./symbol-history.ts";
import { isShare, SymbolLines } from "./symbol-lines.ts";
import { refreshRows } from "./symbol-refresh.ts";
import type { ExchangeEntry, SymbolRow } from "./symbol-rows.ts";
import { exchangeEntry, paddedCik, parseTsv, symbolRow, unmarked } from "./symbol-rows.ts";
import { tickerName } from "./ticker-names.ts";

/** Optional additions to the tables. */
export interface TableOptions {
  /** Text of scoring/data/symbol-history.tsv. */
  readonly history?: string;
  /** Text of scoring/data/isins.tsv. */
  readonly isins?: string;
  /** Text of scoring/data/native-names.tsv. */
  readonly nativeNames?: string;
  /** The SEC's list of a later day (parseSecTickers), and that day, YYYY-MM-DD. */
  readonly refreshed?: { readonly rows: readonly ListedTicker[]; readonly on: string };
}

/** Later than every other day: what is valid now and has no end. */
export const today = "9999-12-31";

/** `TSX-V`, `TSX.V` and `tsxv` are one spelling. */
export const venueKey = (name: string): string => name.toLowerCase().replaceAll(/[\s.\-:]+/g, "");

function pushTo<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

/** `Telefónica` is also written `Telefonica`. */
function withoutAccents(name: string): readonly string[] {
  return [...new Set([name, name.normalize("NFD").replaceAll(/\p{M}/gu, "")])];
}

/** What the constructor indexes. */
interface TableParts {
  readonly rows: ReadonlyMap<string, SymbolRow>;
  readonly exchanges: ReadonlyMap<string, ExchangeEntry>;
  readonly history: SymbolHistory;
  readonly isins: ReadonlyMap<string, string>;
  readonly nativeNames: readonly NativeName[];
}

/** Every known instrument, in memory. Built once; immutable. */
export class SymbolTable {
  /** Largest first, without lines that ended before the table was made. */
  readonly entries: readonly SymbolEntry[];
  readonly exchanges: ReadonlyMap<string, ExchangeEntry>;
  readonly aliases = new AliasIndex();
  readonly nativeNames: NativeIndex;
  /** Names that count only in Indian texts. */
  readonly indianNames = new AliasIndex();
  readonly #bySymbol = new Map<string, SymbolEntry>();
  readonly #byTicker = new SymbolLines();
  readonly #byCik = new SymbolLines();
  readonly #venues = new Map<string, string>();
  readonly #isins: ReadonlyMap<string, string>;
  readonly #ended = new Map<string, SymbolEntry[]>();
  /** By the old symbol, and by its ticker alone. */
  readonly #former = new Map<string, FormerTicker[]>();

  private constructor({ rows, exchanges, history, isins, nativeNames }: TableParts) {
    this.exchanges = exchanges;
    this.#isins = isins;
    const entries = [...rows.values()].map(({ entry }) => entry);
    this.entries = entries.toSorted((a, b) => a.rank - b.rank || (a.symbol < b.symbol ? -1 : 1));
    for (const entry of entries) {
      this.#bySymbol.set(entry.symbol, entry);
      this.#byTicker.add(entry.shortSymbol, entry);
      if (entry.cik !== null) this.#byCik.add(entry.cik, entry);
    }
    this.#byTicker.sort();
    this.#byCik.sort();
    for (const { exchange, name, pressReleaseNames } of exchanges.values()) {
      for (const spelling of [exchange, name, ...pressReleaseNames])
        if (!this.#venues.has(venueKey(spelling))) this.#venues.set(venueKey(spelling), exchange);
    }
    for (const { entry } of history.ended) pushTo(this.#ended, entry.symbol, entry);
    for (const former of history.tickers) {
      pushTo(this.#former, former.was, former);
      pushTo(this.#former, former.was.slice(former.was.indexOf(":") + 1), former);
    }
    this.#indexNames(rows, history);
    this.nativeNames = new NativeIndex(nativeNames, (symbol) => this.#mainSymbol(symbol));
    for (const { symbol, language, name } of nativeNames)
      if (!nativeScripts.has(language))
        for (const spelling of withoutAccents(name))
          (language === "in" ? this.indianNames : this.aliases).add(
            spelling,
            ownerOf(this.#mainSymbol(symbol)),
          );
  }

  #mainSymbol(symbol: string): string {
    return this.#bySymbol.get(symbol)?.primary ?? symbol;
  }

  /** Names of the tables come before derived ones, since the first owner keeps a name. */
  #indexNames(rows: ReadonlyMap<string, SymbolRow>, history: SymbolHistory): void {
    for (const { entry, marked } of history.ended) for (const alias of marked) this.aliases.add(alias, entry);
    for (const { entry, marked } of rows.values()) for (const alias of marked) this.aliases.add(alias, entry);
    for (const [symbol, marked] of history.names)
      for (const alias of marked) this.aliases.add(alias, ownerOf(symbol));
    const companies = this.entries.filter((entry) => isShare(entry) && entry.primary === entry.symbol);
    // One function for all: thousands of them would take thousands of times its memory.
    const legal = ({ symbol }: NameOwner) => legalNames(this.#bySymbol.get(symbol)?.name ?? "");
    for (const entry of companies)
      this.aliases.addDerived(firstWord(withoutArticle(entry.name)), legal, entry);
    for (const [alias, entry] of firstWords(this.entries))
      this.aliases.addDerived(firstWord(alias), () => [alias], entry);
    for (const [alias, entry] of plainNames(this.entries))
      this.aliases.addDerived(firstWord(alias), () => [alias], entry);
    for (const entry of companies) {
      const ticker = tickerName(entry);
      if (ticker !== undefined) this.aliases.addDerived(firstWord(ticker), () => [ticker], entry);
    }
  }

  /**
   * @param symbolsTsv texts of scoring/data/symbols.tsv and demo-symbols.tsv; a later text replaces earlier symbols
   * @param exchangesTsv text of scoring/data/exchanges.tsv
   */
  static parse(
    symbolsTsv: readonly string[],
    exchangesTsv: string,
    { history, isins, nativeNames, refreshed }: TableOptions = {},
  ): SymbolTable {
    const exchanges = new Map<string, ExchangeEntry>();
    for (const row of parseTsv(exchangesTsv)) {
      const entry = exchangeEntry(row);
      exchanges.set(entry.exchange, entry);
    }
    const past = history === undefined ? noHistory : parseHistory(history, exchanges);
    const rows = new Map<string, SymbolRow>();
    for (const text of symbolsTsv) {
      for (const cells of parseTsv(text)) {
        const row = symbolRow(cells, exchanges);
        rows.set(row.entry.symbol, withPast(row, past));
      }
    }
    const isinsOf = new Map(
      [...parseTsv(isins ?? "")].map((row) => [row.get("isin") ?? "", row.get("symbol") ?? ""]),
    );
    const native = nativeNames === undefined ? [] : parseNativeNames(nativeNames);
    const shared = { exchanges, isins: isinsOf, nativeNames: native };
    if (refreshed === undefined) return new SymbolTable({ ...shared, rows, history: past });
    const laid = refreshRows(rows, refreshed.rows, refreshed.on);
    const since = {
      ...past,
      tickers: [...past.tickers, ...laid.moved],
      ended: [...past.ended, ...laid.ended],
    };
    return new SymbolTable({ ...shared, rows: laid.rows, history: since });
  }

  /** @param symbol EXCHANGE:TICKER in capitals, of today */
  get(symbol: string): SymbolEntry | undefined {
    return this.#bySymbol.get(symbol) ?? this.#ended.get(symbol)?.[0];
  }

  /** The line with this symbol on a day. @param on YYYY-MM-DD */
  getOn(symbol: string, on: string): SymbolEntry | undefined {
    if (on !== today) {
      const ended = this.#ended.get(symbol)?.find((entry) => holdsOn(entry, on));
      if (ended !== undefined) return ended;
      const former = this.#former.get(symbol)?.find((row) => holdsOn(row, on));
      if (former !== undefined) return this.get(former.symbol);
    }
    const entry = this.#bySymbol.get(symbol);
    return entry !== undefined && holdsOn(entry, on) ? entry : undefined;
  }

  /** The last line that had a symbol which no line has now. */
  #lastWith(symbol: string): SymbolEntry | undefined {
    const former = this.#former.get(symbol)?.at(-1);
    return former === undefined ? this.get(symbol) : this.get(former.symbol);
  }

  /** Every line with this ticker: companies' own lines first, then the larger. */
  byTicker(ticker: string): readonly SymbolEntry[] {
    return this.#byTicker.get(ticker);
  }

  /** As byTicker for a day; lines that had the ticker only then come first. @param on YYYY-MM-DD */
  byTickerOn(ticker: string, on: string): readonly SymbolEntry[] {
    const former = (this.#former.get(ticker) ?? []).filter((row) => on !== today && holdsOn(row, on));
    const then = former.flatMap(({ symbol }) => this.get(symbol) ?? []);
    const ended = usVenues.flatMap((venue) =>
      (this.#ended.get(`${venue}:${ticker}`) ?? []).filter((e) => holdsOn(e, on)),
    );
    const now = this.byTicker(ticker).filter((entry) => holdsOn(entry, on));
    return then.length + ended.length === 0 ? now : [...new Set([...then, ...ended, ...now])];
  }

  /** Every line of a registrant, its main line first. @param cik with or without leading zeros */
  byCik(cik: string): readonly SymbolEntry[] {
    return this.#byCik.get(paddedCik(cik));
  }

  /** The common share of a registrant; undefined where the number tells no line. @param cik with or without leading zeros */
  ofIssuer(cik: string): SymbolEntry | undefined {
    const symbol = issuerLine(paddedCik(cik), this.byCik(cik));
    return symbol === null ? undefined : this.get(symbol);
  }

  /** @param isin 12 capitals and digits; only numbers without a CUSIP in them are known */
  byIsin(isin: string): SymbolEntry | undefined {
    return this.get(this.#isins.get(isin) ?? "");
  }

  /** The main line of the company; the given line when the table does not have it. */
  mainLine(entry: SymbolEntry): SymbolEntry {
    return entry.primary === entry.symbol ? entry : (this.get(entry.primary) ?? entry);
  }

  /** @param name `Nasdaq`, `TSX-V`, `NYSE American`; @returns our exchange code, null for an unknown venue */
  exchangeNamed(name: string): string | null {
    return this.#venues.get(venueKey(name)) ?? null;
  }

  /** The line with this ticker on this exchange today, in any spelling of the ticker. */
  line(exchange: string, ticker: string): SymbolEntry | undefined {
    for (const spelling of tickerSpellings(ticker)) {
      const entry = this.#bySymbol.get(`${exchange}:${spelling}`);
      if (entry !== undefined) return entry;
    }
    return undefined;
  }

  /**
   * The line that a release means by "(EXCHANGE: TICKER)". Tries other spellings of the ticker, then the other venues of the
   * same country, because companies move between Nasdaq, NYSE and OTC and releases name the old one for a while. A ticker that
   * its company gave up and nobody reused still means that company.
   * @param on YYYY-MM-DD of the text, since tickers are reused
   * @param isNamed whether the text names the company: on another venue the ticker alone may be another company's
   */
  resolve(
    exchange: string,
    ticker: string,
    on = today,
    isNamed: (entry: SymbolEntry) => boolean = () => true,
  ): SymbolEntry | undefined {
    const spellings = tickerSpellings(ticker);
    const venues = [exchange, ...(sisterVenues.get(exchange) ?? [])];
    for (const find of [
      (symbol: string) => this.getOn(symbol, on),
      (symbol: string) => this.#lastWith(symbol),
    ]) {
      for (const venue of venues) {
        for (const spelling of spellings) {
          const entry = find(`${venue}:${spelling}`);
          if (entry !== undefined && (venue === exchange || isNamed(entry))) return entry;
        }
      }
    }
    return undefined;
  }
}

/** A line with its company's former names, and the day it ended. */
function withPast({ entry, marked }: SymbolRow, { names, endings }: SymbolHistory): SymbolRow {
  const validTo = endings.get(entry.symbol) ?? entry.validTo;
  const former = names.get(entry.symbol) ?? [];
  if (former.length === 0 && validTo === entry.validTo) return { entry, marked };
  const aliases = [...new Set([...entry.aliases, ...former.map(unmarked)])];
  return { entry: { ...entry, aliases, validTo }, marked };
}

const usVenues = ["NASDAQ", "NYSE", "AMEX", "CBOE", "OTC"] as const;

const sisterVenues: ReadonlyMap<string, readonly string[]> = new Map(
  [
    [...usVenues],
    ["TSX", "TSXV", "CSE", "NEO"],
    ["OMXSTO", "OMXCOP", "OMXHEX", "OMXICE"],
    ["XETR", "FWB"],
    ["NSE", "BSE"],
    ["TWSE", "TPEX"],
  ].flatMap((group) => group.map((venue) => [venue, group.filter((other) => other !== venue)] as const)),
);

function tickerSpellings(ticker: string): readonly string[] {
  const plain = ticker.toUpperCase();
  const joined = [plain, plain.replaceAll(/[-./ &]/g, "_"), plain.replaceAll(/[-_/ ]/g, ".")];
  return [...new Set([...joined, plain.replace(/^0+(?=\d)/, ""), `${plain}.`])];
}
