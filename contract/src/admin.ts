import { z } from "zod";
import { fieldError } from "./errors.ts";
import { artifactType, timestamp } from "./feeds.ts";
import { absentIfNull, instantText, isStorable, slug, storableRule } from "./input.ts";
import { planName } from "./plans.ts";

/** Bounds of one push. A request body is at most `bodyBytes`, NDJSON included. */
export const pushLimits = { bodyBytes: 16 * 1024 * 1024, items: 10_000 } as const;

const name = z.string().trim().min(1).max(200).refine(isStorable, storableRule).describe("For people.");

const sentBack = z.unknown().optional().describe("Ignored: a client may send back the record it has read.");

export const accountCreate = z.strictObject({ name, plan: planName }).meta({ id: "AccountCreate" });
export const accountUpdate = z
  .strictObject({
    name: absentIfNull(name).describe("For people."),
    plan: absentIfNull(planName).describe("Plan of the account."),
    id: sentBack,
    created_at: sentBack,
  })
  .refine((body) => body.name !== undefined || body.plan !== undefined, "name or plan is required")
  .meta({ id: "AccountUpdate" });
export const account = z
  .object({
    id: z.uuid().describe("Id of the account."),
    name: z.string().describe("For people."),
    plan: planName,
    created_at: timestamp,
  })
  .meta({ id: "Account" });
export type Account = z.infer<typeof account>;

/** A key for an account, or for a new account on a plan. */
export const keyCreate = z
  .strictObject({
    account_id: absentIfNull(z.uuid()).describe("Account the key is for."),
    plan: absentIfNull(planName).describe("Plan of a new account for the key."),
    name: absentIfNull(name)
      .transform((given) => given ?? "key")
      .describe("For people."),
    expires_at: absentIfNull(instantText).describe("When the key ends to be valid; never when absent."),
  })
  .refine((body) => (body.account_id === undefined) !== (body.plan === undefined), {
    error: "either account_id or plan is required",
    path: ["account_id"],
  })
  .meta({ id: "KeyCreate" });
export type KeyCreate = z.infer<typeof keyCreate>;
export const apiKey = z
  .object({
    id: z.uuid().describe("Id of the key, not the key itself."),
    account_id: z.uuid().describe("Account it belongs to."),
    account_name: z.string().describe("Name of that account."),
    plan: planName.describe("The account's plan."),
    name: z.string().describe("Name the operator gave it."),
    prefix: z.string().describe("First characters of the key."),
    last4: z.string().describe("Last characters of the key."),
    created_at: timestamp.describe("When it was made."),
    last_used_at: timestamp.nullable().describe("Last use, about; null: none yet."),
    expires_at: timestamp.nullable().describe("When it ends to be valid; null: never."),
    revoked_at: timestamp.nullable().describe("When it was revoked; null: it was not."),
  })
  .meta({ id: "ApiKey" });
export type ApiKey = z.infer<typeof apiKey>;
export const createdKey = z
  .object({ key: z.string().describe("The secret; shown this once."), ...apiKey.shape })
  .meta({ id: "CreatedKey" });
export type CreatedKey = z.infer<typeof createdKey>;

/**
 * An item pushed by the operator. `external_id` makes a repeat a duplicate; without it link or title do, until a source
 * that speaks for the link tells the item.
 */
export const pushItem = z
  .strictObject({
    type: absentIfNull(artifactType)
      .transform((given) => given ?? "news")
      .describe("Kind of item."),
    title: z.string().trim().min(1).max(1000).describe("Headline."),
    body: absentIfNull(z.string().max(200_000))
      .transform((given) => given ?? "")
      .describe("The text; scored, and kept for scoring again."),
    link: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .refine(isStorable, storableRule)
      .nullish()
      .describe("Address of the item at its source."),
    source: absentIfNull(slug)
      .transform((given) => given ?? "push")
      .describe("Name the item comes under (FeedItem.source)."),
    provider: absentIfNull(slug).describe("Who issued it (FeedItem.provider_id); the source when absent."),
    published_at: absentIfNull(instantText).describe("When it was published; now when absent."),
    external_id: absentIfNull(z.string().min(1).max(500).refine(isStorable, storableRule)).describe(
      "Your id: what has been pushed with it is the same item.",
    ),
    symbols: absentIfNull(z.array(z.string().trim().min(1).max(40).refine(isStorable, storableRule)).max(50))
      .transform((given) => given ?? [])
      .describe("AAPL or NASDAQ:AAPL; added to those the text names."),
    tags: absentIfNull(z.array(z.string().trim().min(1).max(64)).max(50))
      .transform((given) => given ?? [])
      .describe(
        "Tag values of any dimension, a country as its ISO 3166-1 alpha-2 code in capitals; added to those found. Others are ignored, and told in ignored_tags.",
      ),
  })
  .meta({ id: "PushItem" });
