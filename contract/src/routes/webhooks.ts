import type { TagDictionary } from "../tags.ts";
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
  description: "Deliveries end; what waits is dropped.",
  response: webhookDeletion,
  errors: ["not_found"],
} as const satisfies Route;

/** The routes that manage endpoints. */
export function webhookRoutes(dictionary: TagDictionary) {
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
      description: "Without filters it receives every item. The answer carries its signing secret.",
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
      description: "The one read that shows the secret again.",
      response: webhooks.endpoint,
      errors: ["not_found"],
    },
    updateWebhook: {
      ...ofOne,
      method: "PATCH",
      path: "/v1/webhooks/{id}",
      summary: "Change a webhook endpoint",
      description:
        "Members that are absent stay as they are. Another url, or enabled: true, forgets the failures so far: deliveries go on at once. As many endpoints may be enabled as the plan allows.",
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
        "The answer carries it. For 24 hours deliveries are signed with the old one too; a second rotation within them ends the oldest.",
      response: webhooks.endpoint,
      errors: ["not_found", "idempotency_conflict"],
    },
  } as const satisfies Record<string, Route>;
}
