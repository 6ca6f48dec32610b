/** Where values stand in a chart, and which of them its axes name. */

export interface Scale {
  /** @returns pixels from the left, or from the top */
  place(value: number): number;
  readonly ticks: readonly number[];
}

interface Span {
  readonly from: number;
  readonly to: number;
}

const secondsOf = { minute: 60, hour: 3_600, day: 86_400 } as const;
const timeSteps: readonly number[] = [
  ...[1, 2, 5, 10, 15, 30],
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * secondsOf.minute),
  ...[1, 2, 3, 6, 12].map((hours) => hours * secondsOf.hour),
  ...[1, 2, 5, 10, 30, 90, 365].map((days) => days * secondsOf.day),
];

/** From here on days are named, not hours. */
const namesDaysS = 200_000;

const evenly =
  ({ from, to }: Span, start: number, length: number) =>
  (value: number) =>
    start + ((value - from) / (to - from)) * length;

/** The multiples of a step in a span, moved by an offset. */
function multiples({ from, to }: Span, step: number, offset = 0): number[] {
  const first = Math.ceil((from + offset) / step);
  const count = Math.max(0, Math.floor((to + offset) / step) - first + 1);
  return Array.from({ length: count }, (_, at) => (first + at) * step - offset);
}

/** The shortest time between two points; of one point a minute. */
export const stepOf = (times: readonly number[]) =>
  times.reduce((least, time, at) => {
    const gap = time - (times[at - 1] ?? Number.NEGATIVE_INFINITY);
    return gap > 0 && gap < least ? gap : least;
  }, Number.POSITIVE_INFINITY);

/**
 * The axis of times, in seconds.
 * @param room seconds before the first and after the last point
 * @param offsetS how far the viewer's clock is ahead of UTC: days begin at that midnight
 */
export function timeScale(
  times: readonly number[],
  { room, left, width, offsetS }: { room: number; left: number; width: number; offsetS: number },
): Scale & { readonly tickS: number } {
  const first = times[0] ?? 0;
  const last = times.at(-1) ?? first;
  const lone = first === last ? 30 : 0;
  const span = { from: first - room - lone, to: last + room + lone };
  const longest = span.to - span.from;
  const most = Math.max(2, Math.floor(width / 76));
  const least = Math.max(longest / most, longest > namesDaysS ? secondsOf.day : 0);
  const tickS = timeSteps.find((step) => step >= least) ?? longest;
  return { place: evenly(span, left, width), ticks: multiples(span, tickS, offsetS), tickS };
}

/** The least pixels for the label of a bin. */
const labelPx = 22;

/** The axis of values that have no distances: each in the middle of its part. Where there is no room not all are named. */
export function binScale(count: number, { left, width }: { left: number; width: number }) {
  const span = { from: -0.5, to: count - 0.5 };
  const place = evenly(span, left, width);
  return { place, ticks: multiples(span, Math.ceil((count * labelPx) / width)), tickS: 0 };
}

/** 1, 2 or 5 times a power of ten, and at least `least`. */
export function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5].find((one) => one * power >= least * (1 - 1e-9)) ?? 10;
  return factor * power;
}

interface Height {
  readonly top: number;
  readonly height: number;
}

/** The axis of values, `to` above `from`. Numbers of things have no quarters between them. */
export function valueScale(span: Span, isWhole: boolean, { top, height }: Height): Scale {
  const step = roundStep((span.to - span.from) / Math.max(2, Math.floor(height / 32)));
  const ticks = multiples(span, isWhole ? Math.max(1, step) : step);
  return {
    place: evenly(span, top + height, -height),
    // One alone tells no distance.
    ticks: ticks.length > 1 ? ticks : multiples(span, roundStep(step / 2.5)),
  };
}

/** Powers of ten at equal distances. */
export function powerScale(values: readonly number[], { top, height }: Height): Scale {
  const powers = values.filter((value) => value > 0).map(Math.log10);
  const from = powers.length === 0 ? 0 : Math.floor(Math.min(...powers));
  const span = { from, to: Math.max(from + 1, ...powers.map(Math.ceil)) };
  const place = evenly(span, top + height, -height);
  return {
    place: (value) => place(Math.log10(value)),
    ticks: multiples(span, Math.max(1, Math.ceil((span.to - span.from) / (height / 20)))).map(
      (power) => 10 ** power,
    ),
  };
}
