import type { TagDimensionValues } from "../reference.ts";
import type { ExamplesOf } from "./types.ts";
import { exampleTimes } from "./values.ts";

const provider = {
  id: "newsdesk",
  name: "Newsdesk",
  logo: "https://feed.example.com/logos/providers/newsdesk.svg",
  url: "https://news.example.com/",
  kind: "media",
  feed_count: 5120,
  latest_at: exampleTimes.published,
} as const;

const symbolEntry = {
  short_symbol: "OBTX",
  symbol: "DEMO:OBTX",
  exchange: "DEMO",
  name: "Orbitex Robotics",
  logo: "https://feed.example.com/logos/symbols/orbitex-robotics.svg",
  logoid: "orbitex-robotics",
};

const corpActivity: TagDimensionValues = {
  dimension: "corp_activity",
  label: "Corporate activity",
  values: [
    {
      value: "earnings",
      label: "Earnings",
      definition: "Results, guidance, pre-announcements and estimates for a reporting period.",
      count: 9120,
    },
  ],
};

const guidanceRaised = {
  name: "guidance_raised",
  group: "guidance",
  label: "Guidance raised",
  meaning: "A company expects more than it did before.",
  count: 1840,
};

export const referenceExamples: ExamplesOf<"reference"> = {
  listProviders: { response: { data: [provider] } },
  readProvider: { response: provider },
  listSourceNames: { response: { data: ["desk", "sec-edgar"] } },
  readSource: {
    response: {
      name: "sec-edgar",
      feed_count: 120412,
      latest_at: exampleTimes.published,
      feeds_24h: 3120,
      lag_ms: { p50: 1840, p99: 9200 },
      status: "ok",
      failures: 0,
    },
  },
  listSymbols: { query: { limit: "1" }, response: { data: [symbolEntry] } },
  readSymbol: {
    response: {
      ...symbolEntry,
      country: "US",
      type: "stock",
      sector: "Industrials",
      cik: null,
      aliases: ["Orbitex"],
      delisted_on: null,
      feed_count: 212,
      feed_count_24h: 3,
      latest_at: exampleTimes.published,
      lines: [{ symbol: "DEMO:OBTX", exchange: "DEMO", name: "Orbitex Robotics", feed_count: 212 }],
    },
  },
  listTags: { response: { data: [corpActivity] } },
  readTagDimension: { response: corpActivity },
  listEvents: { response: { data: [guidanceRaised] } },
};
