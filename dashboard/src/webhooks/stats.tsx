import { Chart } from "../charts/chart.tsx";
import { bars, line } from "../charts/series.ts";
import { count, plural, span } from "../core/format.ts";
import { useGet } from "../core/load.ts";
import { useChoice } from "../draw/choice.ts";
import { keysOf, Segments } from "../forms/field.tsx";
import { Loading } from "../parts/states.tsx";
import { rowOf, total } from "./state.tsx";
import type { WebhookStats } from "./types.ts";

const spans = { "24": "24 hours", "168": "7 days" } as const;

/** Delivered and failed by the hour, and how long the receiver took. */
export function EndpointStats({ id }: { id: string }) {
  const [hours, setHours] = useChoice("hours", keysOf(spans));
  const stats = useGet<WebhookStats>(`/v1/webhooks/${id}/stats`, { hours }, 15_000);
  return (
    <section class="stack wide" aria-label="Stats">
      <Segments label="Time" value={hours} choices={spans} choose={setHours} />
      <Loading of={stats} lines={1} height={220}>
        {(data) => <Charts stats={data} />}
      </Loading>
    </section>
  );
}

function Charts({ stats }: { stats: WebhookStats }) {
  const { hours } = stats;
  const { delivered, failed, expired } = rowOf(stats);
  const times = hours.map(({ hour }) => Date.parse(hour) / 1_000);
  const slowest = Math.max(0, ...hours.map(({ latency_ms }) => latency_ms?.p99 ?? 0));
  return (
    <>
      <Chart
        name="Deliveries an hour"
        summary={`${plural(total(delivered), "delivery", "deliveries")} arrived, ${count(total(failed) + total(expired))} were given up.`}
        data={{
          times,
          series: [
            bars("Delivered", delivered, "--up"),
            bars("Given up", failed, "--bad"),
            bars("Too old", expired, "--quiet"),
          ],
        }}
      />
      <Chart
        name="Latency of the receiver"
        summary={
          slowest === 0
            ? "No attempt was answered."
            : `The slowest hour had a 99th percentile of ${span(slowest)}.`
        }
        data={{
          times,
          unit: span,
          series: (["p50", "p99"] as const).map((share) =>
            line(
              share,
              hours.map(({ latency_ms }) => latency_ms?.[share] ?? null),
              share === "p50" ? "--edge" : "--quiet",
            ),
          ),
        }}
      />
    </>
  );
}
