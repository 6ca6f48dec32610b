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
  /** First day of the line, YYYY-MM-DD; null when it began before anything we carry. */
  readonly validFrom: string | null;
  /** First day on which it no longer trades, YYYY-MM-DD; null while it does. */
  readonly validTo: string | null;
}

/**
 * safe: enough alone. context: a word or name of others too, needs proof. role: a venue, index maker or agency, the
 * company only where the sentence is about it. never: not evidence at all.
 */
export type AliasSafety = "safe" | "context" | "role" | "never";

/** A name that the table knows, in the tokens of a text. */
export interface AliasMatch {
  readonly symbol: string;
  readonly safety: AliasSafety;
  /** Index of the first token and of the one after the last. */
  readonly first: number;
  readonly last: number;
  /** The name's days had an end: it means the line that had the symbol then. */
  readonly ended: boolean;
  /** `Apple's`: the match ends in a possessive that is not part of the name. */
  readonly possessive: boolean;
}
