import { actionableFrom } from "../actionable-threshold.ts";
import type { Artifact, LinkedSymbol, Verdict } from "../types.ts";
import { bounded, logit, loudMove, scoreOf } from "./action-score.ts";
import { actionabilityComment } from "./comments.ts";
import type { FoundEvent } from "./events/events.ts";
import { filingPrior } from "./filing-priors.ts";
import type { Sentiment } from "./heads/judge.ts";
import { percent } from "./sentiment.ts";
import { type ActRange, within } from "./told.ts";
import { tradeHalt } from "./trade-halts.ts";

/** The inverse: the probability that a score of 0..100 means. */
export function actionProbabilityOf(score: number, threshold: number): number {
  const odds = logit(bounded(score / 100)) + logit(threshold) - logit(actionableFrom / 100);
  return 1 / (1 + Math.exp(-odds));
}

/** Highest score of what leaves nothing to act on: a report of a past move, a date, a question, no event at all. */
const idleMost = actionableFrom - 1;

/** Score of a headline that tells a plain fact of a loud kind, at least. */
const loudLeast = 50;

type Actionability = Verdict["actionability"];

/** What the judgement of an item rests on. */
export interface Circumstances {
  readonly artifact: Artifact;
  readonly symbols: readonly LinkedSymbol[];
  readonly sentiment: Sentiment;
  /** The leading event. */
  readonly event: FoundEvent | null;
  /** The trained head's probability, and the probability from which an item is actionable. */
  readonly probability: number;
  readonly threshold: number;
  readonly isQuestion: boolean;
  /** Least and most that the rows of the events allow. */
  readonly range: ActRange;
  /** Items on the primary symbol so far today: important news comes in bursts. */
  readonly itemsToday: number;
  readonly text: string;
}

/** In log odds, by judgement: many symbols mean a list; a user's post is seldom first-hand. */
function circumstanceOdds({ artifact, symbols, itemsToday }: Circumstances): number {
  return (
    (symbols.length > 5 ? -0.5 : 0) +
    (artifact.type === "ugc" ? -0.4 : 0) +
    0.15 * Math.min(3, Math.log2(1 + Math.max(0, itemsToday)))
  );
}

function newsJudgement(found: Circumstances): Actionability {
  const { artifact, sentiment, event, probability, threshold, isQuestion, range, text } = found;
  const odds = logit(bounded(probability)) + circumstanceOdds(found);
  const raw = scoreOf(1 / (1 + Math.exp(-odds)), threshold);
  const isNotice = event?.kind.group === "notices" && sentiment.shortDirection === 0;
  const isIdle =
    event?.kind.echo === true ||
    isNotice ||
    isQuestion ||
    (event === null && sentiment.evidence.length === 0);
  const isLoud = event?.inTitle === true && event.kind.move * event.strength >= loudMove;
  const score = isIdle ? Math.min(idleMost, raw) : within(isLoud ? Math.max(loudLeast, raw) : raw, range);
  const actionable = score >= actionableFrom;
  const comment = actionabilityComment(
    { actionable, event, told: sentiment.told, isQuestion, title: artifact.title },
    text,
  );
  return { actionable, score, comment };
}

/** An event of this prior in the text of a filing counts beside its form; in a title, which may be a headline, a lesser one does. */
const tellingMove = 0.5;
const tellingInTitle = 0.35;

const isTelling = ({ kind, strength, inTitle }: FoundEvent): boolean =>
  kind.move * strength >= (inTitle ? tellingInTitle : tellingMove);

/** Items whose name says nothing of what happened: a text that tells only what seldom moves a price says more. */
const catchAll: ReadonlySet<string> = new Set(["1.01", "7.01", "8.01"]);
const minorMove = 0.15;

const isMinor = ({ event, sentiment }: Circumstances, item: string | null): boolean =>
  item !== null &&
  catchAll.has(item) &&
  event !== null &&
  event.kind.group !== "notices" &&
  event.kind.move <= minorMove &&
  Math.abs(sentiment.shortDirection) <= 1;

/** Priors of forms and halts are judgements on 0..1; their score is the prior itself, unless the text says more. */
function filingJudgement(found: Circumstances): Actionability {
  const { artifact, sentiment, event } = found;
  const { filing } = artifact;
  if (filing === null) return newsJudgement(found);
  const { prior, item } = filingPrior(filing, `${artifact.title} ${artifact.body.slice(0, 1000)}`);
  const byForm = percent(
    100 * prior.prior + (prior.prior >= 0.5 ? 3 * Math.abs(sentiment.shortDirection) : 0),
  );
  const told = event !== null && isTelling(event) ? newsJudgement(found) : null;
  if (told !== null && told.score > byForm) return told;
  if (isMinor(found, item))
    return newsJudgement({ ...found, range: [0, Math.min(idleMost, found.range[1])] });
  const what = item === null ? filing.form : `${filing.form} item ${item}`;
  return { actionable: byForm >= actionableFrom, score: byForm, comment: `${what}: ${prior.meaning}` };
}

/** How likely the item moves the price: by what it tells and, for filings and halts, by their own kind. */
export function judgeActionability(found: Circumstances): Actionability {
  const halt = tradeHalt(found.artifact);
  if (halt === null) return filingJudgement(found);
  const score = percent(100 * halt.prior);
  return { actionable: score >= actionableFrom, score, comment: halt.comment };
}
