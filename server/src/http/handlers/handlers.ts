import type { Handlers } from "../contract-routes.ts";
import { type AccountDeps, accountHandlers } from "./account.ts";
import { type AdminDeps, adminHandlers } from "./admin.ts";
import { type FeedsDeps, feedHandlers } from "./feeds.ts";
import { type ReferenceDeps, referenceHandlers } from "./reference.ts";
import { type ScoreDeps, scoreHandlers } from "./score.ts";
import { symbolHandlers } from "./symbols.ts";
import { type WebhookDeliveryDeps, webhookDeliveryHandlers } from "./webhook-deliveries.ts";
import { type WebhookOrderDeps, webhookOrderHandlers } from "./webhook-redelivery.ts";
import { readWebhookStats } from "./webhook-stats.ts";
import { type WebhookDeps, webhookHandlers } from "./webhooks.ts";

export interface HandlerDeps extends FeedsDeps, AdminDeps, ReferenceDeps, ScoreDeps, AccountDeps {
  readonly webhooks: WebhookDeps & WebhookDeliveryDeps & WebhookOrderDeps;
}

/** The handler of every route. A missing handler, or one without a route, does not compile. */
export function apiHandlers(deps: HandlerDeps): Handlers {
  return {
    ...feedHandlers(deps),
    ...accountHandlers(deps),
    ...referenceHandlers(deps),
    ...symbolHandlers(deps),
    ...scoreHandlers(deps),
    ...webhookHandlers(deps.webhooks),
    ...webhookDeliveryHandlers(deps.webhooks),
    ...webhookOrderHandlers(deps.webhooks),
    readWebhookStats: readWebhookStats(deps.webhooks),
    ...adminHandlers(deps),
  };
}
