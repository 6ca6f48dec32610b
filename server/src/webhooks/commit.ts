import { randomUUID } from "node:crypto";
import type { Clock } from "../runtime/clock.ts";
import { utcDay } from "../runtime/utc-day.ts";
import type { Queries } from "../store/engine/db.ts";
import type { AttemptRow } from "../store/webhooks/attempts.ts";
import {
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

/** First attempts that take longer are parked, so that they hold up no others. */
const parkAfterMs = 1_000;
/** How often cursors of otherwise unchanged shards are written. */
const idleCursorsEveryMs = 5_000;
/** Attempts kept while they cannot be stored; the log of deliveries lacks older ones. */
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
  /** Takes the attempts to be logged. */
  readonly takeAttempts: () => AttemptRow[];
}

/** The content of one commit. */
interface Batch {
  readonly id: string;
  readonly taken: readonly Taken[];
  readonly shards: readonly ShardProgress[];
  readonly attempts: readonly AttemptRow[];
}

/** Writes the progress of this worker's endpoints: the state of one moment in one transaction. */
export class Committer {
  readonly #deps: CommitterDeps;
  readonly #touched = new Set<Endpoint>();
  #attempts: AttemptRow[] = [];
  /** The last commit, if it is unknown whether it was stored. */
  #doubted: Batch | null = null;
  #idleAtMs = 0;

  constructor(deps: CommitterDeps) {
    this.#deps = deps;
  }

  /** The endpoint has changes to commit. */
  touch(endpoint: Endpoint): void {
    this.#touched.add(endpoint);
  }

  /**
   * @param whole also writes the cursors that could wait
   * @throws {FencedError} when a shard has another owner; or the database's error. What was not written stays for the next
   */
  async commit({ whole = false } = {}): Promise<void> {
    await this.#resolveDoubt();
    const { db, clock, log, takeAttempts, shards: owned } = this.#deps;
    const taken = this.#take();
    const shards = this.#shardsOf(taken, whole);
    if (shards.length === 0) return;
    this.#attempts.push(...takeAttempts());
    const attempts = this.#attempts.slice(-mostAttempts);
    this.#attempts = [];
    const batch = { id: randomUUID(), taken, shards, attempts };
    const endpoints = taken.map(({ progress }) => progress);
    const { worker: owner } = owned;
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

  /** A commit that ended in an error may have been stored, and must not be stored twice. */
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

  /** An endpoint that was enabled again is there twice for a moment: only one of them goes into a commit. */
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
    // Otherwise a first attempt in flight would be parked only when something else happens to the endpoint.
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
