import { ApiError } from "@tapewire/contract/errors/errors.ts";
import {
  type DeliveryRequest,
  type DeliveryStatus,
  deliveryLimits,
  type WebhookDelivery,
  type WebhookTestResult,
} from "@tapewire/contract/webhook-deliveries.ts";
import type { Caller } from "../../../account/keys/auth.ts";
import { overloaded } from "../../../account/refusals.ts";
import type { Bus } from "../../../bus/types.ts";
import { deliveryIdOf, parseDeliveryId } from "../../../feed/delivery-id.ts";
import type { LogItem } from "../../../feed/item.ts";
import type { Clock } from "../../../runtime/clock.ts";
import { utcDay } from "../../../runtime/utc-day.ts";
import type { Db, Queries } from "../../../store/engine/db.ts";
import { itemsAfter } from "../../../store/log/item-reads.ts";
import type { AttemptRow } from "../../../store/webhooks/attempts.ts";
import { type DeliveryRow, pageDeliveries } from "../../../store/webhooks/delivery-log.ts";
import { endWaits } from "../../../store/webhooks/redelivery.ts";
import { readWebhook, type WebhookRow } from "../../../store/webhooks/webhooks.ts";
import type { Handlers } from "../../contract-routes.ts";
import { noSuchWebhook } from "./webhooks.ts";

export interface WebhookDeliveryDeps {
  readonly db: Db;
  /** Workers hear from it that a pause has ended. */
  readonly bus: Pick<Bus, "announce">;
  readonly clock: Clock;
  /** Posts a test event to an endpoint, once. */
  readonly sendTest: (endpoint: TestedEndpoint) => Promise<TestAttempt>;
  /** The request of a delivery, signed now. */
  readonly requestAgain: (
    endpoint: TestedEndpoint,
    sent: { readonly item: LogItem; readonly sentAt: Date; readonly locked: boolean },
  ) => DeliveryRequest;
}

export interface TestedEndpoint extends Pick<WebhookRow, "id" | "url" | "format" | "secret"> {
  readonly previousSecret: Uint8Array | null;
  readonly previousSecretUntil: Date | null;
}

/** An attempt that is not in the log of deliveries. */
export interface TestAttempt extends Pick<AttemptRow, "at" | "ok" | "status" | "error" | "ms" | "response"> {
  readonly id: string;
}

type DeliveryRoute = "listDeliveries" | "readDelivery" | "testWebhook";

/** Most tests under way in this process. Each keeps its request open for as long as an attempt may take. */
const mostTests = { all: 32, account: 4 } as const;

/** The delivery log of an endpoint, and test events. */
export function webhookDeliveryHandlers({
  db,
  bus,
  clock,
  sendTest,
  requestAgain,
}: WebhookDeliveryDeps): Pick<Handlers, DeliveryRoute> {
  const own = async ({ accountId }: Caller, id: string): Promise<WebhookRow> => {
    const row = await readWebhook(db.main, { accountId, id }, utcDay(clock.now()));
    if (row === null) throw noSuchWebhook();
    return row;
  };
  const tests: string[] = [];
  return {
    listDeliveries: async ({ params: { id }, query, caller }) => {
      await own(caller, id);
      const { status, seq, limit = deliveryLimits.page.fallback, cursor } = query;
      const beforeSeq = cursor === undefined ? null : decodeCursor(cursor);
      const { rows, nextSeq } =
        seq === undefined
          ? await page(db, id, { status, limit, beforeSeq })
          : await pageOfOne(db, id, { status, seq, beforeSeq });
      return {
        body: { data: rows.map(viewOf), next_cursor: nextSeq === null ? null : encodeCursor(nextSeq) },
      };
    },
    readDelivery: async ({ params: { id, delivery_id: deliveryId }, caller }) => {
      // The signature is made now: a receiver would take it.
      if (caller.scope === "read")
        throw new ApiError("forbidden", { detail: "A viewer does not see signed requests: read the list" });
      const row = await own(caller, id);
      const found = await readDelivery(db, id, deliveryId);
      const locked = !caller.plan.scores_visible;
      const sentAt = found.delivery.attempts[0]?.at ?? clock.now();
      const request = requestAgain(signingOf(row), { item: found.item, sentAt, locked });
      return { body: { ...viewOf(found.delivery), request } };
    },
    testWebhook: async ({ params: { id }, caller }) => {
      const row = await own(caller, id);
      const { accountId } = caller;
      const ofAccount = tests.filter((under) => under === accountId).length;
      if (tests.length >= mostTests.all || ofAccount >= mostTests.account)
        throw overloaded({ detail: "Too many tests are waiting for their receivers", retrySeconds: 5 });
      tests.push(accountId);
      const attempt = await sendTest(signingOf(row)).finally(() => tests.splice(tests.indexOf(accountId), 1));
      if (attempt.ok && (await endWaits(db.main, { accountId, id }, row))) bus.announce("endpoints");
      return { body: testView(attempt) };
    },
  };
}

