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
} from "./admin.ts";
import type { ErrorCode } from "./errors.ts";
import { feedItemDetail, feedList, itemId } from "./feeds.ts";
import { listQuery } from "./filter.ts";
import { instantText, slug } from "./input.ts";
import { sourceDetail, sourceList } from "./reference.ts";
import { scoreBatch, scoreBatchRequest, scoreRequest, verdict } from "./score.ts";
import type { TagDictionary } from "./tags.ts";

/** One endpoint: everything that router, validation, OpenAPI and docs need to know of it. */
export interface Route {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** With `{name}` for path parameters. */
  readonly path: string;
  /** Whose bearer token opens it: an API key, the operator's admin token, or nobody's. */
  readonly auth: "key" | "admin" | "none";
  /** Plan ability the key needs, beyond being valid. */
  readonly needs?: "feed_list" | "score_per_day";
  /** Takes an Idempotency-Key header. */
  readonly idempotent?: boolean;
  readonly summary: string;
  readonly description?: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Media types taken, application/json when absent. */
  readonly bodyTypes?: readonly string[];
  readonly status: number;
  readonly response: z.ZodType;
  /** Headers of the answer that tell something of their own. */
  readonly headers?: readonly string[];
  /** Errors beyond those every route of its kind can give (see openapi.ts). */
  readonly errors: readonly ErrorCode[];
}

const byId = z.object({ id: itemId });

/** The routes that exist, in the order the documentation shows them. */
export function routeTable(dictionary: TagDictionary) {
  return {
    listFeeds: {
      method: "GET",
      path: "/v1/feeds",
      auth: "key",
      needs: "feed_list",
      summary: "List scored items",
      description:
        "Newest first by published_at, then id. All filters must hold; values within one filter are alternatives. A walk from page to page shows each item that existed at its start exactly once.",
      query: listQuery(dictionary),
      status: 200,
      response: feedList,
      headers: ["X-Page-Limit"],
      errors: ["invalid_cursor", "overloaded"],
    },
    readFeed: {
      method: "GET",
      path: "/v1/feeds/{id}",
      auth: "key",
      summary: "Read one item with its per-symbol analysis",
      description:
        "On plans without scores the item is answered with scoring.locked = true. With as_of: the version and the score that stood at that time.",
      params: byId,
      query: z.object({ as_of: instantText.optional().describe("An instant; the newest when absent.") }),
      status: 200,
      response: feedItemDetail,
      errors: ["not_found"],
    },
    listSourceNames: {
      method: "GET",
      path: "/v1/sources",
      auth: "key",
      summary: "List the names of the sources",
      status: 200,
      response: sourceList,
      errors: [],
    },
    readSource: {
      method: "GET",
      path: "/v1/sources/{name}",
      auth: "key",
      summary: "Read the activity of one source",
      params: z.object({ name: slug }),
      status: 200,
      response: sourceDetail,
      errors: ["not_found"],
    },
    score: {
      method: "POST",
      path: "/v1/score",
      auth: "key",
      needs: "score_per_day",
      idempotent: true,
      summary: "Score a text of your own",
      description:
        "The same artifact, options and model version give the same verdict. With an Idempotency-Key a repeat within 24 hours gets the stored answer and costs nothing. A call that fails costs nothing.",
      body: scoreRequest,
      status: 200,
      response: verdict,
      errors: ["quota_exceeded", "idempotency_conflict"],
    },
    scoreBatch: {
      method: "POST",
      path: "/v1/score/batch",
      auth: "key",
      needs: "score_per_day",
      idempotent: true,
      summary: "Score up to 100 texts",
      description:
        "One unit an artifact; what is refused costs nothing. Answers in the order of the artifacts, a verdict or an error each.",
      body: scoreBatchRequest,
      status: 200,
      response: scoreBatch,
      errors: ["quota_exceeded", "idempotency_conflict"],
    },
    createAccount: {
      method: "POST",
      path: "/admin/v1/accounts",
      auth: "admin",
      summary: "Create an account",
      body: accountCreate,
      status: 201,
      response: account,
      errors: [],
    },
    listAccounts: {
      method: "GET",
      path: "/admin/v1/accounts",
      auth: "admin",
      summary: "List accounts",
      status: 200,
      response: z.object({ data: z.array(account) }),
      errors: [],
    },
    updateAccount: {
      method: "PATCH",
      path: "/admin/v1/accounts/{id}",
      auth: "admin",
      summary: "Rename an account or move it to another plan",
      description: "A change of plan takes effect within 5 seconds, on open streams too.",
      params: byId,
      body: accountUpdate,
      status: 200,
      response: account,
      errors: ["not_found"],
    },
    createKey: {
      method: "POST",
      path: "/admin/v1/keys",
      auth: "admin",
      summary: "Create an API key",
      description:
        "With `plan` instead of `account_id` a new account is made for it. The key is shown this once.",
      body: keyCreate,
      status: 201,
      response: createdKey,
      errors: ["not_found"],
    },
    listKeys: {
      method: "GET",
      path: "/admin/v1/keys",
      auth: "admin",
      summary: "List API keys, without their secrets",
      status: 200,
      response: z.object({ data: z.array(apiKey) }),
      errors: [],
    },
    revokeKey: {
      method: "DELETE",
      path: "/admin/v1/keys/{id}",
      auth: "admin",
      summary: "Revoke an API key",
      description: "Takes effect within 5 seconds, on open streams too. Revoking twice is no error.",
      params: byId,
      status: 200,
      response: apiKey,
      errors: ["not_found"],
    },
    pushItems: {
      method: "POST",
      path: "/admin/v1/items",
      auth: "admin",
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
      method: "DELETE",
      path: "/admin/v1/items/{id}",
      auth: "admin",
      summary: "Withdraw an item",
      description:
        "The item stays in its place with status retracted, streams carry it once more, and its source does not bring it back.",
      params: byId,
      status: 200,
      response: retraction,
      errors: ["not_found"],
    },
    replay: {
      method: "POST",
      path: "/admin/v1/replay",
      auth: "admin",
      summary: "Read kept answers of sources again",
      description:
        "After a reader was corrected: items it had missed are created, items it reads otherwise are revised. Some answers at a time: go on with after = next until that is null.",
      body: replayRequest,
      status: 200,
      response: replayResult,
      errors: [],
    },
    rescore: {
      method: "POST",
      path: "/admin/v1/rescore",
      auth: "admin",
      summary: "Score stored items again",
      description:
        "Adds scores; those before stay, and streams hear nothing of it. A single read shows the newest, or with as_of the one that stood at a time.",
      body: rescoreRequest,
      status: 200,
      response: rescoreResult,
      errors: [],
    },
    probeSource: {
      method: "POST",
      path: "/admin/v1/sources/{id}/probe",
      auth: "admin",
      summary: "Fetch a source once and tell what it says",
      description: "Stores nothing. Waits for the host's turn like any fetch.",
      params: z.object({ id: slug }),
      status: 200,
      response: sourceProbe,
      errors: ["not_found"],
    },
    listSources: {
      method: "GET",
      path: "/admin/v1/sources",
      auth: "admin",
      summary: "Health of every configured source",
      status: 200,
      response: sourceHealthList,
      errors: [],
    },
  } as const satisfies Record<string, Route>;
}
export type Routes = ReturnType<typeof routeTable>;
