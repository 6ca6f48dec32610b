import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { clockTime, count, dayOnly, shortTime } from "../core/format.ts";
import { isUtc } from "../core/settings.ts";
import { binScale, powerScale, type Scale, stepOf, timeScale, valueScale } from "./scale.ts";
import { type ChartData, type ChartSeries, placeOf } from "./series.ts";
import { barPath, linePath, type Point, ringPath } from "./shapes.ts";

/** Told apart in both themes and by people who do not see red or green; the legend names each. */
const palette = [
  "#c98a1b",
  "#4f8fd0",
  "#4aa98a",
  "#b07cc6",
  "#d0705b",
  "#7f8ea3",
  "#a3a04a",
  "#5f9fb0",
  "#8a8a8a",
];
const inkOf = ({ colour }: ChartSeries) =>
  typeof colour === "number" ? palette[colour % palette.length] : `var(${colour})`;

const left = 52;
const right = 28;
const top = 8;
const bottom = 28;

/** A series with its points in pixels. */
interface Drawn {
  readonly one: ChartSeries;
  readonly points: readonly Point[];
  readonly path: string;
  /** Of dots: those that are only outlined. */
  readonly hollow: string;
}

interface Drawing {
  readonly x: Scale & { readonly tickS: number };
  readonly y: Scale;
  readonly drawn: readonly Drawn[];
}

/** What each value reaches: itself, or of bars what it and those before it make together. */
function reaching({ series }: ChartData): (number | null)[][] {
  const sums: number[] = [];
  return series.map(({ values, kind }) =>
    values.map((value, at) => {
      if (kind !== "bars") return value;
      sums[at] = (sums[at] ?? 0) + (value ?? 0);
      return sums[at];
    }),
  );
}

function scaleOf({ isLog, range, line, series }: ChartData, reached: readonly number[], height: number) {
  const box = { top, height };
  if (isLog === true) return powerScale(reached, box);
  const high = Math.max(1, line?.value ?? 0, ...reached.map((value) => value * 1.08));
  const isWhole = series.every(({ values }) =>
    values.every((value) => value === null || Number.isInteger(value)),
  );
  return valueScale({ from: range?.[0] ?? 0, to: range?.[1] ?? high }, isWhole, box);
}

function drawingOf(data: ChartData, width: number, height: number): Drawing {
  const { times, series } = data;
  const tops = reaching(data);
  const step = stepOf(times);
  const has = (kind: ChartSeries["kind"]) => series.some((one) => one.kind === kind);
  const hasBars = has("bars") && Number.isFinite(step);
  // No bar and no dot is cut by the edge.
  const room = hasBars ? step / 2 : has("dots") ? ((times.at(-1) ?? 0) - (times[0] ?? 0)) / 50 : 0;
  const offsetS = isUtc() ? 0 : -60 * new Date((times[0] ?? 0) * 1_000).getTimezoneOffset();
  const across = { left, width: Math.max(1, width - left - right) };
  const x =
    data.bins === undefined ? timeScale(times, { room, ...across, offsetS }) : binScale(times.length, across);
  const known = tops.flat().filter((value) => value !== null);
  const y = scaleOf(data, known, height - top - bottom);
  const barWidth = Math.min(40, 0.8 * (x.place(step) - x.place(0)));
  let floors: readonly number[] = times.map(() => height - bottom);
  const drawn = series.map((one, at): Drawn => {
    const points = times.map((time, n): Point => {
      const value = tops[at]?.[n] ?? null;
      return value === null ? null : [x.place(time), y.place(value)];
    });
    if (one.kind === "line") return { one, points, path: linePath(points), hollow: "" };
    if (one.kind === "dots") return { one, points, ...dots(one, points) };
    const path = barPath(points, floors, barWidth);
    floors = points.map((point) => point?.[1] ?? height - bottom);
    return { one, points, path, hollow: "" };
  });
  return { x, y, drawn };
}

function dots({ sizes = [], filled = [] }: ChartSeries, points: readonly Point[]) {
  const rings = points.map((point, n) =>
    point === null ? "" : ringPath(...point, 1.5 + (sizes[n] ?? 0.3) * 4),
  );
  return {
    path: rings.filter((_, n) => filled[n] !== false).join(""),
    hollow: rings.filter((_, n) => filled[n] === false).join(""),
  };
}

