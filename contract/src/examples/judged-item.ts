import type { FeedItem } from "../feeds.ts";
import type { ScoreArtifact } from "../score.ts";
import { exampleIds, exampleTimes } from "./values.ts";

export const symbol = {
  symbol: "DEMO:OBTX",
  exchange: "DEMO",
  short_symbol: "OBTX",
  logoid: "orbitex-robotics",
};
export const tags = { corp_activity: ["earnings"], market: ["stock"] };
export const headline = "Orbitex Robotics raises full-year guidance after record orders";
export const actionabilityComment = "Kind of event: guidance up ('raises full-year guidance')";
export const sentimentComment = "Guidance raised: 'raises full-year guidance'; also 'record orders'";
const sentiment = {
  sentiment_short: 4,
  sentiment_long: 3,
  sentiment_conviction: 92,
  sentiment_score: 9,
  sentiment_comment: sentimentComment,
};

export const events: Pick<FeedItem, "event" | "events"> = {
  event: "guidance_raised",
  events: [
    {
      name: "guidance_raised",
      role: "subject",
      symbol: symbol.symbol,
      evidence: { text: "raises full-year guidance", start: 17, end: 42 },
    },
  ],
};

/** One item, used in the examples of the feed, of POST /v1/score and of pushed items. */
export const item: FeedItem = {
  seq: 48213,
  id: exampleIds.item,
  unique_id: "guid:desk:desk-4711",
  title: headline,
  link: "https://news.example.com/orbitex-guidance",
  source: "desk",
  provider_id: "newsdesk",
  type: "news",
  published_at: exampleTimes.published,
  source_time: exampleTimes.published,
  scraped_at: exampleTimes.seen,
  updated_at: exampleTimes.seen,
  status: "published",
  revision: 0,
  story_id: exampleIds.item,
  copy_of: null,
  language: "en",
  scoring: {
    actionability: true,
    actionability_score: 75,
    actionability_comment: actionabilityComment,
    ...sentiment,
    model: "flash",
    model_version: "0.2.0",
    scored_at: exampleTimes.scored,
    locked: false,
  },
  ...events,
  symbols: [symbol],
  tags,
  filing: null,
};

export const actionabilitySubScores = {
  novelty: 100,
  materiality: 78,
  clarity: 85,
  urgency: 50,
  credibility: 70,
  breadth: 20,
};
export const sentimentSubScores = { intensity: 85, agreement: 100, certainty: 85 };
export const analysis = {
  ...symbol,
  primary: true,
  relevance: 100,
  ...sentiment,
  evidence: [
    { text: "raises full-year guidance", start: 17, end: 42 },
    { text: "record orders", start: 49, end: 62 },
  ],
};

/** The text of the item, as a caller sends it. */
export const artifact: ScoreArtifact = {
  type: "news",
  title: headline,
  body: "Revenue for the full year is now expected 12% above the earlier forecast.",
  related_symbols: ["DEMO:OBTX"],
  published_at: "2026-03-02T14:30:00Z",
};
