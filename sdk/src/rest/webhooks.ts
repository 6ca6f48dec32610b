import type { Call } from "../http/call.ts";
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

const text = (at: Instant) => (at instanceof Date ? at.toISOString() : at);
/** A place in the log: a time or a seq. */
const place = (at: Instant | number) => (typeof at === "number" ? at : text(at));

export class Webhooks {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  /** The endpoints of the account, without their secrets. */
  list(options?: CallOptions): Call<WebhookList> {
    return this.#api.request("GET /v1/webhooks", options);
  }

  /** A new endpoint with its signing secret. */
  create(endpoint: WebhookCreate, options?: CallOptionsOnce): Call<Webhook> {
    return this.#api.request("POST /v1/webhooks", { body: endpoint, idempotent: true, ...options });
  }

  /** One endpoint with its signing secret. */
  get(id: string, options?: CallOptions): Call<Webhook> {
    return this.#api.request("GET /v1/webhooks/{id}", { params: { id }, ...options });
  }

  /** Absent members do not change. */
  update(id: string, change: WebhookUpdate, options?: CallOptions): Call<Webhook> {
    return this.#api.request("PATCH /v1/webhooks/{id}", { params: { id }, body: change, ...options });
  }

  delete(id: string, options?: CallOptions): Call<WebhookDeletion> {
    return this.#api.request("DELETE /v1/webhooks/{id}", { params: { id }, ...options });
  }

  /** A new secret; the old one signs too for 24 hours. */
  rotate(id: string, options?: CallOptionsOnce): Call<Webhook> {
    return this.#api.request("POST /v1/webhooks/{id}/rotate", {
      params: { id },
      idempotent: true,
      ...options,
    });
  }

  /** Sends a test event. It is never repeated by itself. */
  test(id: string, options?: CallOptions): Call<WebhookTest> {
    return this.#api.request("POST /v1/webhooks/{id}/test", { params: { id }, ...options });
  }

  /** Deliveries of the last 7 days, newest item first. Reads one page ahead; `limit` is the size of a page. */
  deliveries(
    id: string,
    query: ListDeliveriesQuery = {},
    options: CallOptions = {},
  ): AsyncGenerator<WebhookDelivery, void, undefined> {
    return allItems((signal) => this.deliveryPage(id, query, { ...options, signal }), options.signal);
  }

  async deliveryPage(
    id: string,
    query: ListDeliveriesQuery = {},
    options: CallOptions = {},
  ): Promise<Page<WebhookDelivery>> {
    const request = { params: { id }, query, ...options };
    const list = await this.#api.request("GET /v1/webhooks/{id}/deliveries", request);
    return pageOf(list, (cursor) => this.deliveryPage(id, { ...query, cursor }, options));
  }

  /** One delivery with its request, made again. */
  delivery(id: string, deliveryId: string, options?: CallOptions): Call<WebhookDeliveryDetail> {
    const params = { id, delivery_id: deliveryId };
    return this.#api.request("GET /v1/webhooks/{id}/deliveries/{delivery_id}", { params, ...options });
  }

  /** Sends one delivery again. */
  resend(id: string, deliveryId: string, options?: CallOptionsOnce): Call<WebhookQueued> {
    return this.#api.request("POST /v1/webhooks/{id}/deliveries/{delivery_id}/resend", {
      params: { id, delivery_id: deliveryId },
      idempotent: true,
      ...options,
    });
  }

  /** Sends deliveries again that were given up since a time. */
  recover(
    id: string,
    { since }: { readonly since: Instant },
    options?: CallOptionsOnce,
  ): Call<WebhookQueued> {
    return this.#api.request("POST /v1/webhooks/{id}/recover", {
      params: { id },
      body: { since: text(since) },
      idempotent: true,
      ...options,
    });
  }

  /** Sends a range of the log again. `from` and `to` are times or positions (seq). */
  replay(
    id: string,
    { from, to }: { readonly from: Instant | number; readonly to?: Instant | number },
    options?: CallOptionsOnce,
  ): Call<WebhookReplayStarted> {
    return this.#api.request("POST /v1/webhooks/{id}/replay", {
      params: { id },
      body: { from: place(from), ...(to === undefined ? {} : { to: place(to) }) },
      idempotent: true,
      ...options,
    });
  }

  /** Backlog, pause and counts by hour of every endpoint. */
  allStats(query: { readonly hours?: number } = {}, options?: CallOptions): Call<WebhookStatsList> {
    return this.#api.request("GET /v1/webhooks/stats", { query, ...options });
  }

  /** Delivery counts of one endpoint, now and by hour. */
  stats(id: string, query: { readonly hours?: number } = {}, options?: CallOptions): Call<WebhookStats> {
    return this.#api.request("GET /v1/webhooks/{id}/stats", { params: { id }, query, ...options });
  }
}
