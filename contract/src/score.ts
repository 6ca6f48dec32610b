import { z } from "zod";
import { type ArtifactType, artifactType, evidence, subScores, symbolAnalysis, timestamp } from "./feeds.ts";
import { absentIfNull, instantText } from "./input.ts";
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
    type: artifactType.describe("Kind of text; decides the model."),
    title: text(scoreLimits.title).describe("Headline."),
    body: text(scoreLimits.body).describe("The text without its headline."),
    tags: absentIfNull(z.array(z.string().trim().min(1).max(scoreLimits.tag)).max(scoreLimits.tags)).describe(
      "Tag values you know of; added to those found.",
    ),
    related_symbols: absentIfNull(
      z.array(z.string().trim().min(1).max(64)).max(scoreLimits.relatedSymbols),
    ).describe("AAPL or NASDAQ:AAPL."),
    published_at: absentIfNull(instantText).describe(
      "Now when left out. Novelty knows what the feed had carried by then; under the headline of an item of the feed, what it had carried before that item.",
    ),
  })
  .meta({ id: "ScoreArtifact" });
export type ScoreArtifact = z.infer<typeof scoreArtifact>;

/** Source: interface, Score options. */
export const scoreOptions = z
  .object({
    model: absentIfNull(scoreModel).describe(
      "When left out: flash for news and ugc, pro for filing and research.",
    ),
    include_detailed_analysis: absentIfNull(z.boolean())
      .transform((given) => given ?? false)
      .meta({ default: false, description: "Adds detailed_analysis to the verdict." }),
    score_sentiment: absentIfNull(z.enum(["always", "if_actionable"]))
      .transform((given) => given ?? "always")
      .meta({
        default: "always",
        description: "if_actionable: sentiment only when the text is actionable.",
      }),
  })
  .meta({ id: "ScoreOptions" });
export type ScoreOptions = z.infer<typeof scoreOptions>;

const options = absentIfNull(scoreOptions).describe("How it is judged.");

export const scoreRequest = z.object({ artifact: scoreArtifact, options }).meta({ id: "ScoreRequest" });
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
    actionable: z.boolean().describe("Whether the text is likely to move price."),
    score: percent.describe("Strength of that judgement, 0..100."),
    comment: z.string().describe("One line that names the evidence."),
    sub_scores: subScores.shape.actionability.describe("What the judgement is made of, 0..100 each."),
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
    sub_scores: subScores.shape.sentiment.unwrap().describe("What the judgement is made of, 0..100 each."),
  })
  .meta({ id: "VerdictSentiment" });
export type VerdictSentiment = z.infer<typeof verdictSentiment>;

/** One reason of a head. */
export const analysisFactor = z
  .object({
    name: z.string().describe("The reason in words."),
    weight: z.int().min(-100).max(100).describe("Against .. for, in hundredths of the strongest possible."),
    evidence: z.array(evidence).describe("Where the text says so; empty for what no wording carries."),
  })
  .meta({ id: "AnalysisFactor" });
export type AnalysisFactor = z.infer<typeof analysisFactor>;

const headAnalysis = z
  .object({
    summary: z.string().describe("The judgement in a sentence or two."),
    factors: z.array(analysisFactor).describe("Its reasons."),
  })
  .meta({ id: "HeadAnalysis" });
export const detailedAnalysis = z
  .object({ actionability: headAnalysis, sentiment: headAnalysis })
  .meta({ id: "DetailedAnalysis" });
export type DetailedAnalysis = z.infer<typeof detailedAnalysis>;

export const scoreUsage = z
  .object({
    limit: z.int().min(0).nullable().describe("Calls a day; null: unlimited."),
    used: z.int().min(0).describe("Calls today, this one included."),
    remaining: z.int().min(0).nullable().describe("Calls left today; null: unlimited."),
    reset_at: timestamp.describe("00:00 UTC of the next day."),
  })
  .meta({ id: "ScoreUsage" });
export type ScoreUsage = z.infer<typeof scoreUsage>;

/** Response of POST /v1/score. Source: decisions, POST /v1/score. */
export const verdict = z
  .object({
    id: z.uuid().describe("Names this verdict."),
    created_at: timestamp.describe("When it was made."),
    model: z.string().describe("Which model answered: flash, pro, or llm:<name>."),
    model_version: z.string().describe("Version of that model."),
    actionability: verdictActionability,
    sentiment: verdictSentiment.nullable().describe("null when it was skipped."),
    sentiment_skipped_reason: z.literal("not_actionable").optional().describe("Why there is no sentiment."),
    symbols: z.array(symbolAnalysis).describe("Listed companies and instruments the text is about."),
    tags: tagSet.describe("Tags of the text."),
    detailed_analysis: detailedAnalysis
      .optional()
      .describe("When options.include_detailed_analysis asks for it."),
    usage: scoreUsage.describe("Of the day's quota."),
    timing_ms: z.number().min(0).describe("Time the scoring took, ms."),
  })
  .meta({ id: "Verdict" });
export type Verdict = z.infer<typeof verdict>;

/** Request of POST /v1/score/batch. Each artifact is checked by itself, so that one bad one spoils no other. */
export const scoreBatchRequest = z
  .object({
    artifacts: z
      .array(z.unknown())
      .min(1)
      .max(scoreLimits.batch)
      .describe("Artifacts as POST /v1/score takes them; each is checked by itself."),
    options,
  })
  .meta({ id: "ScoreBatchRequest" });

const index = z.int().min(0).describe("Place of the artifact in the request, from 0.");
const batchError = z
  .object({
    index,
    error: z
      .object({
        code: z.string().describe("As in problem documents."),
        message: z.string().describe("What is wrong with the artifact."),
      })
      .describe("Why this one was refused; the others are not affected."),
  })
  .meta({ id: "ScoreBatchError" });
const batchVerdict = z.object({ index, verdict }).meta({ id: "ScoreBatchVerdict" });

/** Response of POST /v1/score/batch, in the order of the artifacts. */
export const scoreBatch = z
  .object({
    data: z.array(z.union([batchVerdict, batchError])).describe("One entry an artifact, in their order."),
  })
  .meta({ id: "ScoreBatch" });
export type ScoreBatch = z.infer<typeof scoreBatch>;
