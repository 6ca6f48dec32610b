/** One line of symbols.tsv: an instrument on one exchange. */
export interface SymbolEntry {
  /** EXCHANGE:TICKER. */
  readonly symbol: string;
  readonly shortSymbol: string;
  readonly exchange: string;
  readonly type: string;
  readonly name: string;
  /** The company's country, ISO alpha-2. */
  readonly domicile: string | null;
  /** Country of the listing, ISO alpha-2; null for crypto, FX and the demo exchange. */
  readonly country: string | null;
  readonly sector: string | null;
  /** 10 digits. */
  readonly cik: string | null;
  readonly logoid: string;
  /** The company's main line; its own symbol if it is that one. */
  readonly primary: string;
  /** 1 is the largest; 9999 when unknown. */
  readonly rank: number;
  /** Names without their marks. */
  readonly aliases: readonly string[];
  /** First day of the line, YYYY-MM-DD; null when it began before all our data. */
  readonly validFrom: string | null;
  /** First day on which it no longer trades, YYYY-MM-DD; null while it does. */
  readonly validTo: string | null;
}

/**
 * safe: sufficient alone. context: also a word or another name, needs proof. role: a venue, index maker or agency, which
 * means the company only where the sentence is about it. never: no evidence at all.
 */
export type AliasSafety = "safe" | "context" | "role" | "never";

/** A known name in the tokens of a text. */
export interface AliasMatch {
  readonly symbol: string;
  readonly safety: AliasSafety;
  /** Index of the first token and of the one after the last. */
  readonly first: number;
  readonly last: number;
  /** The name is no longer used: it means the line that had the symbol then. */
  readonly ended: boolean;
  /** `Apple's`: the match ends in a possessive that is not part of the name. */
  readonly possessive: boolean;
}
