import { ApiError } from "@tapewire/contract/errors.ts";
import { notBefore } from "@tapewire/contract/input.ts";
import type { Routes } from "@tapewire/contract/routes.ts";
import { deliveryLimits } from "@tapewire/contract/webhook-deliveries.ts";
import { parseDeliveryId } from "../feed/delivery-id.ts";
import type { Db } from "../store/db.ts";
import { logHead } from "../store/item-reads.ts";
import { firstSeqSince } from "../store/log-times.ts";
import { recoverDeliveries, resendDelivery, startReplay } from "../store/webhook-orders.ts";
import type { WebhookKey } from "../store/webhooks.ts";
import { once } from "./idempotent.ts";
import type { Handler } from "./route.ts";
import { noSuchWebhook } from "./webhooks.ts";

type OrderRoute = "resendDelivery" | "recoverWebhook" | "replayWebhook";

/** Deliveries that the owner of an endpoint asks for once more; whoever has its shard makes them. */
export function webhookOrderHandlers({ db }: { readonly db: Db }): {
  [name in OrderRoute]: Handler<Routes[name]>;
} {
  return {
    resendDelivery: async ({ params: { id, delivery_id }, caller, idempotencyKey: key }) => {
      const path = `/v1/webhooks/${id}/deliveries/${delivery_id}/resend`;
      const endpoint = { accountId: caller.accountId, id };
      const body = await once(db, { path, caller, key, request: null }, async () =>
        JSON.stringify(await resend(db, endpoint, delivery_id)),
      );
      return { body };
    },
    recoverWebhook: async ({ params: { id }, body: request, caller, idempotencyKey: key }) => {
      const path = `/v1/webhooks/${id}/recover`;
      const endpoint = { accountId: caller.accountId, id };
      const body = await once(db, { path, caller, key, request }, async () => {
        const outcome = await recoverDeliveries(db.main, endpoint, new Date(request.since));
        if (typeof outcome === "string") throw refusalOf(outcome);
        return JSON.stringify({ queued: outcome.recovered });
      });
      return { body };
    },
    replayWebhook: async ({ params: { id }, body: request, caller, idempotencyKey: key }) => {
      const path = `/v1/webhooks/${id}/replay`;
      const endpoint = { accountId: caller.accountId, id };
      const body = await once(db, { path, caller, key, request }, async () =>
        JSON.stringify(await replay(db, endpoint, request)),
      );
      return { body };
    },
  };
}

async function resend(db: Db, endpoint: WebhookKey, deliveryId: string): Promise<{ queued: number }> {
  const delivery = parseDeliveryId(deliveryId);
  const outcome = delivery === null ? "unknown_item" : await resendDelivery(db.main, endpoint, delivery);
  if (outcome === "unknown_item") throw new ApiError("not_found", { detail: "The log has no such entry" });
  if (outcome !== "ordered") throw refusalOf(outcome);
  return { queued: 1 };
}

type Place = string | number;

/** @throws {ApiError} invalid_body, when the range is too long; not_found; conflict */
async function replay(
  db: Db,
  endpoint: WebhookKey,
  { from, to }: { readonly from: Place; readonly to?: Place | undefined },
): Promise<{ from_seq: number; to_seq: number }> {
  const { lastSeq: head } = await logHead(db.main);
  const since = (at: Date) => firstSeqSince(db.main, at, head);
  const fromSeq = typeof from === "number" ? from : await since(notBefore(from));
  // What was stored in the very millisecond of `to` is still in the range.
  const lastSeq = typeof to === "string" ? (await since(new Date(Date.parse(to) + 1))) - 1 : (to ?? head);
  const toSeq = Math.min(head, lastSeq);
  const places = toSeq - fromSeq + 1;
  if (places > deliveryLimits.replayed) {
    const detail = `the range holds ${places} places of the log, and may hold ${deliveryLimits.replayed}`;
    throw new ApiError("invalid_body", { fields: [{ in: "body", name: "from", detail }] });
  }
  const outcome = await startReplay(db.main, endpoint, { fromSeq, toSeq });
  if (outcome === "replaying")
    throw new ApiError("conflict", { detail: "A replay of this endpoint is under way" });
  if (outcome !== "ordered") throw refusalOf(outcome);
  return { from_seq: fromSeq, to_seq: toSeq };
}

function refusalOf(refusal: "not_found" | "disabled"): ApiError {
  if (refusal === "not_found") return noSuchWebhook();
  return new ApiError("conflict", { detail: "The endpoint is disabled: enable it first" });
}
