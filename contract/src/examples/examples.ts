import type { z } from "zod";
import type { SourceHealth } from "../admin.ts";
import type { FeedItem } from "../feeds.ts";
import { planNames } from "../plans.ts";
import type { TagDimensionValues } from "../reference.ts";
import type { Route, Routes } from "../routes/routes.ts";
import type { ScoreArtifact } from "../score.ts";
import { exampleCursor, exampleIds } from "./values.ts";

type RequestOf<R extends Route> = R extends { readonly body: infer B extends z.ZodType }
  ? { readonly request: z.input<B> }
  : unknown;
type QueryOf<R extends Route> = R extends { readonly query: infer Q extends z.ZodObject }
  ? { readonly query?: { readonly [name in keyof Q["shape"]]?: string } }
  : unknown;

/** What is asked and answered in the documentation; `query` is what its curl line sends. */
export interface RouteExample {
  readonly query?: Readonly<Record<string, string>>;
  readonly request?: unknown;
  readonly response: unknown;
}

const publishedAt = "2026-03-02T14:30:00.000Z";
const seenAt = "2026-03-02T14:30:02.125Z";
const scoredAt = "2026-03-02T14:30:02.163Z";
const tonight = "2026-03-03T00:00:00.000Z";

const symbol = { symbol: "DEMO:OBTX", exchange: "DEMO", short_symbol: "OBTX", logoid: "orbitex-robotics" };
const tags = { corp_activity: ["earnings"], market: ["stock"] };
const headline = "Orbitex Robotics raises full-year guidance after record orders";
const actionabilityComment = "Kind of event: guidance up ('raises full-year guidance')";
const sentimentComment = "Guidance raised: 'raises full-year guidance'; also 'record orders'";
const sentiment = {
  sentiment_short: 4,
  sentiment_long: 3,
  sentiment_conviction: 92,
  sentiment_score: 9,
  sentiment_comment: sentimentComment,
};

const item: FeedItem = {
  seq: 48213,
  id: exampleIds.item,
  unique_id: "guid:desk:desk-4711",
  title: headline,
  link: "https://news.example.com/orbitex-guidance",
  source: "desk",
  provider_id: "newsdesk",
  type: "news",
  published_at: publishedAt,
  source_time: publishedAt,
  scraped_at: seenAt,
  updated_at: seenAt,
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
    scored_at: scoredAt,
    locked: false,
  },
  symbols: [symbol],
  tags,
  filing: null,
};

const actionabilitySubScores = {
  novelty: 100,
  materiality: 78,
  clarity: 85,
  urgency: 50,
  credibility: 70,
  breadth: 20,
};
const sentimentSubScores = { intensity: 85, agreement: 100, certainty: 85 };
const analysis = {
  ...symbol,
  primary: true,
  relevance: 100,
  ...sentiment,
  evidence: [
    { text: "raises full-year guidance", start: 17, end: 42 },
    { text: "record orders", start: 49, end: 62 },
  ],
};

const artifact: ScoreArtifact = {
  type: "news",
  title: headline,
  body: "Revenue for the full year is now expected 12% above the earlier forecast.",
  related_symbols: ["DEMO:OBTX"],
  published_at: "2026-03-02T14:30:00Z",
};

const verdict = {
  id: "98de894a-d5ae-893b-b1a5-b31eb5f87f73",
  created_at: scoredAt,
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
  symbols: [analysis],
  tags,
  usage: { limit: 1000, used: 1, remaining: 999, reset_at: tonight },
  timing_ms: 1.397,
};

const limits = {
  requests_per_minute: 300,
  page_limit_max: 200,
  realtime_feeds_per_day: null,
  score_per_day: 1000,
  stream_connections: 5,
  webhook_endpoints: 10,
  scored_feed: true,
};
const counts = { feed: 1840, score: 12, requests: 433 };
const today = { date: "2026-03-02", ...counts, errors: 2 };

