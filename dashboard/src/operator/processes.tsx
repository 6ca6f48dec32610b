import { get } from "../api.ts";
import { Chart } from "../charts/chart.tsx";
import { bytes, count, plural, span } from "../core/format.ts";
import { useLoad } from "../core/load.ts";
import { Panel } from "../parts/screen.tsx";
import { Loading } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import type { OperatorStats, ProcessStats } from "./types.ts";

type Series = readonly (number | null)[];

/** One value for each minute out of those of all processes. */
function joined(
  processes: readonly ProcessStats[],
  of: (process: ProcessStats) => Series,
  join: (values: number[]) => number,
): Series {
  const length = Math.max(0, ...processes.map((process) => of(process).length));
  return Array.from({ length }, (_, at) => {
    const values = processes.flatMap((process) => of(process)[at] ?? []);
    return values.length === 0 ? null : join(values);
  });
}
const sum = (values: number[]) => values.reduce((all, one) => all + one, 0);
const worst = (values: number[]) => Math.max(...values);
const last = (values: Series) => values.findLast((value) => value !== null) ?? null;

/** What the processes did: how fast items went out, and what they need of the machine. */
export function Processes({ minutes }: { minutes: string }) {
  const stats = useLoad(
    `admin stats ${minutes}`,
    (signal) => get<OperatorStats>("/admin/v1/stats", { minutes }, signal),
    {
      everyMs: 15_000,
    },
  );
  return (
    <Loading of={stats} lines={1} height={220}>
      {(data) => (
        <>
          <Panel title="From source to stream">
            <Latency stats={data} />
          </Panel>
          <Panel title="Processes">
            <ProcessTable processes={data.processes} />
          </Panel>
          <Panel title="Database" aside={<span class="num">{bytes(data.database.bytes)}</span>}>
            <Room stats={data} />
            <Parts database={data.database} />
          </Panel>
        </>
      )}
    </Loading>
  );
}

function Latency({ stats: { minutes, processes } }: { stats: OperatorStats }) {
  const times = minutes.map((minute) => Date.parse(minute) / 1_000);
  const p50 = joined(processes, (one) => one.receive_to_publish_p50_ms, worst);
  const p99 = joined(processes, (one) => one.receive_to_publish_p99_ms, worst);
  const source = joined(processes, (one) => one.source_to_publish_p50_ms, worst);
  // A logarithmic axis has no zero.
  const positive = (values: Series) => values.map((value) => (value === null ? null : Math.max(1, value)));
  const now = last(p99);
  return (
    <>
      <Chart
        name="Latency"
        summary={
          now === null
            ? "No live item in this time."
            : `The newest minute's 99th percentile from first sight to publication is ${span(now)}.`
        }
        data={{
          times,
          unit: span,
          isLog: true,
          series: [
            { label: "Received to published, p50", values: positive(p50), colour: "--edge", kind: "line" },
            { label: "p99", values: positive(p99), colour: "--quiet", kind: "line" },
            { label: "Source to published, p50", values: positive(source), colour: 1, kind: "line" },
          ],
        }}
      />
      <Chart
        name="Sent"
        summary={`${plural(sum(joined(processes, (one) => one.stream_items, sum).flatMap((value) => value ?? [])), "item")} to streams.`}
        data={{
          times,
          unit: count,
          height: 120,
          series: [
            {
              label: "To streams",
              values: joined(processes, (one) => one.stream_items, sum),
              colour: "--edge",
              kind: "line",
            },
            {
              label: "Webhook deliveries",
              values: joined(processes, (one) => one.deliveries, sum),
              colour: 1,
              kind: "line",
            },
            {
              label: "Given up",
              values: joined(processes, (one) => one.failed_deliveries, sum),
              colour: "--bad",
              kind: "line",
            },
          ],
        }}
      />
    </>
  );
}

function ProcessTable({ processes }: { processes: readonly ProcessStats[] }) {
  return (
    <Table
      head={[
        "Process",
        "Roles",
        "Started",
        { num: "Streams" },
        { num: "CPU" },
        { num: "Memory" },
        { num: "Event loop p99" },
        { num: "Disk free" },
      ]}
    >
      {processes.map((one) => (
        <tr key={one.id}>
          <td>
            <span class={`status ${one.running ? "good" : ""}`}>
              {one.host}:{one.pid}
            </span>
            <div class="quiet small">{one.version}</div>
          </td>
          <td>{one.roles.join(", ")}</td>
          <td>
            <Time at={one.started_at} />
          </td>
          <td class="num">{count(last(one.streams) ?? 0)}</td>
          <td class="num">{Math.round((last(one.cpu) ?? 0) * 100)} %</td>
          <td class="num">{bytes(last(one.rss_bytes) ?? 0)}</td>
          <td class="num">{span(last(one.event_loop_p99_ms) ?? 0)}</td>
          <td class="num">{one.disk_free_bytes === null ? "—" : bytes(one.disk_free_bytes)}</td>
        </tr>
      ))}
    </Table>
  );
}

/** Since when items are kept, and the room that is left. */
function Room({ stats: { database, processes } }: { stats: OperatorStats }) {
  const free = processes.flatMap(({ running, disk_free_bytes }) => (running ? (disk_free_bytes ?? []) : []));
  const kept =
    database.kept_since === null
      ? "Everything is kept; TAPEWIRE_KEEP_MONTHS sets how many months are."
      : `Items are kept from ${database.kept_since.slice(0, 10)} on.`;
  return (
    <p class="quiet">
      {kept} {free.length > 0 && `The disk of the data directory has ${bytes(Math.min(...free))} left.`}
    </p>
  );
}

function Parts({ database: { bytes: all, parts } }: { database: OperatorStats["database"] }) {
  return (
    <Table head={["Part", "Month", { num: "Size" }, { unseen: "Share" }]}>
      {parts
        .toSorted((a, b) => b.bytes - a.bytes)
        .slice(0, 24)
        .map((one) => (
          <tr key={`${one.part}${one.month}`}>
            <td>{one.part}</td>
            <td class="num-left">
              {one.month === null ? "" : `${one.month.slice(0, 4)}-${one.month.slice(4)}`}
            </td>
            <td class="num">{bytes(one.bytes)}</td>
            <td class="share-cell">
              <span class="bar">
                <i style={{ width: `${(one.bytes / Math.max(1, all)) * 100}%` }} />
              </span>
            </td>
          </tr>
        ))}
    </Table>
  );
}
