import { z } from "zod";
import { exampleIds } from "../examples/values.ts";
import {
  deliveryDetail,
  deliveryList,
  deliveryQuery,
  queued,
  recoverRequest,
  replayRange,
  replayStarted,
  statsQuery,
  testResult,
  webhookStats,
  webhookStatsList,
} from "../webhook-deliveries.ts";
import { webhookById } from "./parameters.ts";
import type { Route } from "./types.ts";

const deliveryById = z.object({
  ...webhookById.shape,
  delivery_id: z
    .string()
    .regex(/^msg_[\da-f]{32}_\d{1,15}$/, "must be the id of a delivery, such as msg_9961c939...3d13_48213")
    .meta({ description: "Id of the delivery: its webhook-id.", examples: [exampleIds.delivery] }),
});

const common = { auth: "key", section: "webhooks" } as const;

/** The routes for deliveries of an endpoint. */
export const webhookDeliveryRoutes = {
  testWebhook: {
    ...common,
    method: "POST",
    path: "/v1/webhooks/{id}/test",
    summary: "Send a test event",
    description:
      "Sends one signed event of type webhook.test, also to a disabled endpoint. Responds when the receiver has answered, or after 15 seconds. The test is not in the delivery log and not in any count. When the receiver answers 2xx, a pause after failures or a Retry-After ends, and deliveries that wait for a retry are sent now. An account may run at most 4 tests at the same time.",
    params: webhookById,
    status: 200,
    response: testResult,
    errors: ["not_found", "overloaded"],
  },
  listDeliveries: {
    ...common,
    method: "GET",
    path: "/v1/webhooks/{id}/deliveries",
    summary: "Read the log of deliveries",
    description:
      "Deliveries of the last 7 days: every delivery with a failed attempt, and a sample of the others (20 at once, then one per second).",
    params: webhookById,
    query: deliveryQuery,
    status: 200,
    response: deliveryList,
    errors: ["not_found", "invalid_cursor"],
  },
  readDelivery: {
    ...common,
    method: "GET",
    path: "/v1/webhooks/{id}/deliveries/{delivery_id}",
    summary: "Read one delivery with its request",
    description:
      "A delivery that is in the log of deliveries, with its attempts, and its request made again from the item log: headers, and the body of that version of the item. The signature is of now. 410 retired when the operator has dropped the item.",
    params: deliveryById,
    status: 200,
    response: deliveryDetail,
    errors: ["not_found", "retired"],
  },
  resendDelivery: {
    ...common,
    method: "POST",
    path: "/v1/webhooks/{id}/deliveries/{delivery_id}/resend",
    idempotent: true,
    summary: "Send one delivery again",
    description:
      "Sends a delivery that the endpoint was sent before, or one of any age in the log that matches its filters now. It has the same webhook-id, and is retried like a new delivery. On a plan with a daily cap, a delivery that was not sent in the last 7 days counts as a live item, and is refused when the cap is reached.",
    params: deliveryById,
    status: 202,
    response: queued,
    errors: ["not_found", "retired", "conflict", "quota_exceeded", "idempotency_conflict"],
  },
  recoverWebhook: {
    ...common,
    method: "POST",
    path: "/v1/webhooks/{id}/recover",
    idempotent: true,
    summary: "Send failed deliveries again",
    description:
      "Sends deliveries again that were attempted and given up since a time, oldest first, until 10,000 are due. It does not cover items that expired before an attempt, or that were scored while the endpoint was disabled. Use a replay for these.",
    params: webhookById,
    body: recoverRequest,
    status: 202,
    response: queued,
    errors: ["not_found", "retired", "conflict", "idempotency_conflict"],
  },
  replayWebhook: {
    ...common,
    method: "POST",
    path: "/v1/webhooks/{id}/replay",
    idempotent: true,
    summary: "Send a range of the log again",
    description:
      "Sends all items of the range that match the filters, in order, one at a time, alongside live items. The range may have at most 100,000 positions of the log, all of them still stored; a time before the oldest entry means that one. Receivers recognise deliveries that they had before by the webhook-id. Counts towards the plan's daily cap.",
    params: webhookById,
    body: replayRange,
    status: 202,
    response: replayStarted,
    errors: ["not_found", "conflict", "idempotency_conflict"],
  },
  listWebhookStats: {
    ...common,
    method: "GET",
    path: "/v1/webhooks/stats",
    summary: "Read how all endpoints are doing",
    description:
      "One row per endpoint: backlog, pause, latency of the attempts, and counts per UTC hour for up to 7 days. The hours are a few seconds behind.",
    query: statsQuery,
    status: 200,
    response: webhookStatsList,
    errors: [],
  },
  readWebhookStats: {
    ...common,
    method: "GET",
    path: "/v1/webhooks/{id}/stats",
    summary: "Read delivery counts, now and by hour",
    description:
      "Totals, the backlog, and counts per UTC hour for up to 7 days. The hours are a few seconds behind.",
    params: webhookById,
    query: statsQuery,
    status: 200,
    response: webhookStats,
    errors: ["not_found"],
  },
} as const satisfies Record<string, Route>;
