import type { Dictionary } from "../tags.ts";
import { webhookDeletion, webhookSchemas } from "../webhooks.ts";
import { webhookById } from "./parameters.ts";
import type { Route } from "./types.ts";

const common = { auth: "key", section: "webhooks" } as const;
const ofOne = { ...common, params: webhookById, status: 200 } as const;

const deleteWebhook = {
  ...ofOne,
  method: "DELETE",
  path: "/v1/webhooks/{id}",
  summary: "Delete a webhook endpoint",
  description: "Stops deliveries to the endpoint and drops those that wait.",
  response: webhookDeletion,
  errors: ["not_found"],
} as const satisfies Route;

/** The routes that manage endpoints. */
export function webhookRoutes(dictionary: Dictionary) {
  const webhooks = webhookSchemas(dictionary);
  return {
    listWebhooks: {
      ...common,
      method: "GET",
      path: "/v1/webhooks",
      summary: "List webhook endpoints, without their secrets",
      description: "Oldest first.",
      status: 200,
      response: webhooks.list,
      errors: [],
    },
    createWebhook: {
      ...common,
      method: "POST",
      path: "/v1/webhooks",
      idempotent: true,
      summary: "Create a webhook endpoint",
      description:
        "An endpoint without filters receives every item. The response contains the signing secret.",
      body: webhooks.create,
      status: 201,
      response: webhooks.endpoint,
      errors: ["invalid_url", "plan_limit", "idempotency_conflict"],
    },
    readWebhook: {
      ...ofOne,
      method: "GET",
      path: "/v1/webhooks/{id}",
      summary: "Read one webhook endpoint with its secret",
      description: "Use this to see the signing secret again.",
      response: webhooks.endpoint,
      errors: ["not_found"],
    },
    updateWebhook: {
      ...ofOne,
      method: "PATCH",
      path: "/v1/webhooks/{id}",
      summary: "Change a webhook endpoint",
      description:
        "Absent members do not change. A new url, or enabled: true, resets the failures, so that deliveries continue at once. The plan limits how many endpoints may be enabled.",
      body: webhooks.update,
      response: webhooks.endpoint,
      errors: ["not_found", "invalid_url", "plan_limit"],
    },
    deleteWebhook,
    rotateWebhook: {
      ...ofOne,
      method: "POST",
      path: "/v1/webhooks/{id}/rotate",
      idempotent: true,
      summary: "Give a webhook endpoint a new secret",
      description:
        "The response contains the new secret. For 24 hours deliveries are signed with both secrets. A second rotation within that time drops the oldest secret.",
      response: webhooks.endpoint,
      errors: ["not_found", "idempotency_conflict"],
    },
  } as const satisfies Record<string, Route>;
}
