import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { clockTime, dayTime, shortTime } from "../core/format.ts";
import { colour, theme } from "../core/settings.ts";
import { dotPaths } from "./dots.ts";
import { systemIsDark } from "./system.ts";
import type { ChartData, ChartSeries } from "./types.ts";

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

const inkOf = (element: Element, name: string) => getComputedStyle(element).getPropertyValue(name).trim();

/** A custom property may hold light-dark(), which a canvas cannot resolve: an element does. */
function resolved(element: HTMLElement, value: string): string {
  const probe = document.createElement("i");
  probe.style.color = value;
  element.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

const strokeOf = (element: HTMLElement, { colour: given }: ChartSeries) =>
  typeof given === "number"
    ? (palette[given % palette.length] ?? "")
    : resolved(element, inkOf(element, given));

/** What each series adds to those before it; drawn from the sum of all down to the first. */
function stacked(series: readonly ChartSeries[]): (number | null)[][] {
  const sums: number[] = [];
  return series.map(({ values }) =>
    values.map((value, at) => {
      sums[at] = (sums[at] ?? 0) + (value ?? 0);
      return sums[at];
    }),
  );
}

function seriesOf(
  element: HTMLElement,
  one: ChartSeries,
  unit: ChartData["unit"],
  values: readonly (number | null)[],
): uPlot.Series {
  const stroke = strokeOf(element, one);
  const common: uPlot.Series = {
    label: one.label,
    stroke,
    width: 1.5,
    scale: one.isRight ? "right" : "y",
    // The legend tells the figure itself, not the sum of the stack.
    value: (_plot, _value, _series, at) => {
      const own = at === null ? null : values[at];
      return own === null || own === undefined ? "—" : unit(own);
    },
  };
  const bars = uPlot.paths.bars?.({ size: [0.8, 40], gap: 0 });
  const noPoints = { show: false };
  if (one.kind === "bars" && bars !== undefined)
    return { ...common, width: 0, fill: stroke, paths: bars, points: noPoints };
  if (one.kind === "area")
    return { ...common, fill: `color-mix(in srgb, ${stroke} 70%, transparent)`, width: 1, points: noPoints };
  if (one.kind === "dots") return { ...common, paths: dotPaths(one, stroke), width: 1, points: noPoints };
  return common;
}

function optionsOf(element: HTMLElement, data: ChartData): uPlot.Options {
  const quiet = resolved(element, inkOf(element, "--quiet"));
  const grid = { stroke: resolved(element, inkOf(element, "--line")), width: 1 };
  const order = data.isStacked ? data.series.toReversed() : data.series;
  const axis: uPlot.Axis = {
    stroke: quiet,
    grid,
    ticks: { show: false },
    font: "12px system-ui",
    size: 52,
    gap: 6,
  };
  const span = (data.times.at(-1) ?? 0) - (data.times[0] ?? 0);
  const dayOf = (ms: number) => dayTime(ms).replace(/,? \d\d:\d\d$/, "");
  const label = span > 200_000 ? dayOf : span < 900 ? clockTime : shortTime;
  const range = data.range;
  return {
    width: element.clientWidth,
    height: data.height ?? 180,
    padding: [8, 20, 0, 0],
    cursor: { y: false, points: { size: 6 }, drag: { x: false, y: false } },
    legend: { live: true },
    scales: {
      x: { time: true },
      y: {
        ...(data.isLog ? { distr: 3 } : {}),
        ...(range === undefined ? {} : { range: [range[0], range[1]] }),
        ...(range === undefined && !data.isLog
          ? { range: (_plot, _low, high) => [0, Math.max(1, high * 1.08, data.line?.value ?? 0)] }
          : {}),
      },
    },
    axes: [
      {
        ...axis,
        size: 28,
        space: label === clockTime ? 76 : 50,
        values: (_plot, splits) => splits.map((at) => label(at * 1_000)),
      },
      {
        ...axis,
        ...(isWhole(data) ? { incrs: wholeSteps } : {}),
        // Of a logarithmic axis only the powers of ten.
        ...(data.isLog
          ? { grid: { ...grid, filter: (_plot: uPlot, splits: number[]) => splits.map(tenfold) } }
          : {}),
        values: (_plot, splits) => splits.map((value) => (value === null ? "" : data.unit(value))),
      },
    ],
    series: [
      { label: "Time", value: (_plot, at) => (at === null ? "—" : dayTime(at * 1_000)) },
      ...order.map((one) => seriesOf(element, one, data.unit, one.values)),
    ],
    hooks: data.line === undefined ? {} : { draw: [(plot) => drawLine(plot, data.line, quiet)] },
  };
}

/** Numbers of things have no quarters between them. */
const wholeSteps = [1, 2, 5]
  .flatMap((step) => Array.from({ length: 9 }, (_, power) => step * 10 ** power))
  .sort((a, b) => a - b);
const isWhole = ({ series, isLog }: ChartData) =>
  isLog !== true &&
  series.every(({ values }) => values.every((value) => value === null || Number.isInteger(value)));

const tenfold = (value: number) => (Number.isInteger(Math.log10(value)) ? value : null);

function drawLine(plot: uPlot, line: ChartData["line"], ink: string): void {
  if (line === undefined) return;
  const { ctx, bbox } = plot;
  const y = plot.valToPos(line.value, "y", true);
  ctx.save();
  ctx.strokeStyle = ink;
  ctx.fillStyle = ink;
  ctx.setLineDash([4, 4]);
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(bbox.left + bbox.width, y);
  ctx.stroke();
  ctx.textAlign = "right";
  ctx.fillText(line.label, bbox.left + bbox.width - 6, y - 5);
  ctx.restore();
}

const valuesOf = (data: ChartData): uPlot.AlignedData => {
  const values = data.isStacked
    ? stacked(data.series).toReversed()
    : data.series.map((one) => [...one.values]);
  return [[...data.times], ...values];
};

/** The canvas. The arrow keys move its cursor from point to point. */
export default function Plot({ data, label }: { data: ChartData; label: string }) {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const shape = JSON.stringify([
    data.series.map(({ label: name, kind }) => [name, kind]),
    theme.value,
    systemIsDark.value,
    colour.value,
  ]);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const drawn = new uPlot(optionsOf(element, data), valuesOf(data), element);
    plot.current = drawn;
    const watcher = new ResizeObserver(() =>
      drawn.setSize({ width: element.clientWidth, height: data.height ?? 180 }),
    );
    watcher.observe(element);
    return () => {
      watcher.disconnect();
      drawn.destroy();
      plot.current = null;
    };
  }, [shape, data]);
  const move = (by: number) => {
    const drawn = plot.current;
    if (drawn === null) return;
    const at = Math.max(0, Math.min(data.times.length - 1, (drawn.cursor.idx ?? data.times.length) + by));
    drawn.setCursor({ left: drawn.valToPos(data.times[at] ?? 0, "x"), top: 0 });
  };
  return (
    <div
      ref={box}
      class="plot"
      role="img"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move its cursor
      tabIndex={0}
      aria-label={label}
      style={{ minHeight: `${(data.height ?? 180) + 28}px` }}
      onKeyDown={(event) => {
        if (event.key === "ArrowLeft") move(-1);
        else if (event.key === "ArrowRight") move(1);
        else return;
        event.preventDefault();
      }}
    />
  );
}
