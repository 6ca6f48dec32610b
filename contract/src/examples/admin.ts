import type { SourceHealth } from "../admin.ts";
import { artifact, headline, item } from "./judged-item.ts";
import { account, apiKey } from "./key.ts";
import type { ExamplesOf } from "./types.ts";
import { exampleTimes } from "./values.ts";

const sourceHealth: SourceHealth = {
  id: "sec-edgar",
  name: "sec-edgar",
  url: "https://www.sec.gov/cgi-bin/browse-edgar?action=getcurrent",
  format: "edgar",
  enabled: true,
  status: "ok",
  advice: null,
  last_poll_at: exampleTimes.seen,
  last_ok_at: exampleTimes.seen,
  next_poll_at: "2026-03-02T14:30:04.125Z",
  newest_item_at: exampleTimes.published,
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

export const adminExamples: ExamplesOf<"admin"> = {
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
      newest_item_at: exampleTimes.published,
      salvaged: false,
      titles: ["8-K - Orbitex Robotics (Filer)"],
    },
  },
  listSources: { response: { data: [sourceHealth] } },
};
