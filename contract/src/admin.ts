import { z } from "zod";
import { fieldError } from "./errors.ts";
import { artifactType, timestamp } from "./feeds.ts";
import { instantText, isStorable, slug, storableRule } from "./input.ts";
import { planName } from "./plans.ts";

/** Bounds of one push. A request body is at most `bodyBytes`, NDJSON included. */
export const pushLimits = { bodyBytes: 16 * 1024 * 1024, items: 10_000 } as const;

const name = z.string().trim().min(1).max(200).refine(isStorable, storableRule);

export const accountCreate = z.strictObject({ name, plan: planName }).meta({ id: "AccountCreate" });
export const accountUpdate = z
  .strictObject({ name: name.optional(), plan: planName.optional() })
  .refine((body) => body.name !== undefined || body.plan !== undefined, "name or plan is required")
  .meta({ id: "AccountUpdate" });
export const account = z
  .object({ id: z.uuid(), name: z.string(), plan: planName, created_at: timestamp })
  .meta({ id: "Account" });
export type Account = z.infer<typeof account>;

/** A key for an account, or for a new account on a plan. */
export const keyCreate = z
  .strictObject({
    account_id: z.uuid().optional(),
    plan: planName.optional(),
    name: name.default("key"),
    expires_at: instantText.optional(),
  })
  .refine((body) => (body.account_id === undefined) !== (body.plan === undefined), {
    error: "either account_id or plan is required",
    path: ["account_id"],
  })
  .meta({ id: "KeyCreate" });
export type KeyCreate = z.infer<typeof keyCreate>;
export const apiKey = z
  .object({
    id: z.uuid(),
    account_id: z.uuid(),
    account_name: z.string(),
    plan: planName,
    name: z.string(),
    prefix: z.string(),
    last4: z.string(),
    created_at: timestamp,
    last_used_at: timestamp.nullable(),
    expires_at: timestamp.nullable(),
    revoked_at: timestamp.nullable(),
  })
  .meta({ id: "ApiKey" });
export type ApiKey = z.infer<typeof apiKey>;
export const createdKey = z
  .object({ key: z.string().describe("The secret; shown this once."), ...apiKey.shape })
  .meta({ id: "CreatedKey" });
export type CreatedKey = z.infer<typeof createdKey>;

/** An item pushed by the operator. `external_id` makes a repeat a duplicate; without it link or title do. */
export const pushItem = z
  .strictObject({
    type: artifactType.default("news"),
    title: z.string().trim().min(1).max(1000),
    body: z.string().max(200_000).default(""),
    link: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .refine(isStorable, storableRule)
      .nullish(),
    source: slug.default("push"),
    provider: slug.optional(),
    published_at: instantText.optional(),
    external_id: z.string().min(1).max(500).refine(isStorable, storableRule).optional(),
    symbols: z.array(z.string().trim().min(1).max(40).refine(isStorable, storableRule)).max(50).default([]),
    tags: z.array(z.string().trim().min(1).max(64)).max(50).default([]),
  })
  .meta({ id: "PushItem" });
export type PushItem = z.infer<typeof pushItem>;

export const pushResult = z
  .object({
    id: z.uuid().nullable(),
    unique_id: z.string().nullable(),
    status: z.enum(["created", "duplicate", "revised", "rejected"]),
    error: z.string().optional(),
    errors: z.array(fieldError).optional(),
  })
  .meta({ id: "PushResult" });
export type PushResult = z.infer<typeof pushResult>;
export const pushAnswer = z.object({ data: z.array(pushResult) }).meta({ id: "PushAnswer" });

/** A withdrawn item: it stays where it is, marked. */
export const retraction = z
  .object({ id: z.uuid(), status: z.literal("retracted") })
  .meta({ id: "Retraction" });
export type Retraction = z.infer<typeof retraction>;

export const sourceStatuses = ["ok", "waiting", "stale", "failing", "disabled"] as const;
export const sourceStatus = z.enum(sourceStatuses).meta({ id: "SourceStatus" });
export type SourceStatus = z.infer<typeof sourceStatus>;

