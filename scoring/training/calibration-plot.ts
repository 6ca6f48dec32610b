import type { Measured } from "./measure.ts";

const side = 320;
const margin = 46;
const colours = ["#1f6feb", "#d1242f", "#1a7f37", "#8250df"] as const;

const place = (value: number): number => margin + value * side;
const round = (value: number): string => value.toFixed(1);

function curve({ name, bins }: Measured, index: number): string {
  const colour = colours[index % colours.length] ?? colours[0];
  const enough = bins.filter(({ n }) => n >= 20);
  const points = enough.map(
    ({ stated, observed }) => `${round(place(stated))},${round(place(1 - observed))}`,
  );
  const dots = enough.map(
    ({ stated, observed, n }) =>
      `<circle cx="${round(place(stated))}" cy="${round(place(1 - observed))}" r="3.5" fill="${colour}"><title>${name}: ${n} texts</title></circle>`,
  );
  const label = `<text x="${margin + 10}" y="${margin + 18 + 16 * index}" fill="${colour}">${name}</text>`;
  return `<polyline points="${points.join(" ")}" fill="none" stroke="${colour}" stroke-width="1.5"/>${dots.join("")}${label}`;
}

/** Stated probability against the share that was right, as SVG; bins of fewer than 20 texts are left out. */
export function calibrationPlot(sets: readonly Measured[]): string {
  const size = side + 2 * margin;
  const ticks = [0, 0.25, 0.5, 0.75, 1].map(
    (value) =>
      `<text x="${round(place(value))}" y="${size - margin + 18}" text-anchor="middle">${value}</text><text x="${margin - 8}" y="${round(place(1 - value) + 4)}" text-anchor="end">${value}</text>`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" font-family="sans-serif" font-size="12">`,
    "<title>Calibration of flash: stated probability against the share that was right</title>",
    `<rect width="${size}" height="${size}" fill="#fff"/>`,
    `<rect x="${margin}" y="${margin}" width="${side}" height="${side}" fill="none" stroke="#8c959f"/>`,
    `<line x1="${margin}" y1="${margin + side}" x2="${margin + side}" y2="${margin}" stroke="#8c959f" stroke-dasharray="4 4"/>`,
    ...ticks,
    `<text x="${size / 2}" y="${size - 8}" text-anchor="middle">stated probability of the sign given</text>`,
    `<text x="14" y="${size / 2}" text-anchor="middle" transform="rotate(-90 14 ${size / 2})">share that was right</text>`,
    ...sets.map(curve),
    "</svg>",
    "",
  ].join("\n");
}
