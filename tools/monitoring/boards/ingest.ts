import type { Board } from "../types.ts";
import { items, latency, node, quantile, rate, sources, sumBy } from "./shared.ts";

export const ingest: Board = {
  name: "ingest",
  title: "Ingest & sources",
  rows: [
    {
      title: "Sources",
      panels: [
        sources,
        {
          title: "Fetches",
          unit: "reqps",
          queries: { "{{outcome}}": sumBy("outcome", "tapewire_ingest_fetches_total{$of}") },
        },
        latency,
      ],
    },
    {
      title: "Items",
      panels: [
        items,
        {
          title: "Waiting to be appended",
          unit: "short",
          queries: { "{{instance}}": "tapewire_items_queued{$of}" },
        },
        {
          title: "Time to score an item",
          about: "flash: its mean. pro: the wait for its verdict, of items that it was asked about.",
          unit: "s",
          queries: {
            flash: `sum(${rate("tapewire_scored_items_seconds_total{$of}")}) / sum(${rate("tapewire_scored_items_total{$of}")})`,
            "pro p50": quantile(0.5, "tapewire_feed_pro_wait_seconds_bucket{$of}"),
            "pro p99": quantile(0.99, "tapewire_feed_pro_wait_seconds_bucket{$of}"),
          },
        },
        {
          title: "Items by what came of pro",
          about: "answered: scored by pro. All others keep the score of flash.",
          unit: "ops",
          queries: { "{{outcome}}": sumBy("outcome", "tapewire_feed_pro_total{$of}") },
        },
      ],
    },
    {
      title: "Callers' texts",
      panels: [
        {
          title: "Verdicts",
          unit: "ops",
          queries: { "{{model}}": sumBy("model", "tapewire_score_duration_seconds_count{$of}") },
        },
        {
          title: "Time of a verdict, p99",
          unit: "s",
          queries: { "{{model}}": quantile(0.99, "tapewire_score_duration_seconds_bucket{$of}", ", model") },
        },
        {
          title: "Verdicts of a smaller model, since the larger one failed",
          unit: "ops",
          queries: { "{{model}}": sumBy("model", "tapewire_score_stand_ins_total{$of}") },
        },
      ],
    },
    node,
  ],
};
