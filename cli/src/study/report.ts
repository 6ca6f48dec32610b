/** The figures of a study, as `--json` prints them and the HTML report shows them. */
import { clustered, type Moved } from "./clusters.ts";
import type { Exclusion, Observation, Observer } from "./observations.ts";
import { auc, type Estimate, mean, share } from "./statistics.ts";

export interface StudyReport {
  readonly from: string | null;
  readonly until: string | null;
  readonly index: string | null;
  /** A move counts as abnormal from so many usual moves on. */
  readonly abnormal_from: number;
  readonly versions_read: number;
  readonly items_studied: number;
  readonly excluded: Readonly<Partial<Record<Exclusion, number>>>;
  readonly delisted: number;
  readonly horizons: readonly HorizonReport[];
}

export interface HorizonReport {
  readonly horizon: string;
  readonly observations: number;
  /** How well actionability_score tells abnormal moves from others; 0.5: not at all. */
  readonly auc: Estimate | null;
  /** Share of abnormal moves among all whose size is known. */
  readonly abnormal: Estimate | null;
  /** Among items with a direction whose price moved: how often it moved that way. */
  readonly hit_rate: Estimate | null;
  /** Mean abnormal return in the direction of the score. */
  readonly mean_move: Estimate | null;
  readonly by: Readonly<Record<GroupName, readonly GroupReport[]>>;
}

export interface GroupReport {
  readonly key: string;
  readonly n: number;
  readonly abnormal: Estimate | null;
  readonly hit_rate: Estimate | null;
  /** In the direction of the score; by `direction`: as it was. */
  readonly mean_move: Estimate | null;
}

export type GroupName = "direction" | "conviction" | "score" | "actionable" | "event" | "source" | "hour";

export interface ReportOptions {
  readonly horizons: readonly string[];
  readonly abnormalFrom: number;
  readonly index: string | null;
}

/** Rows of a table by event or by source; the largest groups. */
const mostGroups = 40;

const keys: Readonly<Record<GroupName, (one: Observation) => string | null>> = {
  direction: ({ direction }) => (direction > 0 ? "up" : direction < 0 ? "down" : "neutral"),
  conviction: ({ conviction, direction }) => (direction === 0 ? null : tenth(conviction)),
  score: ({ score }) => tenth(score),
  actionable: ({ isActionable }) => (isActionable ? "actionable" : "not actionable"),
  event: ({ event }) => event ?? "none",
  source: ({ source }) => source,
  hour: ({ atMs }) => `${String(new Date(atMs).getUTCHours()).padStart(2, "0")}:00`,
};
const unsigned: GroupName = "direction";
const largestFirst: readonly GroupName[] = ["event", "source"];

function tenth(value: number): string {
  const from = Math.min(90, Math.floor(value / 10) * 10);
  return `${from}-${from === 90 ? 100 : from + 9}`;
}

export function reportOf(observer: Observer, { horizons, abnormalFrom, index }: ReportOptions): StudyReport {
  const { observations } = observer;
  const times = observations.map(({ atMs }) => atMs);
  const bound = (pick: (a: number, b: number) => number) =>
    times.length === 0 ? null : new Date(times.reduce(pick)).toISOString();
  return {
    from: bound((a, b) => Math.min(a, b)),
    until: bound((a, b) => Math.max(a, b)),
    index,
    abnormal_from: abnormalFrom,
    versions_read: observer.items,
    items_studied: observations.length,
    excluded: Object.fromEntries(observer.excluded),
    delisted: observer.delisted,
    horizons: horizons.map((horizon, at) =>
      horizonReport(horizon, clustered(observations, at), abnormalFrom),
    ),
  };
}

function horizonReport(horizon: string, all: readonly Moved[], abnormalFrom: number): HorizonReport {
  const sized = all.filter(({ size }) => size !== null);
  return {
    horizon,
    observations: all.length,
    auc: auc({
      scores: sized.map(({ one }) => one.score),
      labels: sized.map(({ size }) => (size ?? 0) >= abnormalFrom),
      clusters: clustersOf(sized),
    }),
    abnormal: abnormalShare(all, abnormalFrom),
    hit_rate: hitRate(all),
    mean_move: meanMove(all, true),
    by: {
      direction: groups(all, "direction", abnormalFrom),
      conviction: groups(all, "conviction", abnormalFrom),
      score: groups(all, "score", abnormalFrom),
      actionable: groups(all, "actionable", abnormalFrom),
      event: groups(all, "event", abnormalFrom),
      source: groups(all, "source", abnormalFrom),
      hour: groups(all, "hour", abnormalFrom),
    },
  };
}

function groups(all: readonly Moved[], name: GroupName, abnormalFrom: number): GroupReport[] {
  const keyed = Map.groupBy(all, ({ one }) => keys[name](one));
  keyed.delete(null);
  const made = [...keyed].map(([key, some]) => ({
    key: key ?? "",
    n: some.length,
    abnormal: abnormalShare(some, abnormalFrom),
    hit_rate: hitRate(some),
    mean_move: meanMove(some, name !== unsigned),
  }));
  if (largestFirst.includes(name)) return made.sort((a, b) => b.n - a.n).slice(0, mostGroups);
  return made.sort((a, b) => a.key.localeCompare(b.key, "en", { numeric: true }));
}

const clustersOf = (some: readonly Moved[]) => some.map(({ cluster }) => cluster);

function abnormalShare(all: readonly Moved[], abnormalFrom: number): Estimate | null {
  const sized = all.filter(({ size }) => size !== null);
  const values = sized.map(({ size }) => Number((size ?? 0) >= abnormalFrom));
  return share({ values, clusters: clustersOf(sized) });
}

function hitRate(all: readonly Moved[]): Estimate | null {
  const decided = all.filter(({ one, abnormal }) => one.direction !== 0 && abnormal !== 0);
  const values = decided.map(({ one, abnormal }) => Number(one.direction > 0 === abnormal > 0));
  return share({ values, clusters: clustersOf(decided) });
}

function meanMove(all: readonly Moved[], isSigned: boolean): Estimate | null {
  if (!isSigned) return mean({ values: all.map(({ abnormal }) => abnormal), clusters: clustersOf(all) });
  const directed = all.filter(({ one }) => one.direction !== 0);
  const values = directed.map(({ one, abnormal }) => Math.sign(one.direction) * abnormal);
  return mean({ values, clusters: clustersOf(directed) });
}
