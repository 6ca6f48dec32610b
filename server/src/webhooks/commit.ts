import { randomUUID } from "node:crypto";
import type { Clock } from "../runtime/clock.ts";
import { utcDay } from "../runtime/utc-day.ts";
import type { Queries } from "../store/engine/db.ts";
import {
  type AttemptRow,
  commitDeliveries,
  type EndpointProgress,
  FencedError,
  type ShardProgress,
  wasCommitted,
} from "../store/webhooks/deliveries.ts";
import type { Endpoint } from "./endpoints/endpoint.ts";
import { parkedRow } from "./endpoints/exceptions.ts";
import type { Shard, Shards } from "./endpoints/shards.ts";
import type { HourlyCounts } from "./hourly-counts.ts";

/** Deliveries under way for longer hold up nobody any more. */
const parkAfterMs = 1_000;
/** A cursor that nothing but itself depends on is written this often. */
const idleCursorsEveryMs = 5_000;
/** Of attempts that could not be stored, beyond which the log of them has a hole. */
const mostAttempts = 20_000;

interface Taken {
  readonly endpoint: Endpoint;
  readonly gains: ReturnType<Endpoint["queue"]["takeGains"]>;
  readonly progress: EndpointProgress;
}

interface CommitterDeps {
  readonly db: Queries;
  readonly clock: Clock;
  readonly log: { readonly epoch: string };
  readonly shards: Shards;
  readonly counts: HourlyCounts;
  /** Attempts to be logged, since they were last taken. */
  readonly takeAttempts: () => AttemptRow[];
}

/** What goes into one commit. */
interface Batch {
  readonly id: string;
  readonly taken: readonly Taken[];
  readonly shards: readonly ShardProgress[];
  readonly attempts: readonly AttemptRow[];
}

/** Writes how far the endpoints of this worker have come: everything of one moment in one transaction. */
export class Committer {
  readonly #deps: CommitterDeps;
  readonly #touched = new Set<Endpoint>();
  #attempts: AttemptRow[] = [];
  /** The last one, of which it is not known whether it was stored. */
  #doubted: Batch | null = null;
  #idleAtMs = 0;

  constructor(deps: CommitterDeps) {
    this.#deps = deps;
  }

  /** Something of the endpoint is to be committed. */
  touch(endpoint: Endpoint): void {
    this.#touched.add(endpoint);
  }

  /**
   * @param whole with the cursors that could wait
   * @throws {FencedError} when a shard has another owner; or the database's error. What it could not write stays
   */
  async commit({ whole = false } = {}): Promise<void> {
    await this.#resolveDoubt();
    const { db, clock, log, takeAttempts, shards: held } = this.#deps;
    const taken = this.#take();
    const shards = this.#shardsOf(taken, whole);
    if (shards.length === 0) return;
    this.#attempts.push(...takeAttempts());
    const attempts = this.#attempts.slice(-mostAttempts);
    this.#attempts = [];
    const batch = { id: randomUUID(), taken, shards, attempts };
    const endpoints = taken.map(({ progress }) => progress);
    const { worker: owner } = held;
    const whose = { id: batch.id, owner, epoch: log.epoch, day: utcDay(clock.now()) };
    try {
      await commitDeliveries(db, { ...whose, shards, endpoints, attempts });
    } catch (error) {
      if (error instanceof FencedError) this.#failed(batch);
      else this.#doubted = batch;
      throw error;
    }
    this.#succeeded(batch);
  }

  /** A commit that ended in an error may have been stored all the same: counted twice it would be wrong. */
  async #resolveDoubt(): Promise<void> {
    if (this.#doubted === null) return;
    const batch = this.#doubted;
    const isStored = await wasCommitted(
      this.#deps.db,
      batch.id,
      batch.shards.map(({ shard }) => shard),
    );
    this.#doubted = null;
    if (isStored) this.#succeeded(batch);
    else this.#failed(batch);
  }

  #failed({ taken, attempts }: Batch): void {
    this.#attempts = [...attempts, ...this.#attempts];
    for (const one of taken) this.#giveBack(one);
  }

  #succeeded({ taken, shards }: Batch): void {
    for (const { shard, cursor } of shards) this.#deps.shards.committed(shard, cursor);
    for (const { endpoint, gains, progress } of taken) {
      this.#deps.counts.settled(endpoint.id, gains);
      endpoint.stored(progress, gains.exceptions.values());
    }
  }

  /** Of an endpoint that was enabled anew there are two for a moment: one at a time. */
  #take(): Taken[] {
    const one = new Map<string, Endpoint>();
    for (const endpoint of this.#touched) {
      if (one.has(endpoint.id)) continue;
      this.#touched.delete(endpoint);
      if (!endpoint.shard.lost) one.set(endpoint.id, endpoint);
    }
    return [...one.values()].map((endpoint) => this.#takeOne(endpoint));
  }

  #takeOne(endpoint: Endpoint): Taken {
    const { id, run, queue } = endpoint;
    const nowMs = this.#deps.clock.now().getTime();
    queue.park(performance.now() - parkAfterMs, (first) => parkedRow(first, nowMs));
    // What is still under way would else be parked only when something else happens to the endpoint.
    if (queue.isWaiting) this.#touched.add(endpoint);
    const gains = queue.takeGains();
    const progress = { id, run, position: queue.position, ...gains, ...endpoint.takeFindings() };
    return { endpoint, gains, progress };
  }

  #giveBack({ endpoint, gains, progress }: Taken): void {
    endpoint.queue.giveBack(gains);
    endpoint.giveBackFindings(progress);
    this.#touched.add(endpoint);
  }

  #shardsOf(taken: readonly Taken[], whole: boolean): ShardProgress[] {
    const touched = new Set<Shard>(taken.map(({ endpoint }) => endpoint.shard));
    const nowMs = performance.now();
    if (whole || nowMs - this.#idleAtMs >= idleCursorsEveryMs) {
      this.#idleAtMs = nowMs;
      for (const shard of this.#deps.shards.all) if (shard.readSeq > shard.committedSeq) touched.add(shard);
    }
    return [...touched].map(({ number, fence, readSeq }) => ({ shard: number, fence, cursor: readSeq }));
  }
}
