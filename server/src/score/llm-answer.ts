import { type Evidence, type SymbolAnalysis, sentimentScore } from "@tapewire/contract/feeds.ts";
import { verdictActionability, verdictSentiment } from "@tapewire/contract/score.ts";
import { actionableFrom } from "@tapewire/scoring/actionable-threshold.ts";
import { leadingTo, perStep, readOtherwise } from "@tapewire/scoring/factor-sum.ts";
import type { ProVerdict } from "@tapewire/scoring/pro/types.ts";
import { z } from "zod";

const evidenceList = z.array(z.string());
const heads = {
  short_direction: z.number(),
  long_direction: z.number(),
  conviction: z.number(),
  comment: z.string(),
  evidence: evidenceList,
};

/** The answer that a model is asked for. Without bounds, since servers accept different keywords; numbers are clamped below. */
export const llmAnswer = z.object({
  actionability: z.object({
    score: z.number(),
    comment: z.string(),
    novelty: z.number(),
    materiality: z.number(),
    clarity: z.number(),
    urgency: z.number(),
    credibility: z.number(),
    breadth: z.number(),
  }),
  sentiment: z.object({ ...heads, intensity: z.number(), agreement: z.number(), certainty: z.number() }),
  symbols: z.array(z.object({ symbol: z.string(), ...heads })),
  analysis: z.object({ actionability: z.string(), sentiment: z.string() }),
});
export type LlmAnswer = z.infer<typeof llmAnswer>;

/** A verdict of a language model; members that it left out are pro's. */
export interface LlmVerdict extends Omit<ProVerdict, "model"> {
  readonly model: `llm:${string}`;
}

const longestComment = 240;
const longestAnalysis = 1_500;
const mostEvidence = 5;
const longestEvidence = 300;
/** Shorter passages are no evidence: "up" occurs in every text. */
const shortestEvidence = 4;
const mostSymbols = 20;

const clamp = (value: number, low: number, high: number): number => {
  const rounded = Math.round(Math.max(low, Math.min(high, value)));
  return rounded === 0 ? 0 : rounded;
};
const percent = (value: number): number => clamp(value, 0, 100);
const direction = (value: number): number => clamp(value, -5, 5);

/** One line of plain words: no control characters, no addresses that a text might have planted. */
function plain(text: string, most: number): string {
  const line = text
    .slice(0, 4 * most)
    .replaceAll(/\p{C}+/gu, " ")
    .replaceAll(/\b(?:https?:|www\.)\S*/gi, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  return line.length > most
    ? `${line
        .slice(0, most - 1)
        .toWellFormed()
        .trimEnd()}…`
    : line;
}

/** Passages that occur in the text, with their positions; others are dropped. */
export function provenEvidence(text: string, passages: readonly string[]): Evidence[] {
  const found: Evidence[] = [];
  for (const passage of passages.slice(0, 4 * mostEvidence)) {
    const wanted = passage.trim().slice(0, longestEvidence).toWellFormed();
    const start = wanted.length < shortestEvidence ? -1 : text.indexOf(wanted);
    if (start < 0 || found.some((known) => known.start === start)) continue;
    found.push({ text: wanted, start, end: start + wanted.length });
    if (found.length >= mostEvidence) break;
  }
  return found;
}

/** The answer's sentiment is about the primary symbol; it is used there when the model gives none for that symbol. */
function symbolOf(text: string, local: SymbolAnalysis, answer: LlmAnswer): SymbolAnalysis {
  const own = answer.symbols.slice(0, 2 * mostSymbols).find(({ symbol }) => symbol === local.symbol);
  const whole = local.primary ? symbolAnalysis(text, local, answer.sentiment) : null;
  return symbolAnalysis(text, local, own) ?? whole ?? local;
}

/** null: a direction without any passage of the text is no finding. */
function symbolAnalysis(
  text: string,
  local: SymbolAnalysis,
  said: LlmAnswer["symbols"][number] | LlmAnswer["sentiment"] | undefined,
): SymbolAnalysis | null {
  if (said === undefined) return null;
  const short = direction(said.short_direction);
  const evidence = provenEvidence(text, said.evidence);
  if (short !== 0 && evidence.length === 0) return null;
  return {
    ...local,
    sentiment_short: short,
    sentiment_long: direction(said.long_direction),
    sentiment_conviction: percent(said.conviction),
    sentiment_score: sentimentScore(short),
    sentiment_comment: plain(said.comment, longestComment) || local.sentiment_comment,
    evidence,
  };
}

/**
 * Turns the answer of a model into a verdict: numbers clamped, evidence checked, the rest taken from the local verdict.
 * @param text title + newline + body
 * @returns null when the direction rests on words that are not in the text
 */
export function llmVerdict(
  answer: LlmAnswer,
  local: ProVerdict,
  text: string,
  model: string,
  version: string,
): LlmVerdict | null {
  const { actionability, sentiment, analysis } = answer;
  const short = direction(sentiment.short_direction);
  if (short !== 0 && provenEvidence(text, sentiment.evidence).length === 0) return null;
  const score = percent(actionability.score);
  const acted = verdictActionability.parse({
    actionable: score >= actionableFrom,
    score,
    comment: plain(actionability.comment, longestComment) || local.actionability.comment,
    sub_scores: {
      novelty: percent(actionability.novelty),
      materiality: percent(actionability.materiality),
      clarity: percent(actionability.clarity),
      urgency: percent(actionability.urgency),
      credibility: percent(actionability.credibility),
      breadth: percent(actionability.breadth),
    },
  });
  const felt = verdictSentiment.parse({
    short_direction: short,
    long_direction: direction(sentiment.long_direction),
    conviction: percent(sentiment.conviction),
    score: sentimentScore(short),
    comment: plain(sentiment.comment, longestComment) || local.sentiment.comment,
    sub_scores: {
      intensity: percent(sentiment.intensity),
      agreement: percent(sentiment.agreement),
      certainty: percent(sentiment.certainty),
    },
  });
  const { detailedAnalysis: detail } = local;
  return {
    ...local,
    model: `llm:${model}`,
    modelVersion: version,
    actionability: { ...local.actionability, actionable: acted.actionable, score, comment: acted.comment },
    sentiment: {
      ...local.sentiment,
      shortDirection: short,
      longDirection: felt.long_direction,
      conviction: felt.conviction,
      comment: felt.comment,
    },
    subScores: { ...local.subScores, actionability: acted.sub_scores, sentiment: felt.sub_scores },
    symbols: local.symbols.map((symbol) => symbolOf(text, symbol, answer)),
    detailedAnalysis: {
      actionability: {
        factors: leadingTo(score, detail.actionability.factors, `${model} reads it otherwise`),
        summary: plain(analysis.actionability, longestAnalysis) || detail.actionability.summary,
      },
      sentiment: {
        factors: readOtherwise(perStep * short, detail.sentiment.factors, `What ${model} reads`),
        summary: plain(analysis.sentiment, longestAnalysis) || detail.sentiment.summary,
      },
    },
  };
}
