import { z } from "zod";
import {
  type ArtifactType,
  artifactType,
  eventFields,
  evidence,
  subScores,
  symbolAnalysis,
  timestamp,
} from "./feeds.ts";
import { absentIfNull, instantText } from "./input.ts";
import { tagSet } from "./tags.ts";

/** Limits of one artifact and of a batch. Lengths are in UTF-16 code units. Source: decisions, POST /v1/score. */
export const scoreLimits = {
  requestBytes: 1024 * 1024,
  title: 1_000,
  body: 200_000,
  tags: 50,
  tag: 64,
  relatedSymbols: 50,
  batch: 100,
} as const;

const direction = z.int().min(-5).max(5);
const percent = z.int().min(0).max(100);
const notBlank = (text: string): boolean => text.trim() !== "";
const text = (most: number) => z.string().min(1).max(most).refine(notBlank, "must not be blank");

export const scoreModels = ["flash", "pro"] as const;
export const scoreModel = z.enum(scoreModels);
export type ScoreModel = z.infer<typeof scoreModel>;

/** A caller's own text to score. Source: interface, Artifact. */
export const scoreArtifact = z
  .object({
    type: artifactType.describe("Kind of text. It decides the default model."),
    title: text(scoreLimits.title).describe("Headline."),
    body: text(scoreLimits.body).describe("The text without its headline."),
    tags: absentIfNull(z.array(z.string().trim().min(1).max(scoreLimits.tag)).max(scoreLimits.tags)).describe(
      "Tag values that you know. Added to the tags found in the text.",
    ),
    related_symbols: absentIfNull(
      z.array(z.string().trim().min(1).max(64)).max(scoreLimits.relatedSymbols),
    ).describe("Symbols that you know, AAPL or NASDAQ:AAPL."),
    published_at: absentIfNull(instantText).describe(
      "When the text was published; absent: now. Novelty compares the text with what the feed had carried by then. When the headline is that of an item in the feed, it compares with what the feed had carried before that item.",
    ),
  })
  .meta({ id: "ScoreArtifact" });
export type ScoreArtifact = z.infer<typeof scoreArtifact>;

/** Source: interface, Score options. */
export const scoreOptions = z
  .strictObject({
    model: absentIfNull(scoreModel).describe("Absent: flash for news and ugc, pro for filing and research."),
    include_detailed_analysis: absentIfNull(z.boolean())
      .transform((given) => given ?? false)
      .meta({ default: false, description: "true: adds detailed_analysis to the verdict." }),
    score_sentiment: absentIfNull(z.enum(["always", "if_actionable"]))
      .transform((given) => given ?? "always")
      .meta({
        default: "always",
        description: "if_actionable: scores sentiment only when the text is actionable.",
      }),
  })
  .meta({ id: "ScoreOptions" });
export type ScoreOptions = z.infer<typeof scoreOptions>;

const options = absentIfNull(scoreOptions).describe("How to score.");

export const scoreRequest = z.strictObject({ artifact: scoreArtifact, options }).meta({ id: "ScoreRequest" });
export type ScoreRequest = z.infer<typeof scoreRequest>;

const defaultModels: Readonly<Record<ArtifactType, ScoreModel>> = {
  news: "flash",
  ugc: "flash",
  filing: "pro",
  research: "pro",
};

/** The model that scores an artifact when the caller names none. */
export function defaultScoreModel(type: ArtifactType): ScoreModel {
  return defaultModels[type];
}

export const verdictActionability = z
  .object({
    actionable: z.boolean().describe("Whether the text is rated likely to move the price."),
    score: percent.describe("Actionability from 0 (not actionable) to 100."),
    comment: z.string().describe("Rationale in one line, with the evidence."),
    sub_scores: subScores.shape.actionability.describe("Sub-scores, 0..100 each."),
  })
  .meta({ id: "VerdictActionability" });
export type VerdictActionability = z.infer<typeof verdictActionability>;

export const verdictSentiment = z
  .object({
    short_direction: direction.describe(
      "Expected direction over the next hours to days, -5 most bearish .. +5 most bullish.",
    ),
    long_direction: direction.describe("Expected direction over weeks to quarters, -5 .. +5."),
    conviction: percent.describe("Confidence in the short direction, 0..100."),
    score: z.int().min(0).max(10).describe("5 + short_direction."),
    comment: z.string().describe("Rationale in one line, with the evidence."),
    sub_scores: subScores.shape.sentiment.unwrap().describe("Sub-scores, 0..100 each."),
  })
  .meta({ id: "VerdictSentiment" });
