import { KeptStrings } from "../../kept-strings.ts";
import type { SymbolEntry } from "../types.ts";

export interface ExchangeEntry {
  readonly exchange: string;
  readonly name: string;
  readonly mic: string | null;
  /** ISO alpha-2; null when the code covers several countries or none. */
  readonly country: string | null;
  readonly pressReleaseNames: readonly string[];
}

/** A line with its names as the table marks them: `~Apple` needs context, `!Record` never counts alone. */
export interface SymbolRow {
  readonly entry: SymbolEntry;
  readonly marked: readonly string[];
}

export const emptyToNull = (text: string | undefined): string | null =>
  text === undefined || text === "" ? null : text;

const nothing: readonly string[] = [];

/** A row by column name. */
class TsvRow {
  readonly #places: ReadonlyMap<string, number>;
  readonly #cells: readonly string[];
  readonly #strings: KeptStrings;

  constructor(places: ReadonlyMap<string, number>, cells: readonly string[], strings: KeptStrings) {
    this.#places = places;
    this.#cells = cells;
    this.#strings = strings;
  }

  /** @returns undefined for a column that the file does not have */
  get(column: string): string | undefined {
    const place = this.#places.get(column);
    return place === undefined ? undefined : this.#strings.keep(this.#cells[place] ?? "");
  }

  /** The parts of a cell. */
  list(column: string, separator: string): readonly string[] {
    const place = this.#places.get(column);
    const cell = place === undefined ? "" : (this.#cells[place] ?? "");
    if (cell === "") return nothing;
    const parts = cell.split(separator);
    return (parts.includes("") ? parts.filter((part) => part !== "") : parts).map((part) =>
      this.#strings.keep(part),
    );
  }
}

/** Rows of a TSV with a header line; lines that start with `#` are comments. */
export function* parseTsv(text: string): Generator<TsvRow> {
  const strings = new KeptStrings();
  let columns: ReadonlyMap<string, number> | null = null;
  for (const line of text.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const cells = line.split("\t");
    if (columns === null) {
      columns = new Map(cells.map((name, index) => [name, index]));
      continue;
    }
    yield new TsvRow(columns, cells, strings);
  }
}

const isMarked = (alias: string): boolean => alias.startsWith("~") || alias.startsWith("!");
export const unmarked = (alias: string): string => (isMarked(alias) ? alias.slice(1) : alias);

export const paddedCik = (cik: string): string => cik.replace(/^0+/, "").padStart(10, "0");

/** @param row of symbols.tsv or demo-symbols.tsv */
export function symbolRow(row: TsvRow, exchanges: ReadonlyMap<string, ExchangeEntry>): SymbolRow {
  const symbol = row.get("symbol") ?? "";
  const cik = emptyToNull(row.get("cik"));
  const rank = emptyToNull(row.get("rank"));
  const exchange = row.get("exchange") ?? "";
  const marked = row.list("aliases", "|");
  const entry = {
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
    rank: rank === null || Number.isNaN(Number(rank)) ? 9999 : Number(rank),
    aliases: marked.some(isMarked) ? marked.map(unmarked) : marked,
    validFrom: emptyToNull(row.get("valid_from")),
    validTo: emptyToNull(row.get("valid_to")),
  };
  return { entry, marked };
}

/** @param row of exchanges.tsv */
export function exchangeEntry(row: TsvRow): ExchangeEntry {
  const country = row.get("country") ?? "";
  return {
    exchange: row.get("exchange") ?? "",
    name: row.get("name") ?? "",
    mic: emptyToNull(row.get("mic")),
    country: country === "" || country.includes(",") ? null : country,
    pressReleaseNames: row.list("press_release_names", ","),
  };
}
