/** What a row of the trade halt list says about trading. */
export type HaltState = "halted" | "paused" | "resuming" | "not yet trading" | "deleted";

export interface HaltReason {
  /** In plain words, lower case. */
  readonly label: string;
  readonly state: HaltState;
}

/**
 * Reason codes of the trade halt list. Listing exchanges halt under T, H, O and M codes, limit up-limit down pauses under
 * LUDP, LUDS and (other markets' stocks) M; R and C codes come with the end of a halt.
 * Source: Nasdaq's table of trade halt codes; the reason fields of its ITCH and UTP feeds.
 */
const reasons: Readonly<Record<string, HaltReason>> = {
  T1: { label: "news pending", state: "halted" },
  T2: { label: "news released", state: "halted" },
  T3: { label: "news out, resumption times set", state: "resuming" },
  T5: { label: "single stock trading pause", state: "paused" },
  T6: { label: "extraordinary market activity", state: "halted" },
  T7: { label: "trading pause, quotation only", state: "paused" },
  T8: { label: "exchange-traded fund halt", state: "halted" },
  T12: { label: "additional information requested", state: "halted" },
  H4: { label: "non-compliance with listing rules", state: "halted" },
  H9: { label: "filings not current", state: "halted" },
  H10: { label: "SEC trading suspension", state: "halted" },
  H11: { label: "regulatory concern", state: "halted" },
  O1: { label: "operations halt", state: "halted" },
  LUDP: { label: "volatility trading pause", state: "paused" },
  LUDS: { label: "volatility trading pause, straddle condition", state: "paused" },
  M: { label: "volatility trading pause", state: "paused" },
  MWC0: { label: "market-wide circuit breaker, carried over", state: "halted" },
  MWC1: { label: "market-wide circuit breaker, level 1", state: "halted" },
  MWC2: { label: "market-wide circuit breaker, level 2", state: "halted" },
  MWC3: { label: "market-wide circuit breaker, level 3", state: "halted" },
  MWCQ: { label: "market-wide circuit breaker ended", state: "resuming" },
  IPO1: { label: "new issue", state: "not yet trading" },
  IPOQ: { label: "new issue, released for quotation", state: "resuming" },
  IPOE: { label: "new issue, positioning window extended", state: "not yet trading" },
  M1: { label: "corporate action", state: "halted" },
  M2: { label: "quotation not available", state: "halted" },
  D: { label: "security deleted", state: "deleted" },
  R1: { label: "new issue available", state: "resuming" },
  R2: { label: "issue available", state: "resuming" },
  R4: { label: "qualification issues resolved", state: "resuming" },
  R9: { label: "filing requirements met", state: "resuming" },
  C3: { label: "no news from the issuer", state: "resuming" },
  C4: { label: "qualifications halt ended, requirements met", state: "resuming" },
  C9: { label: "qualifications halt concluded, filings met", state: "resuming" },
  C11: { label: "halt concluded by another regulator", state: "resuming" },
};

/** @returns null for a code that is not in the table: exchanges add codes, and the halt is then shown without a reason */
export function haltReason(code: string): HaltReason | null {
  return Object.hasOwn(reasons, code) ? (reasons[code] ?? null) : null;
}

/** Names and one-letter codes of the listing market, as the list and the tapes use them. */
const markets: Readonly<Record<string, string>> = {
  NASDAQ: "NASDAQ",
  Q: "NASDAQ",
  G: "NASDAQ",
  S: "NASDAQ",
  NYSE: "NYSE",
  N: "NYSE",
  AMEX: "AMEX",
  NYSEAMERICAN: "AMEX",
  NYSEMKT: "AMEX",
  NYSEAMEX: "AMEX",
  A: "AMEX",
  NYSEARCA: "AMEX",
  ARCA: "AMEX",
  P: "AMEX",
  BATS: "CBOE",
  BATSBZX: "CBOE",
  CBOE: "CBOE",
  CBOEBZX: "CBOE",
  Z: "CBOE",
  OTC: "OTC",
  OTHEROTC: "OTC",
  OTCBB: "OTC",
  U: "OTC",
};

/** Exchange code of the symbol table (NYSE American and NYSE Arca share AMEX); null for a market it does not have. */
export function haltExchange(market: string): string | null {
  const key = market.toUpperCase().replaceAll(/[^A-Z]/g, "");
  return Object.hasOwn(markets, key) ? (markets[key] ?? null) : null;
}
