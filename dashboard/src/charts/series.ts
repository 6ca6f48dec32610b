import { dayTime } from "../core/format.ts";

export interface ChartSeries {
  readonly label: string;
  readonly values: readonly (number | null)[];
  /** A custom property such as `--edge`, or the place in the palette. */
  readonly colour: string | number;
  /** Bars stand on those of the series before. */
  readonly kind: "line" | "bars" | "dots";
  /** For dots: the size of each, 0..1, and whether it is filled. */
  readonly sizes?: readonly number[];
  readonly filled?: readonly boolean[];
}

export interface ChartData {
  /** Seconds, ascending; with bins their places. */
  readonly times: readonly number[];
  /** What the points are of instead of times, and its values. The axis names each by the first word. */
  readonly bins?: { readonly of: string; readonly labels: readonly string[] };
  readonly series: readonly ChartSeries[];
  /** Absent: the values are numbers of things. */
  readonly unit?: (value: number) => string;
  readonly isLog?: boolean;
  readonly range?: readonly [number, number];
  /** A line across, such as a limit. */
  readonly line?: { readonly value: number; readonly label: string };
  readonly height?: number;
}

/** Where a point is, in words. */
export const placeOf = ({ bins, times }: ChartData, at: number): string =>
  bins?.labels[at] ?? dayTime((times[at] ?? 0) * 1_000);

type Drawn = Pick<ChartSeries, "values" | "colour">;
const series =
  (kind: ChartSeries["kind"]) =>
  (label: string, values: Drawn["values"], colour: Drawn["colour"]): ChartSeries => ({
    label,
    values,
    colour,
    kind,
  });
export const bars = series("bars");
export const line = series("line");

/** How many items there were, and how many of them were actionable. */
export const itemsChart = (
  times: readonly number[],
  items: readonly number[],
  actionable: readonly number[],
): ChartData => ({
  times,
  height: 115,
  series: [
    bars("Actionable", actionable, "--edge"),
    bars(
      "Others",
      items.map((all, at) => all - (actionable[at] ?? 0)),
      "--quiet",
    ),
  ],
});
