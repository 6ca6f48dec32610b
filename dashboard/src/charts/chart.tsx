import { useEffect, useState } from "preact/hooks";
import { count } from "../core/format.ts";
import { Button } from "../forms/button.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { Plot } from "./plot.tsx";
import { type ChartData, placeOf } from "./series.ts";

/** A chart with one sentence that says what it shows, and the same figures as a table. */
export function Chart({ data, summary, name }: { data: ChartData; summary: string; name: string }) {
  const [isTable, setTable] = useState(false);
  const slowed = useOncePerSecond(data);
  return (
    <figure class="chart">
      <figcaption class="row wrap">
        <h3>{name}</h3>
        <span class="quiet small grow">{summary}</span>
        <Button look="plain small" aria-pressed={isTable} run={() => setTable(!isTable)}>
          Table<span class="unseen"> of {name}</span>
        </Button>
      </figcaption>
      {isTable ? <Figures data={data} name={name} /> : <Plot data={slowed} label={`${name}. ${summary}`} />}
    </figure>
  );
}

/** Charts are drawn at most once a second. */
function useOncePerSecond<T>(value: T): T {
  const [shown, setShown] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setShown(value), shown === value ? 0 : 250);
    return () => clearTimeout(timer);
  }, [value]);
  return shown;
}

const Figures = ({ data, name }: { data: ChartData; name: string }) => (
  <div class="chart-table">
    <Table
      label={name}
      rows={data.times.map((_, at) => at)}
      keyOf={(at) => at}
      columns={[
        [data.bins?.of ?? "Time", (at) => placeOf(data, at)],
        ...data.series.map(
          ({ label, values }): Column<number> => [label, (at) => told(values[at] ?? null, data), "num"],
        ),
      ]}
    />
  </div>
);

const told = (value: number | null, { unit = count }: ChartData) => value !== null && unit(value);

/** A line without axes, as high as the text. */
export function Spark({
  values,
  label,
  colour = "var(--soft)",
}: {
  values: readonly number[];
  label: string;
  colour?: string;
}) {
  const most = Math.max(1, ...values);
  const step = values.length < 2 ? 0 : 96 / (values.length - 1);
  const points = values.map(
    (value, at) => `${(2 + at * step).toFixed(1)},${(18 - (value / most) * 16).toFixed(1)}`,
  );
  return (
    <svg class="spark" width="100" height="20" viewBox="0 0 100 20" role="img" aria-label={label}>
      <title>{label}</title>
      <polyline
        points={points.join(" ")}
        fill="none"
        style={{ stroke: colour }}
        stroke-width="1.5"
        stroke-linejoin="round"
      />
    </svg>
  );
}
