import { useState } from "preact/hooks";
import { at, useParams } from "../core/address.ts";
import { count, plural, span } from "../core/format.ts";
import { type Loaded, useGet } from "../core/load.ts";
import { mayWrite, tab } from "../core/session.ts";
import type { FeedItemDetail, WebhookDelivery } from "../core/types.ts";
import { Button } from "../forms/button.tsx";
import { useChanges } from "../forms/changes.ts";
import { Options } from "../forms/field.tsx";
import { DeliveryState, states } from "../parts/delivery-state.tsx";
import { Tickers } from "../parts/marks.tsx";
import { Empty, Loading, Problem } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Moment } from "../parts/time.tsx";
import { answerWords } from "./answer.tsx";
import { DeliveryDrawer } from "./delivery-drawer.tsx";
import { givenUpOf, queuedWords, rowOf, toCheck, total } from "./state.tsx";
import type { DeliveryList, Webhook, WebhookStats } from "./types.ts";
import { Waiting } from "./waiting.tsx";

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
  const list = useGet<DeliveryList>(
    `/v1/webhooks/${id}/deliveries`,
    { status, cursor, limit: 25 },
    cursor === "" ? 5_000 : null,
  );
  return (
    <section class="stack" aria-label="Deliveries">
      <Waiting hook={hook} stats={stats} again={again} />
      {stats.data !== null && <Settled hook={hook} stats={stats.data} />}
      <div class="row wrap">
        <span class="soft small">Status</span>
        <Options
          class="button"
          aria-label="Status"
          value={status}
          options={[["", "Any"], ...Object.entries(states)]}
          set={(to) => change({ status: to, cursor: null })}
        />
      </div>
      <Loading of={list} lines={6} height={32}>
        {({ data, next_cursor }) => (
          <>
            {data.length === 0 ? (
              <Empty text={nothingOf(status, stats.data?.due ?? 0)}>
                <Button run={() => change({ tab: "Try" })}>Send a test</Button>
              </Empty>
            ) : (
              <Rows
                hookId={id}
                rows={data}
                pausedUntil={stats.data?.paused_until ?? null}
                again={() => {
                  list.again();
                  again();
                }}
              />
            )}
            <div class="row">
              {cursor !== "" && <Button run={() => change({ cursor: null })}>Newest</Button>}
              {next_cursor !== null && (
                <Button run={() => change({ cursor: next_cursor }, true)}>Older</Button>
              )}
            </div>
          </>
        )}
      </Loading>
    </section>
  );
}

/**
 * The list has failures and a sample of what arrived at once, so it cannot show that nothing is missing; the counters do. On a
 * plan with a daily cap they do not: what was over it is counted nowhere.
 */
function Settled({ hook, stats }: { hook: Webhook; stats: WebhookStats }) {
  const { due, given_up, behind } = stats;
  const { delivered, expired } = rowOf(stats);
  const { all, unlisted } = givenUpOf(stats);
  if (unlisted > 0)
    return (
      <p class="note">
        {count(all)} were given up in the last 24 hours; {count(all - unlisted)} of them are listed. The
        others were too old before they were tried:{" "}
        <a href={`${at("webhooks", hook.id)}?tab=Replay`}>Replay</a> sends them, and what was delivered may
        come again.
      </p>
    );
  const isAll = total(delivered) > 0 && due + given_up + total(expired) === 0;
  if (!isAll || !hook.enabled || tab.value?.realtime_feeds_per_day !== null) return null;
  return (
    <p class="soft">
      Everything that matched in the last 24 hours while the endpoint was enabled has arrived
      {behind > 0 && `; ${toCheck(behind)}`}. Of what arrived at the first try only a sample is listed.
    </p>
  );
}

function nothingOf(status: string, due: number): string {
  if (status === "") return "Nothing was sent yet.";
  if (status !== "failed") return `No delivery is ${states[status]?.toLowerCase()}.`;
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
  const { failure, change } = useChanges(again);
  const resend = ({ id }: WebhookDelivery) =>
    change(
      queuedWords(pausedUntil),
      "POST",
      `/v1/webhooks/${hookId}/deliveries/${encodeURIComponent(id)}/resend`,
    );
  const shown = rows.find(({ id }) => id === open);
  return (
    <>
      <Problem failure={failure} />
      <Table
        rows={rows}
        keyOf={({ id }) => id}
        columns={[
          ["Item", ({ id, item_id }) => <ItemTitle id={item_id} open={() => setOpen(id)} />],
          ["Status", (delivery) => <Status delivery={delivery} />],
          ["Latency", latencyOf, "num"],
          ["Last attempt", ({ attempts }) => <Moment at={attempts.at(-1)?.at ?? null} />],
          [
            "Actions",
            (delivery) => (
              <span class="row">
                <Button look="plain" run={() => setOpen(delivery.id)}>
                  Details
                </Button>
                {mayWrite.value && (
                  <Button look="plain" run={() => resend(delivery)}>
                    Resend
                  </Button>
                )}
              </span>
            ),
            "unseen",
          ],
        ]}
      />
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

/** Of an answer: how long it took until nobody answered says nothing of the receiver. */
const latencyOf = ({ attempts }: WebhookDelivery) => {
  const last = attempts.at(-1);
  return last?.status_code ? span(last.latency_ms) : "—";
};

/** How it stands, and why the last attempt failed. */
function Status({ delivery }: { delivery: WebhookDelivery }) {
  const last = delivery.attempts.at(-1);
  return (
    <>
      <DeliveryState of={delivery} />
      {last && !last.ok && (
        <div class="quiet small">
          {last.status_code} {answerWords(last)}
        </div>
      )}
    </>
  );
}

function ItemTitle({ id, open }: { id: string; open: () => void }) {
  const item = useGet<FeedItemDetail>(`/v1/feeds/${id}`);
  return (
    <Button look="plain clip delivery-title" run={open}>
      <bdi class="clip">{item.data?.title ?? (item.failure === null ? "…" : "Item no longer stored")}</bdi>
      <Tickers symbols={item.data?.symbols ?? []} most={2} />
    </Button>
  );
}
