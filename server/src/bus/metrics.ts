import type { Metrics } from "../runtime/metrics.ts";
import type { ServiceBus } from "./bus.ts";

export function busMetrics(metrics: Metrics, bus: ServiceBus): void {
  const { counts } = bus;
  metrics.gauge(
    {
      name: "tapewire_bus_connected",
      help: "1: what other processes publish is heard at once; 0: it is found by polling. The label is the bus in use.",
      labels: ["bus"],
    },
    () => [[{ bus: bus.name }, Number(bus.isConnected)]],
  );
  metrics.counter(
    {
      name: "tapewire_bus_messages_total",
      help: "Messages sent to other processes and received from them, by what they carry.",
      labels: ["direction", "kind"],
    },
    () =>
      (["sent", "received"] as const).flatMap((direction) =>
        Object.entries(counts[direction]).map(([kind, count]) => [{ direction, kind }, count] as const),
      ),
  );
  metrics.counter(
    {
      name: "tapewire_bus_connects_total",
      help: "How often this process began to hear the others; more than one are reconnects.",
    },
    () => counts.connects,
  );
  metrics.counter(
    {
      name: "tapewire_bus_lost_total",
      help: "Messages that could not be sent or read: what they told was found by polling.",
    },
    () => counts.lost,
  );
}