function signingOf({
  id,
  url,
  format,
  secret,
  previous_secret: previousSecret,
  previous_secret_until: previousSecretUntil,
}: WebhookRow): TestedEndpoint {
  return { id, url, format, secret, previousSecret, previousSecretUntil };
}

/** @throws {ApiError} not_found; retired */
async function readDelivery(
  { main }: Db,
  endpointId: string,
  deliveryId: string,
): Promise<{ delivery: DeliveryRow; item: LogItem }> {
  const wanted = parseDeliveryId(deliveryId);
  if (wanted === null) throw noSuchDelivery();
  const { seq, itemId } = wanted;
  const delivery = await deliveryOf(main, endpointId, seq);
  if (delivery?.itemId !== itemId) throw noSuchDelivery();
  const [item] = await itemsAfter(main, seq - 1, 1);
  if (item?.seq !== seq)
    throw new ApiError("retired", { detail: "The item of this delivery is no longer stored" });
  return { delivery, item };
}

/** @returns null: its log of deliveries has none of this entry */
async function deliveryOf(db: Queries, endpointId: string, seq: number): Promise<DeliveryRow | null> {
  const [delivery] = await pageDeliveries(db, endpointId, { beforeSeq: seq + 1, limit: 1 });
  return delivery?.seq === seq ? delivery : null;
}

function noSuchDelivery(): ApiError {
  return new ApiError("not_found", {
    detail: "The endpoint has no delivery with this id in its log of deliveries",
  });
}

interface Page {
  readonly rows: readonly DeliveryRow[];
  readonly nextSeq: number | null;
}

interface PageWanted {
  readonly status: DeliveryStatus | undefined;
  readonly limit: number;
  readonly beforeSeq: number | null;
}

async function pageOfOne(
  { main }: Db,
  endpointId: string,
  { status, seq, beforeSeq }: Omit<PageWanted, "limit"> & { readonly seq: number },
): Promise<Page> {
  const delivery = await deliveryOf(main, endpointId, seq);
  const isWanted =
    delivery !== null &&
    (status === undefined || delivery.state === status) &&
    (beforeSeq === null || seq < beforeSeq);
  return { rows: isWanted ? [delivery] : [], nextSeq: null };
}

/** Number of deliveries to search for one status. A page may therefore end before it is full. */
const looksAtOnce = 200;
const mostLooks = 20;

async function page(db: Db, endpointId: string, { status, limit, beforeSeq }: PageWanted): Promise<Page> {
  const rows: DeliveryRow[] = [];
  const asked = status === undefined ? limit + 1 : looksAtOnce;
  let before = beforeSeq;
  for (let look = 0; look < mostLooks; look++) {
    const found = await pageDeliveries(db.main, endpointId, { beforeSeq: before, limit: asked });
    for (const row of found) {
      if (status !== undefined && row.state !== status) continue;
      if (rows.length === limit) return { rows, nextSeq: rows.at(-1)?.seq ?? null };
      rows.push(row);
    }
    if (found.length < asked) return { rows, nextSeq: null };
    before = found.at(-1)?.seq ?? null;
  }
  return { rows, nextSeq: before };
}

function viewOf({ seq, itemId, state, nextAttemptAt, attempts }: DeliveryRow): WebhookDelivery {
  return {
    id: deliveryIdOf(itemId, seq),
    item_id: itemId,
    seq,
    status: state,
    next_attempt_at: nextAttemptAt?.toISOString() ?? null,
    attempts: attempts.map(({ attempt: number, at, trigger, ok, status, error, ms, response }) => ({
      ...{ number, trigger, at: at.toISOString(), ok },
      ...{ status_code: status, error, latency_ms: ms, response },
    })),
  };
}

function testView({ id, at, ok, status, error, ms, response }: TestAttempt): WebhookTestResult {
  return { id, at: at.toISOString(), ok, status_code: status, error, latency_ms: ms, response };
}

const encodeCursor = (seq: number) => Buffer.from(`d.${seq}`).toString("base64url");

/** @throws {ApiError} invalid_cursor */
function decodeCursor(cursor: string): number {
  const [, seq] = /^d\.(\d{1,15})$/.exec(Buffer.from(cursor, "base64url").toString()) ?? [];
  if (seq !== undefined && encodeCursor(Number(seq)) === cursor) return Number(seq);
  const detail = "is not a cursor that this API returned";
  throw new ApiError("invalid_cursor", { fields: [{ in: "query", name: "cursor", detail }] });
}
