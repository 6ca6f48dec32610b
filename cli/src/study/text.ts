/** The report for a terminal. */
import { exclusions } from "./observations.ts";
import type { GroupReport, HorizonReport, StudyReport } from "./report.ts";
import type { Estimate } from "./statistics.ts";

export const shareText = (estimate: Estimate | null) =>
  withBounds(estimate, (value) => `${(value * 100).toFixed(1)} %`);
export const moveText = (estimate: Estimate | null) =>
  withBounds(estimate, (value) => `${(value * 100).toFixed(2)} %`);
export const aucText = (estimate: Estimate | null) => withBounds(estimate, (value) => value.toFixed(3));

function withBounds(estimate: Estimate | null, format: (value: number) => string): string {
  if (estimate === null) return "-";
  const { value, low, high } = estimate;
  if (low === null || high === null) return format(value);
  return `${format(value)} (${format(low).replace(" %", "")} to ${format(high)})`;
}

export function excludedLines({ excluded }: StudyReport): string[] {
  return Object.entries(exclusions).flatMap(([name, text]) => {
    const count = Object.entries(excluded).find(([key]) => key === name)?.[1];
    return count === undefined ? [] : [`${count} (${text})`];
  });
}

/** What was studied, in one sentence a line. */
export function summaryLines(report: StudyReport): string[] {
  const { items_studied, versions_read, from, until, index, delisted } = report;
  return [
    `${items_studied} items studied, of ${versions_read} versions read${from === null ? "" : `; from ${from} to ${until}`}`,
    index === null
      ? "Moves are not adjusted to the market (--index): where symbols move together, intervals are too narrow"
      : `Moves are less those of ${index}`,
    ...(delisted === 0
      ? []
      : [`${delisted} items of symbols whose prices ended early, counted to their last price`]),
  ];
}

export function textReport(report: StudyReport): string {
  return [
    ...summaryLines(report),
    ...excludedLines(report).map((line) => `left out: ${line}`),
    ...report.horizons.flatMap((horizon) => horizonLines(horizon, report.abnormal_from)),
  ].join("\n");
}

function horizonLines(horizon: HorizonReport, abnormalFrom: number): string[] {
  const { by } = horizon;
  return [
    "",
    `After ${horizon.horizon} (${horizon.observations} items)`,
    `  AUC of actionability_score for moves of ${abnormalFrom} usual moves or more: ${aucText(horizon.auc)}`,
    `  right about the direction: ${shareText(horizon.hit_rate)}`,
    `  mean move in that direction: ${moveText(horizon.mean_move)}`,
    ...table("conviction", by.conviction),
    ...table("score", by.score),
    ...table("event", by.event.slice(0, 10)),
  ];
}

function table(name: string, rows: readonly GroupReport[]): string[] {
  if (rows.length === 0) return [];
  const columns = [name, "items", "right", "mean move", "abnormal"];
  const cells = rows.map(({ key, n, hit_rate, mean_move, abnormal }) => [
    key,
    String(n),
    shareText(hit_rate),
    moveText(mean_move),
    shareText(abnormal),
  ]);
  const widths = columns.map((column, at) =>
    Math.max(column.length, ...cells.map((row) => row[at]?.length ?? 0)),
  );
  const line = (row: readonly string[]) =>
    `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join("  ")}`.trimEnd();
  return ["", line(columns), ...cells.map(line)];
}
