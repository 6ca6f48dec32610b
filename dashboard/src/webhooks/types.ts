import type { Webhook, WebhookStats } from "tapewire";
import type { Loaded } from "../core/load.ts";

/** Shapes of the webhook routes, as the client library has them. */
export type {
  Webhook,
  WebhookDeliveryDetail as DeliveryDetail,
  WebhookDeliveryList as DeliveryList,
  WebhookStats,
  WebhookStatsList as StatsList,
  WebhookStatsRow as StatsRow,
  WebhookTest as TestResult,
  WebhookWithoutSecret,
} from "tapewire";

/** What a part of the screen of one endpoint is given. */
export interface OneWebhook {
  readonly hook: Webhook;
  readonly stats: Loaded<WebhookStats>;
  /** Reads the endpoint and its figures again. */
  readonly again: () => void;
}
