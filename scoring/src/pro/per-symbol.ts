import type { SymbolAnalysis } from "@tapewire/contract/feeds.ts";
import type { LinkedSymbol, Verdict } from "../types.ts";
import type { Judgement } from "./judge.ts";
import type { Reading } from "./reading.ts";
import { type Balance, balanceOf, directionOf, percent, sumOf, type Weighed } from "./weigh.ts";
import { evidenceOf, quote, tell } from "./wording.ts";

const mostEvidence = 5;
/** What flash says of one of several companies is told from few words; the whole text knows better. */
const flashShare = 0.25;
const ownShare = 0.85;

type Scores = Pick<
  SymbolAnalysis,
  "sentiment_short" | "sentiment_long" | "sentiment_conviction" | "sentiment_comment" | "evidence"
>;

const spans = (text: string, evidence: readonly Weighed[]): SymbolAnalysis["evidence"] =>
  evidence.slice(0, mostEvidence).map(({ signal }) => evidenceOf(text, signal));

function ofWhole(reading: Reading, whole: Judgement, base: SymbolAnalysis | undefined): Scores {
  const fitting = whole.body.evidence.filter(({ force }) => force * whole.short > 0);
  return {
    sentiment_short: whole.short,
    sentiment_long: whole.long,
    sentiment_conviction: whole.conviction,
    sentiment_comment: whole.comment,
    evidence: fitting.length > 0 ? spans(reading.text, fitting) : (base?.evidence ?? []),
  };
}

function ownComment(text: string, own: Balance, short: number): string {
  const [first, second] = own.evidence;
  if (first === undefined) return "";
  if (short === 0 && own.against !== null)
    return `For and against cancel out: ${quote(text, first.signal)} and ${quote(text, own.against.signal)}`;
  if (short === 0) return `Too weak for a direction: ${quote(text, first.signal)}`;
  if (own.against !== null && Math.abs(own.against.force) > 0.6)
    return `${tell(text, first.signal)}; against it ${quote(text, own.against.signal)}`;
  return second === undefined
    ? tell(text, first.signal)
    : `${tell(text, first.signal)}; also ${quote(text, second.signal)}`;
}

function ofOwn(text: string, own: Balance, base: SymbolAnalysis | undefined): Scores {
  const flash = base?.sentiment_short ?? 0;
  // A sign that flash took from the words about another company must not outvote the company's own.
  const kept = Math.sign(flash) === Math.sign(own.sum) ? flashShare * sumOf(flash) : 0;
  const short = directionOf(ownShare * own.sum + kept);
  return {
    sentiment_short: short,
    sentiment_long: directionOf(ownShare * own.lastingSum),
    sentiment_conviction: percent(short === 0 ? Math.min(20, 0.3 * own.certainty) : own.certainty),
    sentiment_comment: ownComment(text, own, short),
    evidence: spans(text, own.evidence),
  };
}

/** Beside others, with nothing said of it: what flash says of the item counts half. */
function unsaid(symbol: LinkedSymbol, base: SymbolAnalysis | undefined, isNamed: boolean): Scores {
  const half = (value: number | null | undefined): number => Math.trunc((value ?? 0) / 2);
  const short = symbol.primary ? (base?.sentiment_short ?? 0) : half(base?.sentiment_short);
  const note = `${symbol.short_symbol ?? symbol.symbol} is ${isNamed ? "named" : "linked"}, but nothing is said for or against it`;
  return {
    sentiment_short: short,
    sentiment_long: symbol.primary ? (base?.sentiment_long ?? 0) : half(base?.sentiment_long),
    sentiment_conviction: symbol.primary
      ? (base?.sentiment_conviction ?? 0)
      : half(base?.sentiment_conviction),
    sentiment_comment: short === 0 ? note : (base?.sentiment_comment ?? note),
    evidence: short === 0 ? [] : (base?.evidence ?? []),
  };
}

/** What the text says of each symbol, in their order. */
export function analysesOf(
  reading: Reading,
  symbols: readonly LinkedSymbol[],
  base: Verdict,
  whole: Judgement,
): readonly SymbolAnalysis[] {
  return symbols.map((symbol, index) => {
    const flash = base.symbols[index];
    const company = reading.company[index] ?? index;
    const own = balanceOf(reading.signals.filter(({ signal }) => signal.owner === company));
    const scores =
      reading.companies <= 1
        ? ofWhole(reading, whole, flash)
        : own.total > 0
          ? ofOwn(reading.text, own, flash)
          : unsaid(symbol, flash, (reading.named[company] ?? 0) > 0);
    return {
      ...flash,
      symbol: symbol.symbol,
      exchange: symbol.exchange,
      short_symbol: symbol.short_symbol,
      logoid: symbol.logoid,
      primary: symbol.primary,
      relevance: symbol.relevance,
      ...scores,
      sentiment_score: 5 + (scores.sentiment_short ?? 0),
    };
  });
}
