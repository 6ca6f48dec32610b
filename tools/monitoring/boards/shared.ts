/** What several boards show. */
import type { Panel, Query, Row } from "../types.ts";

export const rate = (series: string): Query => `rate(${series}[$range])`;
export const sumBy = (labels: string, series: string): Query => `sum by (${labels}) (${rate(series)})`;
export const quantile = (q: number, histogram: string, by = ""): Query =>
  `histogram_quantile(${q}, sum by (le${by}) (${rate(histogram)}))`;

export const node: Row = {
  title: "Processes",
  panels: [
    {
      title: "Processor",
      unit: "percentunit",
      queries: { "{{instance}}": rate("process_cpu_seconds_total{$of}") },
    },
    {
      title: "Memory",
      unit: "bytes",
      queries: {
        "resident {{instance}}": "process_resident_memory_bytes{$of}",
        "heap {{instance}}": "nodejs_heap_size_used_bytes{$of}",
      },
    },
    {
      title: "Delay of the event loop",
      unit: "s",
      queries: {
        "p99 {{instance}}": "nodejs_eventloop_lag_p99_seconds{$of}",
        "max {{instance}}": "nodejs_eventloop_lag_max_seconds{$of}",
      },
    },
    {
      title: "Garbage collection",
      about: "Share of the time.",
      unit: "percentunit",
      queries: { "{{kind}} {{instance}}": sumBy("kind, instance", "nodejs_gc_duration_seconds_sum{$of}") },
    },
    { title: "Open files", unit: "short", queries: { "{{instance}}": "process_open_fds{$of}" } },
    {
      title: "Uptime",
      unit: "s",
      queries: { "{{instance}}": "time() - process_start_time_seconds{$of}" },
    },
  ],
};

export const items: Panel = {
  title: "Items",
  unit: "ops",
  queries: { "{{outcome}}": sumBy("outcome", "tapewire_items_appended_total{$of}") },
};

export const latency: Panel = {
  title: "Time to publication",
  about: "From the source's own time, and from first sight.",
  unit: "s",
  queries: {
    "{{stage}} p50": quantile(0.5, "tapewire_item_latency_seconds_bucket{$of}", ", stage"),
    "{{stage}} p99": quantile(0.99, "tapewire_item_latency_seconds_bucket{$of}", ", stage"),
  },
};

export const sources: Panel = {
  title: "Sources",
  unit: "short",
  queries: { "{{status}}": "max by (status) (tapewire_ingest_sources{$of})" },
};
