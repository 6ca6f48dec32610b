import { useState } from "preact/hooks";
import { call, get } from "../api.ts";
import { at, useParams } from "../core/address.ts";
import { count, plural, span, words } from "../core/format.ts";
import { useDoing, useLoad } from "../core/load.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Segments } from "../parts/field.tsx";
import { Empty, Loading, Problem } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Moment, Time } from "../parts/time.tsx";
import { OperatorScreen } from "./only.tsx";
import { PushForm } from "./push.tsx";
import type { SourceHealth, SourceList, SourceProbe } from "./types.ts";

const stateOf: Readonly<Record<string, string>> = {
  ok: "good",
  waiting: "",
  stale: "warm",
  failing: "bad",
  disabled: "",
};

/** Every source: whether it does well, and what to do when it does not. */
export default function Sources() {
  const [params, change] = useParams();
  const [isPushing, push] = useState(false);
  const list = useLoad("admin sources", (signal) => get<SourceList>("/admin/v1/sources", {}, signal), {
    everyMs: 10_000,
  });
  const isBadOnly = params.show === "bad";
  const open = list.data?.data.find(({ id }) => id === params.open);
  return (
    <OperatorScreen
      title="Sources"
      actions={
        <>
          <Segments
            label="Show"
            value={isBadOnly ? "bad" : "all"}
            choices={[
              { value: "all", label: "All" },
              { value: "bad", label: "Need a look" },
            ]}
            choose={(to) => change({ show: to === "all" ? null : to })}
          />
          <button type="button" class="button" onClick={() => push(true)}>
            Push an item
          </button>
        </>
      }
    >
      {() => (
        <>
          <Loading of={list} lines={8} height={28}>
            {({ data }) =>
              data.length === 0 ? (
                <Empty text="No source is configured: items come by push only. Sources are entries of config/sources.json; the service reads them when it starts." />
              ) : (
                <SourceTable
                  sources={data.filter((one) => !isBadOnly || isBad(one))}
                  open={(id) => change({ open: id })}
                />
              )
            }
          </Loading>
          {open !== undefined && <OneSource source={open} close={() => change({ open: null })} />}
          {isPushing && <PushForm close={() => push(false)} />}
        </>
      )}
    </OperatorScreen>
  );
}

const isBad = ({ status }: SourceHealth) => status === "failing" || status === "stale";

function SourceTable({ sources, open }: { sources: readonly SourceHealth[]; open: (id: string) => void }) {
  return (
    <Table
      head={[
        "Source",
        "Status",
        "Newest item",
        "Next poll",
        { num: "Lag p50" },
        { num: "p99" },
        { num: "Items" },
        { num: "Gaps" },
      ]}
    >
      {sources.map((one) => (
        <tr key={one.id}>
          <td>
            <button type="button" class="button plain" onClick={() => open(one.id)}>
              <bdi>{one.id}</bdi>
            </button>
          </td>
          <td>
            <span class={`status ${stateOf[one.status] ?? ""}`}>{words(one.status)}</span>
            {one.advice !== null && <div class="quiet small advice">{one.advice}</div>}
          </td>
          <td>
            <Time at={one.newest_item_at} />
          </td>
          <td>
            <Time at={one.next_poll_at} empty="—" />
          </td>
          <td class="num">{one.lag_ms === null ? "—" : span(one.lag_ms.p50)}</td>
          <td class="num">{one.lag_ms === null ? "—" : span(one.lag_ms.p99)}</td>
          <td class="num">{count(one.items)}</td>
          <td class="num">{one.gaps.length === 0 ? "—" : count(one.gaps.length)}</td>
        </tr>
      ))}
    </Table>
  );
}

function OneSource({ source, close }: { source: SourceHealth; close: () => void }) {
  const [probe, setProbe] = useState<SourceProbe | null>(null);
  const doing = useDoing();
  const ask = async () =>
    setProbe(await call<SourceProbe>("POST", `/admin/v1/sources/${encodeURIComponent(source.id)}/probe`));
  return (
    <Dialog title={source.id} close={close} isSide>
      {source.advice !== null && <p class="note wrong">{source.advice}</p>}
      <dl class="facts">
        <dt>Status</dt>
        <dd>
          <span class={`status ${stateOf[source.status] ?? ""}`}>{words(source.status)}</span>
        </dd>
        <dt>Address</dt>
        <dd class="mono">{source.url}</dd>
        <dt>Format</dt>
        <dd>{source.format}</dd>
        <dt>Last poll</dt>
        <dd>
          <Moment at={source.last_poll_at} />
        </dd>
        <dt>Last success</dt>
        <dd>
          <Moment at={source.last_ok_at} />
        </dd>
        {source.last_error !== null && (
          <>
            <dt>Error</dt>
            <dd>{source.last_error}</dd>
          </>
        )}
        <dt>Announced by a hub</dt>
        <dd>{source.pushed ? "yes" : "no"}</dd>
        <dt>Documents to read</dt>
        <dd class="num">{count(source.pending_documents)}</dd>
      </dl>
      <div class="row wrap">
        <button type="button" class="button" disabled={doing.isBusy} onClick={() => void doing.run(ask)}>
          {doing.isBusy ? "Fetching" : "Fetch it now"}
        </button>
        <a class="button" href={`${at("feed")}?aggregator=${encodeURIComponent(source.name)}`}>
          Its items
        </a>
      </div>
      {doing.failure !== null && <Problem failure={doing.failure} />}
      {probe !== null && <Probe probe={probe} />}
      {source.gaps.length > 0 && <Gaps source={source} />}
    </Dialog>
  );
}

function Probe({ probe }: { probe: SourceProbe }) {
  return (
    <div class={`note ${probe.ok ? "live" : "wrong"} stack`}>
      <p>
        {probe.ok
          ? `Read in ${span(probe.took_ms)}: ${plural(probe.items ?? 0, "item")}, ${count(probe.unknown_items ?? 0)} not in the feed yet.`
          : `Could not be read: ${probe.error}`}
      </p>
      <ul>
        {probe.titles.map((title) => (
          <li key={title} class="soft">
            <bdi>{title}</bdi>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Gaps({ source: { gaps } }: { source: SourceHealth }) {
  return (
    <section class="stack" aria-label="Gaps">
      <h3>Gaps</h3>
      <ul class="stack">
        {gaps.slice(0, 10).map((gap) => (
          <li key={gap.noticed_at} class="note">
            <Moment at={gap.from} /> to <Moment at={gap.to} />: {gap.reason}
            {gap.closed_at !== null && " (closed)"}
          </li>
        ))}
      </ul>
    </section>
  );
}
