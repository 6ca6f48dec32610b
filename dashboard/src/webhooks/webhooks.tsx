import { queryText } from "../api.ts";
import { Spark } from "../charts/chart.tsx";
import { at, useParams } from "../core/address.ts";
import { filterOf, wordsOf } from "../core/filter.ts";
import { count, span } from "../core/format.ts";
import { type Loaded, useGet } from "../core/load.ts";
import { mayWrite } from "../core/session.ts";
import type { Me } from "../core/types.ts";
import { useChoice } from "../draw/choice.ts";
import { Button } from "../forms/button.tsx";
import { keysOf, Segments } from "../forms/field.tsx";
import { Screen } from "../parts/screen.tsx";
import { Empty, Loading } from "../parts/states.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { type EndpointList, isFailing } from "../shell/failing.tsx";
import { EndpointForm } from "./endpoint-form.tsx";
import { Counts, EndpointState, total } from "./state.tsx";
import type { StatsList, StatsRow, WebhookWithoutSecret } from "./types.ts";

const shows = { all: "All", failing: "Failing" } as const;

/** Every endpoint of the account and how it does. */
export default function Webhooks() {
  const [params, change] = useParams();
  const [show, setShow] = useChoice("show", keysOf(shows));
  const hooks = useGet<EndpointList>("/v1/webhooks", {}, 15_000);
  const stats = useGet<StatsList>("/v1/webhooks/stats", { hours: 24 }, 15_000);
  const me = useGet<Me>("/v1/me");
  const most = me.data?.limits.webhook_endpoints ?? null;
  const isFull = most !== null && (hooks.data?.data.length ?? 0) >= most;
  return (
    <Screen
      title="Webhooks"
      actions={
        <>
          <Segments label="Show" value={show} choices={shows} choose={setShow} />
          {mayWrite.value && (
            <Button look="main" disabled={isFull} run={() => change({ create: "1" })}>
              Create a webhook
            </Button>
          )}
        </>
      }
    >
      {isFull && <p class="note">All {count(most)} endpoints of the plan are in use.</p>}
      <Loading of={hooks} lines={3} height={44}>
        {({ data }) => <List hooks={data} stats={stats} isFailingOnly={show === "failing"} />}
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
    return (
      <Empty text="No webhook yet. An endpoint gets each matching item as a signed POST.">
        {mayWrite.value && (
          <a class="button" href={at("webhooks") + queryText({ create: 1 })}>
            Create a webhook
          </a>
        )}
      </Empty>
    );
  if (shown.length === 0) return <Empty text="No endpoint is failing." />;
  return (
    <Table
      rows={shown.map((hook) => ({ hook, row: rowOf(hook.id) }))}
      keyOf={({ hook }) => hook.id}
      columns={columns}
    />
  );
}

interface Line {
  readonly hook: WebhookWithoutSecret;
  readonly row: StatsRow | undefined;
}

const columns: readonly Column<Line>[] = [
  [
    "Endpoint",
    ({ hook }) => (
      <>
        <a href={at("webhooks", hook.id)}>
          <bdi>{hook.description ?? hook.url}</bdi>
        </a>
        <div class="quiet small clip">
          <bdi>{wordsOf(hook.filters) || "Every item"}</bdi>
        </div>
      </>
    ),
  ],
  ["Status", ({ hook, row }) => <EndpointState hook={hook} pausedUntil={row?.paused_until ?? null} />],
  [
    "Deliveries",
    ({ row }) =>
      row && (
        <>
          <Spark values={row.delivered} label={`${count(total(row.delivered))} delivered in 24 hours`} />
          <div class="quiet small">
            <Counts of={row} />
          </div>
        </>
      ),
  ],
  ["p99", ({ row }) => (row?.latency_ms ? span(row.latency_ms.p99) : "—"), "num"],
];