export type PushItem = z.infer<typeof pushItem>;

export const pushResult = z
  .object({
    id: z.uuid().nullable().describe("Of the item; null when rejected."),
    unique_id: z.string().nullable().describe("Of the item; null when rejected."),
    status: z.enum(["created", "duplicate", "revised", "rejected"]).describe("What became of it."),
    ignored_tags: z
      .array(z.string())
      .optional()
      .describe("Tags that no dimension knows; absent when there are none. The item is kept without them."),
    error: z.string().optional().describe("Why it was rejected."),
    errors: z.array(fieldError).optional().describe("The offending fields."),
  })
  .meta({ id: "PushResult" });
export type PushResult = z.infer<typeof pushResult>;
export const pushAnswer = z
  .object({ data: z.array(pushResult).describe("One entry an item, in their order.") })
  .meta({ id: "PushAnswer" });

/** A withdrawn item: it stays where it is, marked. */
export const retraction = z
  .object({
    id: z.uuid().describe("Id of the item."),
    status: z.literal("retracted").describe("What it is now."),
  })
  .meta({ id: "Retraction" });
export type Retraction = z.infer<typeof retraction>;

export const sourceStatuses = ["ok", "waiting", "stale", "failing", "disabled"] as const;
export const sourceStatus = z
  .enum(sourceStatuses)
  .meta({ id: "SourceStatus", description: "How a source is doing." });
export type SourceStatus = z.infer<typeof sourceStatus>;

/** Percentiles of the time from the source's own time to first sight, over the last live items. */
export const lagMs = z
  .object({
    p50: z.int().describe("Half of the items came within this."),
    p99: z.int().describe("99 of 100 came within this."),
  })
  .nullable()
  .describe("Source time to first sight over the last 200 live items, ms; null: none came live.");

const gap = z.object({
  from: timestamp.nullable().describe("The newest item known before."),
  to: timestamp.nullable().describe("The oldest that could be read."),
  noticed_at: timestamp.describe("When it was noticed."),
  reason: z.string().describe("Why they may be missing."),
  closed_at: timestamp.nullable().describe("Read from an archive since."),
});

const sourceReach = z.enum(["unknown", "reached", "doubted", "unreached"]);
export type SourceReach = z.infer<typeof sourceReach>;

/** Health of one source, as GET /admin/v1/sources tells it. */
export const sourceHealth = z
  .object({
    id: z.string().describe("Id of the entry in the sources file."),
    name: z.string().describe("FeedItem.source of its items."),
    url: z.string().describe("What is polled."),
    format: z.string().describe("How it is read."),
    enabled: z.boolean().describe("Whether it is polled."),
    status: sourceStatus.describe("ok, or what is the matter."),
    advice: z.string().nullable().describe("What is the matter and what helps; null when all is well."),
    last_poll_at: timestamp.nullable().describe("Last poll."),
    last_ok_at: timestamp.nullable().describe("Last poll that succeeded."),
    next_poll_at: timestamp.nullable().describe("Next poll."),
    newest_item_at: timestamp.nullable().describe("published_at of its newest item."),
    items: z.int().describe("Items this source has created."),
    failures: z
      .int()
      .describe("Failures in a row; not those while no source can be reached: they are not this source's."),
    reach: sourceReach.describe(
      "Whether the last poll reached its host. doubted: not, and no other source was reached since, so this machine's network may be away; it is tried again within seconds. unreached: not, though others were. unknown: the poll does not tell.",
    ),
    last_error: z
      .string()
      .nullable()
      .describe(
        "Why the last poll failed, or, where failures is 0, what it left out of an answer that is too long; null when all is well.",
      ),
    lag_ms: lagMs,
    typical_gap_s: z.number().nullable().describe("Smoothed time between two items, seconds."),
    pending_documents: z.int().describe("Items whose documents are still to be read."),
    moved_to: z.string().nullable().describe("Where the source says it is now."),
    pushed: z.boolean().describe("A hub announces its items (WebSub)."),
    reconciled_to: z.string().nullable().describe("Last day compared with the source's archive, YYYY-MM-DD."),
    damped: z
      .int()
      .describe("Versions of items that it went back to once too often; they were not published again."),
    damped_at: timestamp.nullable().describe("When the last of these was met; null: none was."),
    gaps: z.array(gap).describe("Times that may be missing, newest first."),
  })
  .meta({ id: "SourceHealth" });
