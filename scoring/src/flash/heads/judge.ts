import type { Artifact } from "../../types.ts";
import type { ReadText } from "../cues/cues.ts";
import type { Cue } from "../cues/types.ts";
import { touchesName } from "../own-names.ts";
import { labelOf, percent, quote, type Sentiment, towardsZero, weigh } from "../sentiment.ts";
import { financeFeatures } from "./features.ts";
import { gramEvidence } from "./gram-evidence.ts";
import { decide, type Heads, type Probabilities, unwordedProbabilities } from "./heads.ts";
import { gramsOf } from "./ngrams.ts";

const signOf = (probabilities: Probabilities): number => {
  const [down, flat, up] = probabilities;
  if (flat >= down && flat >= up) return 0;
  return up > down ? 1 : -1;
};

/** From this probability on, wording alone, without a rule's evidence, gives more than the smallest direction. */
const plainly = 0.85;

/** Size of the direction: that of the rules, reduced where the heads doubt it. */
function sizeOf(sign: number, probability: number, sentiment: Sentiment): number {
  if (sentiment.shortDirection * sign <= 0) return probability >= plainly ? 2 : 1;
  const size = Math.abs(sentiment.shortDirection);
  return probability < 0.5 ? Math.max(1, size - 1) : size;
}

function commentOf(
  sign: number,
  sentiment: Sentiment,
  evidence: readonly Cue[],
  title: string,
  text: string,
): string {
  if (Math.sign(sentiment.shortDirection) === sign && sentiment.evidence.length > 0) return sentiment.comment;
  const [first] = evidence;
  const start = title.replaceAll(/\s+/g, " ").trim();
  const named = start.length > 60 ? `${start.slice(0, 59).trimEnd()}…` : start;
  if (first === undefined)
    return named === "" ? "Nothing to read: the title is empty" : `Nothing for or against in '${named}'`;
  if (sign === 0) return `Too weak for a direction: ${quote(first, text)}`;
  return `${labelOf(first)}: ${quote(first, text)}`;
}

/** The rules' sentiment with the heads' sign and its probability. */
function settle(
  sentiment: Sentiment,
  probabilities: Probabilities,
  evidence: readonly Cue[],
  title: string,
  text: string,
): Sentiment {
  const probable = signOf(probabilities);
  // "-----" gets some sign from its dashes alone: a direction without any wording is none.
  const sign = evidence.length === 0 ? 0 : probable;
  const probability = probabilities[sign + 1] ?? 0;
  const shortDirection = sign === 0 ? 0 : sign * sizeOf(sign, probability, sentiment);
  const agrees = sentiment.shortDirection * sign > 0;
  return {
    ...sentiment,
    shortDirection,
    longDirection: agrees
      ? towardsZero((sentiment.longDirection * shortDirection) / sentiment.shortDirection)
      : towardsZero(shortDirection * 0.5),
    conviction: percent(100 * probability),
    comment: commentOf(sign, sentiment, evidence, title, text),
    evidence,
  };
}

/**
 * Direction of an item with the probability that its sign is right.
 * @param isLinked the item is about a known symbol
 * @param text title + newline + body as far as it was read; evidence points into it
 */
export function judgeSentiment(
  heads: Heads,
  artifact: Artifact,
  read: ReadText,
  text: string,
  isLinked: boolean,
): Sentiment {
  const sentiment = weigh(read.cues, text);
  const features = financeFeatures(artifact.title, read);
  const direction = sentiment.shortDirection;
  // No expert was trained on titles of filings.
  const probabilities =
    artifact.type === "filing"
      ? unwordedProbabilities(heads, { features, direction })
      : decide(
          heads,
          gramsOf(artifact.title, read.titleWords),
          { features, direction },
          isLinked && artifact.type !== "ugc",
        );
  const sign = signOf(probabilities);
  const own = sentiment.shortDirection * sign > 0 || (sign === 0 && sentiment.evidence.length > 0);
  const evidence = own ? sentiment.evidence : sign === 0 ? [] : cuesOrGrams(heads, sign, read, text);
  return settle(sentiment, probabilities, evidence, artifact.title, text);
}

/** The cues on the side of the sign; if the rules disagree, the words that made the heads choose it. */
function cuesOrGrams(heads: Heads, sign: number, read: ReadText, text: string): readonly Cue[] {
  const onSide = read.cues.filter(({ weight }) => weight * sign > 0);
  if (onSide.length > 0)
    return onSide.toSorted((a, b) => Math.abs(b.weight) - Math.abs(a.weight)).slice(0, 3);
  const unnamed = read.titleWords.filter((word) => !touchesName(read.names, word));
  const cue = gramEvidence(heads, sign, unnamed, text);
  return cue === null ? [] : [cue];
}
