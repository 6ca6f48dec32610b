import type { WebhookDelivery } from "../webhook-deliveries.ts";
import { item } from "./judged-item.ts";
import type { ExamplesOf } from "./types.ts";
import { exampleFilters, exampleIds, exampleTimes } from "./values.ts";

const target = "https://hooks.example.com/tapewire";
const webhookWithoutSecret = {
  id: exampleIds.webhook,
  url: target,
  description: "Orders desk",
  enabled: true,
  filters: exampleFilters,
  max_age: 86_400,
  format: "tapewire",
  status: "enabled",
  disabled_reason: null,
  created_at: "2026-03-01T09:00:00.000Z",
  updated_at: "2026-03-01T09:00:00.000Z",
  failing_since: null,
  last_delivery_at: exampleTimes.seen,
  last_status: 204,
  last_attempt_at: exampleTimes.seen,
  last_error: null,
  matched_today: 3,
  delivered_today: 3,
  matched_total: 41,
  delivered_total: 41,
  rotation_ends_at: null,
} as const;
const webhook = { ...webhookWithoutSecret, secret: `whsec_${"A".repeat(43)}=` };

const delivery: WebhookDelivery = {
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
};

export const webhookExamples: ExamplesOf<"webhooks"> = {
  listWebhooks: { response: { data: [webhookWithoutSecret] } },
  createWebhook: {
    request: { url: target, description: "Orders desk", filters: exampleFilters },
    response: webhook,
  },
  readWebhook: { response: webhook },
  updateWebhook: {
    request: { enabled: false },
    response: { ...webhook, enabled: false, status: "disabled", updated_at: exampleTimes.seen },
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
      at: exampleTimes.seen,
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
      data: [delivery],
      next_cursor: "ZC40ODIxMw",
    },
  },
  readDelivery: {
    response: {
      ...delivery,
      request: {
        url: target,
        headers: {
          "content-type": "application/json",
          "user-agent": "Tapewire/0.1.0",
          "webhook-id": exampleIds.delivery,
          "webhook-timestamp": "1772525412",
          "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
        },
        body: '{"type":"feed.scored","timestamp":"2026-03-02T14:30:02.125Z","data":{},"seq":48213,"latency":{}}',
        signed_at: "2026-03-03T08:10:12.480Z",
      },
    },
  },
  resendDelivery: { response: { queued: 1 } },
  recoverWebhook: { request: { since: "2026-03-02T00:00:00Z" }, response: { queued: 17 } },
  replayWebhook: {
    request: { from: "2026-03-02T00:00:00Z", to: "2026-03-02T12:00:00Z" },
    response: { from_seq: 44120, to_seq: 48213 },
  },
  listWebhookStats: {
    query: { hours: "2" },
    response: {
      hours: ["2026-03-02T13:00:00.000Z", "2026-03-02T14:00:00.000Z"],
      data: [
        {
          id: exampleIds.webhook,
          due: 0,
          given_up: 0,
          behind: 0,
          position: 48213,
          paused_until: null,
          next_attempt_at: null,
          attempts: 4,
          latency_ms: { p50: 38, p99: 212 },
          delivered: [0, 3],
          failed: [0, 0],
          expired: [0, 0],
        },
      ],
    },
  },
  readWebhookStats: {
    query: { hours: "1" },
    response: {
      today: { matched: 3, delivered: 3, failed: 0, expired: 0 },
      total: { matched: 41, delivered: 41, failed: 0, expired: 0 },
      due: 0,
      given_up: 0,
      behind: 0,
      position: 48213,
      paused_until: null,
      next_attempt_at: null,
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
};
