import { z } from "zod";
import { fieldError } from "./errors/errors.ts";
import { artifactType, timestamp } from "./feeds.ts";
import { absentIfNull, instantText, isStorable, slug, storableRule } from "./input.ts";
import { planName } from "./plans.ts";

/** Limits of one push. `bodyBytes` also applies to NDJSON. */
export const pushLimits = { bodyBytes: 16 * 1024 * 1024, items: 10_000 } as const;

const name = z.string().trim().min(1).max(200).refine(isStorable, storableRule).describe("Name to show.");

const sentBack = z
  .unknown()
  .optional()
  .describe("Ignored. Accepted so that a client may send back a record as it was read.");

export const accountCreate = z.strictObject({ name, plan: planName }).meta({ id: "AccountCreate" });
export const accountUpdate = z
  .strictObject({
    name: absentIfNull(name).describe("Name to show."),
    plan: absentIfNull(planName).describe("Plan of the account."),
    id: sentBack,
    created_at: sentBack,
  })
  .refine((body) => body.name !== undefined || body.plan !== undefined, "name or plan is required")
  .meta({ id: "AccountUpdate" });
export const account = z
  .object({
    id: z.uuid().describe("Id of the account."),
    name: z.string().describe("Name to show."),
    plan: planName,
    created_at: timestamp,
  })
  .meta({ id: "Account" });
export type Account = z.infer<typeof account>;

/** A key for an account, or for a new account on a plan. */
export const keyCreate = z
  .strictObject({
    account_id: absentIfNull(z.uuid()).describe("Account that gets the key."),
    plan: absentIfNull(planName).describe("Creates a new account on this plan for the key."),
    name: absentIfNull(name)
      .transform((given) => given ?? "key")
      .describe("Name to show."),
    expires_at: absentIfNull(instantText).describe("When the key expires. Absent: never."),
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
    account_id: z.uuid().describe("Account of the key."),
    account_name: z.string().describe("Name of that account."),
    plan: planName.describe("The account's plan."),
    name: z.string().describe("Name the operator gave the key."),
    prefix: z.string().describe("First characters of the key."),
    last4: z.string().describe("Last characters of the key."),
    created_at: timestamp.describe("When the key was created."),
    last_used_at: timestamp.nullable().describe("Approximate time of the last use; null: not used yet."),
    expires_at: timestamp.nullable().describe("When the key expires; null: never."),
    revoked_at: timestamp.nullable().describe("When the key was revoked; null: not revoked."),
    created_by: z.string().nullable().describe("Who created the key in the dashboard; null: the operator."),
    replaces: z.uuid().nullable().describe("Id of the key that this one replaced; null: none."),
  })
  .meta({ id: "ApiKey" });
export type ApiKey = z.infer<typeof apiKey>;
export const createdKey = z
  .object({ key: z.string().describe("The key itself. It is shown only in this response."), ...apiKey.shape })
  .meta({ id: "CreatedKey" });
export type CreatedKey = z.infer<typeof createdKey>;

/**
 * An item pushed by the operator. `external_id` identifies it; without one the link does, and without a link the title
 * and day. A source whose host the link is on takes the item over when it carries the item too.
 */
export const pushItem = z
  .strictObject({
    type: absentIfNull(artifactType)
      .transform((given) => given ?? "news")
      .describe("Kind of item."),
    title: z.string().trim().min(1).max(1000).describe("Headline."),
    body: absentIfNull(z.string().max(200_000))
      .transform((given) => given ?? "")
      .describe("Text of the item. It is scored, and stored for later rescoring."),
    link: z
      .url({ protocol: /^https?$/ })
      .max(2000)
      .refine(isStorable, storableRule)
      .nullish()
      .describe("Address of the item at its source."),
    source: absentIfNull(slug)
      .transform((given) => given ?? "push")
      .describe("FeedItem.source of the item. Absent: push."),
    provider: absentIfNull(slug).describe(
      "FeedItem.provider_id of the item: who issued it. Absent: the source.",
    ),
    published_at: absentIfNull(instantText).describe("When the item was published. Absent: now."),
    external_id: absentIfNull(z.string().min(1).max(500).refine(isStorable, storableRule)).describe(
      "Your id of the item. Pushes with the same id and source are the same item.",
    ),
    symbols: absentIfNull(z.array(z.string().trim().min(1).max(40).refine(isStorable, storableRule)).max(50))
      .transform((given) => given ?? [])
      .describe("AAPL or NASDAQ:AAPL. Added to the symbols found in the text."),
    tags: absentIfNull(z.array(z.string().trim().min(1).max(64)).max(50))
      .transform((given) => given ?? [])
      .describe(
        "Tag values of any dimension; a country is its ISO 3166-1 alpha-2 code in capitals. Added to the tags found in the text. Unknown values are ignored and listed in ignored_tags.",
      ),
  })
  .meta({ id: "PushItem" });
