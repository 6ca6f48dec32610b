import { signed } from "../core/format.ts";

/** NaN of none. */
export const mean = (values: readonly number[]): number =>
  values.reduce((sum, one) => sum + one, 0) / values.length;

export const rounded = (value: number): number => Math.round(value * 10) / 10;

/** How charts of short directions and of their means look. */
export const directions = {
  unit: (value: number) => signed(rounded(value)),
  range: [-5.5, 5.5],
  line: { value: 0, label: "" },
} as const;
