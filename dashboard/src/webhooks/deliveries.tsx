import { useState } from "preact/hooks";
import { call, get } from "../api.ts";
import { useParams } from "../core/address.ts";
import { plural, span, words } from "../core/format.ts";
import { type Loaded, useDoing, useLoad } from "../core/load.ts";
import { mayWrite } from "../core/session.ts";
import type { FeedItemDetail, WebhookDelivery } from "../core/types.ts";
import { DeliveryState } from "../parts/delivery-state.tsx";
import { Tickers } from "../parts/marks.tsx";
import { Empty, Loading, Problem } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Moment } from "../parts/time.tsx";
import { tell } from "../parts/toast.tsx";
import { DeliveryDrawer } from "./delivery-drawer.tsx";
import { queuedWords } from "./state.tsx";
import type { DeliveryList, Webhook, WebhookStats } from "./types.ts";
import { Waiting } from "./waiting.tsx";

const statuses = ["", "due", "delivered", "failed", "expired", "disabled"] as const;

interface DeliveriesProps {
  readonly hook: Webhook;
  readonly stats: Loaded<WebhookStats>;
  readonly again: () => void;
}

/** What was sent to the endpoint, newest first; a page of its own follows by cursor. */
export function Deliveries({ hook, stats, again }: DeliveriesProps) {
  const { id } = hook;
  const [params, change] = useParams();
  const status = params.status ?? "";
  const cursor = params.cursor ?? "";
  const list = useLoad(
    `deliveries ${id} ${status} ${cursor}`,
    (signal) => get<DeliveryList>(`/v1/webhooks/${id}/deliveries`, { status, cursor, limit: 25 }, signal),
    { everyMs: cursor === "" ? 5_000 : null },
  );
  return (
    <section class="stack" aria-label="Deliveries">
      <Waiting hook={hook} stats={stats} again={again} />
      <div class="row wrap">
        <label class="row soft small">
          Status
          <select
            class="button"
            value={status}
            onChange={({ currentTarget }) => change({ status: currentTarget.value, cursor: null })}
          >
            {statuses.map((one) => (
              <option key={one} value={one}>
                {one === "" ? "Any" : words(one)}
              </option>
            ))}
          </select>
        </label>
        <span class="quiet small">{cursor === "" ? "Refreshes every 5 s." : "An older page."}</span>
      </div>
      <Loading of={list} lines={6} height={32}>
        {({ data, next_cursor }) => (
          <>
            {data.length === 0 ? (
              <Empty text={nothingOf(status, stats.data?.due ?? 0)}>
                <button type="button" class="button" onClick={() => change({ tab: "Try" })}>
                  Send a test
                </button>
              </Empty>
            ) : (
              <Rows
                hookId={id}
                rows={data}
                pausedUntil={stats.data?.paused_until ?? null}
                again={list.again}
              />
            )}
            <div class="row">
              {cursor !== "" && (
                <button type="button" class="button" onClick={() => change({ cursor: null })}>
                  Newest
                </button>
              )}
              {next_cursor !== null && (
                <button type="button" class="button" onClick={() => change({ cursor: next_cursor }, true)}>
                  Older
                </button>
              )}
            </div>
          </>
        )}
      </Loading>
    </section>
  );
}

function nothingOf(status: string, due: number): string {
  if (status === "") return "Nothing was sent yet.";
  if (status !== "failed") return `No delivery is ${status}.`;
  return `None given up${due > 0 ? `; ${plural(due, "is", "are")} being retried` : ""}.`;
}

interface RowsProps {
  readonly hookId: string;
  readonly rows: readonly WebhookDelivery[];
  readonly pausedUntil: string | null;
  readonly again: () => void;
}

function Rows({ hookId, rows, pausedUntil, again }: RowsProps) {
  const [open, setOpen] = useState<string | null>(null);
  const doing = useDoing();
  const resend = (delivery: WebhookDelivery) =>
    doing.run(async () => {
      await call("POST", `/v1/webhooks/${hookId}/deliveries/${encodeURIComponent(delivery.id)}/resend`);
      tell(queuedWords(pausedUntil));
      again();
    });
  const shown = rows.find(({ id }) => id === open);
  return (
    <>
      {doing.failure !== null && <Problem failure={doing.failure} />}
      <Table head={["Item", "Status", "Attempts", { num: "Latency" }, "Last attempt", { unseen: "Actions" }]}>
        {rows.map((delivery) => (
          <tr key={delivery.id}>
            <td>
              <ItemTitle id={delivery.item_id} open={() => setOpen(delivery.id)} />
            </td>
            <td>
              <DeliveryState of={delivery} />
            </td>
            <td>
              <Attempts delivery={delivery} />
            </td>
            <td class="num">{latencyOf(delivery)}</td>
            <td>
              <Moment at={delivery.attempts.at(-1)?.at ?? null} />
            </td>
            <td>
              {mayWrite.value && (
                <button type="button" class="button plain" onClick={() => void resend(delivery)}>
                  Resend
                </button>
              )}
            </td>
          </tr>
        ))}
      </Table>
      {shown !== undefined && (
        <DeliveryDrawer
          hookId={hookId}
          delivery={shown}
          close={() => setOpen(null)}
          resend={() => void resend(shown)}
        />
      )}
    </>
  );
}

const latencyOf = ({ attempts }: WebhookDelivery) => {
  const last = attempts.at(-1);
  return last === undefined ? "—" : span(last.latency_ms);
};

/** A dot for each attempt, filled when it was answered 2xx. */
function Attempts({ delivery: { attempts } }: { delivery: WebhookDelivery }) {
  const failed = attempts.filter(({ ok }) => !ok).length;
  const said = `${attempts.length} attempts, ${failed} failed`;
  return (
    <span class="attempts" title={said}>
      {attempts.slice(-8).map(({ number, at, ok }) => (
        <i key={`${number}${at}`} class={ok ? "ok" : ""} />
      ))}
      <span class="unseen">{said}</span>
    </span>
  );
}

function ItemTitle({ id, open }: { id: string; open: () => void }) {
  const item = useLoad(`item ${id}`, (signal) => get<FeedItemDetail>(`/v1/feeds/${id}`, {}, signal));
  return (
    <button type="button" class="button plain clip delivery-title" onClick={open}>
      <bdi class="clip">{item.data?.title ?? (item.failure === null ? "…" : "Item no longer stored")}</bdi>
      <Tickers symbols={item.data?.symbols ?? []} most={2} />
    </button>
  );
}
