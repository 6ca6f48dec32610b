import { labelled, type Metrics } from "../runtime/metrics.ts";
import type { Sequencer } from "./append.ts";
import type { ItemTail } from "./tail.ts";
import type { RecentWindow } from "./window.ts";

export interface ItemLogParts {
  readonly tail: ItemTail;
  readonly window: RecentWindow;
  readonly sequencer: Sequencer;
}

export function itemLogMetrics(metrics: Metrics, { tail, window, sequencer }: ItemLogParts): void {
  metrics.gauge(
    { name: "tapewire_log_head", help: "Seq of the newest entry of the log that this process has read." },
    () => tail.head,
  );
  metrics.gauge(
    {
      name: "tapewire_log_behind_entries",
      help: "Entries that this process knows to be committed and has not read.",
    },
    () => tail.behind,
  );
  metrics.gauge(
    {
      name: "tapewire_log_read_age_seconds",
      help: "Time since the log was last read successfully from the database.",
    },
    () => tail.readAgeMs / 1_000,
  );
  metrics.counter(
    {
      name: "tapewire_items_appended_total",
      help: "Items that this process has appended to the log, by outcome.",
      labels: ["outcome"],
    },
    () => labelled("outcome", sequencer.counts),
  );
  metrics.gauge(
    { name: "tapewire_items_queued", help: "Items that wait to be appended." },
    () => sequencer.queued,
  );
  windowMetrics(metrics, window);
}

function windowMetrics(metrics: Metrics, window: RecentWindow): void {
  const stats = metrics.shared(() => window.stats());
  metrics.gauge(
    { name: "tapewire_window_ready", help: "1: lists come from memory; 0: from the database." },
    () => Number(stats().ready),
  );
  metrics.gauge({ name: "tapewire_window_items", help: "Items of the recent window." }, () => stats().items);
  metrics.gauge(
    { name: "tapewire_window_index_bytes", help: "Memory of the recent window's index." },
    () => stats().bytes,
  );
  metrics.gauge({ name: "tapewire_window_bodies", help: "Encoded items in memory." }, () => stats().bodies);
  metrics.gauge(
    { name: "tapewire_window_body_bytes", help: "Memory of the encoded items." },
    () => stats().bodyBytes,
  );
}
