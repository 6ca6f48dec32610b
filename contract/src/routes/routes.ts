import { z } from "zod";
import { me, usage, usageDays } from "../account.ts";
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
import type { ErrorCode } from "../errors.ts";
import { exampleIds } from "../examples/values.ts";
import { feedItemDetail, feedList } from "../feeds.ts";
import { integerText, listQuery } from "../filter.ts";
import { instantText, slug } from "../input.ts";
import {
  provider,
  providerList,
  sourceDetail,
  sourceList,
  symbolDetail,
  symbolList,
  symbolListLimit,
  tagDimensionValues,
  tagList,
} from "../reference.ts";
import { scoreBatch, scoreBatchRequest, scoreRequest, verdict } from "../score.ts";
import { type TagDictionary, tagDimension } from "../tags.ts";
import { webhookDeletion, webhookSchemas } from "../webhooks.ts";
import { webhookDeliveryRoutes } from "./webhook-deliveries.ts";

/** The headings of the documentation, in its order. */
export const sections = {
  feeds: "Scored items: the list with its filters, and single items in full.",
  score: "Texts of your own, judged by the engine that judges the feed.",
  webhooks: "Addresses that scored items are delivered to.",
  reference: "What filters may name: providers, sources, symbols, tags. On every plan; uses no quota.",
  account: "The key, what its plan allows, and what was used. On every plan; uses no quota.",
  admin: "For the operator, with the admin token: accounts, keys, items and sources.",
} as const;

/** One endpoint: everything that router, validation, OpenAPI and docs need to know of it. */
export interface Route {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** With `{name}` for path parameters. */
  readonly path: string;
  /** Whose bearer token opens it: an API key, the operator's admin token, or nobody's. */
  readonly auth: "key" | "admin" | "none";
  /** The heading it stands under in the documentation. */
  readonly section: keyof typeof sections;
  /** Plan ability the key needs, beyond being valid. */
  readonly needs?: "feed_list" | "score_per_day";
  /** Takes an Idempotency-Key header. */
  readonly idempotent?: boolean;
  readonly summary: string;
  readonly description: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Media types taken, application/json when absent. */
  readonly bodyTypes?: readonly string[];
  readonly status: number;
  readonly response: z.ZodType;
  /** Headers of the answer that tell something of their own. */
  readonly headers?: readonly "X-Page-Limit"[];
  /** Errors beyond those every route of its kind can give (see openapi-answers.ts). */
  readonly errors: readonly ErrorCode[];
}

const byUuid = (description: string, example: string) =>
  z.object({
    id: z
      .guid()
      .toLowerCase()
      .meta({ description, examples: [example] }),
  });
const itemById = byUuid(
  "Id of the item: UUIDv5 of its unique_id, the same in every deployment.",
  "3f1c2a5e-8f0b-5d3a-9c41-6a2d6c5f7b10",
);
const accountById = byUuid("Id of the account.", exampleIds.account);
const keyById = byUuid("Id of the key, not the key itself.", exampleIds.key);
const webhookById = byUuid("Id of the endpoint.", exampleIds.webhook);
const deliveryById = z.object({
  ...webhookById.shape,
  delivery_id: z
    .string()
    .regex(/^msg_[\da-f]{32}_\d{1,15}$/, "must be the id of a delivery, such as msg_9961c939...3d13_48213")
    .meta({ description: "Id of the delivery, its webhook-id.", examples: [exampleIds.delivery] }),
});
const bounded = ({ min, max }: { min: number; max: number }) => integerText.pipe(z.int().min(min).max(max));

