import type { AnalysisFactor, DetailedAnalysis } from "@tapewire/contract/score.ts";
import { bounded, leadingTo, perStep, readOtherwise } from "../factor-sum.ts";
import { quote } from "../quote.ts";
import type { Verdict } from "../types.ts";
import type { ReasonedActionability } from "./actionability.ts";
import { directionOf, type Share, sumOf } from "./balance.ts";
import { figure, metricName } from "./fact-signals.ts";
import { inContext } from "./in-context-verdict.ts";
import type { Reading } from "./reading/reading.ts";
import { eachShare, type WholeSentiment } from "./sentiment.ts";
import type { NumberFact, Signal } from "./types.ts";
import { evidenceOf } from "./wording.ts";

const mostFactors = 12;
const mostFigures = 4;
/** The last step of a direction. */
const strongest = 5;

function figureText(fact: NumberFact): string {
  const range =
    fact.range === null ? figure(fact.value, fact) : fact.range.map((end) => figure(end, fact)).join(" to ");
  const against = [
    fact.yearAgo === null ? null : `${figure(fact.yearAgo, fact)} the year before`,
    fact.consensus === null ? null : `${figure(fact.consensus, fact)} expected`,
    fact.previous === null ? null : `${figure(fact.previous, fact)} promised before`,
  ].filter((part) => part !== null);
  const period = fact.period === null ? "" : ` for ${fact.period}`;
  return `${metricName(fact)}${period} ${range}${against.length === 0 ? "" : ` (${against.join(", ")})`}`;
}

function actionabilityHead(
  reading: Reading,
  base: Verdict,
  { actionability, reasons }: ReasonedActionability,
): DetailedAnalysis["actionability"] {
  const title = { start: 0, end: reading.sentences[0]?.end ?? 0 };
  const kind = {
    name: "Kind of item, headline and lead",
    weight: base.actionability.score,
    evidence: [evidenceOf(reading.text, title)],
  };
  const factors = reasons.map(({ name, points, evidence }) => ({
    name,
    weight: points,
    evidence: [...evidence],
  }));
  const judged = `${actionability.score} of 100, ${actionability.actionable ? "" : "not "}actionable`;
  const figures = reading.facts.slice(0, mostFigures).map(({ fact }) => figureText(fact));
  const stated = figures.length === 0 ? "" : ` Figures: ${figures.join("; ")}.`;
  return { summary: `${judged}. ${base.actionability.comment}.${stated}`, factors: [kind, ...factors] };
}

const wholePart = /^(?:item|exhibit|risk|management|legal|controls)/;

/** What a statement says; in a document with parts, in which of them. */
function nameOf(reading: Reading, { label, sentence }: Signal): string {
  const part = reading.sentences[sentence]?.part ?? "";
  return wholePart.test(part) ? `${part.charAt(0).toUpperCase()}${part.slice(1)}: ${label}` : label;
}

/** What the statements of the body add, the strongest first; those that say the same are one. */
function statementFactors(reading: Reading, shares: readonly Share[]): readonly AnalysisFactor[] {
  const alike = Map.groupBy(shares, ({ signal, share }) => `${Math.sign(share)} ${nameOf(reading, signal)}`);
  const all = [...alike.values()]
    .map((same) => ({
      name: same[0] === undefined ? "" : nameOf(reading, same[0].signal),
      weight: bounded(perStep * eachShare * same.reduce((sum, { share }) => sum + share, 0)),
      evidence: same.map(({ signal }) => evidenceOf(reading.text, signal)),
    }))
    .filter(({ weight }) => weight !== 0)
    .toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight));
  const others = all.slice(mostFactors).reduce((sum, { weight }) => sum + weight, 0);
  const rest = others === 0 ? [] : [{ name: "Other statements", weight: bounded(others), evidence: [] }];
  return [...all.slice(0, mostFactors), ...rest];
}

/** From the sum of what is said to a direction of whole steps. */
const stepName = (step: number, sum: number): string =>
  step !== 0
    ? Math.abs(step) === strongest && Math.abs(sum) > strongest
      ? `A direction has ${strongest} steps at most`
      : "Rounded to a whole step"
    : "Too weak for a direction";

/** How the headline and the body come to the direction, and what the encoder makes of it. */
function textFactors(reading: Reading, base: Verdict, whole: WholeSentiment): AnalysisFactor[] {
  const { body, contradiction, ruled } = whole;
  const title = evidenceOf(reading.text, { start: 0, end: reading.sentences[0]?.end ?? 0 });
  const { shortDirection } = base.sentiment;
  const byTitle = body.total === 0 ? shortDirection : eachShare * sumOf(shortDirection);
  const said = [
    { name: "Headline and lead", weight: bounded(perStep * byTitle), evidence: [title] },
    ...statementFactors(reading, body.total === 0 ? [] : body.shares),
  ];
  const plain = directionOf(whole.sum);
  const stepped = leadingTo(perStep * plain, said, stepName(plain, whole.sum));
  const byRules =
    contradiction === null
      ? stepped
      : leadingTo(perStep * ruled, stepped, "Headline and body contradict each other", [
          contradiction.headline,
          contradiction.body,
        ]);
  const context = whole.inContext;
  if (context === null)
    return whole.short === ruled
      ? byRules
      : readOtherwise(perStep * whole.short, byRules, "What the headline tells for sure", [title]);
  return readOtherwise(perStep * whole.short, byRules, inContext, [context.proof ?? title]);
}

/** The sentiment of the text as a whole, and that of the item: of several companies the primary one has a reading of its own. */
export interface Sentiments {
  readonly text: WholeSentiment;
  readonly item: WholeSentiment;
}

function sentimentFactors(reading: Reading, base: Verdict, { text, item }: Sentiments): AnalysisFactor[] {
  const ofText = textFactors(reading, base, text);
  const isApart = item.short !== text.short;
  return isApart ? readOtherwise(perStep * item.short, ofText, "The part of the item's company") : ofText;
}

function sentimentHead(
  reading: Reading,
  base: Verdict,
  sentiments: Sentiments,
): DetailedAnalysis["sentiment"] {
  const whole = sentiments.item;
  const way = whole.short > 0 ? "positive" : whole.short < 0 ? "negative" : "neutral";
  const count = reading.signals.length;
  const [lead] = whole.body.evidence;
  const most =
    lead === undefined
      ? "nothing below the headline speaks for or against"
      : `${count} statements weighed, the strongest ${quote(reading.text, lead.signal)}`;
  const against = whole.contradiction === null ? "" : ` ${whole.contradiction.comment}.`;
  return {
    summary: `Short direction ${whole.short} (${way}), long ${whole.long}, conviction ${whole.conviction}: ${most}.${against}`,
    factors: sentimentFactors(reading, base, sentiments),
  };
}

/** The longer analysis for both scores, from what was read. */
export function detailOf(
  reading: Reading,
  base: Verdict,
  sentiments: Sentiments,
  reasoned: ReasonedActionability,
): DetailedAnalysis {
  return {
    actionability: actionabilityHead(reading, base, reasoned),
    sentiment: sentimentHead(reading, base, sentiments),
  };
}
