import type { SourceHealth } from "../admin.ts";
import { person } from "./dashboard.ts";
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
  too_old: 0,
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

const backup = {
  name: "tapewire-20260302T030000Z.tar.zst",
  path: "/var/lib/tapewire/backups/tapewire-20260302T030000Z.tar.zst",
  made_at: "2026-03-02T03:00:00.000Z",
  bytes: 41_200_000,
};

const runningProcess = {
  id: "5f2f7d0e-6f0c-4b0e-9d5e-2f9f0b7e4a11",
  host: "feed-1",
  pid: 4711,
  roles: ["ingest", "api", "stream", "webhooks"],
  version: "0.1.0",
  started_at: "2026-03-01T09:00:00.000Z",
  seen_at: "2026-03-02T14:30:07.000Z",
  running: true,
  answering: true,
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
  updateKey: { request: { name: "desk" }, response: { ...apiKey, name: "desk" } },
  listPeople: { response: { data: [{ ...person, role: "operator" }] } },
  updatePerson: { request: { role: "member" }, response: person },
  createSignInLink: {
    response: {
      url: "http://127.0.0.1:8080/app/#/start/uX0m5b1d3Qf0bq3Gg0m9C9m7T2q1s4n8w6r5v0z2y1k",
      expires_at: "2026-03-02T15:30:00.000Z",
    },
  },
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
    response: { next: 48213, scored: 98, skipped: 2, model_version: "0.2.0" },
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
  listProcesses: {
    response: {
      data: [
        {
          ...runningProcess,
          streams: 41,
          score_queue: 1,
          verdicts_per_minute: 12,
          cpu: 0.18,
          rss_bytes: 412_000_000,
          event_loop_p99_ms: 3.1,
          log_head: item.seq,
          disk_free_bytes: 81_000_000_000,
        },
      ],
    },
  },
  readStats: {
    query: { minutes: "60" },
    response: {
      minutes: ["2026-03-02T14:29:00.000Z", "2026-03-02T14:30:00.000Z"],
      processes: [
        {
          ...runningProcess,
          items: [21, 34],
          revisions: [2, 0],
          sources: [
            { source: "sec-edgar", items: [18, 30] },
            { source: null, items: [3, 4] },
          ],
          source_to_publish_p50_ms: [1840, 2171],
          source_to_publish_p99_ms: [9200, 8740],
          receive_to_publish_p50_ms: [38, 46],
          receive_to_publish_p99_ms: [122, 131],
          streams: [40, 41],
          stream_items: [820, 1394],
          deliveries: [12, 19],
          failed_deliveries: [0, 0],
          verdicts: [12, 4],
          score_queue: [0, 1],
          cpu: [0.16, 0.18],
          rss_bytes: [410_000_000, 412_000_000],
          event_loop_p99_ms: [2.8, 3.1],
          disk_free_bytes: 81_000_000_000,
        },
      ],
      database: {
        bytes: 152_000_000,
        parts: [
          { part: "bodies", month: "202603", bytes: 120_000_000 },
          { part: "items", month: null, bytes: 32_000_000 },
        ],
        kept_since: "2025-02-01T00:00:00.000Z",
      },
      webhooks: { enabled: 12, failing: 1, auto_disabled: 0, recovered: 2 },
    },
  },
  createBackup: { response: backup },
  listBackups: { response: { data: [backup], every_hours: 24 } },
  readRetention: {
    query: { months: "1" },
    response: {
      keep_months: 1,
      state: "idle",
      kept_since: null,
      keeps_from: "2026-02-01T00:00:00.000Z",
      months: [
        { month: "202601", items: 41_208, bytes: 96_468_992, deletes: true },
        { month: "202602", items: 38_950, bytes: 91_226_112, deletes: false },
        { month: "202603", items: 1_404, bytes: 4_194_304, deletes: false },
      ],
    },
  },
  listSources: { response: { data: [sourceHealth] } },
};
