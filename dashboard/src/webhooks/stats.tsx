import { get } from "../api.ts";
import { Chart } from "../charts/chart.tsx";
import { useParams } from "../core/address.ts";
import { count, plural, span } from "../core/format.ts";
import { useLoad } from "../core/load.ts";
import { Segments } from "../parts/field.tsx";
import { Loading } from "../parts/states.tsx";
import type { WebhookStats } from "./types.ts";

/** Delivered and failed by the hour, and how long the receiver took. */
export function EndpointStats({ id }: { id: string }) {
  const [params, change] = useParams();
  const hours = params.hours === "168" ? "168" : "24";
  const stats = useLoad(
    `stats ${id} ${hours}`,
    (signal) => get<WebhookStats>(`/v1/webhooks/${id}/stats`, { hours }, signal),
    {
      everyMs: 15_000,
    },
  );
  return (
    <section class="stack wide" aria-label="Stats">
      <Segments
        label="Time"
        value={hours}
        choices={[
          { value: "24", label: "24 hours" },
          { value: "168", label: "7 days" },
        ]}
        choose={(to) => change({ hours: to })}
      />
      <Loading of={stats} lines={1} height={220}>
        {(data) => <Charts stats={data} />}
      </Loading>
    </section>
  );
}

function Charts({ stats: { hours } }: { stats: WebhookStats }) {
  const times = hours.map(({ hour }) => Date.parse(hour) / 1_000);
  const sum = (of: (hour: WebhookStats["hours"][number]) => number) =>
    hours.reduce((all, hour) => all + of(hour), 0);
  const slowest = Math.max(0, ...hours.map(({ latency_ms }) => latency_ms?.p99 ?? 0));
  return (
    <>
      <Chart
        name="Deliveries an hour"
        summary={`${plural(
          sum(({ delivered }) => delivered),
          "delivery",
          "deliveries",
        )} arrived, ${count(sum(({ failed, expired }) => failed + expired))} were given up.`}
        data={{
          times,
          unit: count,
          isStacked: true,
          series: [
            {
              label: "Delivered",
              values: hours.map(({ delivered }) => delivered),
              colour: "--up",
              kind: "bars",
            },
            { label: "Failed", values: hours.map(({ failed }) => failed), colour: "--bad", kind: "bars" },
            {
              label: "Expired",
              values: hours.map(({ expired }) => expired),
              colour: "--quiet",
              kind: "bars",
            },
          ],
        }}
      />
      <Chart
        name="Latency of the receiver"
        summary={
          slowest === 0
            ? "There were no attempts."
            : `The slowest hour had a 99th percentile of ${span(slowest)}.`
        }
        data={{
          times,
          unit: span,
          series: [
            {
              label: "p50",
              values: hours.map(({ latency_ms }) => latency_ms?.p50 ?? null),
              colour: "--edge",
              kind: "line",
            },
            {
              label: "p99",
              values: hours.map(({ latency_ms }) => latency_ms?.p99 ?? null),
              colour: "--quiet",
              kind: "line",
            },
          ],
        }}
      />
    </>
  );
}
