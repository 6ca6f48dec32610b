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
