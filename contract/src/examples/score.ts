import {
  actionabilityComment,
  actionabilitySubScores,
  analysis,
  artifact,
  events,
  sentimentComment,
  sentimentSubScores,
  tags,
} from "./judged-item.ts";
import type { ExamplesOf } from "./types.ts";
import { exampleTimes } from "./values.ts";

const verdict = {
  id: "98de894a-d5ae-893b-b1a5-b31eb5f87f73",
  created_at: exampleTimes.scored,
  model: "flash",
  model_version: "0.2.0",
  actionability: {
    actionable: true,
    score: 75,
    comment: actionabilityComment,
    sub_scores: actionabilitySubScores,
  },
  sentiment: {
    short_direction: 4,
    long_direction: 3,
    conviction: 92,
    score: 9,
    comment: sentimentComment,
    sub_scores: sentimentSubScores,
  },
  ...events,
  symbols: [analysis],
  tags,
  usage: { limit: 1000, used: 1, remaining: 999, reset_at: exampleTimes.tonight },
  timing_ms: 1.397,
};

export const scoreExamples: ExamplesOf<"score"> = {
  score: { request: { artifact }, response: verdict },
  scoreItem: { request: { model: "flash" }, response: verdict },
  scoreBatch: {
    request: { artifacts: [artifact, { type: "news", title: "A headline without its body" }] },
    response: {
      data: [
        { index: 0, verdict },
        { index: 1, error: { code: "invalid_body", message: "body: is required" } },
      ],
    },
  },
};
