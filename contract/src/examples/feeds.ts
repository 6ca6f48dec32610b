import { actionabilitySubScores, analysis, artifact, item, sentimentSubScores } from "./judged-item.ts";
import type { ExamplesOf } from "./types.ts";
import { exampleCursor } from "./values.ts";

export const feedExamples: ExamplesOf<"feeds"> = {
  listFeeds: {
    query: { symbol: "OBTX", actionability: "true", limit: "1" },
    response: { data: [item], next_cursor: exampleCursor },
  },
  readFeed: {
    response: {
      ...item,
      analysis: [analysis],
      sub_scores: { actionability: actionabilitySubScores, sentiment: sentimentSubScores },
      summary: artifact.body,
    },
  },
};
