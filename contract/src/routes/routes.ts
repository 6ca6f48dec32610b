import type { TagDictionary } from "../tags.ts";
import { accountRoutes } from "./account.ts";
import { adminRoutes } from "./admin.ts";
import { feedRoutes } from "./feeds.ts";
import { referenceRoutes } from "./reference.ts";
import { scoreRoutes } from "./score.ts";
import type { Route, Section } from "./types.ts";
import { webhookDeliveryRoutes } from "./webhook-deliveries.ts";
import { webhookRoutes } from "./webhooks.ts";

/** The headings of the documentation, in its order. */
export const sections = {
  feeds: "Scored items: the list with its filters, and single items in full.",
  score: "Texts of your own, judged by the engine that judges the feed.",
  webhooks: "Addresses that scored items are delivered to.",
  reference: "What filters may name: providers, sources, symbols, tags. On every plan; uses no quota.",
  account: "The key, what its plan allows, and what was used. On every plan; uses no quota.",
  admin: "For the operator, with the admin token: accounts, keys, items and sources.",
} as const satisfies Readonly<Record<Section, string>>;

/** The routes that exist, in the order the documentation shows them. */
export function routeTable(dictionary: TagDictionary) {
  return {
    ...feedRoutes(dictionary),
    ...accountRoutes,
    ...referenceRoutes,
    ...scoreRoutes,
    ...webhookRoutes(dictionary),
    ...webhookDeliveryRoutes,
    ...adminRoutes,
  } as const satisfies Record<string, Route>;
}
export type Routes = ReturnType<typeof routeTable>;
