import type { PublishedMinutes } from "../feed/published-minutes.ts";
import type { Clock } from "../runtime/clock.ts";
import { labelled, type Metrics } from "../runtime/metrics.ts";
import type { PublishedWatch, Sequencer } from "./append.ts";
import type { FeedIndex } from "./feed-index.ts";
import type { ItemTail } from "./tail.ts";

export interface ItemLogParts {
  readonly tail: ItemTail;
  readonly index: FeedIndex;
  readonly sequencer: Sequencer;
}

export function itemLogMetrics(metrics: Metrics, { tail, index, sequencer }: ItemLogParts): void {
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
    () => tail.freshness.ageMs / 1_000,
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
  indexMetrics(metrics, index);
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

function indexMetrics(metrics: Metrics, index: FeedIndex): void {
  const stats = metrics.shared(() => index.stats());
  const gauges: [name: string, help: string, value: () => number][] = [
    ["ready", "1: lists are served; 0: the index is being loaded.", () => Number(stats().ready)],
    ["building", "1: segments are being built for the first time.", () => Number(stats().building)],
    ["segments", "Segments in the database.", () => stats().segments],
    ["items", "Items in segments, and of those in memory alone.", () => stats().items],
    ["unfolded_items", "Items whose newest version is in memory alone.", () => stats().unfolded],
    ["bytes", "Memory of the heads of segments and of the items in memory.", () => stats().bytes],
    [
      "cache_bytes",
      "Memory of parts of segments, and of what filters found in them.",
      () => stats().cacheBytes,
    ],
    ["bodies", "Encoded items in memory.", () => stats().bodies],
    ["body_bytes", "Memory of the encoded items.", () => stats().bodyBytes],
  ];
  for (const [name, help, value] of gauges) metrics.gauge({ name: `tapewire_index_${name}`, help }, value);
  metrics.counter(
    { name: "tapewire_index_reads_total", help: "Parts of segments that were read from the database." },
    () => stats().reads,
  );
}
