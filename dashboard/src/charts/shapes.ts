/** The outlines of series, as paths of SVG. */

/** A point; null: there is no value. */
export type Point = readonly [x: number, y: number] | null;

const short = (value: number) => Math.round(value * 10) / 10;

/** A line that is broken where a value is missing. A point alone is a ring: a line of no length is not seen. */
export function linePath(points: readonly Point[]): string {
  return points
    .map((point, at) => {
      if (point === null) return "";
      const [x, y] = point;
      const follows = (points[at - 1] ?? null) !== null;
      if (!follows && (points[at + 1] ?? null) === null) return ringPath(x, y, 2);
      return `${follows ? "L" : "M"}${short(x)},${short(y)}`;
    })
    .join("");
}

export const ringPath = (x: number, y: number, radius: number) => {
  const r = short(radius);
  return `M${short(x - r)},${short(y)}a${r},${r} 0 1 0 ${2 * r},0a${r},${r} 0 1 0 ${-2 * r},0z`;
};

/** Bars around their points, each down to the place where the one below it ends. */
export function barPath(points: readonly Point[], floors: readonly number[], width: number): string {
  return points
    .map((point, at) => {
      if (point === null) return "";
      const [x, y] = point;
      const floor = floors[at] ?? y;
      return y === floor
        ? ""
        : `M${short(x - width / 2)},${short(floor)}V${short(y)}h${short(width)}V${short(floor)}z`;
    })
    .join("");
}
