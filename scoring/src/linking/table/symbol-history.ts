import type { SymbolEntry } from "../types.ts";
import type { ExchangeEntry, SymbolRow } from "./symbol-rows.ts";
import { emptyToNull, parseTsv, unmarked } from "./symbol-rows.ts";

/** Days on which a fact was true: from `validFrom` up to, not including, `validTo`; YYYY-MM-DD, null is open. */
export interface Validity {
  readonly validFrom: string | null;
  readonly validTo: string | null;
}

/** @param on YYYY-MM-DD */
export const holdsOn = ({ validFrom, validTo }: Validity, on: string): boolean =>
  (validFrom === null || validFrom <= on) && (validTo === null || on < validTo);

/** A ticker that meant another line than it does now. */
export interface FormerTicker extends Validity {
  /** The former EXCHANGE:TICKER. */
  readonly was: string;
  /** The company's line of today. */
  readonly symbol: string;
}

/** The content of symbol-history.tsv. */
export interface SymbolHistory {
  readonly tickers: readonly FormerTicker[];
  /** Former names, with marks, by the line of their company today. */
  readonly names: ReadonlyMap<string, readonly string[]>;
  /** Lines that no longer trade. */
  readonly ended: readonly SymbolRow[];
  /** For lines that the table still has: the first day after their end. */
  readonly endings: ReadonlyMap<string, string>;
}

export const noHistory: SymbolHistory = { tickers: [], names: new Map(), ended: [], endings: new Map() };

function endedRow(
  symbol: string,
  names: readonly string[],
  validity: Validity,
  exchanges: ReadonlyMap<string, ExchangeEntry>,
): SymbolRow {
  const [exchange = "", shortSymbol = ""] = symbol.split(":");
  const [name = shortSymbol, ...others] = names;
  const entry: SymbolEntry = {
    symbol,
    shortSymbol,
    exchange,
    type: "stock",
    name,
    domicile: null,
    country: exchanges.get(exchange)?.country ?? null,
    sector: null,
    cik: null,
    logoid: "",
    primary: symbol,
    rank: 9999,
    aliases: others.map(unmarked),
    ...validity,
  };
  return { entry, marked: [name, ...others] };
}

/** @param text of scoring/data/symbol-history.tsv; its head explains the kinds */
export function parseHistory(text: string, exchanges: ReadonlyMap<string, ExchangeEntry>): SymbolHistory {
  const tickers: FormerTicker[] = [];
  const names = new Map<string, readonly string[]>();
  const ended: SymbolRow[] = [];
  const endings = new Map<string, string>();
  for (const row of parseTsv(text)) {
    const symbol = row.get("symbol") ?? "";
    const marked = row.list("names", "|");
    const validity = {
      validFrom: emptyToNull(row.get("valid_from")),
      validTo: emptyToNull(row.get("valid_to")),
    };
    const kind = row.get("kind");
    if (kind === "ticker") tickers.push({ was: row.get("was") ?? "", symbol, ...validity });
    else if (kind === "name") names.set(symbol, [...(names.get(symbol) ?? []), ...marked]);
    else if (marked.length > 0) ended.push(endedRow(symbol, marked, validity, exchanges));
    else if (validity.validTo !== null) endings.set(symbol, validity.validTo);
  }
  return { tickers, names, ended, endings };
}
