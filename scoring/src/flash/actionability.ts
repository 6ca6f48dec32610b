import { actionableFrom } from "../actionable.ts";
import type { Artifact, LinkedSymbol, Verdict } from "../types.ts";
import { type Events, hasPercentFigure } from "./events/events.ts";
import { filingPrior } from "./filing-priors.ts";
import { percent, quote, type Sentiment } from "./sentiment.ts";
import { tradeHalt } from "./trade-halts.ts";

/** Share of headlines that came with a move of 2.5 standard deviations or more (78,669 headlines, 2015-2017). */
const baseRate = 0.187;
/** Chosen so that the base rate scores `actionableFrom`. */
const half = baseRate / (actionableFrom / (100 - actionableFrom));

/** Probability of an abnormal move to score: 45 at the base rate, 64 at 2.2 times of it, and never 100. */
export const scoreOf = (probability: number): number => percent((100 * probability) / (probability + half));

/** The inverse: the probability that a score of 0..99 means. */
export const moveProbability = (score: number): number =>
  Math.min(1, (half * score) / Math.max(1, 100 - score));

/** Highest score of an echo, which reports a move that has happened: nothing is left to act on. */
const echoMost = actionableFrom - 1;

type Actionability = Verdict["actionability"];

const logit = (probability: number): number => Math.log(probability / (1 - probability));
const probabilityOf = (odds: number): number => 1 / (1 + Math.exp(-odds));

/** In log odds: moves per fifth of |sentiment| were 16.7, 17.5, 20.5, 25.0 and 27.7% against 18.7% in all. */
const bySize = [-0.14, -0.08, 0.11, 0.37, 0.51, 0.51] as const;
/** A phrase that leaves no doubt (insolvency, approval, a failed trial) is rarer than any fifth. */
const certain = 0.7;
/** A percentage in the headline: 1.5 times the base rate; half of it beside a kind that brings figures anyway. */
const byFigure = 0.52;

const doubtful =
  /\?\s*$|^(?:why|should|is|are|can|will|could|what|how|here's|here are|\d+ (?:reasons|stocks|things))\b/i;
const questionLift = 0.45;

/** Kinds that keep their own probability whatever else the headline names: a notice about results is a notice. */
const framed = new Set(["law-firm notice", "earnings date", "notice", "conference", "exclusive"]);

function liftOf(events: Events): number {
  const [first] = events;
  if (first === undefined) return 0.7;
  if (first.type.echo || framed.has(first.type.name)) return first.type.lift;
  return Math.max(...events.filter(({ type }) => !type.echo).map(({ type }) => type.lift));
}

interface Circumstances {
  readonly events: Events;
  readonly isQuestion: boolean;
  readonly itemsToday: number;
}

function newsOdds(
  artifact: Artifact,
  symbols: readonly LinkedSymbol[],
  sentiment: Sentiment,
  { events, isQuestion, itemsToday }: Circumstances,
): number {
  const lift = isQuestion ? Math.min(questionLift, liftOf(events)) : liftOf(events);
  const size = Math.abs(sentiment.shortDirection);
  const figure = hasPercentFigure.test(artifact.title.slice(0, 400)) ? byFigure * (lift > 1.5 ? 0.5 : 1) : 0;
  const unnamed = symbols.length === 0 ? -0.35 : symbols.length > 5 ? -0.3 : 0;
  return (
    logit(Math.min(0.9, baseRate * lift)) +
    (bySize[size] ?? 0) +
    (size >= 4 ? certain : 0) +
    (isQuestion ? 0 : figure) +
    unnamed +
    (artifact.type === "ugc" ? -0.4 : 0) +
    0.2 * Math.min(3, Math.log2(1 + Math.max(0, itemsToday)))
  );
}

function newsScore(
  artifact: Artifact,
  symbols: readonly LinkedSymbol[],
  sentiment: Sentiment,
  events: Events,
  itemsToday: number,
): Actionability {
  const title = artifact.title.slice(0, 400);
  const isQuestion = doubtful.test(title);
  const odds = newsOdds(artifact, symbols, sentiment, { events, isQuestion, itemsToday });
  const raw = scoreOf(probabilityOf(odds));
  const isEcho = events[0]?.type.echo === true;
  const score = isEcho ? Math.min(echoMost, raw) : raw;
  return {
    actionable: score >= actionableFrom,
    score,
    comment: newsComment(artifact, events, isQuestion, sentiment),
  };
}

function newsComment(artifact: Artifact, events: Events, isQuestion: boolean, sentiment: Sentiment): string {
  const text = `${artifact.title}\n${artifact.body}`;
  const [found] = events;
  const strongest = sentiment.evidence[0];
  const shown = artifact.title.replaceAll(/\s+/g, " ").trim().slice(0, 60);
  const proof =
    found !== undefined && found.span !== null
      ? `'${artifact.title.slice(found.span.start, found.span.end).replaceAll(/\s+/g, " ")}'`
      : strongest === undefined
        ? `'${shown}'`
        : quote(strongest, text);
  const name = found?.type.name ?? "other";
  if (shown === "") return "Nothing to act on: the title is empty";
  if (found?.type.echo === true) return `Reports a move that has already happened (${name}): ${proof}`;
  if (isQuestion) return `A question or list, not an event: '${shown}'`;
  if (name === "other") return `No known kind of event; read: ${proof}`;
  const tone = strongest === undefined ? "" : `; ${quote(strongest, text)}`;
  return `Kind of event: ${name} (${proof})${tone === `; ${proof}` ? "" : tone}`;
}

/** Filing priors and halts are judgements on 0..1; their score is the prior itself. */
function filingScore(artifact: Artifact, sentiment: Sentiment): Actionability {
  const { filing } = artifact;
  if (filing === null) return { actionable: false, score: 0, comment: "No filing facts" };
  const { prior, item } = filingPrior(filing, `${artifact.title} ${artifact.body.slice(0, 1000)}`);
  const score = percent(
    100 * prior.prior + (prior.prior >= 0.5 ? 3 * Math.abs(sentiment.shortDirection) : 0),
  );
  const what = item === null ? filing.form : `${filing.form} item ${item}`;
  return { actionable: score >= actionableFrom, score, comment: `${what}: ${prior.meaning}` };
}

/**
 * How likely the item moves the price, by its kind, its wording and, for filings, the form itself.
 * @param events of the title
 * @param itemsToday items on the primary symbol so far today
 */
export function judgeActionability(
  artifact: Artifact,
  symbols: readonly LinkedSymbol[],
  sentiment: Sentiment,
  events: Events,
  itemsToday: number,
): Actionability {
  const halt = tradeHalt(artifact);
  if (halt !== null) {
    const score = percent(100 * halt.prior);
    return { actionable: score >= actionableFrom, score, comment: halt.comment };
  }
  return artifact.filing === null
    ? newsScore(artifact, symbols, sentiment, events, itemsToday)
    : filingScore(artifact, sentiment);
}