/** The drawing. The arrow keys move its cursor from point to point. */
export function Plot({ data, label }: { data: ChartData; label: string }) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [cursor, setCursor] = useState<number | null>(null);
  const height = data.height ?? 180;
  const drawing = useMemo(() => drawingOf(data, width, height), [data, width, isUtc()]);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = () => setWidth(element.clientWidth);
    const watcher = new ResizeObserver(measure);
    watcher.observe(element);
    measure();
    return () => watcher.disconnect();
  }, []);
  const end = data.times.length - 1;
  const at = cursor === null || end < 0 ? null : Math.min(cursor, end);
  const move = (by: number) => setCursor(Math.max(0, Math.min(end, (at ?? end + 1) + by)));
  return (
    <div
      ref={box}
      class="plot"
      role="img"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move its cursor
      tabIndex={0}
      aria-label={label}
      style={{ minHeight: `${height + 28}px` }}
      onKeyDown={(event) => {
        if (event.key === "ArrowLeft") move(-1);
        else if (event.key === "ArrowRight") move(1);
        else return;
        event.preventDefault();
      }}
      onPointerMove={({ offsetX }) => setCursor(nearest(data.times, drawing.x, offsetX))}
      onPointerLeave={() => setCursor(null)}
    >
      <svg width={width} height={height} aria-hidden="true">
        <Axes {...{ data, drawing, width, height }} />
        {drawing.drawn.map(({ one, path, hollow }) => (
          <g key={one.label} fill={one.kind === "line" ? "none" : inkOf(one)} stroke={inkOf(one)}>
            <path d={path} stroke-width={one.kind === "line" ? 1.5 : 0} stroke-linejoin="round" />
            <path d={hollow} fill="none" />
          </g>
        ))}
        {at !== null && <Cursor {...{ drawing, height, at }} x={drawing.x.place(data.times[at] ?? 0)} />}
      </svg>
      <Legend data={data} at={at} />
    </div>
  );
}

function nearest(times: readonly number[], x: Scale, px: number): number {
  const away = times.map((time) => Math.abs(x.place(time) - px));
  return away.indexOf(Math.min(...away));
}

interface AxesProps {
  readonly data: ChartData;
  readonly drawing: Drawing;
  readonly width: number;
  readonly height: number;
}

function Axes({ data: { unit = count, line, bins }, drawing: { x, y }, width, height }: AxesProps) {
  const timed = x.tickS >= 86_400 ? dayOnly : x.tickS < 60 ? clockTime : shortTime;
  const named = (at: number) => (bins === undefined ? timed(at * 1_000) : bins.labels[at]?.split(" ")[0]);
  const across = (value: number) => `M${left},${y.place(value)}H${width - right}`;
  return (
    <>
      <path class="grid" d={y.ticks.map(across).join("")} />
      <path class="grid" d={x.ticks.map((time) => `M${x.place(time)},${top}V${height - bottom}`).join("")} />
      {y.ticks.map((value) => (
        <text key={value} x={left - 6} y={y.place(value) + 4} text-anchor="end">
          {unit(value)}
        </text>
      ))}
      {x.ticks.map((time) => (
        <text key={time} x={x.place(time)} y={height - 8} text-anchor="middle">
          {named(time)}
        </text>
      ))}
      {line !== undefined && (
        <>
          <path class="limit" d={across(line.value)} />
          <text x={width - right - 6} y={y.place(line.value) - 5} text-anchor="end">
            {line.label}
          </text>
        </>
      )}
    </>
  );
}

function Cursor({ drawing, at, x, height }: { drawing: Drawing; at: number; x: number; height: number }) {
  return (
    <>
      <path class="limit" d={`M${x},${top}V${height - bottom}`} />
      {drawing.drawn.map(({ one, points }) => {
        const point = points[at] ?? null;
        return point !== null && <path key={one.label} d={ringPath(...point, 3)} fill={inkOf(one)} />;
      })}
    </>
  );
}

/** Which colour is what, and the figures at the cursor: each its own, not the sum of a stack. */
function Legend({ data, at }: { data: ChartData; at: number | null }) {
  const { series, unit = count, bins } = data;
  return (
    <div class="legend">
      {series.map((one) => {
        const value = at === null ? null : (one.values[at] ?? null);
        return (
          <span key={one.label}>
            <i style={{ background: inkOf(one) }} /> {one.label} <b>{value !== null && unit(value)}</b>
          </span>
        );
      })}
      {at !== null && (
        <span>
          {bins?.of ?? "Time"} <b>{placeOf(data, at)}</b>
        </span>
      )}
    </div>
  );
}
