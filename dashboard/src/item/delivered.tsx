import type { ComponentChildren } from "preact";
import type { WebhookStatsList, WebhookStatsRow } from "tapewire";
import { queryText } from "../api.ts";
import { at } from "../core/address.ts";
import { matches } from "../core/filter.ts";
import { span, words } from "../core/format.ts";
import { useGet } from "../core/load.ts";
import { mayWrite } from "../core/session.ts";
import type { FeedItemDetail, WebhookDelivery, WebhookWithoutSecret } from "../core/types.ts";
import { Button } from "../forms/button.tsx";
import { useChanges } from "../forms/changes.ts";
import { DeliveryState } from "../parts/delivery-state.tsx";
import { Empty, Loading, Problem } from "../parts/states.tsx";
import { Frame } from "../parts/table.tsx";
import { Moment } from "../parts/time.tsx";

/** The endpoints whose filter the item matches, and what became of its delivery to each. */
export function Delivered({ item }: { item: FeedItemDetail }) {
  const hooks = useGet<{ data: WebhookWithoutSecret[] }>("/v1/webhooks");
  return (
    <Loading of={hooks} lines={3} height={32}>
      {({ data }) => {
        const matched = data.filter(({ filters }) => matches(filters, item));
        if (matched.length > 0) return <Endpoints item={item} hooks={matched} />;
        return (
          <Empty
            text={data.length === 0 ? "There is no webhook yet." : "It matches the filter of no endpoint."}
          >
            <a class="button" href={at("webhooks") + queryText({ create: 1 })}>
              Make a webhook
            </a>
          </Empty>
        );
      }}
    </Loading>
  );
}

function Endpoints({ item, hooks }: { item: FeedItemDetail; hooks: readonly WebhookWithoutSecret[] }) {
  const stats = useGet<WebhookStatsList>("/v1/webhooks/stats", { hours: 168 }, 5_000);
  const rowOf = ({ id }: WebhookWithoutSecret) => stats.data?.data.find((row) => row.id === id);
  return (
    <>
      <Frame label="Endpoints" head={[["Endpoint"], ["Status"], ["Last attempt"], ["Actions", "unseen"]]}>
        {hooks.map((hook) => (
          <Row key={hook.id} item={item} hook={hook} row={rowOf(hook)} hours={stats.data?.hours ?? []} />
        ))}
      </Frame>
      <p class="quiet small">
        Failures are recorded for 7 days, from the first attempt on. Without one the item was delivered at the
        first attempt, or not sent: over the daily cap, too old, or the endpoint was disabled or had another
        filter.
      </p>
    </>
  );
}

/** The webhook-id of an item's version is the same for every endpoint. */
const deliveryIdOf = ({ id, seq }: FeedItemDetail) => `msg_${id.replaceAll("-", "")}_${seq}`;

interface Recorded {
  readonly data: readonly WebhookDelivery[];
}

interface RowProps {
  readonly item: FeedItemDetail;
  readonly hook: WebhookWithoutSecret;
  readonly row: WebhookStatsRow | undefined;
  /** Of the figures in the row. */
  readonly hours: readonly string[];
}

function Row(props: RowProps) {
  const { item, hook } = props;
  const id = deliveryIdOf(item);
  // Most items have no record: the list is asked, since asking for a delivery that is not there counts as an error.
  const found = useGet<Recorded>(`/v1/webhooks/${hook.id}/deliveries`, { seq: item.seq }, 5_000);
  const changes = useChanges(found.again);
  const resend = () => changes.change("Queued", "POST", `/v1/webhooks/${hook.id}/deliveries/${id}/resend`);
  const failure = changes.failure ?? found.failure;
  const delivery = found.data?.data[0] ?? null;
  const last = delivery?.attempts.at(-1);
  return (
    <>
      <tr>
        <td>
          <a href={at("webhooks", hook.id)}>
            <bdi>{hook.description ?? hook.url}</bdi>
          </a>
        </td>
        <td data-head="Status">
          {delivery === null ? (
            <span class="quiet">{found.data === null ? "…" : withoutRecord(props)}</span>
          ) : (
            <DeliveryState of={delivery} />
          )}
        </td>
        <td data-head="Last attempt">
          {last === undefined ? (
            <span class="quiet">—</span>
          ) : (
            <>
              <Moment at={last.at} />{" "}
              <span class="quiet num">
                {last.status_code === null
                  ? words(last.error ?? "")
                  : `${last.status_code}, ${span(last.latency_ms)}`}
              </span>
            </>
          )}
        </td>
        <td>
          {mayWrite.value && (
            <Button look="plain" disabled={changes.isBusy} run={resend}>
              {delivery === null ? "Send" : "Resend"}
              <span class="unseen"> to {hook.description ?? hook.url}</span>
            </Button>
          )}
        </td>
      </tr>
      {failure !== null && (
        <tr>
          <td colSpan={4}>
            <Problem failure={failure} />
          </td>
        </tr>
      )}
    </>
  );
}

function withoutRecord(props: RowProps): ComponentChildren {
  const { item, hook, row } = props;
  if (!hook.enabled) return "The endpoint is disabled";
  if (Date.parse(hook.created_at) > Date.parse(item.updated_at)) return "The endpoint was made later";
  if (row !== undefined && item.seq > row.position)
    return (
      <>
        Pending:{" "}
        {row.paused_until === null ? (
          "not tried yet"
        ) : (
          <>
            paused until <Moment at={row.paused_until} />
          </>
        )}
      </>
    );
  return mayHaveExpired(props) ? "Delivered, or too old when its turn came" : "No failure recorded";
}

const hourMs = 3_600_000;

/** Some that were given up are not listed, and some expired when the item was too old. */
function mayHaveExpired({ item, hook, row, hours }: RowProps): boolean {
  if (row === undefined) return false;
  const tooOldMs = Date.parse(item.updated_at) + hook.max_age * 1_000;
  const givenUp = [...row.failed, ...row.expired].reduce((sum, one) => sum + one);
  return (
    givenUp > row.given_up &&
    row.expired.some((n, at) => n > 0 && Date.parse(hours[at] ?? "") + hourMs > tooOldMs)
  );
}