export type PushItem = z.infer<typeof pushItem>;

export const pushResult = z
  .object({
    id: z.uuid().nullable().describe("Of the stored item; null when rejected."),
    unique_id: z.string().nullable().describe("Of the stored item; null when rejected."),
    status: z.enum(["created", "duplicate", "revised", "rejected"]).describe("Result for this item."),
    ignored_tags: z
      .array(z.string())
      .optional()
      .describe("Tag values that are unknown. The item is stored without them. Absent when there are none."),
    error: z.string().optional().describe("Why the item was rejected."),
    errors: z.array(fieldError).optional().describe("The fields that are wrong."),
  })
  .meta({ id: "PushResult" });
export type PushResult = z.infer<typeof pushResult>;
export const pushAnswer = z
  .object({ data: z.array(pushResult).describe("One entry per item, in the order of the request.") })
  .meta({ id: "PushAnswer" });

/** A withdrawn item: it keeps its place in the list and is marked `retracted`. */
export const retraction = z
  .object({
    id: z.uuid().describe("Id of the item."),
    status: z.literal("retracted").describe("Status of the item."),
  })
  .meta({ id: "Retraction" });
export type Retraction = z.infer<typeof retraction>;

export const sourceStatuses = ["ok", "waiting", "stale", "failing", "disabled"] as const;
export const sourceStatus = z
  .enum(sourceStatuses)
  .meta({ id: "SourceStatus", description: "Health of a source." });
export type SourceStatus = z.infer<typeof sourceStatus>;

/** Percentiles of the time from the source's own time to first sight, over the last live items. */
export const lagMs = z
  .object({
    p50: z.int().describe("Median."),
    p99: z.int().describe("99th percentile."),
  })
  .nullable()
  .describe(
    "Milliseconds from the source's own time of an item to first sight, over the last 200 live items. null: there were none.",
  );

const gap = z.object({
  from: timestamp.nullable().describe("Time of the newest item known before, or start of an unread archive."),
  to: timestamp.nullable().describe("Time of the oldest item read after the gap, or end of that archive."),
  noticed_at: timestamp.describe("When the gap was noticed."),
  reason: z.string().describe("Why items may be missing."),
  closed_at: timestamp
    .nullable()
    .describe("When the missing items were read from an archive; null: not read."),
});

const sourceReach = z.enum(["unknown", "reached", "doubted", "unreached"]);
export type SourceReach = z.infer<typeof sourceReach>;

/** Health of one source, as GET /admin/v1/sources returns it. */
export const sourceHealth = z
  .object({
    id: z.string().describe("Id of the entry in the sources file."),
    name: z.string().describe("FeedItem.source of its items."),
    url: z.string().describe("Address that is polled."),
    format: z.string().describe("Format of the source."),
    enabled: z.boolean().describe("Whether the source is polled."),
    status: sourceStatus.describe("Health of the source."),
    advice: z.string().nullable().describe("What is wrong and what to do; null when all is well."),
    last_poll_at: timestamp.nullable().describe("Time of the last poll."),
    last_ok_at: timestamp.nullable().describe("Time of the last successful poll."),
    next_poll_at: timestamp.nullable().describe("Time of the next poll."),
    newest_item_at: timestamp.nullable().describe("published_at of its newest item."),
    items: z.int().describe("Number of items that this source created."),
    failures: z
      .int()
      .describe("Failed polls in a row. Polls that fail while no source can be reached are not counted."),
    reach: sourceReach.describe(
      "Whether the last poll reached its host. doubted: it did not, and no other source was reached since, so this machine's network may be down; it is tried again within seconds. unreached: it did not, although others were reached. unknown: the poll does not show it.",
    ),
    last_error: z
      .string()
      .nullable()
      .describe(
        "Why the last poll failed. With failures 0: what was left out because the response was too long. null when all is well.",
      ),
    lag_ms: lagMs,
    typical_gap_s: z.number().nullable().describe("Smoothed time between two items, in seconds."),
    pending_documents: z.int().describe("Number of items whose documents are not read yet."),
    moved_to: z.string().nullable().describe("New address, when the source has announced one."),
    pushed: z.boolean().describe("Whether a hub (WebSub) announces its items."),
    reconciled_to: z.string().nullable().describe("Last day compared with the source's archive, YYYY-MM-DD."),
    damped: z
      .int()
      .describe(
        "Number of item versions that were not published because the source alternates between versions.",
      ),
    damped_at: timestamp.nullable().describe("When this last happened; null: never."),
    too_old: z.int().describe("Number of items of its last answer that are older than what is kept."),
    gaps: z.array(gap).describe("Periods from which items may be missing, newest first."),
  })
  .meta({ id: "SourceHealth" });
