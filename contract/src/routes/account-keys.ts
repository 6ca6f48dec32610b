import { z } from "zod";
import { apiKey, createdKey } from "../admin.ts";
import { accountKeyCreate, keyRotation, keyUpdate } from "../dashboard/people.ts";
import { exampleIds } from "../examples/values.ts";
import { byUuid } from "./parameters.ts";
import type { Route } from "./types.ts";

const common = { auth: "session", section: "dashboard" } as const;
const ofAccount = { ...common, params: byUuid("Id of the account.", exampleIds.account) } as const;
const ofKey = { ...common, params: byUuid("Id of the key, not the key itself.", exampleIds.key) } as const;

export const accountKeyRoutes = {
  listAccountKeys: {
    ...ofAccount,
    method: "GET",
    path: "/app/v1/accounts/{id}/keys",
    summary: "List the API keys of an account",
    description: "Oldest first, without their secrets. A member sees the keys that he or she created.",
    status: 200,
    response: z.object({ data: z.array(apiKey) }),
    errors: ["forbidden", "not_found"],
  },
  createAccountKey: {
    ...ofAccount,
    method: "POST",
    path: "/app/v1/accounts/{id}/keys",
    summary: "Create an API key for an account",
    description:
      "The key is shown only in this response. An account has at most 200 valid keys; 409 says so when it has them.",
    body: accountKeyCreate,
    status: 201,
    response: createdKey,
    errors: ["forbidden", "not_found", "conflict"],
  },
  updateAccountKey: {
    ...ofKey,
    method: "PATCH",
    path: "/app/v1/keys/{id}",
    summary: "Rename an API key or change its expiry",
    description:
      "A new expiry takes effect within 5 seconds. 409 when the key is revoked, or would be valid again beside 200 others.",
    body: keyUpdate,
    status: 200,
    response: apiKey,
    errors: ["forbidden", "not_found", "conflict"],
  },
  rotateAccountKey: {
    ...ofKey,
    method: "POST",
    path: "/app/v1/keys/{id}/rotate",
    summary: "Replace an API key",
    description:
      "Creates a key with the same name and expiry. The old key stays valid for `grace_s`, never longer than its own expiry, so that programs can change over. 409 when the account has 200 valid keys and the old one would be one more: send `grace_s` 0.",
    body: keyRotation,
    status: 201,
    response: createdKey,
    errors: ["forbidden", "not_found", "conflict"],
  },
  revokeAccountKey: {
    ...ofKey,
    method: "DELETE",
    path: "/app/v1/keys/{id}",
    summary: "Revoke an API key",
    description: "Takes effect within 5 seconds, also on open streams.",
    status: 200,
    response: apiKey,
    errors: ["forbidden", "not_found"],
  },
} as const satisfies Record<string, Route>;
