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
  /** A result, a promise, or the price of a deal. */
  readonly kind: "reported" | "guidance" | "deal";
  /** Losses are negative. Whole currency units; percent points for margins; of a range, its middle. */
  readonly value: number;
  /** The ends of a range; null for a single figure. */
  readonly range: readonly [low: number, high: number] | null;
  readonly unit: "currency" | "per_share" | "percent";
  /** ISO 4217; null when the text names none, and for percent. */
  readonly currency: string | null;
  /** `Q1 2026`, `FY 2026`, `H1`, `9M`; null when unknown. */
  readonly period: string | null;
  readonly yearAgo: number | null;
  readonly consensus: number | null;
  /** The earlier figure of a guidance that was changed; of a range, its middle. */
  readonly previous: number | null;
  /** Growth over the year before, in percent; stated, or from yearAgo. */
  readonly changePct: number | null;
  /** Compared with consensus; null when the text does not say. */
  readonly outcome: Outcome | null;
  /** Adjusted, core or non-GAAP. */
  readonly adjusted: boolean;
  /** `symbol` of the company it is about; null when unknown. */
  readonly symbol: string | null;
  readonly evidence: Evidence;
}

/** The headline and the body contradict each other. */
export interface Contradiction {
  readonly headline: Evidence;
  readonly body: Evidence;
  readonly comment: string;
}

/** The judgement of the whole text; flash's verdict stays where nothing below the lead changes it. */
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
  /** Negative: bad for its subject. */
  readonly weight: number;
  readonly label: string;
  /** Its effect lasts beyond days. */
  readonly lasting: boolean;
  readonly hedged: boolean;
  /** It concerns the company's existence, such as doubt about going on. */
  readonly alarm: boolean;
  /** Index of the symbol it is about; null when unknown. */
  readonly owner: number | null;
  /** Index of the sentence. */
  readonly sentence: number;
}