const provider = {
  id: "newsdesk",
  name: "Newsdesk",
  logo: "https://feed.example.com/logos/providers/newsdesk.svg",
  url: "https://news.example.com/",
  kind: "media",
  feed_count: 5120,
  latest_at: publishedAt,
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

const filters = { symbols: ["DEMO:OBTX"], actionability: true, tags: { corp_activity: ["earnings"] } };
const target = "https://hooks.example.com/tapewire";
const webhookWithoutSecret = {
  id: exampleIds.webhook,
  url: target,
  description: "Orders desk",
  enabled: true,
  filters,
  max_age: 86_400,
  status: "enabled",
  disabled_reason: null,
  created_at: "2026-03-01T09:00:00.000Z",
  updated_at: "2026-03-01T09:00:00.000Z",
  failing_since: null,
  last_delivery_at: seenAt,
  last_status: 204,
  matched_today: 3,
  delivered_today: 3,
  matched_total: 41,
  delivered_total: 41,
  rotation_ends_at: null,
} as const;
const webhook = { ...webhookWithoutSecret, secret: `whsec_${"A".repeat(43)}=` };

const account = {
  id: exampleIds.account,
  name: "Research desk",
  plan: planNames[2],
  created_at: "2026-02-27T08:12:45.940Z",
};
const apiKey = {
  id: exampleIds.key,
  account_id: account.id,
  account_name: account.name,
  plan: account.plan,
  name: "notebook",
  prefix: "tw_live_5S3h",
  last4: "ehzl",
  created_at: "2026-02-27T08:12:46.093Z",
  last_used_at: seenAt,
  expires_at: null,
  revoked_at: null,
};

const sourceHealth: SourceHealth = {
  id: "sec-edgar",
  name: "sec-edgar",
  url: "https://www.sec.gov/cgi-bin/browse-edgar?action=getcurrent",
  format: "edgar",
  enabled: true,
  status: "ok",
  advice: null,
  last_poll_at: seenAt,
  last_ok_at: seenAt,
  next_poll_at: "2026-03-02T14:30:04.125Z",
  newest_item_at: publishedAt,
  items: 120412,
  failures: 0,
  reach: "reached",
  last_error: null,
  lag_ms: { p50: 1840, p99: 9200 },
  typical_gap_s: 14.2,
  pending_documents: 3,
  moved_to: null,
  pushed: false,
  reconciled_to: "2026-02-27",
  damped: 0,
  damped_at: null,
  gaps: [],
};

const pushed = {
  title: headline,
  body: artifact.body,
  link: item.link,
  source: "desk",
  provider: "newsdesk",
  external_id: "desk-4711",
  symbols: ["DEMO:OBTX"],
};

/** One example a route; tests hold every one against its schemas. */
export const routeExamples: {
  readonly [Name in keyof Routes]: RequestOf<Routes[Name]> &
    QueryOf<Routes[Name]> & { readonly response: z.input<Routes[Name]["response"]> };
} = {
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
  me: {
    response: {
      key: {
        id: exampleIds.key,
        name: apiKey.name,
        prefix: apiKey.prefix,
        last4: apiKey.last4,
        created_at: apiKey.created_at,
        last_used_at: seenAt,
        expires_at: null,
      },
      account: { id: account.id, name: account.name },
      tier: account.plan,
      limits,
      usage: { ...counts, reset_at: tonight },
    },
  },
  usage: {
    query: { days: "2" },
    response: {
      days: 2,
      timezone: "UTC",
      data: [{ date: "2026-03-01", feed: 212, score: 0, requests: 96, errors: 0 }, today],
      limits,
      today: { ...today, reset_at: tonight },
    },
  },
  listProviders: { response: { data: [provider] } },
  readProvider: { response: provider },
  listSourceNames: { response: { data: ["desk", "sec-edgar"] } },
  readSource: {
    response: {
      name: "sec-edgar",
      feed_count: 120412,
      latest_at: publishedAt,
      feeds_24h: 3120,
      lag_ms: sourceHealth.lag_ms,
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
      feed_count: 212,
      feed_count_24h: 3,
      latest_at: publishedAt,
    },
  },
  listTags: { response: { data: [corpActivity] } },
  readTagDimension: { response: corpActivity },
  score: { request: { artifact }, response: verdict },
  scoreBatch: {
    request: { artifacts: [artifact, { type: "news", title: "A headline without its body" }] },
    response: {
      data: [
        { index: 0, verdict },
        { index: 1, error: { code: "invalid_body", message: "body: is required" } },
      ],
    },
  },
  listWebhooks: { response: { data: [webhookWithoutSecret] } },
  createWebhook: { request: { url: target, description: "Orders desk", filters }, response: webhook },
  readWebhook: { response: webhook },
  updateWebhook: {
    request: { enabled: false },
    response: { ...webhook, enabled: false, status: "disabled", updated_at: seenAt },
  },
  rotateWebhook: {
    response: {
      ...webhook,
      secret: `whsec_${"B".repeat(43)}=`,
      rotation_ends_at: "2026-03-03T14:30:00.000Z",
      updated_at: "2026-03-02T14:30:00.000Z",
    },
  },
  testWebhook: {
    response: {
      id: "msg_test_5f0c2d8e9b1a4c3d",
      at: seenAt,
      ok: false,
      status_code: 401,
      error: null,
      latency_ms: 48,
      response: '{"error":"bad signature"}',
    },
  },
  listDeliveries: {
    query: { status: "failed", limit: "1" },
    response: {
      data: [
        {
          id: exampleIds.delivery,
          item_id: exampleIds.item,
          seq: item.seq,
          status: "failed",
          next_attempt_at: null,
          attempts: [
            {
              number: 7,
              trigger: "item",
              at: "2026-03-03T08:10:12.480Z",
              ok: false,
              status_code: null,
              error: "connect_refused",
              latency_ms: 3,
              response: null,
            },
          ],
        },
      ],
      next_cursor: "ZC40ODIxMw",
    },
  },
  resendDelivery: { response: { queued: 1 } },
  recoverWebhook: { request: { since: "2026-03-02T00:00:00Z" }, response: { queued: 17 } },
  replayWebhook: {
    request: { from: "2026-03-02T00:00:00Z", to: "2026-03-02T12:00:00Z" },
    response: { from_seq: 44120, to_seq: 48213 },
  },
  readWebhookStats: {
    query: { hours: "1" },
    response: {
      today: { matched: 3, delivered: 3, failed: 0, expired: 0 },
      total: { matched: 41, delivered: 41, failed: 0, expired: 0 },
      due: 0,
      given_up: 0,
      behind: 0,
      paused_until: null,
      replay_remaining: null,
      hours: [
        {
          hour: "2026-03-02T14:00:00.000Z",
          matched: 3,
          delivered: 3,
          failed: 0,
          expired: 0,
          attempts: 4,
          latency_ms: { p50: 38, p99: 212 },
        },
      ],
    },
  },
  deleteWebhook: { response: { id: exampleIds.webhook, deleted: true } },
  createAccount: { request: { name: account.name, plan: account.plan }, response: account },
  listAccounts: { response: { data: [account] } },
  updateAccount: { request: { plan: "quant" }, response: { ...account, plan: "quant" } },
  createKey: {
    request: { account_id: account.id, name: apiKey.name },
    response: { key: `tw_live_${"0".repeat(38)}`, ...apiKey, last_used_at: null },
  },
  listKeys: { response: { data: [apiKey] } },
  revokeKey: { response: { ...apiKey, revoked_at: "2026-03-02T15:00:00.000Z" } },
  pushItems: {
    request: [pushed, { title: "Halvorn Energy names a new chief executive", external_id: "desk-4712" }],
    response: {
      data: [
        { id: item.id, unique_id: item.unique_id, status: "created" },
        {
          id: "3e0a5a1c-5d0f-5c8e-8f0b-6a3a0b8f1d27",
          unique_id: "guid:push:desk-4712",
          status: "duplicate",
        },
      ],
    },
  },
  retractItem: { response: { id: item.id, status: "retracted" } },
  replay: {
    request: { since: "2026-03-02T00:00:00Z", source: "sec-edgar" },
    response: {
      next: null,
      remaining: 0,
      answers: 24,
      items: 960,
      created: 2,
      revised: 5,
      unchanged: 953,
      errors: [],
    },
  },
  rescore: {
    request: { since: "2026-03-01T00:00:00Z", model: "pro" },
    response: { next: 48213, scored: 200, model_version: "0.2.0" },
  },
  probeSource: {
    response: {
      id: sourceHealth.id,
      url: sourceHealth.url,
      ok: true,
      error: null,
      took_ms: 312,
      bytes: 48210,
      items: 40,
      unknown_items: 2,
      newest_item_at: publishedAt,
      salvaged: false,
      titles: ["8-K - Orbitex Robotics (Filer)"],
    },
  },
  listSources: { response: { data: [sourceHealth] } },
};
