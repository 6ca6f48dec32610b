import { z } from "zod";
import { exampleIds } from "../examples/values.ts";
import {
  deliveryList,
  deliveryQuery,
  queued,
  recoverRequest,
  replayRange,
  replayStarted,
  statsQuery,
  testResult,
  webhookStats,
} from "../webhook-deliveries.ts";
import { webhookById } from "./parameters.ts";
import type { Route } from "./types.ts";

const deliveryById = z.object({
  ...webhookById.shape,
  delivery_id: z
    .string()
    .regex(/^msg_[\da-f]{32}_\d{1,15}$/, "must be the id of a delivery, such as msg_9961c939...3d13_48213")
    .meta({ description: "Id of the delivery, its webhook-id.", examples: [exampleIds.delivery] }),
});

const common = { auth: "key", section: "webhooks" } as const;

/** The routes that look after the deliveries of an endpoint. */
export const webhookDeliveryRoutes = {
  testWebhook: {
    ...common,
    method: "POST",
    path: "/v1/webhooks/{id}/test",
    summary: "Send a test event",
    description:
      "One signed attempt of type webhook.test, to a disabled endpoint too; answered when the receiver has answered, or after 15 seconds. It is in no log and no count. At most 4 of an account at a time.",
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
      "Of the last 7 days: all that failed once, and successes while they are few (20 at once, then one a second).",
    params: webhookById,
    query: deliveryQuery,
    status: 200,
    response: deliveryList,
    errors: ["not_found", "invalid_cursor"],
  },
  resendDelivery: {
    ...common,
    method: "POST",
    path: "/v1/webhooks/{id}/deliveries/{delivery_id}/resend",
    idempotent: true,
    summary: "Send one delivery again",
    description:
      "One that the endpoint was sent, or one of the log that passes its filters now, however old it is: with the same webhook-id, and retries as for a new one. On a plan with a daily cap one that was not sent in the last 7 days is a live item like another, and refused once the cap is used up.",
    params: deliveryById,
    status: 202,
    response: queued,
    errors: ["not_found", "conflict", "quota_exceeded", "idempotency_conflict"],
  },
  recoverWebhook: {
    ...common,
    method: "POST",
    path: "/v1/webhooks/{id}/recover",
    idempotent: true,
    summary: "Send again what was given up",
    description:
      "Deliveries that were tried and given up since a time, oldest first, until 10,000 are due. What expired untried, while it waited for the endpoint to come back, and what came while the endpoint was disabled leaves no delivery: that is for a replay.",
    params: webhookById,
    body: recoverRequest,
    status: 202,
    response: queued,
    errors: ["not_found", "conflict", "idempotency_conflict"],
  },
  replayWebhook: {
    ...common,
    method: "POST",
    path: "/v1/webhooks/{id}/replay",
    idempotent: true,
    summary: "Send a range of the log again",
    description:
      "All items of the range that the filters let through, in order, one at a time, beside the live ones; at most 100,000 places of the log. Receivers know what they had by its webhook-id. Counts towards the plan's daily cap.",
    params: webhookById,
    body: replayRange,
    status: 202,
    response: replayStarted,
    errors: ["not_found", "conflict", "idempotency_conflict"],
  },
  readWebhookStats: {
    ...common,
    method: "GET",
    path: "/v1/webhooks/{id}/stats",
    summary: "Read what was delivered each hour",
    description: "By hours of UTC, of up to 7 days; some seconds behind.",
    params: webhookById,
    query: statsQuery,
    status: 200,
    response: webhookStats,
    errors: ["not_found"],
  },
} as const satisfies Record<string, Route>;
