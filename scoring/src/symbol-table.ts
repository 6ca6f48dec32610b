import { AliasIndex } from "./alias-index.ts";

/** One line of symbols.tsv: an instrument on one exchange. */
export interface SymbolEntry {
  /** EXCHANGE:TICKER. */
  readonly symbol: string;
  readonly shortSymbol: string;
  readonly exchange: string;
  readonly type: string;
  readonly name: string;
  /** Where the company sits, ISO alpha-2. */
  readonly domicile: string | null;
  /** Where the line trades, ISO alpha-2; null for crypto, FX and the demo exchange. */
  readonly country: string | null;
  readonly sector: string | null;
  /** 10 digits. */
  readonly cik: string | null;
  readonly logoid: string;
  /** The line that stands for the company; its own symbol when it is this one. */
  readonly primary: string;
  /** 1 is the largest; 9999 where nothing is known. */
  readonly rank: number;
  /** Names without their marks. */
  readonly aliases: readonly string[];
}

export interface ExchangeEntry {
  readonly exchange: string;
  readonly name: string;
  readonly mic: string | null;
  /** ISO alpha-2; null where one code covers several countries or none. */
  readonly country: string | null;
  readonly pressReleaseNames: readonly string[];
}

const emptyToNull = (text: string | undefined): string | null =>
  text === undefined || text === "" ? null : text;

/** Rows of a TSV with a header line; lines that start with `#` are comments. */
function* parseTsv(text: string): Generator<ReadonlyMap<string, string>> {
  let names: readonly string[] | null = null;
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const cells = line.split("\t");
    if (names === null) names = cells;
    else yield new Map(names.map((name, index) => [name, cells[index] ?? ""]));
  }
}

const unmarked = (alias: string): string => (/^[~!]/.test(alias) ? alias.slice(1) : alias);
const splitList = (text: string | undefined, separator: string): readonly string[] =>
  (text ?? "").split(separator).filter((part) => part !== "");

export const paddedCik = (cik: string): string => cik.replace(/^0+/, "").padStart(10, "0");

/** `TSX-V`, `TSX.V` and `tsxv` are one spelling. */
export const venueKey = (name: string): string => name.toLowerCase().replaceAll(/[\s.\-:]+/g, "");

function symbolEntry(
  row: ReadonlyMap<string, string>,
  exchanges: ReadonlyMap<string, ExchangeEntry>,
): SymbolEntry {
  const symbol = row.get("symbol") ?? "";
  const cik = emptyToNull(row.get("cik"));
  const rank = Number(row.get("rank") ?? "");
  const exchange = row.get("exchange") ?? "";
  return {
    symbol,
    shortSymbol: row.get("short_symbol") ?? "",
    exchange,
    type: row.get("type") ?? "",
    name: row.get("name") ?? "",
    domicile: emptyToNull(row.get("country")),
    country: emptyToNull(row.get("listing_country")) ?? exchanges.get(exchange)?.country ?? null,
    sector: emptyToNull(row.get("sector")),
    cik: cik === null ? null : paddedCik(cik),
    logoid: row.get("logoid") ?? "",
    primary: emptyToNull(row.get("primary")) ?? symbol,
    rank: emptyToNull(row.get("rank")) === null || Number.isNaN(rank) ? 9999 : rank,
    aliases: splitList(row.get("aliases"), "|").map(unmarked),
  };
}

function exchangeEntry(row: ReadonlyMap<string, string>): ExchangeEntry {
  const country = row.get("country") ?? "";
  return {
    exchange: row.get("exchange") ?? "",
    name: row.get("name") ?? "",
    mic: emptyToNull(row.get("mic")),
    country: country === "" || country.includes(",") ? null : country,
    pressReleaseNames: splitList(row.get("press_release_names"), ","),
  };
}

function pushTo<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

/** The company's own line first, then the larger, then by symbol so that ties never depend on file order. */
function bySize(a: SymbolEntry, b: SymbolEntry): number {
  const own = Number(b.primary === b.symbol) - Number(a.primary === a.symbol);
  return own !== 0 ? own : a.rank - b.rank || (a.symbol < b.symbol ? -1 : 1);
}

