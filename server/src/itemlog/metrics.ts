import type { PublishedMinutes } from "../feed/published-minutes.ts";
import type { Clock } from "../runtime/clock.ts";
import { labelled, type Metrics } from "../runtime/metrics.ts";
import type { PublishedWatch, Sequencer } from "./append.ts";
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

const latencyBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200];

/**
 * Counts what is published, and measures new items. Items that a source shows late, or that an operator imports, say
 * nothing of how fast the service is: late ones are not measured, pushed ones not from the source's own time.
 */
export function publishedWatch(
  metrics: Metrics,
  clock: Pick<Clock, "now">,
  minutes: PublishedMinutes,
): PublishedWatch {
  const observe = metrics.histogram({
    name: "tapewire_item_latency_seconds",
    help: "From the source's own time, and from first sight, to publication: new items that came live; pushed ones by the second only.",
    labels: ["stage"],
    buckets: latencyBuckets,
  });
  const [fromSource, fromReceipt] = [
    observe({ stage: "source_to_publish" }),
    observe({ stage: "receive_to_publish" }),
  ];
  return (item, arrival) => {
    const { revision, source_time, scraped_at } = item;
    const atMs = clock.now().getTime();
    // A source's clock may be ahead of ours.
    const since = (time: string) => Math.max(0, atMs - Date.parse(time));
    const isMeasured = revision === 0 && arrival !== "backfill";
    const latency = {
      source: isMeasured && arrival === "live" && source_time !== null ? since(source_time) : null,
      receipt: isMeasured ? since(scraped_at) : null,
    };
    minutes.add(item, { atMs, latency });
    if (latency.source !== null) fromSource(latency.source / 1_000);
    if (latency.receipt !== null) fromReceipt(latency.receipt / 1_000);
  };
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
