import type { Config } from "../config/config.ts";
import type { ServeEvents } from "../http/server.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { Metrics } from "../runtime/metrics.ts";
import type { Parts } from "../runtime/parts.ts";
import type { OperatorFiles } from "./files.ts";

/** What every part of the service starts with. */
export interface Base {
  readonly config: Config;
  readonly files: OperatorFiles;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Whatever must end goes here as it starts: parts end in the reverse order. */
  readonly stack: Parts;
  readonly state: State;
}

/** What is known only once parts have started that others look at. */
export interface State {
  ready: boolean;
  baseUrl: string;
  /** Where it listens. */
  port: number | null;
  events: ServeEvents | null;
}
