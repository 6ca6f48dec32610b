import { z } from "zod";
import {
  account,
  accountCreate,
  accountUpdate,
  apiKey,
  createdKey,
  keyCreate,
  pushAnswer,
  pushItem,
  replayRequest,
  replayResult,
  rescoreRequest,
  rescoreResult,
  retraction,
  sourceHealthList,
  sourceProbe,
} from "../admin.ts";
import { exampleIds } from "../examples/values.ts";
import { slug } from "../input.ts";
import { byUuid, itemById } from "./parameters.ts";
import type { Route } from "./types.ts";

const accountById = byUuid("Id of the account.", exampleIds.account);
const keyById = byUuid("Id of the key, not the key itself.", exampleIds.key);
const common = { auth: "admin", section: "admin" } as const;

export const adminRoutes = {
  createAccount: {
    ...common,
    method: "POST",
    path: "/admin/v1/accounts",
    summary: "Create an account",
    description: "Quotas and caps count per account, so more keys buy nothing.",
    body: accountCreate,
    status: 201,
    response: account,
    errors: [],
  },
  listAccounts: {
    ...common,
    method: "GET",
    path: "/admin/v1/accounts",
    summary: "List accounts",
    description: "Oldest first.",
    status: 200,
    response: z.object({ data: z.array(account) }),
    errors: [],
  },
  updateAccount: {
    ...common,
    method: "PATCH",
    path: "/admin/v1/accounts/{id}",
    summary: "Rename an account or move it to another plan",
    description: "A change of plan takes effect within 5 seconds, on open streams too.",
    params: accountById,
    body: accountUpdate,
    status: 200,
    response: account,
    errors: ["not_found"],
  },
  createKey: {
    ...common,
    method: "POST",
    path: "/admin/v1/keys",
    summary: "Create an API key",
    description:
      "With `plan` instead of `account_id` a new account is made for it. The key is shown this once.",
    body: keyCreate,
    status: 201,
    response: createdKey,
    errors: ["not_found"],
  },
  listKeys: {
    ...common,
    method: "GET",
    path: "/admin/v1/keys",
    summary: "List API keys, without their secrets",
    description: "Oldest first, revoked ones too.",
    status: 200,
    response: z.object({ data: z.array(apiKey) }),
    errors: [],
  },
  revokeKey: {
    ...common,
    method: "DELETE",
    path: "/admin/v1/keys/{id}",
    summary: "Revoke an API key",
    description: "Takes effect within 5 seconds, on open streams too. Revoking twice is no error.",
    params: keyById,
    status: 200,
    response: apiKey,
    errors: ["not_found"],
  },
  pushItems: {
    ...common,
    method: "POST",
    path: "/admin/v1/items",
    summary: "Push items into the feed",
    description:
      "One item, an array, or NDJSON (one item a line). Answers per item, in order: a repeat is a duplicate, a malformed one is rejected with its fields while the others go in. 200 when every item is stored.",
    body: z.union([pushItem, z.array(pushItem)]),
    bodyTypes: ["application/json", "application/x-ndjson"],
    status: 200,
    response: pushAnswer,
    errors: ["body_too_large"],
  },
  retractItem: {
    ...common,
    method: "DELETE",
    path: "/admin/v1/items/{id}",
    summary: "Withdraw an item",
    description:
      "The item stays in its place with status retracted, streams carry it once more, and its source does not bring it back.",
    params: itemById,
    status: 200,
    response: retraction,
    errors: ["not_found"],
  },
  replay: {
    ...common,
    method: "POST",
    path: "/admin/v1/replay",
    summary: "Read kept answers of sources again",
    description:
      "After a reader was corrected: items it had missed are created, items it reads otherwise are revised. Some answers at a time: go on with after = next until that is null.",
    body: replayRequest,
    status: 200,
    response: replayResult,
    errors: [],
  },
  rescore: {
    ...common,
    method: "POST",
    path: "/admin/v1/rescore",
    summary: "Score stored items again",
    description:
      "Adds scores; those before stay, and streams hear nothing of it. A single read shows the newest, or with as_of the one that stood at a time.",
    body: rescoreRequest,
    status: 200,
    response: rescoreResult,
    errors: [],
  },
  probeSource: {
    ...common,
    method: "POST",
    path: "/admin/v1/sources/{id}/probe",
    summary: "Fetch a source once and tell what it says",
    description: "Stores nothing. Waits for the host's turn like any fetch.",
    params: z.object({
      id: slug.meta({ description: "Id of an entry of the sources file.", examples: ["sec-edgar"] }),
    }),
    status: 200,
    response: sourceProbe,
    errors: ["not_found"],
  },
  listSources: {
    ...common,
    method: "GET",
    path: "/admin/v1/sources",
    summary: "Health of every configured source",
    description:
      "One entry of the configuration each: when it was polled, what it brought, what is the matter and what helps.",
    status: 200,
    response: sourceHealthList,
    errors: [],
  },
} as const satisfies Record<string, Route>;
