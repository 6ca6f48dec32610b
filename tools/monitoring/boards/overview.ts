import type { Board } from "../types.ts";
import { items, latency, node, quantile, rate, sources, sumBy } from "./shared.ts";

export const overview: Board = {
  name: "overview",
  title: "Overview",
  rows: [
    {
      title: "Now",
      panels: [
        { title: "Processes", unit: "short", kind: "stat", queries: { up: "sum(up{$of})" } },
        {
          title: "New items a minute",
          unit: "short",
          kind: "stat",
          queries: { items: `60 * sum(${rate('tapewire_items_appended_total{$of,outcome="created"}')})` },
        },
        {
          title: "Publication, p99 from first sight",
          unit: "s",
          kind: "stat",
          queries: {
            p99: quantile(0.99, 'tapewire_item_latency_seconds_bucket{$of,stage="receive_to_publish"}'),
          },
        },
        {
          title: "Requests that failed here",
          unit: "reqps",
          kind: "stat",
          queries: { "5xx": `sum(${rate('tapewire_http_requests_total{$of,status="5xx"}')})` },
        },
        {
          title: "Open streams",
          unit: "short",
          kind: "stat",
          queries: { streams: "sum(tapewire_stream_connections{$of})" },
        },
        {
          title: "Webhooks, oldest item not matched",
          unit: "s",
          kind: "stat",
          queries: { lag: "max(tapewire_webhook_lag_seconds{$of})" },
        },
      ],
    },
    {
      title: "The item log",
      panels: [
        items,
        latency,
        sources,
        {
          title: "Entries behind the newest process",
          unit: "short",
          queries: { "{{instance}}": "scalar(max(tapewire_log_head{$of})) - tapewire_log_head{$of}" },
        },
        {
          title: "Since the log was read",
          unit: "s",
          queries: { "{{instance}}": "tapewire_log_read_age_seconds{$of}" },
        },
        {
          title: "Messages between processes",
          unit: "ops",
          queries: {
            "{{direction}} {{kind}}": sumBy("direction, kind", "tapewire_bus_messages_total{$of}"),
            lost: `sum(${rate("tapewire_bus_lost_total{$of}")})`,
          },
        },
      ],
    },
    {
      title: "Database",
      panels: [
        {
          title: "Connections",
          unit: "short",
          queries: { "{{pool}} {{state}}": "sum by (pool, state) (tapewire_database_connections{$of})" },
        },
        {
          title: "Statements that wait for a connection",
          unit: "short",
          queries: { "{{pool}} {{instance}}": "tapewire_database_waiting{$of}" },
        },
        {
          title: "Size",
          unit: "bytes",
          queries: { "{{part}}": "max by (part) (tapewire_database_bytes{$of})" },
        },
        {
          title: "Room on the disk",
          about: "Share that is free, of the disk of the embedded database.",
          unit: "percentunit",
          queries: { "{{instance}}": "tapewire_disk_free_bytes{$of} / (tapewire_disk_size_bytes{$of} > 0)" },
        },
      ],
    },
    node,
  ],
};
