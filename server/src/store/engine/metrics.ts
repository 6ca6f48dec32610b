import type { Metrics } from "../../runtime/metrics.ts";
import type { Db } from "./db.ts";

export function databaseMetrics(metrics: Metrics, db: Db): void {
  metrics.gauge(
    {
      name: "tapewire_database_connections",
      help: "Connections to the database, by pool: main, list (for GET /v1/feeds), or the embedded database's only one.",
      labels: ["pool", "state"],
    },
    () =>
      db
        .pools()
        .flatMap(({ pool, total, idle }) => [
          [{ pool, state: "idle" }, idle] as const,
          [{ pool, state: "busy" }, total - idle] as const,
        ]),
  );
  metrics.gauge(
    {
      name: "tapewire_database_waiting",
      help: "Statements and transactions that wait for a connection.",
      labels: ["pool"],
    },
    () => db.pools().map(({ pool, waiting }) => [{ pool }, waiting] as const),
  );
}
