import { closeCodes } from "@tapewire/contract/stream.ts";
import { labelled, type Metrics } from "../runtime/metrics.ts";

export interface StreamStats {
  /** Connections that are open. */
  readonly open: Readonly<Record<TransportName, number>>;
  /** Connections since the start. */
  readonly opened: Readonly<Record<TransportName, number>>;
  readonly subscriptions: number;
  readonly delivered: number;
  readonly ringItems: number;
  /** By code. */
  readonly closes: ReadonlyMap<number, number>;
}

export type TransportName = "websocket" | "sse";

export function streamMetrics(metrics: Metrics, gateway: { stats(): StreamStats }): void {
  const stats = metrics.shared(() => gateway.stats());
  metrics.gauge({ name: "tapewire_stream_connections", help: "Open streams.", labels: ["transport"] }, () =>
    labelled("transport", stats().open),
  );
  metrics.counter(
    { name: "tapewire_stream_opened_total", help: "Streams that were opened.", labels: ["transport"] },
    () => labelled("transport", stats().opened),
  );
  metrics.gauge(
    { name: "tapewire_stream_subscriptions", help: "Streams that have subscribed." },
    () => stats().subscriptions,
  );
  metrics.counter(
    {
      name: "tapewire_stream_delivered_total",
      help: "Items written to streams, without those of snapshots.",
    },
    () => stats().delivered,
  );
  metrics.gauge(
    {
      name: "tapewire_stream_ring_items",
      help: "Newest entries of the log in memory, from which streams are served.",
    },
    () => stats().ringItems,
  );
  metrics.counter(
    {
      name: "tapewire_stream_closes_total",
      help: "Streams that the service closed; slow_client: the client took no data for 30 s.",
      labels: ["code", "reason"],
    },
    () =>
      Object.entries(closeCodes).map(
        ([reason, code]) => [{ code: String(code), reason }, stats().closes.get(code) ?? 0] as const,
      ),
  );
}
