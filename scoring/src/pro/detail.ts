import type { AnalysisFactor, DetailedAnalysis } from "@tapewire/contract/score.ts";
import type { Verdict } from "../types.ts";
import type { ReasonedActionability } from "./actionability.ts";
import { figure, metricName } from "./fact-signals.ts";
import type { Reading } from "./reading/reading.ts";
import type { WholeSentiment } from "./sentiment.ts";
import type { NumberFact } from "./types.ts";
import { evidenceOf, quote } from "./wording.ts";

const mostFactors = 12;
const mostFigures = 4;
/** The force of the strongest possible statement: a direction of 5 by itself. */
const strongest = 5;

const weightOf = (share: number): number => Math.max(-100, Math.min(100, Math.round(100 * share)));

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
    weight: weightOf(base.actionability.score / 100),
    evidence: [evidenceOf(reading.text, title)],
  };
  const factors = reasons.map(({ name, points, evidence }) => ({
    name,
    weight: weightOf(points / 100),
    evidence: [...evidence],
  }));
  const judged = `${actionability.score} of 100, ${actionability.actionable ? "" : "not "}actionable`;
  const figures = reading.facts.slice(0, mostFigures).map(({ fact }) => figureText(fact));
  const stated = figures.length === 0 ? "" : ` Figures: ${figures.join("; ")}.`;
  return { summary: `${judged}. ${base.actionability.comment}.${stated}`, factors: [kind, ...factors] };
}

/** The findings of each part of a document that has any. */
function partFactors(reading: Reading): readonly AnalysisFactor[] {
  const byPart = Map.groupBy(
    reading.signals,
    ({ signal }) => reading.sentences[signal.sentence]?.part ?? "body",
  );
  return [...byPart]
    .filter(([name]) => /^(?:item|exhibit|risk|management|legal|controls)/.test(name))
    .slice(0, mostFactors)
    .flatMap(([name, signals]) => {
      const top = signals.reduce((best, one) => (Math.abs(one.force) > Math.abs(best.force) ? one : best));
      const evidence = [evidenceOf(reading.text, top.signal)];
      return [
        {
          name: `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${top.signal.label}`,
          weight: weightOf(top.force / strongest),
          evidence,
        },
      ];
    });
}

function sentimentHead(reading: Reading, whole: WholeSentiment): DetailedAnalysis["sentiment"] {
  const statements = [...whole.body.evidence, ...(whole.body.against === null ? [] : [whole.body.against])];
  const factors = statements.slice(0, mostFactors).map(({ signal, force }) => ({
    name: signal.label,
    weight: weightOf(force / strongest),
    evidence: [evidenceOf(reading.text, signal)],
  }));
  const context = whole.inContext;
  const inContext =
    context === null
      ? []
      : [
          {
            name: "The text read in context",
            weight: weightOf(context.balance),
            evidence: [
              context.proof ?? evidenceOf(reading.text, { start: 0, end: reading.sentences[0]?.end ?? 0 }),
            ],
          },
        ];
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
    factors: [...inContext, ...factors, ...partFactors(reading)].slice(0, 2 * mostFactors),
  };
}

/** The longer analysis for both scores, from what was read. */
export function detailOf(
  reading: Reading,
  base: Verdict,
  whole: WholeSentiment,
  reasoned: ReasonedActionability,
): DetailedAnalysis {
  return {
    actionability: actionabilityHead(reading, base, reasoned),
    sentiment: sentimentHead(reading, whole),
  };
}
