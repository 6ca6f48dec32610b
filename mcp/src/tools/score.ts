import type { Verdict } from "tapewire";
import { z } from "zod";
import { line, most, quoted } from "../wording/clean.ts";
import { present, signed } from "../wording/item.ts";
import type { Shown } from "../wording/results.ts";
import { tool } from "./define.ts";

export const scoreText = tool({
  name: "score_text",
  title: "Score a text",
  description: "Scores a text of yours. Costs one call of the plan's daily score quota; nothing is stored.",
  annotations: { readOnlyHint: false, destructiveHint: false },
  input: z.strictObject({
    title: z.string().min(1).max(1_000),
    body: z.string().min(1).max(200_000),
    type: z.enum(["news", "filing", "research", "ugc"]).default("news"),
    model: z.enum(["flash", "pro"]).optional(),
    related_symbols: z.array(z.string().min(1).max(64)).max(50).optional(),
  }),
  output: z.object({
    model: z.string(),
    actionable: z.boolean(),
    actionability_score: z.number(),
    actionability_comment: z.string(),
    sentiment_short: z.number().optional(),
    sentiment_long: z.number().optional(),
    sentiment_conviction: z.number().optional(),
    sentiment_comment: z.string().optional(),
    event: z.string().optional(),
    companies: z.array(z.looseObject({})).describe("symbol, sentiment_short, evidence"),
    score_calls_left: z.number().optional().describe("absent: no limit"),
  }),
  run: async ({ title, body, type, model, related_symbols }, { tapewire }, signal) =>
    shown(await tapewire.score({ title, body, type, related_symbols }, { model, signal })),
});

function shown({ model, actionability, sentiment, event, symbols, usage }: Verdict): Shown {
  const companies = symbols.slice(0, 10).map(({ symbol, sentiment_short, evidence }) => ({
    symbol: line(symbol, most.name),
    ...present({ sentiment_short }),
    evidence: evidence.slice(0, 3).map(({ text }) => line(text, most.evidence)),
  }));
  const comment = line(actionability.comment, most.comment);
  const about = sentiment === null ? null : line(sentiment.comment, most.comment);
  return {
    data: {
      model,
      actionable: actionability.actionable,
      actionability_score: actionability.score,
      actionability_comment: comment,
      ...present({
        sentiment_short: sentiment?.short_direction,
        sentiment_long: sentiment?.long_direction,
        sentiment_conviction: sentiment?.conviction,
        sentiment_comment: about,
        event,
      }),
      companies,
      ...present({ score_calls_left: usage.remaining }),
    },
    lines: [
      `${actionability.actionable ? "actionable" : "not actionable"} ${actionability.score}/100: ${quoted(comment)}`,
      sentiment === null
        ? "No sentiment."
        : `sentiment ${signed(sentiment.short_direction)}, long ${signed(sentiment.long_direction)}, conviction ${sentiment.conviction}: ${quoted(about ?? "")}`,
      ...companies.map(({ symbol, evidence }) => `${symbol}: ${evidence.map(quoted).join(" ")}`),
      `Model ${model}. Score calls left today: ${usage.remaining ?? "no limit"}.`,
    ],
  };
}
