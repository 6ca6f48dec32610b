import type { Call } from "../http/call.ts";
import { wire } from "../http/query.ts";
import type { Api, CallOptions, CallOptionsOnce } from "../http/requests.ts";
import type {
  Instant,
  ListDeliveriesQuery,
  Webhook,
  WebhookCreate,
  WebhookDeletion,
  WebhookDelivery,
  WebhookDeliveryDetail,
  WebhookList,
  WebhookQueued,
  WebhookReplayStarted,
  WebhookStats,
  WebhookStatsList,
  WebhookTest,
  WebhookUpdate,
} from "../types.ts";
import { allItems, type Page, pageOf } from "./pages.ts";

export interface Webhooks {
  /** The endpoints of the account, without their secrets. */
  list(options?: CallOptions): Call<WebhookList>;
  /** A new endpoint with its signing secret. */
  create(endpoint: WebhookCreate, options?: CallOptionsOnce): Call<Webhook>;
  /** One endpoint with its signing secret. */
  get(id: string, options?: CallOptions): Call<Webhook>;
  /** Absent members do not change. */
  update(id: string, change: WebhookUpdate, options?: CallOptions): Call<Webhook>;
  delete(id: string, options?: CallOptions): Call<WebhookDeletion>;
  /** A new secret; the old one signs too for 24 hours. */
  rotate(id: string, options?: CallOptionsOnce): Call<Webhook>;
  /** Sends a test event. It is never repeated by itself. */
  test(id: string, options?: CallOptions): Call<WebhookTest>;
  /** Deliveries of the last 7 days, newest item first. Reads one page ahead; `limit` is the size of a page. */
  deliveries(
    id: string,
    query?: ListDeliveriesQuery,
    options?: CallOptions,
  ): AsyncGenerator<WebhookDelivery, void, undefined>;
  deliveryPage(
    id: string,
    query?: ListDeliveriesQuery,
    options?: CallOptions,
  ): Promise<Page<WebhookDelivery>>;
  /** One delivery with its request, made again. */
  delivery(id: string, deliveryId: string, options?: CallOptions): Call<WebhookDeliveryDetail>;
  /** Sends one delivery again. */
  resend(id: string, deliveryId: string, options?: CallOptionsOnce): Call<WebhookQueued>;
  /** Sends deliveries again that were given up since a time. */
  recover(id: string, range: { readonly since: Instant }, options?: CallOptionsOnce): Call<WebhookQueued>;
  /** Sends a range of the log again. `from` and `to` are times or positions (seq). */
  replay(
    id: string,
    range: { readonly from: Instant | number; readonly to?: Instant | number },
    options?: CallOptionsOnce,
  ): Call<WebhookReplayStarted>;
  /** Backlog, pause and counts by hour of every endpoint. */
  allStats(query?: { readonly hours?: number }, options?: CallOptions): Call<WebhookStatsList>;
  /** Delivery counts of one endpoint, now and by hour. */
  stats(id: string, query?: { readonly hours?: number }, options?: CallOptions): Call<WebhookStats>;
}

export function webhooksOf({ request }: Api): Webhooks {
  const read = (id: string) => (query: ListDeliveriesQuery, options: CallOptions) =>
    request("GET /v1/webhooks/{id}/deliveries", { params: { id }, query, ...options });
  return {
    list: (options) => request("GET /v1/webhooks", options),
    create: (body, options) => request("POST /v1/webhooks", { body, idempotent: true, ...options }),
    get: (id, options) => request("GET /v1/webhooks/{id}", { params: { id }, ...options }),
    update: (id, body, options) => request("PATCH /v1/webhooks/{id}", { params: { id }, body, ...options }),
    delete: (id, options) => request("DELETE /v1/webhooks/{id}", { params: { id }, ...options }),
    rotate: (id, options) =>
      request("POST /v1/webhooks/{id}/rotate", { params: { id }, idempotent: true, ...options }),
    test: (id, options) => request("POST /v1/webhooks/{id}/test", { params: { id }, ...options }),
    deliveries: (id, query = {}, options) => allItems(read(id), query, options),
    deliveryPage: (id, query = {}, options) => pageOf(read(id), query, options),
    delivery: (id, delivery_id, options) =>
      request("GET /v1/webhooks/{id}/deliveries/{delivery_id}", { params: { id, delivery_id }, ...options }),
    resend: (id, delivery_id, options) =>
      request("POST /v1/webhooks/{id}/deliveries/{delivery_id}/resend", {
        params: { id, delivery_id },
        idempotent: true,
        ...options,
      }),
    recover: (id, { since }, options) =>
      request("POST /v1/webhooks/{id}/recover", {
        params: { id },
        body: { since: wire(since) },
        idempotent: true,
        ...options,
      }),
    replay: (id, { from, to }, options) =>
      request("POST /v1/webhooks/{id}/replay", {
        params: { id },
        body: { from: wire(from), to: wire(to) },
        idempotent: true,
        ...options,
      }),
    allStats: (query, options) => request("GET /v1/webhooks/stats", { query, ...options }),
    stats: (id, query, options) =>
      request("GET /v1/webhooks/{id}/stats", { params: { id }, query, ...options }),
  };
}
