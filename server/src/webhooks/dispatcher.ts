import type { PlanTable } from "@tapewire/contract/plans.ts";
import type { RealtimeQuota } from "../account/realtime-quota.ts";
import type { SealedSecrets } from "../account/sealed-secrets.ts";
import type { Bus, BusMessage } from "../bus/types.ts";
import { LogReader } from "../itemlog/reader.ts";
import type { ItemTail } from "../itemlog/tail.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { Gate } from "../runtime/sharing/gate.ts";
import { Signal } from "../runtime/sharing/signal.ts";
import type { Db } from "../store/engine/db.ts";
import { FencedError } from "../store/webhooks/deliveries.ts";
import { forgetDeliveries } from "../store/webhooks/forgetting.ts";
import { endAllLeases } from "../store/webhooks/shards.ts";
import { ClockSteps } from "./clock-steps.ts";
import { Committer } from "./commit.ts";
import { DeliveryScheduler } from "./delivery-scheduler.ts";
import type { Endpoint } from "./endpoints/endpoint.ts";
import { EndpointSet } from "./endpoints/endpoint-set.ts";
import { EndpointSync } from "./endpoints/endpoint-sync.ts";
import { paceLimits } from "./endpoints/pace.ts";
import { type Shard, Shards } from "./endpoints/shards.ts";
import type { DeliveryPolicy } from "./endpoints/types.ts";
import { HourlyCounts } from "./hourly-counts.ts";
import { LogEntries } from "./log-entries.ts";
import { countEndpoints, type DeliveryStats } from "./metrics.ts";
import type { Attempt, Outgoing } from "./send/types.ts";
import { ShardReader } from "./shard-reader.ts";

export interface DispatcherDeps {
  readonly db: Db;
  readonly tail: ItemTail;
  readonly bus: Bus;
  readonly sender: { send(outgoing: Outgoing): Promise<Attempt>; forget(url: string): void };
  readonly quota: RealtimeQuota;
  readonly secrets: SealedSecrets;
  readonly plans: PlanTable;
  readonly clock: Clock;
  readonly log: Log;
  readonly policy: DeliveryPolicy;
  /** Detects steps of the clock; by default with the process's monotonic clock. */
  readonly steps?: ClockSteps;
}

export interface DispatcherLimits {
  /** A worker without a sign of life for this long loses its shards. */
  readonly leaseMs: number;
  readonly commitEveryMs: number;
  /** How often workers look for other workers and for changes of endpoints. */
  readonly lookEveryMs: number;
  /** Attempts per second at one endpoint. */
  readonly perS: number;
  /** How long deliveries in flight may take at a stop. */
  readonly drainMs: number;
}

const usualLimits: DispatcherLimits = {
  leaseMs: 15_000,
  commitEveryMs: 250,
  lookEveryMs: 1_000,
  perS: paceLimits.perS,
  drainMs: 5_000,
};

/** Between looks, however often endpoints change: changes come in groups. */
const lookPauseMs = 20;
const forgetEveryMs = 600_000;
const countsEveryMs = 5_000;
const keptDays = 7;
/** Attempts kept in the log of an endpoint, beside those of the last minutes. */
const keptAttempts = 20_000;
/** Small, because an embedded database serves nobody else meanwhile; each round is followed by a pause. */
const forgottenAtOnce = 1_000;
const forgetPauseMs = 50;

/**
 * Delivers the log to webhook endpoints: each item at least once, first attempts in the order of the log. Repeats, after
 * a crash or a change of workers, have the same webhook-id. Cursor plus exceptions: a delivered item leaves no row.
 */
export class Dispatcher implements AsyncDisposable {
  readonly #deps: DispatcherDeps;
  readonly #limits: DispatcherLimits;
  readonly #shards: Shards;
  readonly #endpoints: EndpointSet;
  readonly #entries: LogEntries;
  readonly #scheduler: DeliveryScheduler;
  readonly #committer: Committer;
  readonly #sync: EndpointSync;
  readonly #counts: HourlyCounts;
  readonly #steps: ClockSteps;
  readonly #reader: ShardReader;
  readonly #closing = new AbortController();
  readonly #books = new Gate({ inside: 1 });
  readonly #changed = new Signal();
  /** Changes of endpoints that the bus has told of, in all and before the last look. */
  readonly #changes = { told: 0, looked: 0 };
  readonly #unobserve: () => void;
  readonly #unsubscribe: () => void;
  #running: Promise<unknown> = Promise.resolve();

