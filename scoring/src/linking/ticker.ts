import type { SymbolEntry } from "./types.ts";

/** A ticker written as one. `entry` is missing when the venue is known but the ticker is not (a new listing). */
export interface TickerMatch {
  readonly method: "exchange_pattern" | "cashtag" | "isin" | "ticker_and_name";
  readonly entry: SymbolEntry | null;
  readonly exchange: string;
  readonly ticker: string;
  readonly start: number;
}

const tickerText = /^[A-Z0-9](?:[A-Z0-9]|[.\-_/&](?=[A-Z0-9])){0,11}$/;
export const looksLikeTicker = (text: string): boolean => tickerText.test(text);
