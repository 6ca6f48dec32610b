import { cachedFor } from "../../runtime/cached-for.ts";
import type { Clock } from "../../runtime/clock.ts";
import { labelled, type Metrics } from "../../runtime/metrics.ts";
import type { Db } from "../engine/db.ts";
import { readKept } from "./kept-since.ts";
import { type Keeper, keeperStates } from "./old-months-remover.ts";

const keptForMs = 60_000;

export function retentionMetrics(
  metrics: Metrics,
  keeper: Keeper,
  { db, clock }: { db: Db; clock: Clock },
): void {
  metrics.gauge(
    {
      name: "tapewire_retention_state",
      help: "1 for the present state of deleting old items in this process.",
      labels: ["state"],
    },
    () => keeperStates.map((state) => [{ state }, Number(state === keeper.state)] as const),
  );
  metrics.counter(
    {
      name: "tapewire_retention_deleted_rows_total",
      help: "Rows that this process has deleted because their items are older than what is kept.",
      labels: ["table"],
    },
    () => labelled("table", keeper.deleted),
  );
  metrics.counter(
    { name: "tapewire_retention_failures_total", help: "Tries to delete old items that failed." },
    () => keeper.failures,
  );
  const kept = cachedFor(clock, keptForMs, () => readKept(db.main));
  metrics.gauge(
    {
      name: "tapewire_kept_since_timestamp_seconds",
      help: "Items published before this time are deleted and refused; 0: everything is kept.",
    },
    async () => ((await kept()).since?.getTime() ?? 0) / 1_000,
  );
}
