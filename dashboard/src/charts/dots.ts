import uPlot from "uplot";
import type { ChartSeries } from "./types.ts";

/** Draws each value as a dot of its own size, filled or not. */
export function dotPaths({ sizes = [], filled = [] }: ChartSeries, ink: string): uPlot.Series.PathBuilder {
  return (plot, seriesAt, from, to) => {
    const { ctx } = plot;
    const times = plot.data[0];
    const values = plot.data[seriesAt] ?? [];
    ctx.save();
    ctx.strokeStyle = ink;
    ctx.fillStyle = ink;
    ctx.lineWidth = uPlot.pxRatio;
    for (let at = from; at <= to; at++) {
      const value = values[at];
      const time = times[at];
      if (value === null || value === undefined || time === undefined) continue;
      ctx.beginPath();
      const radius = (1.5 + (sizes[at] ?? 0.3) * 4) * uPlot.pxRatio;
      ctx.arc(plot.valToPos(time, "x", true), plot.valToPos(value, "y", true), radius, 0, 2 * Math.PI);
      if (filled[at] === false) ctx.stroke();
      else ctx.fill();
    }
    ctx.restore();
    return null;
  };
}
