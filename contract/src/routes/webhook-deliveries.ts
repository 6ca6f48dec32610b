import type { z } from "zod";
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

interface Schemas<Endpoint, ById, ByDelivery> {
  readonly endpoint: Endpoint;
  readonly byId: ById;
  readonly byDelivery: ByDelivery;
}

const common = { auth: "key", section: "webhooks" } as const;

/** The routes that look after the deliveries of an endpoint. */
export function webhookDeliveryRoutes<
  Endpoint extends z.ZodObject,
  ById extends z.ZodObject,
  ByDelivery extends z.ZodObject,
>({ endpoint, byId, byDelivery }: Schemas<Endpoint, ById, ByDelivery>) {
  return {
    rotateWebhook: {
      ...common,
      method: "POST",
      path: "/v1/webhooks/{id}/rotate",
      idempotent: true,
      summary: "Give a webhook endpoint a new secret",
      description:
        "The answer carries it. For 24 hours deliveries are signed with the old one too; a second rotation within them ends the oldest.",
      params: byId,
      status: 200,
      response: endpoint,
      errors: ["not_found", "idempotency_conflict"],
    },
    testWebhook: {
      ...common,
      method: "POST",
      path: "/v1/webhooks/{id}/test",
      summary: "Send a test event",
      description:
        "One signed attempt of type webhook.test, to a disabled endpoint too; answered when the receiver has answered, or after 15 seconds. It is in no log and no count. At most 4 of an account at a time.",
      params: byId,
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
      params: byId,
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
      params: byDelivery,
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
      params: byId,
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
      params: byId,
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
      params: byId,
      query: statsQuery,
      status: 200,
      response: webhookStats,
      errors: ["not_found"],
    },
  } as const;
}
