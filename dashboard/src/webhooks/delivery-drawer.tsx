import { get } from "../api.ts";
import { at } from "../core/address.ts";
import { words } from "../core/format.ts";
import { useLoad } from "../core/load.ts";
import { mayWrite } from "../core/session.ts";
import type { WebhookDelivery } from "../core/types.ts";
import { Button } from "../forms/button.tsx";
import { Code } from "../parts/copy.tsx";
import { DeliveryState } from "../parts/delivery-state.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Loading } from "../parts/states.tsx";
import { Answer } from "./answer.tsx";
import type { DeliveryDetail } from "./types.ts";

interface DrawerProps {
  readonly hookId: string;
  readonly delivery: WebhookDelivery;
  readonly close: () => void;
  readonly resend: () => void;
}

/** One delivery: each attempt with what it means, and the request as it was sent. */
export function DeliveryDrawer({ hookId, delivery, close, resend }: DrawerProps) {
  const path = `/v1/webhooks/${hookId}/deliveries/${encodeURIComponent(delivery.id)}`;
  const detail = useLoad(`delivery ${delivery.id} ${delivery.attempts.length}`, (signal) =>
    get<DeliveryDetail>(path, {}, signal),
  );
  return (
    <Dialog title="Delivery" close={close} isSide>
      <div class="row wrap">
        <code class="clip grow">{delivery.id}</code>
        <a class="button" href={at("item", delivery.item_id)}>
          Item
        </a>
        {mayWrite.value && <Button run={resend}>Resend</Button>}
      </div>
      <DeliveryState of={delivery} />
      <h3>Attempts</h3>
      <ol class="stack">
        {delivery.attempts.map((attempt) => (
          <Answer key={`${attempt.number}${attempt.at}`} of={attempt}>
            , attempt {attempt.number}
            {attempt.trigger !== "item" && `, by ${words(attempt.trigger).toLowerCase()}`}
          </Answer>
        ))}
      </ol>
      <h3>Request</h3>
      <Loading of={detail} lines={5}>
        {({ request }) => (
          <>
            <p class="quiet small">Made again from the log; timestamp and signature are of now.</p>
            <Code
              text={Object.entries(request.headers)
                .map(([name, value]) => `${name}: ${value}`)
                .join("\n")}
              what="headers"
            />
            <Code text={pretty(request.body)} what="body" />
          </>
        )}
      </Loading>
    </Dialog>
  );
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
