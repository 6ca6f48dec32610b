import { z } from "zod";
import { scoring, subScores, timestamp } from "../feeds.ts";
import { scoreOptions } from "../score.ts";

/** Response of GET /v1/feeds/{id}/text. */
export const itemText = z
  .object({
    title: z.string().describe("Headline; empty when the source gives none."),
    body: z.string().describe("The text without its headline; empty when only the headline is known."),
    base: z
      .literal("utf16")
      .describe(
        "What offsets of evidence count: UTF-16 code units of title + newline + body, as in JavaScript strings.",
      ),
    language: z.string().nullable().describe("ISO 639-1."),
    seq: z.int().positive().describe("Version of the item that the text is of: FeedItem.seq."),
  })
  .meta({ id: "ItemText" });
export type ItemText = z.infer<typeof itemText>;

/** Most entries of GET /v1/feeds/{id}/scores: the newest. */
export const mostItemScores = 1_000;

const itemScore = z
  .object({
    model: z.string().describe("Model that scored the item: flash, pro, llm:<name> or onnx:<name>."),
    model_version: z.string().describe("Version of that model."),
    scored_at: timestamp.describe("When the item was scored."),
    scoring,
    sub_scores: subScores.nullable().describe("null when the model gave none."),
  })
  .meta({ id: "ItemScore" });

/** Response of GET /v1/feeds/{id}/scores. */
export const itemScores = z
  .object({
    data: z
      .array(itemScore)
      .describe(`Oldest first; the newest ${mostItemScores.toLocaleString("en")} when there are more.`),
  })
  .meta({ id: "ItemScores" });
export type ItemScores = z.infer<typeof itemScores>;

/** Request of POST /v1/feeds/{id}/score. */
export const itemScoreRequest = scoreOptions
  .pick({ model: true, include_detailed_analysis: true })
  .meta({ id: "ItemScoreRequest" });
export type ItemScoreRequest = z.infer<typeof itemScoreRequest>;
