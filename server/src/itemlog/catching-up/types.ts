import type { Bus } from "../../bus/types.ts";
import type { LogItem } from "../../feed/item.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Log } from "../../runtime/log.ts";
import type { Queries } from "../../store/engine/db.ts";
import type { History } from "../../store/log/history.ts";

export interface TailDeps {
  readonly db: Queries;
  readonly bus: Bus;
  readonly log: Log;
  readonly clock: Clock;
  /** Reads older entries, which a replica may have as well; absent: from `db`. */
  readonly history?: History;
  /** See Db; absent: it is lent to nobody. */
  readonly lentUntilMs?: () => number;
}

/** Called in the turn of the change; must not throw. */
export interface LogObserver {
  /** Entries became visible: all remaining ones up to the new head, in order. */
  extended?(items: readonly LogItem[]): void;
  /** The log was replaced by another: it was restored or rebuilt. Nothing read before is valid. */
  replaced?(): void;
  /** Months were dropped: observers must discard what they hold of them. */
  cut?(): void;
}
