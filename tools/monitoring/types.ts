/**
 * PromQL with `$of` where a series is chosen: boards replace it by job and instance, alerts by the job.
 * `$range` is the range of a rate.
 */
export type Query = string;

export interface Panel {
  readonly title: string;
  /** A word on what it means, where the title does not say it. */
  readonly about?: string;
  /** Grafana's name of the unit. */
  readonly unit: "short" | "s" | "bytes" | "reqps" | "ops" | "percentunit";
  /** stat: one number, the last one. */
  readonly kind?: "stat";
  /** By legend; `{{label}}` is the value of a label. */
  readonly queries: Readonly<Record<string, Query>>;
}

export interface Row {
  readonly title: string;
  readonly panels: readonly Panel[];
}

export interface Board {
  /** Name of its file, and of its address. */
  readonly name: string;
  readonly title: string;
  readonly rows: readonly Row[];
}

/** Values of a series each minute, as promtool writes them: `0+60x30` rises by 60, 30 times. */
type Series = Readonly<Record<string, string>>;

export interface Alert {
  readonly name: string;
  readonly query: Query;
  /** How long it has to be so. */
  readonly for: string;
  /** critical: somebody gets up. warning: during the day. */
  readonly severity: "critical" | "warning";
  readonly summary: string;
  /** What to do. */
  readonly action: string;
  /** At this time (of minutes since the start) it fires for `bad`, with these labels, and not for `good`. */
  readonly test: {
    readonly atMinute: number;
    readonly bad: Series;
    readonly good: Series;
    readonly labels?: Readonly<Record<string, string>>;
  };
}