export type SourceHealth = z.infer<typeof sourceHealth>;
export const sourceHealthList = z
  .object({ data: z.array(sourceHealth).describe("In the order of the sources file.") })
  .meta({ id: "SourceHealthList" });

/** What one fetch of a source would bring; nothing is stored. */
export const sourceProbe = z
  .object({
    id: z.string().describe("Id of the entry in the sources file."),
    url: z.string().describe("After redirects."),
    ok: z.boolean().describe("Whether it could be fetched and read."),
    error: z.string().nullable().describe("Why not."),
    took_ms: z.int().describe("Time of the fetch, ms."),
    bytes: z.int().nullable().describe("Size of the answer."),
    items: z.int().nullable().describe("Items in it."),
    unknown_items: z.int().nullable().describe("Of these, not in the feed yet."),
    newest_item_at: timestamp.nullable().describe("Time of the newest of them."),
    salvaged: z.boolean().nullable().describe("The document was damaged; part of it could be read."),
    titles: z.array(z.string()).describe("Of the first three items."),
  })
  .meta({ id: "SourceProbe" });
export type SourceProbe = z.infer<typeof sourceProbe>;

/** Reads kept answers again, some at a time: go on with `after` = `next` until that is null. */
export const replayRequest = z
  .strictObject({
    since: instantText.describe("Answers fetched since."),
    source: absentIfNull(slug).describe("Id of one entry of the sources; all when absent."),
    after: z.int().min(0).default(0).describe("Where to go on: next of the answer before."),
    dry_run: z.boolean().default(false).describe("Say what would change; store nothing."),
  })
  .meta({ id: "ReplayRequest" });
export type ReplayRequest = z.infer<typeof replayRequest>;
export const replayResult = z
  .object({
    next: z.int().nullable().describe("Where to go on; null: done."),
    remaining: z.int().describe("Answers behind these."),
    answers: z.int().describe("Answers read."),
    items: z.int().describe("Items in them."),
    created: z.int().describe("Items that were new."),
    revised: z.int().describe("Items that read otherwise now."),
    unchanged: z.int().describe("Items that read the same."),
    errors: z
      .array(
        z.object({
          source: z.string().describe("Id of the entry in the sources file."),
          url: z.string().describe("Where the answer came from."),
          detail: z.string().describe("Why it could not be read."),
        }),
      )
      .describe("Answers that could not be read."),
  })
  .meta({ id: "ReplayResult" });
export type ReplayResult = z.infer<typeof replayResult>;

/** Scores stored items again, some at a time: go on with `after` = `next` until that is null. */
export const rescoreRequest = z
  .strictObject({
    since: instantText.describe("Items published since."),
    model: z.enum(["flash", "pro"]).default("flash").describe("The model that judges."),
    after: z.int().min(0).default(0).describe("Where to go on: next of the answer before."),
  })
  .meta({ id: "RescoreRequest" });
export type RescoreRequest = z.infer<typeof rescoreRequest>;
export const rescoreResult = z
  .object({
    next: z.int().nullable().describe("Where to go on; null: done."),
    scored: z.int().describe("Items judged."),
    model_version: z.string().describe("Version of the model that judged."),
  })
  .meta({ id: "RescoreResult" });
export type RescoreResult = z.infer<typeof rescoreResult>;
