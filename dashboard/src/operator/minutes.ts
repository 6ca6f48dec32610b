/** What processes tell minute by minute, made one. */
import type { ProcessStats } from "./types.ts";

export type Series = readonly (number | null)[];

type SeriesName = {
  [Name in keyof ProcessStats]: ProcessStats[Name] extends Series ? Name : never;
}[keyof ProcessStats];

/** One value for each minute out of those of all processes. */
export function joined(
  processes: readonly ProcessStats[],
  of: SeriesName,
  join: (values: number[]) => number,
): Series {
  const length = Math.max(0, ...processes.map((process) => process[of].length));
  return Array.from({ length }, (_, at) => {
    const values = processes.flatMap((process) => process[of][at] ?? []);
    return values.length === 0 ? null : join(values);
  });
}
export const sum = (values: number[]) => values.reduce((all, one) => all + one, 0);
export const worst = (values: number[]) => Math.max(...values);
export const last = (values: Series) => values.findLast((value) => value !== null) ?? null;
