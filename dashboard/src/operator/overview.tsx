import { Chart, Spread } from "../charts/chart.tsx";
import { bars } from "../charts/series.ts";
import { neutral } from "../core/filter.ts";
import { count, percent, plural, signed } from "../core/format.ts";
import { useGet, useLoad } from "../core/load.ts";
import { type FeedStats, feedStats, itemsOf, startsOf, valuesAt } from "../core/stats.ts";
import { useChoice } from "../draw/choice.ts";
import { keysOf, Segments } from "../forms/field.tsx";
import { Panel } from "../parts/screen.tsx";
import { Loading } from "../parts/states.tsx";
import { Backups } from "./backups.tsx";
import { Health } from "./health.tsx";
import { OperatorScreen } from "./only.tsx";
import { Processes } from "./processes.tsx";
import type { Backup, OperatorStats, SourceList } from "./types.ts";

const spans = { "60": "Last hour", "1440": "Last day" } as const;
const spanMs = { "60": 3_600_000, "1440": 86_400_000 } as const;

/** Whether the service does well: what comes, how fast, how it is scored, and what is wrong in words. */
export default function Overview() {
  const [minutes, setMinutes] = useChoice("minutes", keysOf(spans));
  return (
    <OperatorScreen
      title="Overview"
      actions={<Segments label="Time" value={minutes} choices={spans} choose={setMinutes} />}
    >
      {() => <Shown minutes={minutes} />}
    </OperatorScreen>
  );
}

function Shown({ minutes }: { minutes: keyof typeof spans }) {
  const since = () => new Date(Date.now() - spanMs[minutes]).toISOString();
  const interval = minutes === "60" ? "minute" : "hour";
  const flow = useLoad(
    `flow ${minutes}`,
    (signal) => feedStats({}, { interval, by: "source", since: since() }, signal),
    10_000,
  );
  const acting = useLoad(
    `acting ${minutes}`,
    (signal) => feedStats({}, { interval: "hour", since: since() }, signal),
    30_000,
  );
  const feeling = useLoad(
    `feeling ${minutes}`,
    (signal) => feedStats({}, { interval: "hour", by: "sentiment", top: 12, since: since() }, signal),
    30_000,
  );
  const sources = useGet<SourceList>("/admin/v1/sources", {}, 15_000);
  const stats = useGet<OperatorStats>("/admin/v1/stats", { minutes }, 15_000);
  const backups = useGet<{ data: Backup[] }>("/admin/v1/backups");
  return (
    <>
      <Health sources={sources} stats={stats} backups={backups} />
      <Panel title="Items">
        <Loading of={flow} lines={1} height={220}>
          {(data) => <Flow stats={data} />}
        </Loading>
      </Panel>
      <div class="two">
        <Loading of={acting} lines={1} height={160}>
          {(data) => <Actionable stats={data} />}
        </Loading>
        <Loading of={feeling} lines={1} height={160}>
          {(data) => <Spread name="Sentiment, short term: −5 bearish to +5 bullish" {...spreadOf(data)} />}
        </Loading>
      </div>
      <Processes stats={stats} />
      <Backups list={backups} />
    </>
  );
}

function Actionable({ stats: { totals } }: { stats: FeedStats }) {
  const share = totals.items === 0 ? 0 : (totals.actionable ?? 0) / totals.items;
  return (
    <div class="share">
      <h3>Actionability</h3>
      <p class="num">
        {count(totals.actionable ?? 0)} of {plural(totals.items, "item")} rated actionable ({percent(share)})
      </p>
      <span class="bar warm">
        <i style={{ width: `${share * 100}%` }} />
      </span>
    </div>
  );
}

function Flow({ stats }: { stats: FeedStats }) {
  const starts = startsOf(stats);
  const most = stats.series.toSorted((a, b) => itemsOf(b.points) - itemsOf(a.points))[0];
  return (
    <Chart
      name={`Items ${stats.interval === "minute" ? "a minute" : "an hour"} by source`}
      summary={
        most === undefined
          ? "No items in this time."
          : `${plural(stats.totals.items, "item")}, ${count(stats.totals.actionable ?? 0)} actionable; most from ${most.label}.`
      }
      data={{
        times: starts.map((start) => start / 1_000),
        unit: count,
        isStacked: true,
        series: stats.series.map(({ label, points }, index) =>
          bars(
            label,
            valuesAt(starts, points, (point) => point[1]),
            index,
          ),
        ),
      }}
    />
  );
}

function spreadOf({ series }: FeedStats): { counts: readonly number[]; labels: readonly string[] } {
  const known = series
    .filter(({ key }) => key !== null)
    .toSorted((a, b) => (a.key ?? "").localeCompare(b.key ?? "", "en", { numeric: true }));
  return {
    counts: known.map(({ points }) => itemsOf(points)),
    labels: known.map(({ key }) => signed(Number(key) - neutral)),
  };
}
