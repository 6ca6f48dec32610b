import type { Dictionary } from "../tags.ts";
import { accountRoutes } from "./account.ts";
import { accountKeyRoutes } from "./account-keys.ts";
import { adminRoutes } from "./admin.ts";
import { feedRoutes } from "./feeds.ts";
import { peopleRoutes } from "./people.ts";
import { referenceRoutes } from "./reference.ts";
import { replayRoutes } from "./replay.ts";
import { scoreRoutes } from "./score.ts";
import { sessionRoutes } from "./sessions.ts";
import type { Route, Section } from "./types.ts";
import { viewRoutes } from "./views.ts";
import { webhookDeliveryRoutes } from "./webhook-deliveries.ts";
import { webhookRoutes } from "./webhooks.ts";

/** The headings of the documentation, in order. */
export const sections = {
  feeds: "Scored items: the list with filters, single items, and the stream of events.",
  score: "Score your own texts with the engine that scores the feed.",
  webhooks: "Endpoints that receive scored items, and their deliveries.",
  reference: "Values for filters: providers, sources, symbols, tags. On every plan; uses no quota.",
  account: "The key, the limits of its plan, and its use. On every plan; uses no quota.",
  dashboard:
    "For the dashboard of this service, with the cookie of a session. Programs use an API key and the other endpoints.",
  admin: "For the operator, with the admin token: accounts, keys, people, items and sources.",
} as const satisfies Readonly<Record<Section, string>>;

/** All routes, in the order of the documentation. */
export function routeTable(dictionary: Dictionary) {
  return {
    ...feedRoutes(dictionary),
    ...replayRoutes(dictionary),
    ...accountRoutes,
    ...referenceRoutes,
    ...scoreRoutes,
    ...webhookRoutes(dictionary),
    ...webhookDeliveryRoutes,
    ...sessionRoutes,
    ...accountKeyRoutes,
    ...peopleRoutes,
    ...viewRoutes(dictionary),
    ...adminRoutes,
  } as const satisfies Record<string, Route>;
}
export type Routes = ReturnType<typeof routeTable>;
