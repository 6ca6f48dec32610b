import { get } from "../api.ts";
import { Chart } from "../charts/chart.tsx";
import { useParams } from "../core/address.ts";
import { count, plural } from "../core/format.ts";
import { useLoad } from "../core/load.ts";
import type { Me, Usage, WebhookWithoutSecret } from "../core/types.ts";
import { Segments } from "../parts/field.tsx";
import { Panel, Screen } from "../parts/screen.tsx";
import { Loading, Share } from "../parts/states.tsx";
import { Until } from "../parts/time.tsx";
import { Plans } from "./plans.tsx";

/** What is used of the plan today, and how it was before. */
export default function Use() {
  const [params, change] = useParams();
  const days = params.days === "90" ? "90" : "30";
  const me = useLoad("me", (signal) => get<Me>("/v1/me", {}, signal), { everyMs: 30_000 });
  const usage = useLoad(`usage ${days}`, (signal) => get<Usage>("/v1/usage", { days }, signal), {
    everyMs: 60_000,
  });
  const hooks = useLoad("webhooks", (signal) =>
    get<{ data: WebhookWithoutSecret[] }>("/v1/webhooks", {}, signal),
  );
  return (
    <Screen title="Usage" actions={me.data !== null && <span class="badge">{me.data.tier}</span>}>
      <Panel
        title="Today"
        aside={
          me.data !== null && (
            <span class="quiet small">
              Resets in <Until at={me.data.usage.reset_at} />, at 00:00 UTC
            </span>
          )
        }
      >
        <Loading of={me} lines={4}>
          {({ usage: today, limits }) => (
            <div class="shares">
              <Share label="Live items" used={today.feed} limit={limits.realtime_feeds_per_day} />
              <Share label="Score calls" used={today.score} limit={limits.score_per_day} />
              <Share
                label="Webhook endpoints"
                used={hooks.data?.data.length ?? 0}
                limit={limits.webhook_endpoints}
              />
              <Fact
                label="Requests"
                value={count(today.requests)}
                note={`at most ${count(limits.requests_per_minute)} a minute`}
              />
              <Fact
                label="Errors"
                value={count(usage.data?.today.errors ?? 0)}
                note="requests answered 4xx or 5xx"
              />
              <Fact
                label="Streams"
                value={count(limits.stream_connections)}
                note="may be open at the same time"
              />
            </div>
          )}
        </Loading>
      </Panel>
      <Panel
        title={`Last ${days} days`}
        aside={
          <div class="row">
            <Segments
              label="Days"
              value={days}
              choices={[
                { value: "30", label: "30 days" },
                { value: "90", label: "90 days" },
              ]}
              choose={(to) => change({ days: to })}
            />
            <button
              type="button"
              class="button"
              disabled={usage.data === null}
              onClick={() => usage.data && saveCsv(usage.data)}
            >
              CSV
            </button>
          </div>
        }
      >
        <Loading of={usage} lines={1} height={220}>
          {(data) => <History usage={data} />}
        </Loading>
      </Panel>
      <Plans tier={me.data?.tier ?? null} />
    </Screen>
  );
}

function Fact({ label, value, note }: { label: string; value: string; note: string }) {
  return (
    <div class="share">
      <div class="row">
        <span class="grow">{label}</span>
        <span class="num">{value}</span>
      </div>
      <span class="quiet small">{note}</span>
    </div>
  );
}

function History({ usage: { data, limits } }: { usage: Usage }) {
  const times = data.map(({ date }) => Date.parse(`${date}T00:00:00Z`) / 1_000);
  const sum = (of: (day: Usage["data"][number]) => number) => data.reduce((all, day) => all + of(day), 0);
  const cap = limits.realtime_feeds_per_day;
  return (
    <>
      <Chart
        name="Live items and score calls a day"
        summary={`${plural(
          sum(({ feed }) => feed),
          "live item",
        )} and ${plural(
          sum(({ score }) => score),
          "score call",
        )} in all.`}
        data={{
          times,
          unit: count,
          isStacked: true,
          ...(cap === null ? {} : { line: { value: cap, label: `limit ${count(cap)}` } }),
          series: [
            { label: "Live items", values: data.map(({ feed }) => feed), colour: "--edge", kind: "bars" },
            { label: "Score calls", values: data.map(({ score }) => score), colour: 1, kind: "bars" },
          ],
        }}
      />
      <Chart
        name="Requests a day"
        summary={`${plural(
          sum(({ requests }) => requests),
          "request",
        )}, of which ${count(sum(({ errors }) => errors))} failed.`}
        data={{
          times,
          unit: count,
          isStacked: true,
          series: [
            {
              label: "Answered",
              values: data.map(({ requests, errors }) => Math.max(0, requests - errors)),
              colour: "--quiet",
              kind: "bars",
            },
            { label: "Errors", values: data.map(({ errors }) => errors), colour: "--bad", kind: "bars" },
          ],
        }}
      />
    </>
  );
}

function saveCsv({ data }: Usage): void {
  const lines = data.map((day) => [day.date, day.feed, day.score, day.requests, day.errors].join(","));
  const text = ["date,live_items,score_calls,requests,errors", ...lines, ""].join("\n");
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = "tapewire-usage.csv";
  link.click();
  setTimeout(() => URL.revokeObjectURL(url));
}
