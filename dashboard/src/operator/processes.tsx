import { Chart } from "../charts/chart.tsx";
import { line } from "../charts/series.ts";
import { bytes, count, plural, span } from "../core/format.ts";
import type { Loaded } from "../core/load.ts";
import { Panel } from "../parts/screen.tsx";
import { Loading } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { joined, last, type Series, sum, worst } from "./minutes.ts";
import type { OperatorStats, ProcessStats } from "./types.ts";

/** What the processes did: how fast items went out, and what they need of the machine. */
export function Processes({ stats }: { stats: Loaded<OperatorStats> }) {
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
  const p50 = joined(processes, "receive_to_publish_p50_ms", worst);
  const p99 = joined(processes, "receive_to_publish_p99_ms", worst);
  const source = joined(processes, "source_to_publish_p50_ms", worst);
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
            line("Received to published, p50", positive(p50), "--edge"),
            line("p99", positive(p99), "--quiet"),
            line("Source to published, p50", positive(source), 1),
          ],
        }}
      />
      <Chart
        name="Sent"
        summary={`${plural(sum(joined(processes, "stream_items", sum).flatMap((value) => value ?? [])), "item")} to streams.`}
        data={{
          times,
          height: 120,
          series: [
            line("To streams", joined(processes, "stream_items", sum), "--edge"),
            line("Webhook deliveries", joined(processes, "deliveries", sum), 1),
            line("Given up", joined(processes, "failed_deliveries", sum), "--bad"),
          ],
        }}
      />
    </>
  );
}

const ProcessTable = ({ processes }: { processes: readonly ProcessStats[] }) => (
  <Table
    rows={processes}
    keyOf={({ id }) => id}
    columns={[
      [
        "Process",
        ({ running, host, pid, version }) => (
          <>
            <span class={`status ${running ? "good" : ""}`}>
              {host}:{pid}
            </span>
            <div class="quiet small">{version}</div>
          </>
        ),
      ],
      ["Roles", ({ roles }) => roles.join(", ")],
      ["Started", ({ started_at }) => <Time at={started_at} />],
      ["Streams", ({ streams }) => count(last(streams) ?? 0), "num"],
      ["CPU", ({ cpu }) => `${Math.round((last(cpu) ?? 0) * 100)} %`, "num"],
      ["Memory", ({ rss_bytes }) => bytes(last(rss_bytes) ?? 0), "num"],
      ["Event loop p99", ({ event_loop_p99_ms }) => span(last(event_loop_p99_ms) ?? 0), "num"],
      ["Disk free", (one) => (one.disk_free_bytes === null ? "—" : bytes(one.disk_free_bytes)), "num"],
    ]}
  />
);

/** Since when items are kept. */
function Room({ stats: { database } }: { stats: OperatorStats }) {
  const kept =
    database.kept_since === null
      ? "Everything is kept; TAPEWIRE_KEEP_MONTHS sets how many months are."
      : `Items are kept from ${database.kept_since.slice(0, 10)} on.`;
  return <p class="quiet">{kept}</p>;
}

const Parts = ({ database: { bytes: all, parts } }: { database: OperatorStats["database"] }) => (
  <Table
    rows={parts.toSorted((a, b) => b.bytes - a.bytes).slice(0, 24)}
    keyOf={({ part, month }) => `${part}${month}`}
    columns={[
      ["Part", ({ part }) => part],
      ["Month", ({ month }) => month !== null && `${month.slice(0, 4)}-${month.slice(4)}`, "num-left"],
      ["Size", (one) => bytes(one.bytes), "num"],
      [
        "Share",
        (one) => (
          <span class="bar">
            <i style={{ width: `${(one.bytes / Math.max(1, all)) * 100}%` }} />
          </span>
        ),
        "share-cell",
      ],
    ]}
  />
);
