import { Chart } from "../charts/chart.tsx";
import { bars } from "../charts/series.ts";
import { Spread } from "../charts/spread.tsx";
import { count, plural } from "../core/format.ts";
import { useGet, useLoad } from "../core/load.ts";
import { iso } from "../core/range.ts";
import { type FeedStats, feedStats, itemsOf, startsOf, valuesAt } from "../core/stats.ts";
import { useChoice } from "../draw/choice.ts";
import { keysOf, Segments } from "../forms/field.tsx";
import { Panel } from "../parts/screen.tsx";
import { Loading } from "../parts/states.tsx";
import { Backups } from "./backups.tsx";
import { Health } from "./health.tsx";
import { OperatorScreen } from "./only.tsx";
import { Processes } from "./processes.tsx";
import type { BackupList, OperatorStats, SourceList } from "./types.ts";

const spans = { "60": "Last hour", "1440": "Last day" } as const;

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
  const hours = Number(minutes) / 60;
  const since = () => iso(Date.now() - hours * 3_600_000);
  const interval = minutes === "60" ? "minute" : "hour";
  const flow = useLoad(
    `flow ${minutes}`,
    (signal) => feedStats({}, { interval, by: "source", since: since() }, signal),
    10_000,
  );
  const sources = useGet<SourceList>("/admin/v1/sources", {}, 15_000);
  const stats = useGet<OperatorStats>("/admin/v1/stats", { minutes }, 15_000);
  const backups = useGet<BackupList>("/admin/v1/backups");
  return (
    <>
      <Health {...{ sources, stats, backups }} hasItems={(flow.data?.totals.items ?? 0) > 0} />
      <Panel title="Items">
        <Loading of={flow} lines={1} height={220}>
          {(data) => <Flow stats={data} />}
        </Loading>
      </Panel>
      <div class="two">
        <Spread of="actionability_score" hours={hours} />
        <Spread of="sentiment" hours={hours} />
      </div>
      <Processes stats={stats} />
      <Backups list={backups} />
    </>
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
