import { get, queryText } from "../api.ts";
import { Chart, Spread } from "../charts/chart.tsx";
import { at, useParams } from "../core/address.ts";
import { neutral } from "../core/filter.ts";
import { count, percent, plural, signed } from "../core/format.ts";
import { type Loaded, useLoad } from "../core/load.ts";
import { type FeedStats, feedStats, itemsOf, startsOf, valuesAt } from "../core/stats.ts";
import { Segments } from "../parts/field.tsx";
import { Panel } from "../parts/screen.tsx";
import { Loading } from "../parts/states.tsx";
import { Backups } from "./backups.tsx";
import { causesOf } from "./causes.ts";
import { OperatorScreen } from "./only.tsx";
import { Processes } from "./processes.tsx";
import type { SourceList } from "./types.ts";

const spanMs = { "60": 3_600_000, "1440": 86_400_000 } as const;

/** Whether the service does well: what comes, how fast, how it is scored, and what is wrong in words. */
export default function Overview() {
  const [params, change] = useParams();
  const minutes = params.minutes === "1440" ? "1440" : "60";
  return (
    <OperatorScreen
      title="Overview"
      actions={
        <Segments
          label="Time"
          value={minutes}
          choices={[
            { value: "60", label: "Last hour" },
            { value: "1440", label: "Last day" },
          ]}
          choose={(to) => change({ minutes: to })}
        />
      }
    >
      {() => <Shown minutes={minutes} />}
    </OperatorScreen>
  );
}

function Shown({ minutes }: { minutes: "60" | "1440" }) {
  const since = () => new Date(Date.now() - spanMs[minutes]).toISOString();
  const interval = minutes === "60" ? "minute" : "hour";
  const flow = useLoad(
    `flow ${minutes}`,
    (signal) => feedStats({}, { interval, by: "source", since: since() }, signal),
    { everyMs: 10_000 },
  );
  const acting = useLoad(
    `acting ${minutes}`,
    (signal) => feedStats({}, { interval: "hour", since: since() }, signal),
    { everyMs: 30_000 },
  );
  const feeling = useLoad(
    `feeling ${minutes}`,
    (signal) => feedStats({}, { interval: "hour", by: "sentiment", top: 12, since: since() }, signal),
    { everyMs: 30_000 },
  );
  const sources = useLoad("admin sources", (signal) => get<SourceList>("/admin/v1/sources", {}, signal), {
    everyMs: 15_000,
  });
  return (
    <>
      <Health sources={sources} />
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
      <Processes minutes={minutes} />
      <Backups />
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

/** What is wrong, in words, and where to put it right. */
function Health({ sources }: { sources: Loaded<SourceList> }) {
  return (
    <Panel title="Health">
      <Loading of={sources} lines={2}>
        {({ data }) => {
          const asked = data.filter(({ enabled }) => enabled);
          const bad = asked.filter(({ status }) => status === "failing" || status === "stale");
          return (
            <div class="stack">
              <p>
                <span class={`status ${bad.length === 0 ? "good" : "warm"}`}>
                  {asked.length === 0
                    ? "No source is configured: items come by push only."
                    : bad.length === 0
                      ? `All ${plural(asked.length, "source")} do well.`
                      : `${count(bad.length)} of ${plural(asked.length, "source")} need a look.`}
                </span>
              </p>
              <ul class="stack">
                {[...causesOf(bad)].slice(0, 6).map(([cause, [one, ...others]]) => (
                  <li key={cause} class="note">
                    <a href={at("sources") + queryText({ open: one?.id })}>{one?.id}</a>{" "}
                    {others.length > 0 && `and ${plural(others.length, "other")}: ${cause}`}
                    {others.length === 0 && (one?.advice ?? cause)}
                  </li>
                ))}
              </ul>
              {bad.length > 6 && <a href={at("sources")}>All sources</a>}
            </div>
          );
        }}
      </Loading>
    </Panel>
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
        series: stats.series.map(({ label, points }, index) => ({
          label,
          values: valuesAt(starts, points, (point) => point[1]),
          colour: index,
          kind: "bars" as const,
        })),
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