/** Every instrument we know, in memory. Built once; immutable. */
export class SymbolTable {
  /** Largest first. */
  readonly entries: readonly SymbolEntry[];
  readonly exchanges: ReadonlyMap<string, ExchangeEntry>;
  readonly aliases: AliasIndex;
  readonly #bySymbol: ReadonlyMap<string, SymbolEntry>;
  readonly #byTicker = new Map<string, SymbolEntry[]>();
  readonly #byCik = new Map<string, SymbolEntry[]>();
  readonly #venues = new Map<string, string>();

  private constructor(
    entries: SymbolEntry[],
    exchanges: ReadonlyMap<string, ExchangeEntry>,
    index: AliasIndex,
  ) {
    this.entries = entries.toSorted((a, b) => a.rank - b.rank || (a.symbol < b.symbol ? -1 : 1));
    this.exchanges = exchanges;
    this.aliases = index;
    this.#bySymbol = new Map(entries.map((entry) => [entry.symbol, entry]));
    for (const entry of entries.toSorted(bySize)) {
      pushTo(this.#byTicker, entry.shortSymbol, entry);
      if (entry.cik !== null) pushTo(this.#byCik, entry.cik, entry);
    }
    for (const { exchange, name, pressReleaseNames } of exchanges.values()) {
      for (const spelling of [exchange, name, ...pressReleaseNames])
        if (!this.#venues.has(venueKey(spelling))) this.#venues.set(venueKey(spelling), exchange);
    }
  }

  /**
   * @param symbolsTsv texts of scoring/data/symbols.tsv and demo-symbols.tsv; a later text replaces earlier symbols
   * @param exchangesTsv text of scoring/data/exchanges.tsv
   */
  static parse(symbolsTsv: readonly string[], exchangesTsv: string): SymbolTable {
    const exchanges = new Map<string, ExchangeEntry>();
    for (const row of parseTsv(exchangesTsv)) {
      const entry = exchangeEntry(row);
      exchanges.set(entry.exchange, entry);
    }
    const entries = new Map<string, SymbolEntry>();
    const index = new AliasIndex();
    for (const text of symbolsTsv) {
      for (const row of parseTsv(text)) {
        const entry = symbolEntry(row, exchanges);
        entries.set(entry.symbol, entry);
        for (const alias of splitList(row.get("aliases"), "|")) index.add(alias, entry.symbol);
      }
    }
    return new SymbolTable([...entries.values()], exchanges, index);
  }

  /** @param symbol EXCHANGE:TICKER in capitals */
  get(symbol: string): SymbolEntry | undefined {
    return this.#bySymbol.get(symbol);
  }

  /** Every line with this ticker: companies' own lines first, then the larger. */
  byTicker(ticker: string): readonly SymbolEntry[] {
    return this.#byTicker.get(ticker) ?? [];
  }

  /** Every line of a registrant, its main line first. @param cik with or without leading zeros */
  byCik(cik: string): readonly SymbolEntry[] {
    return this.#byCik.get(paddedCik(cik)) ?? [];
  }

  /** The line that stands for the same company; itself when the table does not hold that line. */
  mainLine(entry: SymbolEntry): SymbolEntry {
    return this.get(entry.primary) ?? entry;
  }

  /** @param name `Nasdaq`, `TSX-V`, `NYSE American`; @returns our exchange code, null when nobody trades there */
  exchangeNamed(name: string): string | null {
    return this.#venues.get(venueKey(name)) ?? null;
  }

  /**
   * The line a release means by "(EXCHANGE: TICKER)": other spellings of the ticker, then the other venues of the
   * same country, because companies move between Nasdaq, NYSE and OTC and releases name the old one for a while.
   */
  resolve(exchange: string, ticker: string): SymbolEntry | undefined {
    for (const venue of [exchange, ...(sisterVenues.get(exchange) ?? [])]) {
      for (const spelling of tickerSpellings(ticker)) {
        const entry = this.get(`${venue}:${spelling}`);
        if (entry !== undefined) return entry;
      }
    }
    return undefined;
  }
}

const sisterVenues: ReadonlyMap<string, readonly string[]> = new Map(
  [
    ["NASDAQ", "NYSE", "AMEX", "CBOE", "OTC"],
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
