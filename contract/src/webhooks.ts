import { z } from "zod";
import { timestamp } from "./feeds.ts";
import { type WebhookFilters, webhookFilters } from "./filter.ts";
import { absentIfNull, isStorable, storableRule } from "./input.ts";
import { type TagDictionary, tagDimension } from "./tags.ts";

/** Bounds of what a caller gives. */
export const webhookLimits = { url: 2_048, description: 500, maxAgeS: { min: 60, max: 604_800 } } as const;

/** Judged as a whole, by where it leads: every string that is no good URL is an invalid_url. */
const url = z.string().meta({
  format: "uri",
  minLength: 1,
  maxLength: webhookLimits.url,
  description:
    "Absolute URL without credentials: https on a public address; http and other addresses where the operator allows them. A name that does not resolve yet is taken; it is judged again at every connect.",
});
const description = z
  .string()
  .trim()
  .max(webhookLimits.description, `at most ${webhookLimits.description} characters`)
  .refine(isStorable, storableRule);

const maxAge = z
  .int()
  .min(webhookLimits.maxAgeS.min)
  .max(webhookLimits.maxAgeS.max)
  .describe("Seconds after which an item that is still undelivered is given up: stale news is noise.");

export const webhookStatus = z.enum(["enabled", "disabled", "auto_disabled"]);
export type WebhookStatus = z.infer<typeof webhookStatus>;

const count = z.int().min(0);

/** A webhook endpoint without its secret. Source: interface, Webhook endpoint; decisions, Webhooks. */
function endpointFields(dictionary: TagDictionary) {
  return {
    id: z.uuid().describe("Id of the endpoint."),
    url: z.string().meta({ format: "uri", description: "Where deliveries go." }),
    description: z.string().nullable().describe("For people."),
    enabled: z.boolean().describe("Whether items are delivered."),
    filters: webhookFilters(dictionary).describe("{}: every item."),
    max_age: maxAge,
    status: webhookStatus.describe("auto_disabled: by the service, for disabled_reason."),
    disabled_reason: z
      .string()
      .nullable()
      .describe("Why the service disabled it: its answers, or a plan that allows fewer endpoints."),
    created_at: timestamp.describe("When it was made."),
    updated_at: timestamp.describe("When it was last changed."),
    failing_since: timestamp.nullable().describe("Start of the failures that still last."),
    last_delivery_at: timestamp.nullable().describe("When the last delivery was answered."),
    last_status: z.int().nullable().describe("HTTP status of the last attempt; null: none, or no answer."),
    matched_today: count.describe("Items of today (UTC) that its filters let through."),
    delivered_today: count.describe("Of these, those delivered."),
    matched_total: count.describe("Items its filters ever let through."),
    delivered_total: count.describe("Of these, those delivered."),
    rotation_ends_at: timestamp
      .nullable()
      .describe("After a rotation: until then the secret before signs too."),
  };
}

const sentBack = z
  .unknown()
  .optional()
  .describe("May be sent back as it was read; an update cannot change it.");
const ignored = z.unknown().optional().describe("Ignored: the service keeps it.");
const fixed = { id: sentBack, status: sentBack, created_at: sentBack, secret: sentBack };
/** The members of a record that no update changes: a client may send back what it has read. */
const asRead = {
  ...fixed,
  disabled_reason: ignored,
  updated_at: ignored,
  failing_since: ignored,
  last_delivery_at: ignored,
  last_status: ignored,
  matched_today: ignored,
  delivered_today: ignored,
  matched_total: ignored,
  delivered_total: ignored,
  rotation_ends_at: ignored,
};
const fixedNames = ["id", "status", "created_at", "secret"] as const satisfies (keyof typeof fixed)[];

/** Whether an update sends back a member that must be as in the record. */
export function sendsFixed(update: { readonly [name in keyof typeof fixed]?: unknown }): boolean {
  return fixedNames.some((name) => update[name] !== undefined);
}

/** The members of an update that differ from the record and that no update changes. */
export function changedFixed(
  update: { readonly [name in keyof typeof fixed]?: unknown },
  record: Webhook,
): readonly string[] {
  return fixedNames.filter((name) => update[name] !== undefined && update[name] !== record[name]);
}

/** Schemas of the webhook routes. The tag values of filters are those of the dictionary. */
export function webhookSchemas(dictionary: TagDictionary) {
  const fields = endpointFields(dictionary);
  const filters = webhookFilters(dictionary);
  return {
    endpoint: z
      .object({
        ...fields,
        secret: z.string().describe("whsec_ and base64 of 32 bytes: the key that signs deliveries."),
      })
      .meta({ id: "Webhook" }),
    list: z
      .object({
        data: z.array(z.object(fields).meta({ id: "WebhookWithoutSecret" })).describe("Oldest first."),
      })
      .meta({ id: "WebhookList" }),
    create: z
      .strictObject({
        url,
        description: absentIfNull(description).describe("For people."),
        filters: filters.nullable().optional().describe("{}, null or absent: every item."),
        max_age: absentIfNull(maxAge).describe("As in the record; 86,400 (a day) when absent."),
      })
      .meta({ id: "WebhookCreate" }),
    update: z
      .strictObject({
        url: absentIfNull(url).describe("As at creation."),
        description: description.nullable().optional().describe("For people; null removes it."),
        enabled: absentIfNull(z.boolean()).describe("false: deliveries stop until it is true again."),
        filters: filters.nullable().optional().describe("Replaces them whole; null: every item."),
        max_age: absentIfNull(maxAge).describe("As in the record."),
        ...asRead,
      })
      .meta({ id: "WebhookUpdate" }),
  };
}

const keptValues = z.array(z.string()).optional();

/** Filters as they were stored: a tag value that the dictionary has lost since is kept, and matches nothing. */
export const keptWebhookFilters = z.object({
  symbols: keptValues,
  exchanges: keptValues,
  actionability: z.boolean().optional(),
  sentiment_min: z.int().optional(),
  sentiment_max: z.int().optional(),
  story_copies: z.boolean().optional(),
  tags: z.partialRecord(tagDimension, keptValues).optional(),
}) satisfies z.ZodType<WebhookFilters>;

type Schemas = ReturnType<typeof webhookSchemas>;
export type Webhook = z.infer<Schemas["endpoint"]>;
export type WebhookWithoutSecret = Omit<Webhook, "secret">;
export type WebhookCreate = z.infer<Schemas["create"]>;
export type WebhookUpdate = z.infer<Schemas["update"]>;

export const webhookDeletion = z
  .object({
    id: z.uuid().describe("Id of the endpoint that is gone."),
    deleted: z.literal(true).describe("Always true."),
  })
  .meta({ id: "WebhookDeletion" });
