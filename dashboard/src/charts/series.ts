import { count } from "../core/format.ts";

export interface ChartSeries {
  readonly label: string;
  readonly values: readonly (number | null)[];
  /** A custom property such as `--edge`, or the place in the palette. */
  readonly colour: string | number;
  readonly kind: "line" | "bars" | "dots";
  /** For dots: the size of each, 0..1, and whether it is filled. */
  readonly sizes?: readonly number[];
  readonly filled?: readonly boolean[];
}

export interface ChartData {
  /** Seconds, ascending. */
  readonly times: readonly number[];
  readonly series: readonly ChartSeries[];
  readonly unit: (value: number) => string;
  readonly isStacked?: boolean;
  readonly isLog?: boolean;
  readonly range?: readonly [number, number];
  /** A line across, such as a limit. */
  readonly line?: { readonly value: number; readonly label: string };
  readonly height?: number;
}

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
  unit: count,
  isStacked: true,
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
