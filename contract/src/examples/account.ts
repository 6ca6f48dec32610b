import { account, apiKey } from "./key.ts";
import type { ExamplesOf } from "./types.ts";
import { exampleIds, exampleTimes } from "./values.ts";

const limits = {
  requests_per_minute: 300,
  page_limit_max: 200,
  realtime_feeds_per_day: null,
  score_per_day: 1000,
  stream_connections: 5,
  webhook_endpoints: 10,
  replay: true,
  scored_feed: true,
};
const counts = { feed: 1840, score: 12, requests: 433 };
const today = { date: "2026-03-02", ...counts, errors: 2 };

export const accountExamples: ExamplesOf<"account"> = {
  me: {
    response: {
      key: {
        id: exampleIds.key,
        name: apiKey.name,
        prefix: apiKey.prefix,
        last4: apiKey.last4,
        created_at: apiKey.created_at,
        last_used_at: exampleTimes.seen,
        expires_at: null,
      },
      account: { id: account.id, name: account.name },
      tier: account.plan,
      limits,
      usage: { ...counts, reset_at: exampleTimes.tonight },
    },
  },
  usage: {
    query: { days: "2" },
    response: {
      days: 2,
      timezone: "UTC",
      data: [{ date: "2026-03-01", feed: 212, score: 0, requests: 96, errors: 0 }, today],
      limits,
      open_streams: 2,
      today: { ...today, reset_at: exampleTimes.tonight },
    },
  },
};
