import { type Evidence, type SymbolAnalysis, sentimentScore } from "@tapewire/contract/feeds.ts";
import { perStep, readOtherwise } from "@tapewire/scoring/factor-sum.ts";
import type { ProVerdict } from "@tapewire/scoring/pro/types.ts";
import type { Artifact } from "@tapewire/scoring/types.ts";
import type { ModelSays } from "./calibration.ts";
import { type ClassName, classNames } from "./types.ts";

/** A verdict whose direction and conviction are a model's of the operator's; the rest is pro's. */
export interface OwnVerdict extends Omit<ProVerdict, "model"> {
  readonly model: `onnx:${string}`;
}

/** From this verdict of pro on, the text says it beyond doubt: a bankruptcy, a rejection, a beat and raise. */
const plain = { direction: 4, conviction: 70 } as const;
const longestQuote = 300;

/** What becomes of the model's class beside the rules. */
interface Felt {
  readonly short: number;
  readonly long: number;
  readonly conviction: number;
  readonly comment: string;
  /** The rules' reasons are also reasons for this direction. */
  readonly agrees: boolean;
}

/**
 * Puts what the model says in place of pro's direction and conviction. Three classes say which way and how surely; how far
 * the price may go, and for how long, only the rules know: where both say the same way, the larger step and the rules'
 * long direction stand.
 */
export function ownVerdict(
  says: ModelSays,
  local: ProVerdict,
  { title }: Pick<Artifact, "title">,
  { name, version }: { readonly name: string; readonly version: string },
): OwnVerdict {
  const felt = beside(says, local, name);
  const { sentiment, subScores, detailedAnalysis: detail } = local;
  return {
    ...local,
    model: `onnx:${name}`,
    modelVersion: version,
    sentiment: {
      ...sentiment,
      shortDirection: felt.short,
      longDirection: felt.long,
      conviction: felt.conviction,
      comment: felt.comment,
    },
    subScores: {
      ...subScores,
      sentiment: {
        intensity: 20 * Math.abs(felt.short),
        agreement: felt.agrees ? (subScores.sentiment?.agreement ?? 0) : 0,
        certainty: felt.conviction,
      },
    },
    symbols: local.symbols.map((symbol) => (symbol.primary ? symbolOf(symbol, felt, title) : symbol)),
    detailedAnalysis: {
      ...detail,
      sentiment: {
        summary: `${felt.comment}. By the rules alone: ${detail.sentiment.summary}`,
        factors: readOtherwise(perStep * felt.short, detail.sentiment.factors, `${name}: ${sharesOf(says)}`, [
          quoted(title),
        ]),
      },
    },
  };
}

function beside(says: ModelSays, local: ProVerdict, name: string): Felt {
  const { shortDirection: ruled, longDirection: long, conviction, comment } = local.sentiment;
  const read = `${name} reads ${classOf(says.direction)} (${percentOf(Math.max(...says.probabilities))})`;
  const opposed = Math.sign(says.direction) === -Math.sign(ruled) && ruled !== 0;
  const isPlain = Math.abs(ruled) >= plain.direction && conviction >= plain.conviction;
  // A model that reverses what the text says in so many words was misled by its wording.
  if (opposed && isPlain)
    return {
      short: ruled,
      long,
      conviction: Math.round(conviction / 2),
      comment: `${comment}; ${read}, against what the text plainly says`,
      agrees: true,
    };
  const agrees = Math.sign(says.direction) === Math.sign(ruled);
  const size = agrees ? Math.max(Math.abs(says.direction), Math.abs(ruled)) : Math.abs(says.direction);
  return {
    short: Math.sign(says.direction) * size,
    long: agrees ? long : 0,
    conviction: says.conviction,
    comment: agrees ? `${read}; ${comment}` : read,
    agrees,
  };
}

/** The model reads the text as a whole, which is about the primary symbol. */
function symbolOf(symbol: SymbolAnalysis, felt: Felt, title: string): SymbolAnalysis {
  const own = felt.agrees && Math.sign(symbol.sentiment_short ?? 0) === Math.sign(felt.short);
  return {
    ...symbol,
    sentiment_short: felt.short,
    sentiment_long: felt.long,
    sentiment_conviction: felt.conviction,
    sentiment_score: sentimentScore(felt.short),
    sentiment_comment: felt.comment,
    evidence: own && symbol.evidence.length > 0 ? symbol.evidence : [quoted(title)],
  };
}

/** What a model reads first, since it names no passage. */
function quoted(title: string): Evidence {
  const text = title.slice(0, longestQuote).toWellFormed();
  return { text, start: 0, end: text.length };
}

const classOf = (direction: number): ClassName =>
  direction === 0 ? "neutral" : direction > 0 ? "positive" : "negative";

const percentOf = (share: number): string => `${Math.round(100 * share)} %`;

const sharesOf = ({ probabilities }: ModelSays): string =>
  classNames.map((name, index) => `${name} ${percentOf(probabilities[index] ?? 0)}`).join(", ");
