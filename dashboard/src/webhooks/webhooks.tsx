import { get } from "../api.ts";
import { Spark } from "../charts/chart.tsx";
import { at, useParams } from "../core/address.ts";
import { chipsOf, filterOf } from "../core/filter.ts";
import { count, percent, span } from "../core/format.ts";
import { type Loaded, useLoad } from "../core/load.ts";
import { mayWrite } from "../core/session.ts";
import type { Me } from "../core/types.ts";
import { Segments } from "../parts/field.tsx";
import { Screen } from "../parts/screen.tsx";
import { Empty, Loading } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { type EndpointList, isFailing } from "../shell/failing.tsx";
import { EndpointForm } from "./endpoint-form.tsx";
import { EndpointState } from "./state.tsx";
import type { StatsList, StatsRow, WebhookWithoutSecret } from "./types.ts";

/** Every endpoint of the account and how it does. */
export default function Webhooks() {
  const [params, change] = useParams();
  const hooks = useLoad("webhooks", (signal) => get<EndpointList>("/v1/webhooks", {}, signal), {
    everyMs: 15_000,
  });
  const stats = useLoad(
    "webhook stats",
    (signal) => get<StatsList>("/v1/webhooks/stats", { hours: 24 }, signal),
    { everyMs: 15_000 },
  );
  const me = useLoad("me", (signal) => get<Me>("/v1/me", {}, signal));
  const most = me.data?.limits.webhook_endpoints ?? null;
  const isFull = most !== null && (hooks.data?.data.length ?? 0) >= most;
  return (
    <Screen
      title="Webhooks"
      actions={
        <>
          <Segments
            label="Show"
            value={params.show === "failing" ? "failing" : "all"}
            choices={[
              { value: "all", label: "All" },
              { value: "failing", label: "Failing" },
            ]}
            choose={(to) => change({ show: to === "all" ? null : to })}
          />
          {mayWrite.value && (
            <button
              type="button"
              class="button main"
              disabled={isFull}
              onClick={() => change({ create: "1" })}
            >
              Create a webhook
            </button>
          )}
        </>
      }
    >
      {isFull && (
        <p class="note">All {count(most)} endpoints of the plan are in use. Delete one to make another.</p>
      )}
      <Loading of={hooks} lines={3} height={44}>
        {({ data }) => <List hooks={data} stats={stats} isFailingOnly={params.show === "failing"} />}
      </Loading>
      {params.create !== undefined && mayWrite.value && (
        <EndpointForm filter={filterOf(params)} close={() => change({ create: null })} />
      )}
    </Screen>
  );
}

interface ListProps {
  readonly hooks: readonly WebhookWithoutSecret[];
  readonly stats: Loaded<StatsList>;
  readonly isFailingOnly: boolean;
}

function List({ hooks, stats, isFailingOnly }: ListProps) {
  const rowOf = (id: string) => stats.data?.data.find((row) => row.id === id);
  const shown = hooks.filter((hook) => !isFailingOnly || isFailing(hook));
  if (hooks.length === 0)
    return <Empty text="No webhook yet. An endpoint gets each matching item as a signed POST." />;
  if (shown.length === 0) return <Empty text="No endpoint is failing." />;
  return (
    <Table
      head={[
        "Endpoint",
        "Status",
        "24 hours",
        { num: "Success" },
        { num: "p99" },
        { num: "Today" },
        { num: "Waiting" },
      ]}
    >
      {shown.map((hook) => (
        <Line key={hook.id} hook={hook} row={rowOf(hook.id)} />
      ))}
    </Table>
  );
}

const total = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0);

function Line({ hook, row }: { hook: WebhookWithoutSecret; row: StatsRow | undefined }) {
  const delivered = row === undefined ? 0 : total(row.delivered);
  // What failed and is tried again has not arrived either.
  const missing = row === undefined ? 0 : total(row.failed) + total(row.expired) + row.due;
  const chips = chipsOf(hook.filters);
  return (
    <tr>
      <td>
        <a href={at("webhooks", hook.id)}>
          <bdi>{hook.description ?? hook.url}</bdi>
        </a>
        <div class="quiet small clip">
          <bdi>{chips.length === 0 ? "Every item" : chips.map(({ text }) => text).join(" · ")}</bdi>
        </div>
      </td>
      <td>
        <EndpointState hook={hook} pausedUntil={row?.paused_until ?? null} />
      </td>
      <td>
        {row !== undefined && (
          <Spark values={row.delivered} label={`${count(delivered)} delivered in 24 hours`} />
        )}
      </td>
      <td class="num">{delivered + missing === 0 ? "—" : percent(delivered / (delivered + missing))}</td>
      <td class="num">{row?.latency_ms ? span(row.latency_ms.p99) : "—"}</td>
      <td class="num">
        {count(hook.delivered_today)} <span class="quiet">of {count(hook.matched_today)}</span>
      </td>
      <td class="num">{row === undefined ? "—" : count(row.due + row.behind)}</td>
    </tr>
  );
}
