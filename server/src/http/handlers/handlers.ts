import type { Handlers } from "../contract-routes.ts";
import { type AccountDeps, accountHandlers } from "./account.ts";
import { type AdminDeps, adminHandlers } from "./admin.ts";
import { type AdminStatsDeps, adminStatsHandlers } from "./admin-stats.ts";
import { type BackupDeps, backupHandlers } from "./backups.ts";
import { type DashboardDeps, dashboardHandlers } from "./dashboard.ts";
import { type FeedsDeps, feedHandlers } from "./feeds.ts";
import { type ReferenceDeps, referenceHandlers } from "./reference.ts";
import { type ReplayDeps, replayHandlers } from "./replay.ts";
import { type RetentionDeps, retentionHandlers } from "./retention.ts";
import { type ScoreDeps, scoreHandlers } from "./score.ts";
import { symbolHandlers } from "./symbols.ts";
import { type WebhookDeliveryDeps, webhookDeliveryHandlers } from "./webhooks/webhook-deliveries.ts";
import { type WebhookOrderDeps, webhookOrderHandlers } from "./webhooks/webhook-redelivery.ts";
import { webhookStatsHandlers } from "./webhooks/webhook-stats.ts";
import { type WebhookDeps, webhookHandlers } from "./webhooks/webhooks.ts";

export interface HandlerDeps
  extends FeedsDeps,
    ReplayDeps,
    AdminDeps,
    AdminStatsDeps,
    BackupDeps,
    RetentionDeps,
    ReferenceDeps,
    ScoreDeps,
    AccountDeps,
    DashboardDeps {
  readonly webhooks: WebhookDeps & WebhookDeliveryDeps & WebhookOrderDeps;
}

/** Beside the routes of the contract: the newsfeed of OpenBB Workspace. */
export type ApiHandlers = Handlers & Pick<ReturnType<typeof feedHandlers>, "newsfeed">;

/** The handler of every route. A missing handler, or one without a route, does not compile. */
export function apiHandlers(deps: HandlerDeps): ApiHandlers {
  return {
    ...feedHandlers(deps),
    ...replayHandlers(deps),
    ...accountHandlers(deps),
    ...referenceHandlers(deps),
    ...symbolHandlers(deps),
    ...scoreHandlers(deps),
    ...webhookHandlers(deps.webhooks),
    ...webhookDeliveryHandlers(deps.webhooks),
    ...webhookOrderHandlers(deps.webhooks),
    ...webhookStatsHandlers(deps.webhooks),
    ...dashboardHandlers(deps),
    ...adminHandlers(deps),
    ...adminStatsHandlers(deps),
    ...backupHandlers(deps),
    ...retentionHandlers(deps),
  };
}