export type SourceHealth = z.infer<typeof sourceHealth>;
export const sourceHealthList = z
  .object({ data: z.array(sourceHealth).describe("In the order of the sources file.") })
  .meta({ id: "SourceHealthList" });

/** The result of one fetch of a source. Nothing is stored. */
export const sourceProbe = z
  .object({
    id: z.string().describe("Id of the entry in the sources file."),
    url: z.string().describe("Address of the response, after redirects."),
    ok: z.boolean().describe("Whether the source could be fetched and read."),
    error: z.string().nullable().describe("Why the source could not be fetched or read; null: it could."),
    took_ms: z.int().describe("Duration of the fetch, in milliseconds."),
    bytes: z.int().nullable().describe("Size of the response."),
    items: z.int().nullable().describe("Number of items in the response."),
    unknown_items: z.int().nullable().describe("Number of these that are not in the feed yet."),
    newest_item_at: timestamp.nullable().describe("Time of the newest item in the response."),
    salvaged: z
      .boolean()
      .nullable()
      .describe("true: the document is damaged and only part of it could be read."),
    titles: z.array(z.string()).describe("Titles of the first three items."),
  })
  .meta({ id: "SourceProbe" });
export type SourceProbe = z.infer<typeof sourceProbe>;

/** Reads stored responses of sources again, some per call. Repeat with `after` = `next` until `next` is null. */
export const replayRequest = z
  .strictObject({
    since: instantText.describe("Reads responses fetched since this time."),
    source: absentIfNull(slug).describe("Id of an entry in the sources file. Absent: all entries."),
    after: z
      .int()
      .min(0)
      .default(0)
      .describe("`next` of the previous response. Absent or 0: start at the beginning."),
    dry_run: z.boolean().default(false).describe("true: report what would change and store nothing."),
  })
  .meta({ id: "ReplayRequest" });
export type ReplayRequest = z.infer<typeof replayRequest>;
export const replayResult = z
  .object({
    next: z.int().nullable().describe("Value of `after` for the next call; null: done."),
    remaining: z.int().describe("Number of stored responses still to read."),
    answers: z.int().describe("Number of stored responses read."),
    items: z.int().describe("Number of items in them."),
    created: z.int().describe("Number of items that were new."),
    revised: z.int().describe("Number of items that changed."),
    unchanged: z.int().describe("Number of items that did not change."),
    errors: z
      .array(
        z.object({
          source: z.string().describe("Id of the entry in the sources file."),
          url: z.string().describe("Address that the response came from."),
          detail: z.string().describe("Why the response could not be read."),
        }),
      )
      .describe("Stored responses that could not be read."),
  })
  .meta({ id: "ReplayResult" });
export type ReplayResult = z.infer<typeof replayResult>;

/** Scores stored items again, some per call. Repeat with `after` = `next` until `next` is null. */
export const rescoreRequest = z
  .strictObject({
    since: instantText.describe("Scores items published since this time."),
    model: z
      .enum(["flash", "pro"])
      .default("pro")
      .describe("The model to score with. flash replaces scores of pro by its own as the newest."),
    after: z.int().min(0).default(0).describe("`next` of the previous response. 0: start at the beginning."),
  })
  .meta({ id: "RescoreRequest" });
export type RescoreRequest = z.infer<typeof rescoreRequest>;
export const rescoreResult = z
  .object({
    next: z.int().nullable().describe("Value of `after` for the next call; null: done."),
    scored: z.int().describe("Number of items scored in this call."),
    skipped: z.int().describe("Number of items that keep their score: the model could not judge them."),
    model_version: z.string().describe("Version of the model that scored them."),
  })
  .meta({ id: "RescoreResult" });
export type RescoreResult = z.infer<typeof rescoreResult>;
