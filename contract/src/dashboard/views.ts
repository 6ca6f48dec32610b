import { z } from "zod";
import { timestamp } from "../feeds.ts";
import { subscriptionFilters } from "../filter.ts";
import { absentIfNull, isStorable, storableRule } from "../input.ts";
import type { Dictionary } from "../tags.ts";
import { keptWebhookFilters } from "../webhooks.ts";

/** Views that an account may save. */
export const mostViews = 200;

const name = z.string().trim().min(1).max(100).refine(isStorable, storableRule).describe("Name to show.");
const columns = z
  .array(z.string().regex(/^[a-z_]{1,40}$/, "must be the name of a column"))
  .max(30)
  .describe("Columns to show, in order. Empty: the usual ones.");
const alert = z
  .strictObject({
    notify: z.boolean().describe("Show a notification of the browser for each item."),
    sound: z.boolean().describe("Play a sound for each item."),
  })
  .meta({ id: "ViewAlert" });

const keptValues = z.array(z.string()).optional();

/** Filters as stored. A tag value or an event that is no longer in the dictionary is kept and matches nothing. */
export const keptView = keptWebhookFilters.extend({ aggregators: keptValues, providers: keptValues });

/** Saved filters of the feed. */
export function viewSchemas(dictionary: Dictionary) {
  const filters = subscriptionFilters(dictionary);
  const view = z
    .object({
      id: z.uuid().describe("Id of the view."),
      name,
      filters: filters.describe("Filters of the view, as a subscription has them."),
      columns,
      alert: alert.nullable().describe("null: no alert."),
      shared: z.boolean().describe("Whether everybody of the account sees it."),
      created_at: timestamp,
      updated_at: timestamp,
    })
    .meta({ id: "View" });
  return {
    view,
    list: z.object({ data: z.array(view).describe("Views, oldest first.") }).meta({ id: "ViewList" }),
    create: z
      .strictObject({
        name,
        filters: absentIfNull(filters)
          .transform((given) => given ?? {})
          .describe("Filters as a subscription has them. Absent: none."),
        columns: absentIfNull(columns)
          .transform((given) => given ?? [])
          .describe("Columns to show, in order. Absent: the usual ones."),
        alert: alert.nullable().optional().describe("null or absent: no alert."),
        shared: absentIfNull(z.boolean())
          .transform((given) => given ?? false)
          .describe("Whether everybody of the account sees it. Absent: false."),
      })
      .meta({ id: "ViewCreate" }),
    update: z
      .strictObject({
        name: absentIfNull(name).describe("New name."),
        filters: absentIfNull(filters).describe("New filters, instead of all before."),
        columns: absentIfNull(columns).describe("New columns."),
        alert: alert.nullable().optional().describe("New alert; null: none."),
        shared: absentIfNull(z.boolean()).describe("Whether everybody of the account sees it."),
      })
      .meta({ id: "ViewUpdate" }),
  };
}
type Schemas = ReturnType<typeof viewSchemas>;
export type View = z.infer<Schemas["view"]>;
export type ViewCreate = z.infer<Schemas["create"]>;
export type ViewUpdate = z.infer<Schemas["update"]>;
