import type { AnalysisFactor, DetailedAnalysis } from "@tapewire/contract/score.ts";
import { leadingTo, perStep, sumOf } from "@tapewire/scoring/factor-sum.ts";
import { scoredLanguages } from "@tapewire/scoring/language/language.ts";
import type { ProVerdict } from "@tapewire/scoring/pro/types.ts";
import type { Verdict } from "@tapewire/scoring/types.ts";
import type { LlmVerdict } from "./llm.ts";
import type { OwnVerdict } from "./model/own-model.ts";

type Judged = Pick<Verdict, "actionability" | "sentiment" | "subScores" | "event" | "events" | "symbols"> & {
  readonly model: string;
};

const languageNames = new Intl.DisplayNames("en", { type: "language" });

/** The verdict on a text in a language that its model does not know: no direction, no conviction in that, no events. */
export function unread<V extends Judged>(verdict: V, language: string): V {
  const comment = `Not read: the text is in ${languageNames.of(language) ?? language}, and only English is judged`;
  return {
    ...verdict,
    actionability: { ...verdict.actionability, comment },
    sentiment: { shortDirection: 0, longDirection: 0, conviction: 0, comment },
    subScores: { ...verdict.subScores, sentiment: { intensity: 0, agreement: 0, certainty: 0 } },
    event: null,
    events: [],
    symbols: verdict.symbols.map((entry) => ({
      ...entry,
      sentiment_short: 0,
      sentiment_long: 0,
      sentiment_conviction: 0,
      sentiment_score: 5,
      sentiment_comment: comment,
      evidence: [],
    })),
  };
}

/** A verdict on its way from the text to the answer. */
export interface OnItsWay<V extends Judged> {
  /** As the model judged. */
  readonly judged: V;
  /** Where the language is not one that the model reads, without what it judged. */
  readonly read: V;
  /** As it is answered, when the feed's memory was asked too. */
  readonly verdict: V;
}

/** What flash knows of the text. */
const ofFlash = "flash reads the headline and the lead only";

/**
 * pro's longer analysis for a verdict that may differ from it: flash may have judged, the story may be a repeat, or the
 * sentiment may have been skipped. Where they differ, the analysis says so, and its factors lead to the verdict.
 */
export function detailedOf<V extends Judged>(
  pro: ProVerdict | LlmVerdict | OwnVerdict,
  { judged, read, verdict }: OnItsWay<V>,
  skips: boolean,
): DetailedAnalysis {
  const { actionability, sentiment } = pro.detailedAnalysis;
  const { score, comment } = verdict.actionability;
  const { shortDirection, conviction } = verdict.sentiment;
  const acted =
    score === pro.actionability.score
      ? actionability.summary
      : `The verdict is ${score} (${comment}). The text read whole by ${pro.model}: ${actionability.summary}`;
  const felt =
    shortDirection === pro.sentiment.shortDirection && conviction === pro.sentiment.conviction
      ? sentiment.summary
      : `The verdict is ${shortDirection} with conviction ${conviction} (${verdict.sentiment.comment}). The text read whole by ${pro.model}: ${sentiment.summary}`;
  const actedOn = leadingTo(judged.actionability.score, actionability.factors, ofFlash);
  const feltBy = directed(judged, sentiment.factors, ofFlash);
  return {
    actionability: { summary: acted, factors: leadingTo(score, actedOn, "The feed had told this story") },
    sentiment: skips
      ? { summary: "Skipped: the text is not actionable.", factors: [] }
      : { summary: felt, factors: directed(read, feltBy, read.sentiment.comment) },
  };
}

/**
 * Factors that lead to another direction. Where it is the opposite one, only what flash has read speaks for it.
 * @param name of what changed the direction
 */
function directed({ sentiment }: Judged, factors: readonly AnalysisFactor[], name: string): AnalysisFactor[] {
  const total = perStep * sentiment.shortDirection;
  const isOpposite = sumOf(factors) * total < 0;
  return isOpposite
    ? factors.slice(0, 1).map((headline) => ({ ...headline, weight: total }))
    : leadingTo(total, factors, name);
}

/** A text in a language that the engine has no model for. */
export const isForeign = (language: string | null): language is string =>
  language !== null && !scoredLanguages.has(language);
