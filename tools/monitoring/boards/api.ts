import type { Board } from "../types.ts";
import { node, quantile, rate, sumBy } from "./shared.ts";

export const api: Board = {
  name: "api",
  title: "API & streams",
  rows: [
    {
      title: "Requests",
      panels: [
        {
          title: "By status",
          unit: "reqps",
          queries: { "{{status}}": sumBy("status", "tapewire_http_requests_total{$of}") },
        },
        {
          title: "By route, the ten most frequent",
          unit: "reqps",
          queries: {
            "{{method}} {{route}}": `topk(10, ${sumBy("method, route", "tapewire_http_requests_total{$of}")})`,
          },
        },
        {
          title: "p99 by route, the ten slowest",
          unit: "s",
          queries: {
            "{{route}}": `topk(10, ${quantile(0.99, "tapewire_http_request_duration_seconds_bucket{$of}", ", route")})`,
          },
        },
        {
          title: "Lists: time",
          unit: "s",
          queries: {
            p50: quantile(0.5, 'tapewire_http_request_duration_seconds_bucket{$of,route="/v1/feeds"}'),
            p99: quantile(0.99, 'tapewire_http_request_duration_seconds_bucket{$of,route="/v1/feeds"}'),
          },
        },
        {
          title: "Refused by a limit",
          unit: "reqps",
          queries: { "{{policy}}": sumBy("policy", "tapewire_refusals_total{$of}") },
        },
        {
          title: "Lists in memory",
          unit: "bytes",
          queries: {
            "index {{instance}}": "tapewire_index_cache_bytes{$of}",
            "items {{instance}}": "tapewire_index_body_bytes{$of}",
          },
        },
      ],
    },
    {
      title: "Streams",
      panels: [
        {
          title: "Open",
          unit: "short",
          queries: { "{{transport}}": "sum by (transport) (tapewire_stream_connections{$of})" },
        },
        {
          title: "Opened and closed by the service",
          unit: "ops",
          queries: {
            "opened {{transport}}": sumBy("transport", "tapewire_stream_opened_total{$of}"),
            "closed {{reason}}": sumBy("reason", "tapewire_stream_closes_total{$of}"),
          },
        },
        {
          title: "Items written",
          unit: "ops",
          queries: { "{{instance}}": rate("tapewire_stream_delivered_total{$of}") },
        },
      ],
    },
    node,
  ],
};
