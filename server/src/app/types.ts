import type { Config } from "../config/config.ts";
import type { InnerEvents } from "../http/mcp/mcp.ts";
import type { ServeEvents } from "../http/server.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { Metrics } from "../runtime/metrics.ts";
import type { Parts } from "../runtime/parts.ts";
import type { StreamStats } from "../stream/metrics.ts";
import type { DeliveryStats } from "../webhooks/metrics.ts";
import type { OperatorFiles } from "./files.ts";

/** What every part of the service starts with. */
export interface Base {
  readonly config: Config;
  readonly files: OperatorFiles;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Parts are added as they start, and end in the reverse order. */
  readonly stack: Parts;
  readonly state: State;
}

/** Values that other parts need and that are known only after the start. */
export interface State {
  ready: boolean;
  baseUrl: string;
  /** The port it listens on. */
  port: number | null;
  events: ServeEvents | null;
  innerEvents: InnerEvents | null;
  /** Counts of streams and of deliveries; null: this process has none, or not yet. */
  streams: (() => Pick<StreamStats, "open" | "delivered">) | null;
  deliveries: (() => Pick<DeliveryStats, "outcomes">) | null;
  /** Verdicts of pro. null: not yet. */
  scoring: (() => ScoringStats) | null;
}

/** What a process does with pro. */
export interface ScoringStats {
  /** Texts that it judges, or that wait for it. */
  readonly waiting: number;
  /** Verdicts since the start. */
  readonly given: number;
  /** Verdicts in the last minute. */
  readonly perMinute: number;
  /** Scorers that it may ask; null: it asks none. */
  readonly scorers: number | null;
}
