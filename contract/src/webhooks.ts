import { z } from "zod";
import { timestamp } from "./feeds.ts";
import { type WebhookFilters, webhookFilters } from "./filter.ts";
import { absentIfNull, isStorable, storableRule } from "./input.ts";
import { type Dictionary, tagDimension } from "./tags.ts";

/** Limits of what a caller may set. */
export const webhookLimits = { url: 2_048, description: 500, maxAgeS: { min: 60, max: 604_800 } } as const;

/** Checked by the service, not by the schema, so that every unusable URL gets `invalid_url`. */
const url = z.string().meta({
  format: "uri",
  minLength: 1,
  maxLength: webhookLimits.url,
  description:
    "Absolute https URL without credentials, on a public address. http and other addresses only where the operator allows them. A name that does not resolve yet is accepted: the address is checked again at every connection.",
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
  .describe("Seconds after which an undelivered item is given up.");

export const webhookStatus = z.enum(["enabled", "disabled", "auto_disabled"]);
export type WebhookStatus = z.infer<typeof webhookStatus>;

export const webhookFormats = ["tapewire", "slack", "discord", "telegram"] as const;
const formatMeaning =
  "Form of the deliveries: tapewire, or a message for the incoming webhooks of Slack, Discord or Telegram.";
export const webhookFormat = z.enum(webhookFormats).meta({ id: "WebhookFormat", description: formatMeaning });
export type WebhookFormat = z.infer<typeof webhookFormat>;

const count = z.int().min(0);

/** A webhook endpoint without its secret. Source: interface, Webhook endpoint; decisions, Webhooks. */
function endpointFields(dictionary: Dictionary) {
  return {
    id: z.uuid().describe("Id of the endpoint."),
    url: z.string().meta({
      format: "uri",
      description:
        "Target of deliveries. In the list a viewer gets its origin only, since path and query may hold a secret.",
    }),
    description: z.string().nullable().describe("Description to show."),
    enabled: z.boolean().describe("Whether items are delivered to this endpoint."),
    filters: webhookFilters(dictionary).describe("Which items are delivered. {}: every item."),
    max_age: maxAge,
    format: webhookFormat,
    status: webhookStatus.describe("auto_disabled: the service disabled it, see disabled_reason."),
    disabled_reason: z
      .string()
      .nullable()
      .describe(
        "Why the service disabled the endpoint: failed deliveries, or a plan that allows fewer endpoints.",
      ),
    created_at: timestamp.describe("When the endpoint was created."),
    updated_at: timestamp.describe("When the endpoint was last changed."),
    failing_since: timestamp
      .nullable()
      .describe("When the current series of failures began; null: the endpoint is not failing."),
    last_delivery_at: timestamp.nullable().describe("When the receiver last answered a delivery."),
    last_status: z
      .int()
      .nullable()
      .describe("HTTP status of the last attempt; null: no attempt yet, or no response."),
    last_attempt_at: timestamp.nullable().describe("When the last attempt ended; null: there was none yet."),
    last_error: z
      .string()
      .nullable()
      .describe(
        "Why the last attempt had no response, such as connect_refused; null: it had one, or there was none yet.",
      ),
    matched_today: count.describe("Items of today (UTC) that matched the filters."),
    delivered_today: count.describe("Number of these that were delivered."),
    matched_total: count.describe("Items of all time that matched the filters."),
    delivered_total: count.describe("Number of these that were delivered."),
    rotation_ends_at: timestamp
      .nullable()
      .describe(
        "After a rotation: the previous secret signs too until this time. null: no rotation is under way.",
      ),
  };
}

const sentBack = z
  .unknown()
  .optional()
  .describe("Cannot be changed. Accepted when it equals the current value.");
const ignored = z.unknown().optional().describe("Ignored: set by the service.");
const fixed = { id: sentBack, status: sentBack, created_at: sentBack, secret: sentBack };
/** Members that an update cannot change. They are accepted so that a client may send back the record it has read. */
const asRead = {
  ...fixed,
  disabled_reason: ignored,
  updated_at: ignored,
  failing_since: ignored,
  last_delivery_at: ignored,
  last_status: ignored,
  last_attempt_at: ignored,
  last_error: ignored,
  matched_today: ignored,
  delivered_today: ignored,
  matched_total: ignored,
  delivered_total: ignored,
  rotation_ends_at: ignored,
};
const fixedNames = ["id", "status", "created_at", "secret"] as const satisfies (keyof typeof fixed)[];

/** Whether an update contains a member that must equal the record. */
export function sendsFixed(update: { readonly [name in keyof typeof fixed]?: unknown }): boolean {
  return fixedNames.some((name) => update[name] !== undefined);
}

/** The members that an update tries to change and must not. */
export function changedFixed(
  update: { readonly [name in keyof typeof fixed]?: unknown },
  record: Webhook,
): readonly string[] {
  return fixedNames.filter((name) => update[name] !== undefined && update[name] !== record[name]);
}

/** Schemas of the webhook routes. The dictionary gives the values of filters. */
export function webhookSchemas(dictionary: Dictionary) {
  const fields = endpointFields(dictionary);
  const filters = webhookFilters(dictionary);
  return {
    endpoint: z
      .object({
        ...fields,
        secret: z.string().describe("Signing secret: whsec_ and the base64 of the 32-byte key."),
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
        description: absentIfNull(description).describe("Description to show."),
        filters: filters
          .nullable()
          .optional()
          .describe("Which items are delivered. {}, null or absent: every item."),
        max_age: absentIfNull(maxAge).describe(
          "Seconds after which an undelivered item is given up. Absent: 86,400 (a day).",
        ),
        format: absentIfNull(webhookFormat).describe(`${formatMeaning} Absent: tapewire.`),
      })
      .meta({ id: "WebhookCreate" }),
    update: z
      .strictObject({
        url: absentIfNull(url).describe("New target of deliveries, with the same rules as on creation."),
        description: description.nullable().optional().describe("Description to show; null removes it."),
        enabled: absentIfNull(z.boolean()).describe("false stops deliveries, true starts them again."),
        filters: filters.nullable().optional().describe("Replaces all filters. {} or null: every item."),
        max_age: absentIfNull(maxAge).describe("Seconds after which an undelivered item is given up."),
        format: absentIfNull(webhookFormat).describe(formatMeaning),
        ...asRead,
      })
      .meta({ id: "WebhookUpdate" }),
  };
}

const keptValues = z.array(z.string()).optional();

/** Filters as stored. A tag value or an event that is no longer in the dictionary is kept and matches nothing. */
export const keptWebhookFilters = z.object({
  symbols: keptValues,
  exchanges: keptValues,
  actionability: z.boolean().optional(),
  sentiment_min: z.int().optional(),
  sentiment_max: z.int().optional(),
  min_conviction: z.int().optional(),
  min_actionability_score: z.int().optional(),
  event: keptValues,
  story_copies: z.boolean().optional(),
  q: z.string().optional(),
  tags: z.partialRecord(tagDimension, keptValues).optional(),
}) satisfies z.ZodType<WebhookFilters>;

type Schemas = ReturnType<typeof webhookSchemas>;
export type Webhook = z.infer<Schemas["endpoint"]>;
export type WebhookWithoutSecret = Omit<Webhook, "secret">;
export type WebhookCreate = z.infer<Schemas["create"]>;
export type WebhookUpdate = z.infer<Schemas["update"]>;

export const webhookDeletion = z
  .object({
    id: z.uuid().describe("Id of the deleted endpoint."),
    deleted: z.literal(true).describe("Always true."),
  })
  .meta({ id: "WebhookDeletion" });
