import {
  actionabilitySubScores,
  analysis,
  artifact,
  headline,
  item,
  sentimentSubScores,
} from "./judged-item.ts";
import { readerExamples } from "./reader-feeds.ts";
import { replayed } from "./stream.ts";
import type { ExamplesOf } from "./types.ts";
import { exampleCursor, exampleTimes } from "./values.ts";

export const feedExamples: ExamplesOf<"feeds"> = {
  listFeeds: {
    query: { symbol: "OBTX", actionability: "true", limit: "1" },
    response: { data: [item], next_cursor: exampleCursor },
  },
  replayLog: {
    query: { since: exampleTimes.published, symbol: "OBTX", limit: "1" },
    response: { data: [replayed], cursor: replayed.cursor, next_cursor: replayed.cursor },
  },
  readFeedStats: {
    query: { by: "source", since: "2026-03-02T13:00:00Z", until: "2026-03-02T15:00:00Z" },
    response: {
      interval: "hour",
      from: "2026-03-02T13:00:00.000Z",
      until: "2026-03-02T15:00:00.000Z",
      complete: true,
      series: [
        {
          key: "sec-edgar",
          label: "sec-edgar",
          points: [
            [1772456400000, 41, 3, 41, 214],
            [1772460000000, 57, 6, 57, 302],
          ],
        },
        { key: null, label: "Other", points: [[1772460000000, 9, 2, 8, 43]] },
      ],
      totals: { items: 107, actionable: 11, scored: 106, sentiment_sum: 559 },
    },
  },
  readFeedsAsRss: {
    query: { symbol: "OBTX", limit: "1" },
    response: readerExamples.rss,
  },
  readFeedsAsJsonFeed: {
    query: { symbol: "OBTX", limit: "1" },
    response: readerExamples.json,
  },
  readFeed: {
    response: {
      ...item,
      analysis: [analysis],
      sub_scores: { actionability: actionabilitySubScores, sentiment: sentimentSubScores },
      summary: artifact.body,
    },
  },
  readFeedText: {
    response: { title: headline, body: artifact.body, base: "utf16", language: "en", seq: item.seq },
  },
  listFeedScores: {
    response: {
      data: [
        {
          model: "flash",
          model_version: "0.2.0",
          scored_at: exampleTimes.scored,
          scoring: item.scoring,
          sub_scores: { actionability: actionabilitySubScores, sentiment: sentimentSubScores },
        },
      ],
    },
  },
};