  private constructor(deps: DispatcherDeps, limits: DispatcherLimits) {
    const { clock, log, sender, quota, policy, plans, secrets, tail } = deps;
    const db = deps.db.main;
    this.#deps = deps;
    this.#limits = limits;
    const { leaseMs, perS } = limits;
    this.#shards = new Shards({ db, log: tail, leaseMs, lost: (shards) => this.#sync.drop(shards) });
    const endpoints = new EndpointSet({ plans, secrets, policy, perS, now: () => clock.now() });
    this.#endpoints = endpoints;
    this.#entries = new LogEntries({ log: tail, match: (item) => endpoints.match(item), clock });
    const counts = new HourlyCounts({ db, clock });
    this.#counts = counts;
    const touch = (endpoint: Endpoint) => this.#committer.touch(endpoint);
    const { steps = new ClockSteps(clock) } = deps;
    this.#steps = steps;
    const scheduler = new DeliveryScheduler({
      ...{ db, sender, quota, counts, log, endpoints, steps, touch },
      entries: this.#entries,
    });
    this.#scheduler = scheduler;
    this.#committer = new Committer({
      ...{ db, clock, log: tail, counts, shards: this.#shards },
      takeAttempts: () => scheduler.takeAttempts(),
    });
    this.#sync = new EndpointSync({
      ...{ db, log, endpoints, plans, shards: this.#shards },
      forget: (url) => sender.forget(url),
    });
    this.#reader = new ShardReader({
      ...{ tail, clock, log, endpoints, shards: this.#shards, entries: this.#entries },
      owe: (endpoint, entry) => scheduler.owe(endpoint, entry),
    });
    this.#unobserve = tail.observe({ replaced: () => this.#beginAnew() });
    this.#unsubscribe = deps.bus.subscribe((message) => this.#hear(message));
  }

  /** Begins to deliver. */
  static async start(deps: DispatcherDeps, limits: Partial<DispatcherLimits> = {}): Promise<Dispatcher> {
    const dispatcher = new Dispatcher(deps, { ...usualLimits, ...limits });
    if (deps.db.engine === "pglite") await endAllLeases(deps.db.main);
    dispatcher.#running = Promise.all([
      dispatcher.#loop(
        () => dispatcher.#look(),
        () => dispatcher.#nextLook(),
      ),
      dispatcher.#every(dispatcher.#limits.commitEveryMs, () => dispatcher.#round()),
      dispatcher.#every(countsEveryMs, () => dispatcher.#counts.write()),
      dispatcher.#every(forgetEveryMs, () => dispatcher.#forget()),
      dispatcher.#reader.read(dispatcher.#closing.signal),
    ]);
    return dispatcher;
  }

  stats(): DeliveryStats {
    const { matched, ...ended } = this.#counts.totals;
    const { withheld, underWay: inFlight, waiting } = this.#scheduler;
    return {
      ...{ matched, outcomes: { ...ended, withheld }, inFlight, waiting },
      ...{ shards: this.#shards.size, unread: Math.max(0, this.#deps.tail.head - this.#readSeq) },
      ...countEndpoints(this.#endpoints.all, this.#deps.clock.now().getTime()),
    };
  }

  /** Age of the oldest entry of the log that was not matched for all shards; 0: there is none. */
  async lagMs(): Promise<number> {
    const { tail, clock } = this.#deps;
    const seq = this.#readSeq;
    if (seq >= tail.head) return 0;
    const oldest = await new LogReader(tail.memory, seq).nextKept();
    return oldest === null ? 0 : Math.max(0, clock.now().getTime() - Date.parse(oldest.item.updated_at));
  }

  /** Lets attempts in flight end, writes the progress, and gives the shards back. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    this.#unobserve();
    this.#unsubscribe();
    this.#scheduler.stop();
    await this.#running;
    await this.#drained(() => this.#scheduler.underWay === 0);
    try {
      await this.#withBooks(() => this.#commit({ whole: true }));
      await this.#shards.leave();
      await this.#counts.write();
    } catch (error) {
      this.#deps.log.warn({ err: error }, "the last deliveries could not be saved: some will be repeated");
    }
  }

  /** All shards were matched up to here. */
  get #readSeq(): number {
    return Math.min(this.#deps.tail.head, ...[...this.#shards.all].map(({ readSeq }) => readSeq));
  }

  #every(everyMs: number, work: () => Promise<void>): Promise<void> {
    return this.#loop(work, () => this.#sleep(everyMs));
  }

  /** @param work when it fails, the next turn tries again */
  async #loop(work: () => Promise<void>, pause: () => Promise<void>): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await work().catch((error: unknown) => this.#deps.log.warn({ err: error }, "webhooks: a round failed"));
      await pause();
    }
  }

  async #sleep(ms: number): Promise<void> {
    await this.#deps.clock.sleep(ms, this.#closing.signal).catch(() => {});
  }

  /** Resolves when it is time for a look, or when endpoints have changed since the last one began. */
  async #nextLook(): Promise<void> {
    await this.#sleep(lookPauseMs);
    const { told, looked } = this.#changes;
    if (told === looked) await this.#changed.wait(this.#closing.signal, this.#limits.lookEveryMs);
  }

  #hear(message: BusMessage): void {
    if (message.kind !== "changed" && message.kind !== "missed") return;
    // Plans change with the keys.
    if (message.kind === "missed" || message.change === "keys") this.#sync.distrustPlans();
    this.#changes.told += 1;
    this.#changed.notify();
  }

  /** Starts over with another log: the process that changed the epoch has set all positions back. */
  #beginAnew(): void {
    this.#shards.loseAll();
    this.#reader.stop();
  }

  /** Looks for other workers and for changes of endpoints. */
  async #look(): Promise<void> {
    this.#changes.looked = this.#changes.told;
    const { taken, surplus } = await this.#shards.round();
    if (taken.length > 0) {
      await this.#sync.load(taken).catch(async (error: unknown) => {
        await this.#shards.release(taken);
        throw error;
      });
      this.#reader.from(Math.min(...taken.map(({ readSeq }) => readSeq)));
    }
    if (surplus.length > 0) await this.#giveBack(surplus);
    // No commit runs meanwhile: otherwise what is read could be older than the state here.
    await this.#withBooks(() => this.#sync.look());
  }

  async #forget(): Promise<void> {
    const { signal } = this.#closing;
    const { db, clock } = this.#deps;
    const limits = { keptDays, keptAttempts, most: forgottenAtOnce };
    while (!signal.aborted && (await forgetDeliveries(db.main, limits)))
      await clock.sleep(forgetPauseMs, signal).catch(() => {});
    await this.#counts.forget();
  }

  async #giveBack(shards: readonly Shard[]): Promise<void> {
    const closing = new Set(shards);
    const isIdle = () => [...this.#endpoints.all].every((e) => !closing.has(e.shard) || e.inFlight === 0);
    await this.#drained(() => isIdle() || this.#closing.signal.aborted);
    // At its end this worker drains and gives back all shards anyway.
    if (this.#closing.signal.aborted) return;
    await this.#withBooks(() => this.#commit({ whole: true }));
    await this.#shards.release(shards);
  }

  async #drained(isIdle: () => boolean): Promise<void> {
    const untilMs = performance.now() + this.#limits.drainMs;
    while (!isIdle() && performance.now() < untilMs) await this.#deps.clock.sleep(20);
  }

  /** Commits, then gives every endpoint its turn. */
  async #round(): Promise<void> {
    this.#steps.look();
    await this.#withBooks(async () => {
      await this.#commit({});
      await this.#scheduler.round();
    });
  }

  async #withBooks(work: () => Promise<void>): Promise<void> {
    await this.#books.run(work);
  }

  /** One commit at a time, within #withBooks, so that they are stored in order. */
  async #commit(options: { whole?: boolean }): Promise<void> {
    await this.#committer.commit(options).catch(async (error: unknown) => {
      if (!(error instanceof FencedError)) throw error;
      this.#shards.lose(error.lost);
      // The other shards can still be stored; each try has fewer of them.
      await this.#commit(options);
    });
  }
}
