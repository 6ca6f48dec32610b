import { ApiError } from "@tapewire/contract/errors/errors.ts";
import { filterOfSubscription } from "@tapewire/contract/filter.ts";
import { notBefore } from "@tapewire/contract/input.ts";
import { deliveryLimits } from "@tapewire/contract/webhook-deliveries.ts";
import type { IdempotentCalls } from "../../../account/idempotent-calls.ts";
import type { Caller } from "../../../account/keys/auth.ts";
import type { RealtimeQuota } from "../../../account/realtime-quota.ts";
import type { Bus } from "../../../bus/types.ts";
import { parseDeliveryId } from "../../../feed/delivery-id.ts";
import { asksForScores, matches } from "../../../feed/filter.ts";
import type { Clock } from "../../../runtime/clock.ts";
import { secondsToNextDay, utcDay } from "../../../runtime/utc-day.ts";
import type { Db } from "../../../store/engine/db.ts";
import { itemsAfter, logHead } from "../../../store/log/item-reads.ts";
import { firstSeqSince } from "../../../store/log/log-times.ts";
import {
  mostRecovered,
  type Placed,
  recoverDeliveries,
  resendDelivery,
  startReplay,
  wasOwed,
} from "../../../store/webhooks/redelivery.ts";
import { readWebhook, type WebhookKey, type WebhookRow } from "../../../store/webhooks/webhooks.ts";
import type { Handlers } from "../../contract-routes.ts";
import { once } from "../idempotent.ts";
import { noSuchWebhook } from "./webhooks.ts";

type OrderRoute = "resendDelivery" | "recoverWebhook" | "replayWebhook";

export interface WebhookOrderDeps {
  readonly db: Db;
  readonly bus: Pick<Bus, "announce">;
  readonly calls: IdempotentCalls;
  readonly clock: Clock;
  readonly quota: RealtimeQuota;
  /** Entries of the log up to here are no longer stored. */
  readonly floor: () => number;
}

/** Resends, recovers and replays that the owner of an endpoint orders. The worker with the endpoint's shard sends them. */
export function webhookOrderHandlers(deps: WebhookOrderDeps): Pick<Handlers, OrderRoute> {
  const { db, calls } = deps;
  const ordered = () => deps.bus.announce("endpoints");
  return {
    resendDelivery: async ({ params: { id, delivery_id }, caller, idempotencyKey: key }) => {
      const path = `/v1/webhooks/${id}/deliveries/${delivery_id}/resend`;
      const body = await once(calls, { path, caller, key, request: null }, async () =>
        JSON.stringify(await resend(deps, { caller, id, deliveryId: delivery_id })),
      );
      ordered();
      return { body };
    },
    recoverWebhook: async ({ params: { id }, body: request, caller, idempotencyKey: key }) => {
      const path = `/v1/webhooks/${id}/recover`;
      const endpoint = { accountId: caller.accountId, id };
      const body = await once(calls, { path, caller, key, request }, async () => {
        const outcome = await recoverDeliveries(db.main, endpoint, new Date(request.since));
        if (typeof outcome === "string") throw refusalOf(outcome);
        if (outcome.recovered === 0 && outcome.gone > 0) throw allGone(outcome.gone);
        return JSON.stringify({ queued: outcome.recovered });
      });
      ordered();
      return { body };
    },
    replayWebhook: async ({ params: { id }, body: request, caller, idempotencyKey: key }) => {
      const path = `/v1/webhooks/${id}/replay`;
      const endpoint = { accountId: caller.accountId, id };
      const body = await once(calls, { path, caller, key, request }, async () =>
        JSON.stringify(await replay(deps, endpoint, request)),
      );
      ordered();
      return { body };
    },
  };
}

interface Resend {
  readonly caller: Caller;
  readonly id: string;
  readonly deliveryId: string;
}

/** @throws {ApiError} not_found; retired; conflict; quota_exceeded */
async function resend(
  deps: WebhookOrderDeps,
  { caller, id, deliveryId }: Resend,
): Promise<{ queued: number }> {
  const { db, clock } = deps;
  const key = { accountId: caller.accountId, id };
  const endpoint = await readWebhook(db.main, key, utcDay(clock.now()));
  if (endpoint === null) throw noSuchWebhook();
  if (endpoint.status !== "enabled") throw refusalOf("disabled");
  const delivery = parseDeliveryId(deliveryId);
  if (delivery === null) throw noSuchDelivery();
  // A delivery that was due before has already been counted in a day's items. Any other counts as a live item.
  const isOwed = await wasOwed(db.main, id, delivery);
  if (!isOwed) {
    if (!(await passes(db, caller, endpoint, delivery))) throw noSuchDelivery();
    await takeUnit(deps, caller);
  }
  const outcome = await resendDelivery(db.main, key, delivery);
  if (outcome === "unknown_item") throw isOwed ? new ApiError("retired") : noSuchDelivery();
  if (outcome === "too_many")
    throw new ApiError("conflict", { detail: `The endpoint already has ${mostRecovered} due deliveries` });
  if (outcome !== "ordered") throw refusalOf(outcome);
  return { queued: 1 };
}