/** Percentiles of the time from the source's own time to first sight, over the last live items. */
export const lagMs = z
  .object({ p50: z.int(), p99: z.int() })
  .nullable()
  .describe("Source time to first sight over the last 200 live items, ms; null: none came live.");

const gap = z.object({
  from: timestamp.nullable().describe("The newest item known before."),
  to: timestamp.nullable().describe("The oldest that could be read."),
  noticed_at: timestamp,
  reason: z.string(),
  closed_at: timestamp.nullable().describe("Read from an archive since."),
});

/** Health of one source, as GET /admin/v1/sources tells it. */
export const sourceHealth = z
  .object({
    id: z.string(),
    name: z.string().describe("FeedItem.source of its items."),
    url: z.string(),
    format: z.string(),
    enabled: z.boolean(),
    status: sourceStatus,
    advice: z.string().nullable().describe("What is the matter and what helps; null when all is well."),
    last_poll_at: timestamp.nullable(),
    last_ok_at: timestamp.nullable(),
    next_poll_at: timestamp.nullable(),
    newest_item_at: timestamp.nullable(),
    items: z.int().describe("Items this source has created."),
    failures: z.int().describe("Failures in a row."),
    last_error: z.string().nullable(),
    lag_ms: lagMs,
    typical_gap_s: z.number().nullable().describe("Smoothed time between two items, seconds."),
    pending_documents: z.int().describe("Items whose documents are still to be read."),
    moved_to: z.string().nullable().describe("Where the source says it is now."),
    pushed: z.boolean().describe("A hub announces its items (WebSub)."),
    reconciled_to: z.string().nullable().describe("Last day compared with the source's archive, YYYY-MM-DD."),
    gaps: z.array(gap).describe("Times that may be missing, newest first."),
  })
  .meta({ id: "SourceHealth" });
export type SourceHealth = z.infer<typeof sourceHealth>;
export const sourceHealthList = z.object({ data: z.array(sourceHealth) }).meta({ id: "SourceHealthList" });

/** What one fetch of a source would bring; nothing is stored. */
export const sourceProbe = z
  .object({
    id: z.string(),
    url: z.string().describe("After redirects."),
    ok: z.boolean(),
    error: z.string().nullable(),
    took_ms: z.int(),
    bytes: z.int().nullable(),
    items: z.int().nullable(),
    unknown_items: z.int().nullable().describe("Of these, not in the feed yet."),
    newest_item_at: timestamp.nullable(),
    salvaged: z.boolean().nullable().describe("The document was damaged; part of it could be read."),
    titles: z.array(z.string()).describe("Of the first three items."),
  })
  .meta({ id: "SourceProbe" });
export type SourceProbe = z.infer<typeof sourceProbe>;

/** Reads kept answers again, some at a time: go on with `after` = `next` until that is null. */
export const replayRequest = z
  .strictObject({
    since: instantText,
    source: slug.optional().describe("Id of one entry of the sources; all when absent."),
    after: z.int().min(0).default(0),
    dry_run: z.boolean().default(false).describe("Say what would change; store nothing."),
  })
  .meta({ id: "ReplayRequest" });
export type ReplayRequest = z.infer<typeof replayRequest>;
export const replayResult = z
  .object({
    next: z.int().nullable(),
    remaining: z.int().describe("Answers behind these."),
    answers: z.int(),
    items: z.int(),
    created: z.int(),
    revised: z.int(),
    unchanged: z.int(),
    errors: z.array(z.object({ source: z.string(), url: z.string(), detail: z.string() })),
  })
  .meta({ id: "ReplayResult" });
export type ReplayResult = z.infer<typeof replayResult>;

/** Scores stored items again, some at a time: go on with `after` = `next` until that is null. */
export const rescoreRequest = z
  .strictObject({
    since: instantText.describe("Items published since."),
    model: z.enum(["flash", "pro"]).default("flash"),
    after: z.int().min(0).default(0),
  })
  .meta({ id: "RescoreRequest" });
export type RescoreRequest = z.infer<typeof rescoreRequest>;
export const rescoreResult = z
  .object({ next: z.int().nullable(), scored: z.int(), model_version: z.string() })
  .meta({ id: "RescoreResult" });
export type RescoreResult = z.infer<typeof rescoreResult>;
