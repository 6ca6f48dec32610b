import { get } from "../api.ts";
import { listParams } from "./filter.ts";
import type { Filters } from "./types.ts";

/** One interval with items: its start in milliseconds, items, actionable items, scored items, sum of sentiment. */
export type Point = readonly [number, number, number | null, number | null, number | null];

export interface FeedStats {
  readonly interval: string;
  readonly from: string;
  readonly until: string;
  readonly complete: boolean;
  readonly series: readonly {
    readonly key: string | null;
    readonly label: string;
    readonly points: readonly Point[];
  }[];
  readonly totals: { readonly items: number; readonly actionable: number | null };
}

interface Asked {
  readonly interval?: "minute" | "hour" | "day";
  readonly by?: string;
  readonly since?: string | null;
  readonly until?: string | null;
  readonly top?: number;
}

/** Counts of the items that a filter finds: one without providers (isListed), which are no axis of it. */
export const feedStats = (filter: Filters, asked: Asked = {}, signal?: AbortSignal): Promise<FeedStats> =>
  get<FeedStats>("/v1/feeds/stats", { ...listParams(filter), ...asked }, signal);

export const itemsOf = (points: readonly Point[]): number =>
  points.reduce((sum, [, items]) => sum + items, 0);

const stepMs: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** Starts of all intervals, in milliseconds: also of those without items, which the answer leaves out. */
export function startsOf({ interval, from, until }: FeedStats): readonly number[] {
  const step = stepMs[interval] ?? 3_600_000;
  const first = Math.floor(Date.parse(from) / step) * step;
  const count = Math.max(1, Math.ceil((Date.parse(until) - first) / step));
  return Array.from({ length: count }, (_, at) => first + at * step);
}

/** One figure of a series for each of the starts; 0 where there was no item. */
export function valuesAt(
  starts: readonly number[],
  points: readonly Point[],
  of: (point: Point) => number | null,
): readonly number[] {
  const known = new Map(points.map((point) => [point[0], of(point) ?? 0]));
  return starts.map((start) => known.get(start) ?? 0);
}