/** Whether this entry of the log matches the endpoint's current filters. */
async function passes(
  { main }: Db,
  { plan }: Caller,
  { filters }: WebhookRow,
  { seq, itemId }: Placed,
): Promise<boolean> {
  const filter = filterOfSubscription(filters);
  if (asksForScores(filter) && !plan.scores_visible) return false;
  const [entry] = await itemsAfter(main, seq - 1, 1);
  return entry?.seq === seq && entry.item.id === itemId && matches(entry.item, filter);
}

/** @throws {ApiError} quota_exceeded */
async function takeUnit(
  { quota, clock }: WebhookOrderDeps,
  { accountId, plan, tier }: Caller,
): Promise<void> {
  const cap = plan.realtime_feeds_per_day;
  if (cap === null) return;
  const units = quota.of(accountId);
  for (let taken = units.take(cap, 1); typeof taken === "string"; taken = units.take(cap, 1)) {
    if (taken === "spent")
      throw new ApiError("quota_exceeded", {
        detail: `The daily cap of the ${tier} plan, ${cap} live items, is reached, and this delivery was not sent before`,
        headers: { "Retry-After": String(secondsToNextDay(clock.now())) },
        violatedPolicies: ["day"],
      });
    await units.leased();
  }
}

function noSuchDelivery(): ApiError {
  return new ApiError("not_found", {
    detail: "The endpoint has no delivery with this id, or its item does not match the filters",
  });
}

type Place = string | number;

/** @throws {ApiError} invalid_body, when the range is too long, or no longer stored; not_found; conflict */
async function replay(
  { db, floor: floorOf }: WebhookOrderDeps,
  endpoint: WebhookKey,
  { from, to }: { readonly from: Place; readonly to?: Place | undefined },
): Promise<{ from_seq: number; to_seq: number }> {
  const { lastSeq: head } = await logHead(db.main);
  const floor = floorOf();
  // A time before everything that is stored means its beginning, as in GET /v1/replay.
  const since = (at: Date) => firstSeqSince(db.main, at, { floor, head });
  if (typeof from === "number" && from <= floor) throw belowFloor("from", floor);
  if (typeof to === "number" && to <= floor) throw belowFloor("to", floor);
  const fromSeq = typeof from === "number" ? from : await since(notBefore(from));
  // Items that were stored in the millisecond of `to` are in the range.
  const lastSeq = typeof to === "string" ? (await since(new Date(Date.parse(to) + 1))) - 1 : (to ?? head);
  const toSeq = Math.min(head, lastSeq);
  const places = toSeq - fromSeq + 1;
  if (places > deliveryLimits.replayed) {
    const detail = `the range has ${places} positions of the log; at most ${deliveryLimits.replayed} are allowed`;
    throw new ApiError("invalid_body", { fields: [{ in: "body", name: "from", detail }] });
  }
  const outcome = await startReplay(db.main, endpoint, { fromSeq, toSeq });
  if (outcome === "replaying")
    throw new ApiError("conflict", { detail: "A replay of this endpoint is under way" });
  if (outcome !== "ordered") throw refusalOf(outcome);
  return { from_seq: fromSeq, to_seq: toSeq };
}

function belowFloor(name: "from" | "to", floor: number): ApiError {
  const detail = `the log's entries up to ${floor} are no longer stored: the oldest is ${floor + 1}`;
  return new ApiError("invalid_body", { fields: [{ in: "body", name, detail }] });
}

function allGone(deliveries: number): ApiError {
  return new ApiError("retired", {
    detail: `The items of the ${deliveries} deliveries that were given up since then are no longer stored`,
  });
}

function refusalOf(refusal: "not_found" | "disabled"): ApiError {
  if (refusal === "not_found") return noSuchWebhook();
  return new ApiError("conflict", { detail: "The endpoint is disabled: enable it first" });
}
