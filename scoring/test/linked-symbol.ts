import type { LinkedSymbol } from "../src/types.ts";

/** A company of the invented exchange DEMO, as the linker finds it by its name. */
export const linkedSymbol = (name: string, ticker: string, primary = false): LinkedSymbol => ({
  symbol: `DEMO:${ticker}`,
  exchange: "DEMO",
  short_symbol: ticker,
  logoid: null,
  name,
  country: "US",
  type: "stock",
  method: "alias",
  relevance: primary ? 90 : 60,
  primary,
});
