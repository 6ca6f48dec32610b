import { Chart } from "../charts/chart.tsx";
import { bars } from "../charts/series.ts";
import { count, plural } from "../core/format.ts";
import { useGet } from "../core/load.ts";
import type { Me, Usage, WebhookWithoutSecret } from "../core/types.ts";
import { useChoice } from "../draw/choice.ts";
import { Button } from "../forms/button.tsx";
import { keysOf, Segments } from "../forms/field.tsx";
import { Facts } from "../parts/facts.tsx";
import { saveFile } from "../parts/save-file.ts";
import { Panel, Screen } from "../parts/screen.tsx";
import { Loading, Share } from "../parts/states.tsx";
import { Until } from "../parts/time.tsx";
import { Plans } from "./plans.tsx";

const spans = { "30": "30 days", "90": "90 days" } as const;

/** What is used of the plan today, and how it was before. */
export default function Use() {
  const [days, setDays] = useChoice("days", keysOf(spans));
  const me = useGet<Me>("/v1/me", {}, 30_000);
  const usage = useGet<Usage>("/v1/usage", { days }, 60_000);
  const hooks = useGet<{ data: WebhookWithoutSecret[] }>("/v1/webhooks");
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
            <>
              <div class="shares">
                <Share daily label="Live items" used={today.feed} limit={limits.realtime_feeds_per_day} />
                <Share daily label="Score calls" used={today.score} limit={limits.score_per_day} />
                <Share
                  label="Webhook endpoints"
                  used={hooks.data?.data.length ?? 0}
                  limit={limits.webhook_endpoints}
                />
                <Share
                  label="Open streams"
                  used={usage.data?.open_streams ?? 0}
                  limit={limits.stream_connections}
                />
              </div>
              <Facts
                of={[
                  [
                    "Requests",
                    `${count(today.requests)}, at most ${count(limits.requests_per_minute)} a minute`,
                  ],
                  ["Errors", `${count(usage.data?.today.errors ?? 0)} answered 4xx or 5xx`],
                ]}
              />
            </>
          )}
        </Loading>
      </Panel>
      <Panel
        title={`Last ${days} days`}
        aside={
          <div class="row">
            <Segments label="Days" value={days} choices={spans} choose={setDays} />
            <Button disabled={usage.data === null} run={() => usage.data && saveCsv(usage.data)}>
              CSV
            </Button>
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

function History({ usage: { data, limits } }: { usage: Usage }) {
  const times = data.map(({ date }) => Date.parse(`${date}T00:00:00Z`) / 1_000);
  const of = (name: "feed" | "score" | "requests" | "errors") => data.map((day) => day[name]);
  const sum = (name: Parameters<typeof of>[0]) => of(name).reduce((all, one) => all + one, 0);
  const cap = limits.realtime_feeds_per_day;
  return (
    <>
      <Chart
        name="Live items and score calls a day"
        summary={`${plural(sum("feed"), "live item")} and ${plural(sum("score"), "score call")} in all.`}
        data={{
          times,
          ...(cap === null ? {} : { line: { value: cap, label: `limit ${count(cap)}` } }),
          series: [bars("Live items", of("feed"), "--edge"), bars("Score calls", of("score"), 1)],
        }}
      />
      <Chart
        name="Requests a day"
        summary={`${plural(sum("requests"), "request")}, of which ${count(sum("errors"))} failed.`}
        data={{
          times,
          series: [
            bars(
              "Answered",
              data.map(({ requests, errors }) => Math.max(0, requests - errors)),
              "--quiet",
            ),
            bars("Errors", of("errors"), "--bad"),
          ],
        }}
      />
    </>
  );
}

function saveCsv({ data }: Usage): void {
  const lines = data.map((day) => [day.date, day.feed, day.score, day.requests, day.errors].join(","));
  saveFile("tapewire-usage.csv", ["date,live_items,score_calls,requests,errors", ...lines, ""].join("\n"));
}
