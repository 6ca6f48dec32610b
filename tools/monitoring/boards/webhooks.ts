import type { Board } from "../types.ts";
import { node, quantile, rate, sumBy } from "./shared.ts";

export const webhooks: Board = {
  name: "webhooks",
  title: "Webhooks",
  rows: [
    {
      title: "Deliveries",
      panels: [
        {
          title: "Outcomes",
          unit: "ops",
          queries: {
            "{{outcome}}": sumBy("outcome", "tapewire_webhook_deliveries_total{$of}"),
            matched: `sum(${rate("tapewire_webhook_matches_total{$of}")})`,
          },
        },
        {
          title: "Attempts, p99",
          unit: "s",
          queries: {
            "{{outcome}}": quantile(
              0.99,
              "tapewire_webhook_attempt_duration_seconds_bucket{$of}",
              ", outcome",
            ),
          },
        },
        {
          title: "Attempts without a response",
          unit: "ops",
          queries: { "{{error}}": sumBy("error", "tapewire_webhook_attempt_errors_total{$of}") },
        },
        {
          title: "Behind the log",
          unit: "s",
          queries: { "{{instance}}": "tapewire_webhook_lag_seconds{$of}" },
        },
        {
          title: "Under way, of 512 a process",
          unit: "short",
          queries: {
            "under way {{instance}}": "tapewire_webhook_in_flight{$of}",
            "endpoints that wait {{instance}}": "tapewire_webhook_starved_endpoints{$of}",
          },
        },
        {
          title: "To be tried again",
          unit: "short",
          queries: { deliveries: "sum(tapewire_webhook_exceptions{$of})" },
        },
      ],
    },
    {
      title: "Endpoints",
      panels: [
        {
          title: "By state",
          unit: "short",
          queries: { "{{state}}": "sum by (state) (tapewire_webhook_endpoints{$of})" },
        },
        {
          title: "Shards held, 64 in all",
          unit: "short",
          queries: { "{{instance}}": "tapewire_webhook_shards{$of}" },
        },
        {
          title: "Connections",
          unit: "ops",
          queries: { "{{kind}}": sumBy("kind", "tapewire_webhook_connections_total{$of}") },
        },
      ],
    },
    node,
  ],
};
