import type { Evidence } from "@tapewire/contract/feeds.ts";
import type { DetailedAnalysis } from "@tapewire/contract/score.ts";
import type { Verdict } from "../types.ts";

export type Metric =
  | "revenue"
  | "eps"
  | "net_income"
  | "operating_income"
  | "ebitda"
  | "gross_margin"
  | "operating_margin"
  | "net_margin"
  | "free_cash_flow"
  | "bookings"
  | "backlog"
  | "deal_value";

export type Outcome = "beat" | "miss" | "in_line";

/** A figure that the text states. */
export interface NumberFact {
  readonly metric: Metric;
  /** What was, what is promised, or the price of a deal. */
  readonly kind: "reported" | "guidance" | "deal";
  /** Losses are negative. Whole currency units; percent points for margins; of a range, its middle. */
  readonly value: number;
  /** The ends of a range; null where one figure stands. */
  readonly range: readonly [low: number, high: number] | null;
  readonly unit: "currency" | "per_share" | "percent";
  /** ISO 4217; null where the text names none, and for percent. */
  readonly currency: string | null;
  /** `Q1 2026`, `FY 2026`, `H1`, `9M`; null when not told. */
  readonly period: string | null;
  readonly yearAgo: number | null;
  readonly consensus: number | null;
  /** What was promised before, of a guidance that was changed; of a range, its middle. */
  readonly previous: number | null;
  /** Growth over the year before, in percent; stated, or from yearAgo. */
  readonly changePct: number | null;
  /** Against consensus, null when the text tells none. */
  readonly outcome: Outcome | null;
  /** Adjusted, core or non-GAAP. */
  readonly adjusted: boolean;
  /** `symbol` of the company it is about; null when it cannot be told. */
  readonly symbol: string | null;
  readonly evidence: Evidence;
}

/** The headline says one thing and the body another. */
export interface Contradiction {
  readonly headline: Evidence;
  readonly body: Evidence;
  readonly comment: string;
}

/** The judgement of the whole text; what flash says of it stays where nothing below the lead changes it. */
export interface ProVerdict extends Omit<Verdict, "model" | "modelVersion"> {
  readonly model: "pro";
  readonly modelVersion: string;
  /** In the order of the text, at most 60. */
  readonly facts: readonly NumberFact[];
  readonly contradiction: Contradiction | null;
  readonly detailedAnalysis: DetailedAnalysis;
}

/** A statement for or against, found in one sentence. Offsets in title + newline + body. */
export interface Signal {
  readonly start: number;
  readonly end: number;
  /** Negative: bad for the one it is about. */
  readonly weight: number;
  readonly label: string;
  /** Matters beyond days. */
  readonly lasting: boolean;
  readonly hedged: boolean;
  /** True of the company's being at all, such as doubt of going on. */
  readonly alarm: boolean;
  /** Index of the symbol it is about; null when it cannot be told. */
  readonly owner: number | null;
  /** Index of the sentence. */
  readonly sentence: number;
}
