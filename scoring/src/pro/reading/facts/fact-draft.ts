import type { Metric, NumberFact, Outcome } from "../../types.ts";
import type { Amount } from "./amounts.ts";
import type { Role } from "./roles.ts";

/** A fact while its figures are read. Offsets in title + newline + body. */
export interface Draft {
  readonly metric: Metric;
  readonly kind: NumberFact["kind"];
  readonly unit: NumberFact["unit"];
  readonly sign: 1 | -1;
  readonly adjusted: boolean;
  readonly sentence: number;
  period: string | null;
  currency: string | null;
  low: number | null;
  high: number | null;
  yearAgo: number | null;
  previous: number | null;
  consensus: number | null;
  changePct: number | null;
  outcome: Outcome | null;
  start: number;
  end: number;
  last: Role | null;
}

/** A loss is negative however it is written; the figure it is compared with may have been a profit. */
function signed(draft: Draft, amount: Amount, words: readonly string[]): number {
  if (draft.unit === "percent") return amount.value;
  if (amount.value < 0) return amount.value;
  if (words.some((word) => word === "loss" || word === "losses")) return -amount.value;
  if (words.some((word) => /^(?:profit|income|earnings|gain)$/.test(word))) return amount.value;
  return draft.sign * amount.value;
}

const falling =
  /\b(?:fell|fall|down|declined|decline|decreased|decrease|dropped|drop|lower|slipped|slid|plunged|tumbled|shrank|sank|dipped|contracted|reduced|narrowed|dips|falls|drops|slips|slides|plunges|declines|decreases)\b/;

/** Stores a figure by its role. @param words lead of the figure; @param around lead and what follows */
export function addFigure(
  draft: Draft,
  amount: Amount,
  role: Role,
  words: readonly string[],
  around: string,
): void {
  const value = signed(draft, amount, words);
  if (role === "value") {
    if (draft.low === null) draft.low = value;
    draft.currency ??= amount.currency;
  } else if (role === "high") draft.high = value;
  else if (role === "year_ago") draft.yearAgo ??= value;
  else if (role === "previous") draft.previous ??= value;
  else if (role === "previous_high" && draft.previous !== null)
    draft.previous = tidy((draft.previous + value) / 2);
  else if (role === "consensus") draft.consensus ??= value;
  else if (
    role === "change" &&
    draft.changePct === null &&
    draft.last !== "year_ago" &&
    draft.last !== "consensus"
  )
    draft.changePct = (falling.test(around) ? -1 : 1) * Math.abs(amount.value);
  if (draft.currency === null && role !== "change") draft.currency = amount.currency;
  draft.start = Math.min(draft.start, amount.start);
  draft.end = Math.max(draft.end, amount.end);
  draft.last = role;
}

/** A smaller difference counts as in line: half a cent a share, a fifth of a percent, or of a point for margins. */
function outcomeOf(value: number, consensus: number, unit: NumberFact["unit"]): Outcome {
  const tolerance = unit === "per_share" ? 0.004 : unit === "percent" ? 0.05 : Math.abs(consensus) * 0.002;
  if (Math.abs(value - consensus) <= tolerance) return "in_line";
  return value > consensus ? "beat" : "miss";
}

/** A larger change within a year is implausible: the figures mean different things. */
const likeliest = 1_000;

function growth(value: number, before: number | null): number | null {
  if (before === null || before <= 0) return null;
  const change = Math.round((value / before - 1) * 1_000) / 10;
  return Math.abs(change) > likeliest ? null : change;
}

/** Rounds away the noise of binary fractions. */
const tidy = (value: number): number => Number(value.toPrecision(10));

/** Amounts per share in these currencies are in the thousands. */
const smallCurrencies = new Set(["JPY", "KRW", "INR"]);

/** "Net sales of $1,820" is a column of a table in millions, or a price; "$273 a share" is a column too. */
function isLikely(value: number, unit: NumberFact["unit"], currency: string | null): boolean {
  const size = Math.abs(value);
  if (unit === "currency") return size >= 10_000 || size === 0;
  if (unit === "percent") return size <= 1_000;
  return size <= (smallCurrencies.has(currency ?? "") ? 100_000 : 250);
}

/** The fact of a draft, without its owner and evidence; null when it has no figure of its own. */
export function factOf(draft: Draft): Omit<NumberFact, "symbol" | "evidence"> | null {
  const { low, high, unit } = draft;
  if (low === null) return null;
  // "$1.3 to 1.4 billion" gives the scale once.
  const scale =
    high !== null && unit === "currency" && Math.abs(low) < 1_000 && high >= 1_000 ? scaleOf(high, low) : 1;
  const from = tidy(low * scale);
  if (!isLikely(high ?? from, unit, draft.currency)) return null;
  const isRange = high !== null && high !== from;
  const value = isRange ? tidy((from + high) / 2) : from;
  const changePct = draft.changePct ?? (unit === "percent" ? null : growth(value, draft.yearAgo));
  return {
    metric: draft.metric,
    kind: draft.kind,
    value,
    range: isRange ? [Math.min(from, high), Math.max(from, high)] : null,
    unit,
    currency: unit === "percent" ? null : draft.currency,
    period: draft.period,
    yearAgo: draft.yearAgo,
    consensus: draft.consensus,
    previous: draft.previous,
    changePct,
    outcome: draft.consensus === null ? draft.outcome : outcomeOf(value, draft.consensus, unit),
    adjusted: draft.adjusted,
  };
}

/** The power of a thousand that brings the two ends of a range closest to each other. */
function scaleOf(high: number, low: number): number {
  const candidates = [1e3, 1e5, 1e6, 1e7, 1e9, 1e12];
  return candidates.find((scale) => low * scale <= high && low * scale * 10 >= high) ?? 1;
}
