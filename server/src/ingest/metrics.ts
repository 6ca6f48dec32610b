import { labelled, type Metrics } from "../runtime/metrics.ts";
import type { Fetcher } from "./fetch/fetcher.ts";
import { type SourceHealthDeps, sourceCounts } from "./operations/source-health.ts";

export function fetchMetrics(metrics: Metrics, { counts }: Fetcher): void {
  metrics.counter(
    {
      name: "tapewire_ingest_fetches_total",
      help: "Fetches of sources, pages and documents; refused: an error status, failed: no usable answer.",
      labels: ["outcome"],
    },
    () => labelled("outcome", counts),
  );
}

/** Reads the database: sources move between processes, so none of them knows the state of all. */
export function sourceMetrics(metrics: Metrics, deps: SourceHealthDeps): void {
  metrics.gauge(
    {
      name: "tapewire_ingest_sources",
      help: "Configured sources by status, the same in every process.",
      labels: ["status"],
    },
    async () => labelled("status", await sourceCounts(deps)),
  );
}
