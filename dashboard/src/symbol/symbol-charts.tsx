import { Chart } from "../charts/chart.tsx";
import { itemsChart, line } from "../charts/series.ts";
import { count, plural } from "../core/format.ts";
import { useLoad } from "../core/load.ts";
import { iso } from "../core/range.ts";
import { type FeedStats, feedStats, startsOf, valuesAt } from "../core/stats.ts";
import type { FeedItem } from "../core/types.ts";
import { Loading } from "../parts/states.tsx";
import { directions, mean } from "./directions.ts";

const dayMs = 86_400_000;

/** Sentiment of each item as a dot, its mean as a line, and how many items came. */
export function SymbolCharts({
  ticker,
  days,
  items,
}: {
  ticker: string;
  days: number;
  items: readonly FeedItem[];
}) {
  const interval = days === 30 ? "day" : "hour";
  const stats = useLoad(`symbol stats ${ticker} ${days}`, (signal) =>
    feedStats({ symbols: [ticker] }, { interval, since: iso(Date.now() - days * dayMs) }, signal),
  );
  return (
    <>
      <Dots items={items} days={days} of={stats.data?.totals.items ?? 0} />
      <Loading of={stats} lines={1} height={200}>
        {(data) => <Counts stats={data} />}
      </Loading>
    </>
  );
}

/** @param of how many there are in the time */
function Dots({ items, days, of }: { items: readonly FeedItem[]; days: number; of: number }) {
  const since = Date.now() - days * dayMs;
  const scored = items
    .filter(
      ({ scoring, published_at }) => scoring.sentiment_short !== null && Date.parse(published_at) >= since,
    )
    .toReversed();
  const values = scored.map(({ scoring }) => scoring.sentiment_short ?? 0);
  const latest = of > items.length ? `The latest ${items.length} of ${count(of)}: ` : "";
  return (
    <Chart
      name="Sentiment, short term: −5 bearish to +5 bullish"
      summary={
        values.length === 0
          ? "No scored item in this time."
          : `${latest}${plural(values.length, "scored item")}, mean ${directions.unit(mean(values))}; larger dots have more conviction, filled ones are actionable.`
      }
      data={{
        ...directions,
        times: scored.map(({ published_at }) => Date.parse(published_at) / 1_000),
        series: [
          line("Mean of the last 5", rolling(values, 5), "--quiet"),
          {
            label: "Item",
            values,
            colour: "--edge",
            kind: "dots",
            sizes: scored.map(({ scoring }) => (scoring.sentiment_conviction ?? 0) / 100),
            filled: scored.map(({ scoring }) => scoring.actionability === true),
          },
        ],
      }}
    />
  );
}

const rolling = (values: readonly number[], size: number) =>
  values.map((_, at) => mean(values.slice(Math.max(0, at - size + 1), at + 1)));

function Counts({ stats }: { stats: FeedStats }) {
  const points = stats.series[0]?.points ?? [];
  const starts = startsOf(stats);
  const actionable = valuesAt(starts, points, (point) => point[2]);
  const items = valuesAt(starts, points, (point) => point[1]);
  return (
    <Chart
      name={`Items ${stats.interval === "day" ? "a day" : "an hour"}`}
      summary={`${plural(stats.totals.items, "item")}, of which ${count(stats.totals.actionable ?? 0)} actionable.`}
      data={itemsChart(
        starts.map((start) => start / 1_000),
        items,
        actionable,
      )}
    />
  );
}