/** The routes that exist, in the order the documentation shows them. */
export function routeTable(dictionary: TagDictionary) {
  const webhooks = webhookSchemas(dictionary);
  return {
    listFeeds: {
      method: "GET",
      path: "/v1/feeds",
      auth: "key",
      section: "feeds",
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
      section: "feeds",
      summary: "Read one item with its per-symbol analysis",
      description:
        "On plans without scores the item is answered with scoring.locked = true. With as_of: the version and the score that stood at that time.",
      params: itemById,
      query: z.object({
        as_of: instantText
          .optional()
          .meta({ description: "An instant; the newest when absent.", examples: ["2026-03-02T15:00:00Z"] }),
      }),
      status: 200,
      response: feedItemDetail,
      errors: ["not_found"],
    },
    me: {
      method: "GET",
      path: "/v1/me",
      auth: "key",
      section: "account",
      summary: "Read the key, its plan, limits and today's use",
      description: "On every plan; uses no quota.",
      status: 200,
      response: me,
      errors: [],
    },
    usage: {
      method: "GET",
      path: "/v1/usage",
      auth: "key",
      section: "account",
      summary: "Read the use of each day",
      description: "Of the whole account, by days of UTC. On every plan; uses no quota.",
      query: z.object({
        days: bounded(usageDays)
          .optional()
          .meta({
            description: `Days to look back, today included; ${usageDays.fallback} when absent.`,
            examples: [7],
          }),
      }),
      status: 200,
      response: usage,
      errors: [],
    },
    listProviders: {
      method: "GET",
      path: "/v1/providers",
      auth: "key",
      section: "reference",
      summary: "List providers",
      description: "Who issues or writes items: those configured and those that items name, by name.",
      status: 200,
      response: providerList,
      errors: [],
    },
    readProvider: {
      method: "GET",
      path: "/v1/providers/{id}",
      auth: "key",
      section: "reference",
      summary: "Read one provider",
      description: "Its name, logo and kind, and how much it has issued.",
      params: z.object({
        id: z
          .string()
          .min(1)
          .max(64)
          .meta({ description: "FeedItem.provider_id.", examples: ["newsdesk"] }),
      }),
      status: 200,
      response: provider,
      errors: ["not_found"],
    },
    listSourceNames: {
      method: "GET",
      path: "/v1/sources",
      auth: "key",
      section: "reference",
      summary: "List the names of the sources",
      description:
        "Those configured and those that pushed items came under: the values of the aggregator filter.",
      status: 200,
      response: sourceList,
      errors: [],
    },
    readSource: {
      method: "GET",
      path: "/v1/sources/{name}",
      auth: "key",
      section: "reference",
      summary: "Read the activity of one source",
      description:
        "Items of all time and of the last 24 hours, the newest, how late they come, and whether it works.",
      params: z.object({
        name: z
          .string()
          .min(1)
          .max(64)
          .meta({ description: "FeedItem.source.", examples: ["sec-edgar"] }),
      }),
      status: 200,
      response: sourceDetail,
      errors: ["not_found", "overloaded"],
    },
    listSymbols: {
      method: "GET",
      path: "/v1/symbols",
      auth: "key",
      section: "reference",
      summary: "List tracked symbols",
      description:
        "Those of the symbol table and those that items name, largest first; each ticker once, by its main line.",
      query: z.object({
        limit: bounded(symbolListLimit)
          .optional()
          .meta({ description: `Entries wanted; ${symbolListLimit.fallback} when absent.`, examples: [100] }),
      }),
      status: 200,
      response: symbolList,
      errors: [],
    },
    readSymbol: {
      method: "GET",
      path: "/v1/symbols/{ticker}",
      auth: "key",
      section: "reference",
      summary: "Read one symbol with its feed count",
      description: "AAPL, or NASDAQ:AAPL for the line on one exchange; in any case.",
      params: z.object({
        ticker: z
          .string()
          .min(1)
          .max(64)
          .meta({ description: "Ticker, or EXCHANGE:TICKER.", examples: ["NASDAQ:AAPL"] }),
      }),
      status: 200,
      response: symbolDetail,
      errors: ["not_found", "overloaded"],
    },
    listTags: {
      method: "GET",
      path: "/v1/tags",
      auth: "key",
      section: "reference",
      summary: "Read the tag dictionary",
      description:
        "Every dimension with its values; of market_country only countries that items have, though filters take any ISO 3166-1 code.",
      status: 200,
      response: tagList,
      errors: [],
    },
    readTagDimension: {
      method: "GET",
      path: "/v1/tags/{dimension}",
      auth: "key",
      section: "reference",
      summary: "Read one dimension of the tag dictionary",
      description:
        "Its values with their labels and how many items have them. A dimension that does not exist is 400.",
      params: z.object({
        dimension: tagDimension.meta({ description: "Name of the dimension.", examples: ["corp_activity"] }),
      }),
      status: 200,
      response: tagDimensionValues,
      errors: [],
    },
    score: {
      method: "POST",
      path: "/v1/score",
      auth: "key",
      section: "score",
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
      section: "score",
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
    listWebhooks: {
      method: "GET",
      path: "/v1/webhooks",
      auth: "key",
      section: "webhooks",
      summary: "List webhook endpoints, without their secrets",
      description: "Oldest first.",
      status: 200,
      response: webhooks.list,
      errors: [],
    },
    createWebhook: {
      method: "POST",
      path: "/v1/webhooks",
      auth: "key",
      section: "webhooks",
      idempotent: true,
      summary: "Create a webhook endpoint",
      description: "Without filters it receives every item. The answer carries its signing secret.",
      body: webhooks.create,
      status: 201,
      response: webhooks.endpoint,
      errors: ["invalid_url", "plan_limit", "idempotency_conflict"],
    },
    readWebhook: {
      method: "GET",
      path: "/v1/webhooks/{id}",
      auth: "key",
      section: "webhooks",
      summary: "Read one webhook endpoint with its secret",
      description: "The one read that shows the secret again.",
      params: webhookById,
      status: 200,
      response: webhooks.endpoint,
      errors: ["not_found"],
    },
    updateWebhook: {
      method: "PATCH",
      path: "/v1/webhooks/{id}",
      auth: "key",
      section: "webhooks",
      summary: "Change a webhook endpoint",
      description:
        "Members that are absent stay as they are. Another url, or enabled: true, forgets the failures so far: deliveries go on at once. As many endpoints may be enabled as the plan allows.",
      params: webhookById,
      body: webhooks.update,
      status: 200,
      response: webhooks.endpoint,
      errors: ["not_found", "invalid_url", "plan_limit"],
    },
    deleteWebhook: {
      method: "DELETE",
      path: "/v1/webhooks/{id}",
      auth: "key",
      section: "webhooks",
      summary: "Delete a webhook endpoint",
      description: "Deliveries end; what waits is dropped.",
      params: webhookById,
      status: 200,
      response: webhookDeletion,
      errors: ["not_found"],
    },
    ...webhookDeliveryRoutes({
      endpoint: webhooks.endpoint,
      byId: webhookById,
      byDelivery: deliveryById,
    }),
    createAccount: {
      method: "POST",
      path: "/admin/v1/accounts",
      auth: "admin",
      section: "admin",
      summary: "Create an account",
      description: "Quotas and caps count per account, so more keys buy nothing.",
      body: accountCreate,
      status: 201,
      response: account,
      errors: [],
    },
    listAccounts: {
      method: "GET",
      path: "/admin/v1/accounts",
      auth: "admin",
      section: "admin",
      summary: "List accounts",
      description: "Oldest first.",
      status: 200,
      response: z.object({ data: z.array(account) }),
      errors: [],
    },
    updateAccount: {
      method: "PATCH",
      path: "/admin/v1/accounts/{id}",
      auth: "admin",
      section: "admin",
      summary: "Rename an account or move it to another plan",
      description: "A change of plan takes effect within 5 seconds, on open streams too.",
      params: accountById,
      body: accountUpdate,
      status: 200,
      response: account,
      errors: ["not_found"],
    },
    createKey: {
      method: "POST",
      path: "/admin/v1/keys",
      auth: "admin",
      section: "admin",
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
      section: "admin",
      summary: "List API keys, without their secrets",
      description: "Oldest first, revoked ones too.",
      status: 200,
      response: z.object({ data: z.array(apiKey) }),
      errors: [],
    },
    revokeKey: {
      method: "DELETE",
      path: "/admin/v1/keys/{id}",
      auth: "admin",
      section: "admin",
      summary: "Revoke an API key",
      description: "Takes effect within 5 seconds, on open streams too. Revoking twice is no error.",
      params: keyById,
      status: 200,
      response: apiKey,
      errors: ["not_found"],
    },
    pushItems: {
      method: "POST",
      path: "/admin/v1/items",
      auth: "admin",
      section: "admin",
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
      section: "admin",
      summary: "Withdraw an item",
      description:
        "The item stays in its place with status retracted, streams carry it once more, and its source does not bring it back.",
      params: itemById,
      status: 200,
      response: retraction,
      errors: ["not_found"],
    },
    replay: {
      method: "POST",
      path: "/admin/v1/replay",
      auth: "admin",
      section: "admin",
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
      section: "admin",
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
      section: "admin",
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
      method: "GET",
      path: "/admin/v1/sources",
      auth: "admin",
      section: "admin",
      summary: "Health of every configured source",
      description:
        "One entry of the configuration each: when it was polled, what it brought, what is the matter and what helps.",
      status: 200,
      response: sourceHealthList,
      errors: [],
    },
  } as const satisfies Record<string, Route>;
}
export type Routes = ReturnType<typeof routeTable>;