export type VerdictSentiment = z.infer<typeof verdictSentiment>;

/** One reason for a score. */
export const analysisFactor = z
  .object({
    name: z.string().describe("The reason in words."),
    weight: z
      .int()
      .min(-100)
      .max(100)
      .describe(
        "What the reason adds, from -100 (strongly against) to 100 (strongly for): points of the actionability score; for the sentiment 20 to a step of the direction.",
      ),
    evidence: z
      .array(evidence)
      .describe("Quotes from the text; empty when the reason does not come from its wording."),
  })
  .meta({ id: "AnalysisFactor" });
export type AnalysisFactor = z.infer<typeof analysisFactor>;

const headAnalysis = z
  .object({
    summary: z.string().describe("The score explained in a sentence or two."),
    factors: z
      .array(analysisFactor)
      .describe(
        "Reasons for the score, one after the other. Their weights add up to it: to actionability.score, and to 20 times sentiment.short_direction. Limits and rounding are factors too.",
      ),
  })
  .meta({ id: "HeadAnalysis" });
export const detailedAnalysis = z
  .object({ actionability: headAnalysis, sentiment: headAnalysis })
  .meta({ id: "DetailedAnalysis" });
export type DetailedAnalysis = z.infer<typeof detailedAnalysis>;

export const scoreUsage = z
  .object({
    limit: z.int().min(0).nullable().describe("Calls per day; null: no limit."),
    used: z.int().min(0).describe("Calls used today, this one included."),
    remaining: z.int().min(0).nullable().describe("Calls left today; null: no limit."),
    reset_at: timestamp.describe("00:00 UTC of the next day."),
  })
  .meta({ id: "ScoreUsage" });
export type ScoreUsage = z.infer<typeof scoreUsage>;

/** Response of POST /v1/score. Source: decisions, POST /v1/score. */
export const verdict = z
  .object({
    id: z.uuid().describe("Id of this verdict."),
    created_at: timestamp.describe("When the verdict was made."),
    model: z.string().describe("Model that scored the text: flash, pro, llm:<name> or onnx:<name>."),
    model_version: z.string().describe("Version of that model."),
    actionability: verdictActionability,
    sentiment: verdictSentiment.nullable().describe("null when sentiment was skipped."),
    sentiment_skipped_reason: z.literal("not_actionable").optional().describe("Why sentiment was skipped."),
    ...eventFields,
    symbols: z.array(symbolAnalysis).describe("Listed companies and instruments that the text is about."),
    tags: tagSet.describe("Tags of the text."),
    detailed_analysis: detailedAnalysis
      .optional()
      .describe("Present when options.include_detailed_analysis is true."),
    usage: scoreUsage.describe("Use of the daily quota."),
    timing_ms: z.number().min(0).describe("Time the scoring took, in milliseconds."),
  })
  .meta({ id: "Verdict" });
export type Verdict = z.infer<typeof verdict>;

/** Request of POST /v1/score/batch. Each artifact is checked separately, so that an invalid one does not fail the others. */
export const scoreBatchRequest = z
  .strictObject({
    artifacts: z
      .array(z.unknown())
      .min(1)
      .max(scoreLimits.batch)
      .describe("Artifacts as in POST /v1/score. Each is checked separately."),
    options,
  })
  .meta({ id: "ScoreBatchRequest" });

const index = z.int().min(0).describe("Index of the artifact in the request, starting at 0.");
const batchError = z
  .object({
    index,
    error: z
      .object({
        code: z.string().describe("Error code, as in problem documents."),
        message: z.string().describe("What is wrong with the artifact."),
      })
      .describe("Why this artifact was refused. The others are not affected."),
  })
  .meta({ id: "ScoreBatchError" });
const batchVerdict = z.object({ index, verdict }).meta({ id: "ScoreBatchVerdict" });

/** Response of POST /v1/score/batch, in the order of the artifacts. */
export const scoreBatch = z
  .object({
    data: z
      .array(z.union([batchVerdict, batchError]))
      .describe("One entry per artifact, in the order of the request."),
  })
  .meta({ id: "ScoreBatch" });
export type ScoreBatch = z.infer<typeof scoreBatch>;
