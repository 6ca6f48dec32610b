import { useState } from "preact/hooks";
import { send } from "../api.ts";
import { at, useParams } from "../core/address.ts";
import { count, plural, span, words } from "../core/format.ts";
import { useDoing, useGet } from "../core/load.ts";
import { useChoice } from "../draw/choice.ts";
import { Button } from "../forms/button.tsx";
import { keysOf, Segments } from "../forms/field.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Facts } from "../parts/facts.tsx";
import { Empty, Loading, Problem } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Moment, Time, withTimes } from "../parts/time.tsx";
import { causesOf, isBad, noSource } from "./causes.ts";
import { OperatorScreen } from "./only.tsx";
import { PushForm } from "./push.tsx";
import { Stored } from "./stored.tsx";
import type { SourceHealth, SourceList, SourceProbe } from "./types.ts";

const stateOf: Readonly<Record<string, string>> = {
  ok: "good",
  waiting: "",
  stale: "warm",
  failing: "bad",
  disabled: "",
};

const shows = { all: "All", bad: "Need a look" } as const;

/** Every source: whether it does well, and what to do when it does not. */
export default function Sources() {
  const [params, change] = useParams();
  const [isPushing, push] = useState(false);
  const list = useGet<SourceList>("/admin/v1/sources", {}, 10_000);
  const [show, setShow] = useChoice("show", keysOf(shows));
  const open = list.data?.data.find(({ id }) => id === params.open);
  return (
    <OperatorScreen
      title="Sources"
      actions={
        <>
          <Segments label="Show" value={show} choices={shows} choose={setShow} />
          <Button run={() => push(true)}>Push an item</Button>
        </>
      }
    >
      {() => (
        <>
          <Loading of={list} lines={8} height={28}>
            {({ data }) =>
              data.length === 0 ? (
                <Empty text={`${noSource} Sources are entries of config/sources.json, read at the start.`} />
              ) : (
                <SourceTable
                  sources={data.filter((one) => show === "all" || isBad(one))}
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

const lagOf = (lag: number | undefined) => (lag === undefined ? "—" : span(lag));

interface TableProps {
  readonly sources: readonly SourceHealth[];
  readonly open: (id: string) => void;
}

/** What many sources have in common is told once, above them. */
function SourceTable({ sources, open }: TableProps) {
  const causes = [...causesOf(sources.filter(({ advice }) => advice !== null))];
  const shared = causes.filter(([, of]) => of.length > 1);
  return (
    <>
      {shared.map(([cause, of]) => (
        <p key={cause} class="note">
          {plural(of.length, "source")}: {cause}
        </p>
      ))}
      <SourceRows sources={sources} open={open} told={shared.flatMap(([, of]) => of)} />
    </>
  );
}

interface RowsProps extends TableProps {
  /** Those whose advice is told above. */
  readonly told: readonly SourceHealth[];
}

const SourceRows = ({ sources, open, told }: RowsProps) => (
  <Table
    rows={sources}
    keyOf={({ id }) => id}
    columns={[
      [
        "Source",
        ({ id }) => (
          <Button look="plain" run={() => open(id)}>
            <bdi>{id}</bdi>
          </Button>
        ),
      ],
      [
        "Status",
        (one) => (
          <>
            <State of={one} />
            {one.advice !== null && !told.includes(one) && (
              <div class="quiet small advice">{withTimes(one.advice)}</div>
            )}
          </>
        ),
      ],
      ["Newest item", ({ newest_item_at }) => <Time at={newest_item_at} />],
      ["Next poll", ({ next_poll_at }) => <Time at={next_poll_at} empty="—" />],
      ["Lag p50", ({ lag_ms }) => lagOf(lag_ms?.p50), "num"],
      ["p99", ({ lag_ms }) => lagOf(lag_ms?.p99), "num"],
      ["Items", ({ items }) => count(items), "num"],
      ["Gaps", ({ gaps }) => gaps.length || "—", "num"],
    ]}
  />
);

const State = ({ of: { status } }: { of: SourceHealth }) => (
  <span class={`status ${stateOf[status] ?? ""}`}>{words(status)}</span>
);

function OneSource({ source, close }: { source: SourceHealth; close: () => void }) {
  const [probe, setProbe] = useState<SourceProbe | null>(null);
  const doing = useDoing();
  const ask = async () =>
    setProbe(await send<SourceProbe>("POST", `/admin/v1/sources/${encodeURIComponent(source.id)}/probe`));
  return (
    <Dialog title={source.id} close={close} isSide>
      {source.advice !== null && <p class="note wrong">{withTimes(source.advice)}</p>}
      <Facts
        of={[
          ["Status", <State of={source} />],
          ["Address", <span class="mono">{source.url}</span>],
          ["Format", source.format],
          ["Last poll", <Moment at={source.last_poll_at} />],
          ["Last success", <Moment at={source.last_ok_at} />],
          source.last_error !== null && ["Error", withTimes(source.last_error)],
          ["Announced by a hub", source.pushed ? "yes" : "no"],
          ["Documents to read", count(source.pending_documents)],
        ]}
      />
      <div class="row wrap">
        <Button disabled={doing.isBusy} run={() => doing.run(ask)}>
          {doing.isBusy ? "Fetching" : "Fetch it now"}
        </Button>
        <a class="button" href={`${at("feed")}?aggregator=${encodeURIComponent(source.name)}`}>
          Its items
        </a>
      </div>
      <Problem failure={doing.failure} />
      {probe !== null && <Probe probe={probe} />}
      <Stored id={source.id} />
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
