/** A chart of estimates as SVG: a bar per group from a base line, with its interval as a whisker. */

import { escaped } from "./markup.ts";
import type { GroupReport } from "./report.ts";
import type { Estimate } from "./statistics.ts";

interface Scale {
  /** Digits of the percentages on the axis. */
  readonly percentDigits: number;
  /** Where bars begin. */
  readonly base: number;
}

const width = 480;
const height = 220;
const plot = { left: 52, right: 8, top: 10, bottom: 26 };

export function barChart(
  title: string,
  groups: readonly GroupReport[],
  pick: (group: GroupReport) => Estimate | null,
  { percentDigits, base }: Scale,
): string {
  const bars = groups.flatMap((group) => {
    const estimate = pick(group);
    return estimate === null ? [] : [{ key: group.key, estimate }];
  });
  if (bars.length === 0) return `<figure><figcaption>${escaped(title)}</figcaption><p>No data</p></figure>`;
  const bounds = bars.flatMap(({ estimate: { value, low, high } }) => [value, low ?? value, high ?? value]);
  const y = axis(Math.min(base, ...bounds), Math.max(base, ...bounds));
  const step = (width - plot.left - plot.right) / bars.length;
  const drawn = bars.map(({ key, estimate }, at) =>
    bar({
      key,
      estimate,
      y,
      base,
      x: plot.left + step * (at + 0.5),
      half: Math.min(18, step * 0.35),
      isNamed: bars.length <= 12 || at % 3 === 0,
    }),
  );
  const ticks = y.ticks.map(
    (value) =>
      `<line x1="${plot.left}" x2="${width - plot.right}" y1="${y.at(value)}" y2="${y.at(value)}" stroke="var(--line)"/>` +
      `<text x="${plot.left - 6}" y="${y.at(value) + 4}" text-anchor="end">${(value * 100).toFixed(percentDigits)} %</text>`,
  );
  const rule = `<line x1="${plot.left}" x2="${width - plot.right}" y1="${y.at(base)}" y2="${y.at(base)}" stroke="var(--dim)"/>`;
  return `<figure><figcaption>${escaped(title)}</figcaption>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">${ticks.join("")}${drawn.join("")}${rule}</svg></figure>`;
}

interface Axis {
  readonly ticks: readonly number[];
  /** @returns the height on the page, in units of the view box */
  readonly at: (value: number) => number;
}

function axis(low: number, high: number): Axis {
  const step = roundStep((high - low || Math.abs(high) || 1) / 4);
  const first = Math.floor(low / step + 1e-9);
  const last = Math.ceil(high / step - 1e-9);
  const [from, to] = [first * step, last * step];
  const at = (value: number) =>
    Math.round((plot.top + ((to - value) / (to - from)) * (height - plot.top - plot.bottom)) * 10) / 10;
  return { ticks: Array.from({ length: last - first + 1 }, (_, n) => (first + n) * step), at };
}

/** The next of 1, 2, 5, 10 ... */
function roundStep(least: number): number {
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((factor) => factor * power >= least * 0.999) ?? 10);
}

interface Bar {
  readonly key: string;
  readonly estimate: Estimate;
  readonly y: Axis;
  readonly base: number;
  readonly x: number;
  readonly half: number;
  readonly isNamed: boolean;
}

function bar({ key, estimate: { value, low, high, n }, y, base, x, half, isNamed }: Bar): string {
  const [top, bottom] = [Math.min(y.at(value), y.at(base)), Math.max(y.at(value), y.at(base))];
  const at = Math.round(x * 10) / 10;
  const whisker =
    low === null || high === null
      ? ""
      : `<line x1="${at}" x2="${at}" y1="${y.at(high)}" y2="${y.at(low)}" stroke="var(--ink)" stroke-width="1.5"/>`;
  const name = isNamed ? `<text x="${at}" y="${height - 8}" text-anchor="middle">${escaped(key)}</text>` : "";
  return (
    `<rect x="${at - half}" y="${top}" width="${2 * half}" height="${Math.max(0.5, bottom - top)}" fill="var(--mark)" opacity="0.75">` +
    `<title>${escaped(key)}: ${(value * 100).toFixed(2)} % of ${n}</title></rect>${whisker}${name}`
  );
}
