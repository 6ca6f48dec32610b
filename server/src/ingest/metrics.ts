import { labelled, type Metrics } from "../runtime/metrics.ts";
import type { Fetcher } from "./fetch/fetcher.ts";
import { type SourceHealthDeps, sourceCounts } from "./operations/source-health.ts";

export function fetchMetrics(metrics: Metrics, { counts }: Fetcher): void {
  metrics.counter(
    {
      name: "tapewire_ingest_fetches_total",
      help: "Fetches of sources, pages and documents; refused: an answer of failure, failed: none that could be used.",
      labels: ["outcome"],
    },
    () => labelled("outcome", counts),
  );
}

/** Asks the database: sources go from process to process, and none of them knows how the others have fared. */
export function sourceMetrics(metrics: Metrics, deps: SourceHealthDeps): void {
  metrics.gauge(
    {
      name: "tapewire_ingest_sources",
      help: "Configured sources by how they are doing, the same in every process.",
      labels: ["status"],
    },
    async () => labelled("status", await sourceCounts(deps)),
  );
}
