import type {
  ArtifactType,
  EventMention,
  SubScores,
  SymbolAnalysis,
  SymbolRef,
} from "@tapewire/contract/feeds.ts";
import type { FilingFacts } from "@tapewire/contract/filings.ts";

/** The parts of an item that the engine reads. Text is clean: no markup, NFC, no control characters. */
export interface Artifact {
  readonly type: ArtifactType;
  readonly title: string;
  /** Empty when only the headline is known. */
  readonly body: string;
  readonly publishedAt: Date;
  /** Set for regulatory filings. */
  readonly filing: FilingFacts | null;
  /** Tags or categories of the source, in its own words. */
  readonly categories: readonly string[];
}

/** What the source itself says about the subject; trusted more than anything found in the text. */
export interface SymbolHints {
  /** `AAPL`, `NASDAQ:AAPL` or a wire's `Nasdaq:AAPL`. */
  readonly symbols: readonly string[];
  readonly isins: readonly string[];
  /** SEC central index keys, with or without leading zeros. Where there are any, tickers of other registrants do not count. */
  readonly ciks: readonly string[];
}

export type LinkMethod =
  | "hint"
  | "cik"
  | "exchange_pattern"
  | "cashtag"
  | "isin"
  | "ticker_and_name"
  | "alias"
  | "alias_in_context";

/** A symbol the item is about, with how it was found. Sorted: primary first, then by relevance. */
export interface LinkedSymbol extends SymbolRef {
  readonly name: string;
  /** Country of the listing, ISO alpha-2, null when the venue has none (crypto, FX). */
  readonly country: string | null;
  /** stock, dr, etf, crypto, forex, index, commodity or yield. */
  readonly type: string;
  readonly method: LinkMethod;
  /** 0..100. */
  readonly relevance: number;
  readonly primary: boolean;
  /** Its place among companies by market value, 1 the largest; missing where that is not known. */
  readonly rank?: number | undefined;
}

/** The engine's judgement of an item. */
export interface Verdict {
  readonly model: "flash";
  readonly modelVersion: string;
  readonly actionability: {
    readonly actionable: boolean;
    /** 0..100. */
    readonly score: number;
    /** One line that names the evidence. */
    readonly comment: string;
  };
  readonly sentiment: {
    /** -5..+5, over hours to days. */
    readonly shortDirection: number;
    /** -5..+5, over weeks to quarters. */
    readonly longDirection: number;
    /** 0..100: confidence in the short direction. */
    readonly conviction: number;
    readonly comment: string;
  };
  readonly subScores: SubScores;
  /** Kind of the leading event; null when no known event was found. */
  readonly event: string | null;
  /** The leading event first, at most 8. */
  readonly events: readonly EventMention[];
  /** One entry per linked symbol, in their order. */
  readonly symbols: readonly SymbolAnalysis[];
  /** At most 3 sentences of the source; null when there is only a headline. */
  readonly summary: string | null;
}
