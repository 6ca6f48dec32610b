import type { PlanTable } from "@tapewire/contract/plans.ts";
import type { Log } from "../../runtime/log.ts";
import type { Queries } from "../../store/engine/db.ts";
import {
  type EndpointRow,
  endpointsChanged,
  endpointsOfShards,
  plansOfAccounts,
  wakeParked,
} from "../../store/webhooks/delivering-endpoints.ts";
import { accountsBeyond, disableBeyond } from "../../store/webhooks/plan-limits.ts";
import type { Endpoint } from "./endpoint.ts";
import type { EndpointSet } from "./endpoint-set.ts";
import { underWay } from "./exceptions.ts";
import type { Shard, Shards } from "./shards.ts";

/**
 * How far each look looks back, so that it finds changes that were committed late, and an order that came during an attempt
 * once more after that: longer than an attempt takes, and `staleAfterMs`.
 */
const lookBackS = 30;
/** After looks have failed for this long, all endpoints are read again. */
const staleAfterMs = 10_000;
const plansEveryMs = 3_000;
/** Repeated, because a process that does not know of a smaller plan yet may make an endpoint. */
const limitsEveryMs = 60_000;

export interface EndpointSyncDeps {
  readonly db: Queries;
  readonly log: Log;
  readonly shards: Shards;
  readonly endpoints: EndpointSet;
  readonly plans: PlanTable;
  /** Nothing more is sent to this URL for the endpoint. */
  readonly forget: (url: string) => void;
}

/** Keeps the endpoints of this worker as the database has them. */
export class EndpointSync {
  readonly #deps: EndpointSyncDeps;
  #lookedAtMs = performance.now();
  #plansAtMs = 0;
  /** The plans by which accounts were last judged, and when. */
  #judged = new Map<string, keyof PlanTable>();
  #judgedSinceMs = performance.now();

  constructor(deps: EndpointSyncDeps) {
    this.#deps = deps;
  }

  /** Reads the endpoints of newly taken shards. */
  async load(shards: readonly Shard[]): Promise<void> {
    if (shards.length === 0) return;
    const { db } = this.#deps;
    const numbers = shards.map(({ number }) => number);
    const first = await endpointsOfShards(db, numbers);
    const interrupted = first.filter(({ due }) => due > 0).map(({ id }) => id);
    if (interrupted.length > 0) await wakeParked(db, interrupted, underWay);
    const rows = interrupted.length > 0 ? await endpointsOfShards(db, numbers) : first;
    for (const row of rows) this.#apply(row);
    this.#deps.shards.loaded(shards);
  }

  /** Drops the endpoints of lost shards. */
  drop(shards: readonly Shard[]): void {
    const dropped = new Set(shards);
    for (const endpoint of [...this.#deps.endpoints.all])
      if (dropped.has(endpoint.shard)) this.#deps.endpoints.remove(endpoint);
  }

  /** The next look reads the plans too: some have changed. */
  distrustPlans(): void {
    this.#plansAtMs = Number.NEGATIVE_INFINITY;
  }

  /** Applies the latest changes. */
  async look(): Promise<void> {
    const { db, shards, endpoints } = this.#deps;
    const startedMs = performance.now();
    if (startedMs - this.#lookedAtMs > staleAfterMs) await this.#reload();
    else {
      const { enabled, gone } = await endpointsChanged(db, lookBackS);
      for (const row of enabled) if (shards.get(row.shard)?.isLoaded === true) this.#apply(row);
      // Read after the others: an endpoint in both was disabled in between.
      for (const id of gone) this.#remove(endpoints.get(id));
    }
    this.#lookedAtMs = startedMs;
    if (startedMs - this.#plansAtMs < plansEveryMs) return;
    this.#plansAtMs = startedMs;
    await this.#lookAtPlans();
  }

  async #reload(): Promise<void> {
    const { db, shards, endpoints } = this.#deps;
    const rows = await endpointsOfShards(
      db,
      [...shards.all].map(({ number }) => number),
    );
    const enabled = new Set(rows.map(({ id }) => id));
    for (const endpoint of [...endpoints.all]) if (!enabled.has(endpoint.id)) this.#remove(endpoint);
    for (const row of rows) this.#apply(row);
  }

  async #lookAtPlans(): Promise<void> {
    const { db, endpoints } = this.#deps;
    const accounts = new Set([...endpoints.all].map(({ accountId }) => accountId));
    if (accounts.size === 0) return;
    const plans = await plansOfAccounts(db, [...accounts]);
    for (const endpoint of endpoints.all) {
      const plan = plans.get(endpoint.accountId);
      if (plan !== undefined) endpoints.changePlan(endpoint, plan);
    }
    await this.#keepToLimits(plans);
  }

  /** Disables endpoints above the limit of an account's new, smaller plan. */
  async #keepToLimits(found: ReadonlyMap<string, keyof PlanTable>): Promise<void> {
    const { db, plans } = this.#deps;
    const nowMs = performance.now();
    if (nowMs - this.#judgedSinceMs > limitsEveryMs) {
      this.#judged = new Map();
      this.#judgedSinceMs = nowMs;
    }
    const fresh = [...found].filter(([accountId, plan]) => this.#judged.get(accountId) !== plan);
    if (fresh.length === 0) return;
    const limits = fresh.map(([accountId, plan]) => ({ accountId, limit: plans[plan].webhook_endpoints }));
    for (const one of await accountsBeyond(db, limits))
      await disableBeyond(
        db,
        one,
        `the plan allows ${one.limit} enabled ${one.limit === 1 ? "endpoint" : "endpoints"}`,
      );
    for (const [accountId, plan] of fresh) this.#judged.set(accountId, plan);
  }

  #remove(endpoint: Endpoint | undefined): void {
    if (endpoint === undefined) return;
    this.#deps.endpoints.remove(endpoint);
    this.#deps.forget(endpoint.settings.url);
  }

  #apply(row: EndpointRow): void {
    const { shards, endpoints, log } = this.#deps;
    const shard = shards.get(row.shard);
    const known = endpoints.get(row.id);
    if (shard === undefined) return;
    try {
      if (known === undefined || known.run !== row.run) {
        if (known !== undefined) endpoints.remove(known);
        endpoints.add(row, shard);
        return;
      }
      if (known.settings.url !== row.url) this.#deps.forget(known.settings.url);
      endpoints.change(known, row);
    } catch (error) {
      log.error({ err: error, endpoint: row.id }, "an endpoint gets no deliveries");
    }
  }
}
