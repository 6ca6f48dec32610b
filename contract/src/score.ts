import { z } from "zod";
import { type ArtifactType, artifactType, evidence, subScores, symbolAnalysis, timestamp } from "./feeds.ts";
import { instantText } from "./input.ts";
import { tagSet } from "./tags.ts";

/** Bounds of one artifact and of a batch. Source: decisions, POST /v1/score. Lengths in UTF-16 code units. */
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

/** Text of a caller's own to be judged. Source: interface, Artifact. */
export const scoreArtifact = z
  .object({
    type: artifactType,
    title: text(scoreLimits.title),
    body: text(scoreLimits.body),
    tags: z.array(z.string().trim().min(1).max(scoreLimits.tag)).max(scoreLimits.tags).optional(),
    related_symbols: z
      .array(z.string().trim().min(1).max(64))
      .max(scoreLimits.relatedSymbols)
      .optional()
      .describe("AAPL or NASDAQ:AAPL."),
    published_at: instantText.optional().describe("Now when left out."),
  })
  .meta({ id: "ScoreArtifact" });
export type ScoreArtifact = z.infer<typeof scoreArtifact>;

/** Source: interface, Score options. */
export const scoreOptions = z
  .object({
    model: scoreModel
      .optional()
      .describe("When left out: flash for news and ugc, pro for filing and research."),
    include_detailed_analysis: z.boolean().default(false),
    score_sentiment: z.enum(["always", "if_actionable"]).default("always"),
  })
  .meta({ id: "ScoreOptions" });
export type ScoreOptions = z.infer<typeof scoreOptions>;

export const scoreRequest = z
  .object({ artifact: scoreArtifact, options: scoreOptions.optional() })
  .meta({ id: "ScoreRequest" });
export type ScoreRequest = z.infer<typeof scoreRequest>;

const defaultModels: Readonly<Record<ArtifactType, ScoreModel>> = {
  news: "flash",
  ugc: "flash",
  filing: "pro",
  research: "pro",
};

/** The model that judges an artifact whose caller names none. */
export function defaultScoreModel(type: ArtifactType): ScoreModel {
  return defaultModels[type];
}

export const verdictActionability = z
  .object({
    actionable: z.boolean(),
    score: percent,
    comment: z.string().describe("One line that names the evidence."),
    sub_scores: subScores.shape.actionability,
  })
  .meta({ id: "VerdictActionability" });
export type VerdictActionability = z.infer<typeof verdictActionability>;

export const verdictSentiment = z
  .object({
    short_direction: direction.describe("Over hours to days, -5 most bearish .. +5 most bullish."),
    long_direction: direction.describe("Over weeks to quarters."),
    conviction: percent.describe("How sure of the short direction."),
    score: z.int().min(0).max(10).describe("5 + short_direction."),
    comment: z.string().describe("One line that names the evidence."),
    sub_scores: subScores.shape.sentiment.unwrap(),
  })
  .meta({ id: "VerdictSentiment" });
export type VerdictSentiment = z.infer<typeof verdictSentiment>;

/** One reason of a head. */
export const analysisFactor = z
  .object({
    name: z.string(),
    weight: z.int().min(-100).max(100).describe("Against .. for, in hundredths of the strongest possible."),
    evidence: z.array(evidence).describe("Where the text says so; empty for what no wording carries."),
  })
  .meta({ id: "AnalysisFactor" });
export type AnalysisFactor = z.infer<typeof analysisFactor>;

const headAnalysis = z
  .object({ summary: z.string(), factors: z.array(analysisFactor) })
  .meta({ id: "HeadAnalysis" });
export const detailedAnalysis = z
  .object({ actionability: headAnalysis, sentiment: headAnalysis })
  .meta({ id: "DetailedAnalysis" });
export type DetailedAnalysis = z.infer<typeof detailedAnalysis>;

export const scoreUsage = z
  .object({
    limit: z.int().min(0).nullable().describe("Calls a day; null: unlimited."),
    used: z.int().min(0),
    remaining: z.int().min(0).nullable(),
    reset_at: timestamp,
  })
  .meta({ id: "ScoreUsage" });
export type ScoreUsage = z.infer<typeof scoreUsage>;

/** Response of POST /v1/score. Source: decisions, POST /v1/score. */
export const verdict = z
  .object({
    id: z.uuid(),
    created_at: timestamp,
    model: z.string().describe("Which model answered: flash, pro, or llm:<name>."),
    model_version: z.string(),
    actionability: verdictActionability,
    sentiment: verdictSentiment.nullable(),
    sentiment_skipped_reason: z.literal("not_actionable").optional(),
    symbols: z.array(symbolAnalysis),
    tags: tagSet,
    detailed_analysis: detailedAnalysis.optional(),
    usage: scoreUsage,
    timing_ms: z.number().min(0),
  })
  .meta({ id: "Verdict" });
export type Verdict = z.infer<typeof verdict>;

/** Request of POST /v1/score/batch. Each artifact is checked by itself, so that one bad one spoils no other. */
export const scoreBatchRequest = z
  .object({
    artifacts: z.array(z.unknown()).min(1).max(scoreLimits.batch),
    options: scoreOptions.optional(),
  })
  .meta({ id: "ScoreBatchRequest" });

const batchError = z.object({
  index: z.int().min(0),
  error: z.object({ code: z.string(), message: z.string() }),
});
const batchVerdict = z.object({ index: z.int().min(0), verdict });

/** Response of POST /v1/score/batch, in the order of the artifacts. */
export const scoreBatch = z
  .object({ data: z.array(z.union([batchVerdict, batchError])) })
  .meta({ id: "ScoreBatch" });
export type ScoreBatch = z.infer<typeof scoreBatch>;
