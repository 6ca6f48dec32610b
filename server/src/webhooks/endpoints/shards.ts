import { randomUUID } from "node:crypto";
import type { Queries } from "../../store/engine/db.ts";
import {
  releaseShards,
  renewShards,
  shardCount,
  type TakenShard,
  takeShards,
  workerGone,
  workerSeen,
} from "../../store/webhooks/shards.ts";

/** A shard that this worker has. */
export interface Shard {
  readonly number: number;
  readonly fence: number;
  /** Its items were matched up to here. */
  readSeq: number;
  /** The part of that which the database knows. */
  readonly committedSeq: number;
  /** By the monotonic clock; nothing is sent after it. */
  readonly leaseUntilMs: number;
  /** Its endpoints are loaded, so its items are matched. */
  readonly isLoaded: boolean;
  /** It will be given back: nothing more is sent. */
  readonly closing: boolean;
  /** Another worker has it. */
  readonly lost: boolean;
}

/** Only Shards writes to it, except readSeq, which the reader of the log sets. */
interface Held extends Shard {
  committedSeq: number;
  leaseUntilMs: number;
  isLoaded: boolean;
  closing: boolean;
  lost: boolean;
}

export interface ShardRound {
  readonly taken: readonly Shard[];
  /** More than this worker's part: given back when nothing of them is in flight. Told in each round until they are. */
  readonly surplus: readonly Shard[];
}

export interface ShardsDeps {
  readonly db: Queries;
  readonly log: { readonly epoch: string };
  readonly leaseMs: number;
  /** Hears of every loss in its turn, whatever fails after it: nothing may stay bound to a shard that was lost. */
  readonly lost: (shards: readonly Shard[]) => void;
}

/**
 * The shards of this worker. Workers share all shards evenly; a worker without a sign of life for the time of a lease
 * loses its shards to the others. Everything it writes for a shard is fenced: see commitDeliveries.
 */
export class Shards {
  readonly worker = randomUUID();
  readonly #db: Queries;
  readonly #log: { readonly epoch: string };
  readonly #leaseMs: number;
  readonly #lost: ShardsDeps["lost"];
  readonly #held = new Map<number, Held>();
  #renewedAtMs = Number.NEGATIVE_INFINITY;

  constructor({ db, log, leaseMs, lost }: ShardsDeps) {
    this.#db = db;
    this.#log = log;
    this.#leaseMs = leaseMs;
    this.#lost = lost;
  }

  get all(): IterableIterator<Shard> {
    return this.#held.values();
  }

  get size(): number {
    return this.#held.size;
  }

  get(number: number): Shard | undefined {
    return this.#held.get(number);
  }

  /** Renews held shards, and takes those missing from its part; does nothing until a fifth of the lease has passed. */
  async round(): Promise<ShardRound> {
    const beganAtMs = performance.now();
    if (beganAtMs - this.#renewedAtMs < this.#leaseMs / 5) return { taken: [], surplus: [] };
    await this.#renew();
    const workers = await workerSeen(this.#db, this.worker, this.#leaseMs);
    const part = Math.ceil(shardCount / workers);
    const surplus = this.#close(part);
    const most = part - this.#held.size;
    const taken = most <= 0 ? [] : await takeShards(this.#db, this.#lease(most));
    this.#renewedAtMs = beganAtMs;
    return { surplus, taken: taken.map((shard) => this.#add(shard, beganAtMs)) };
  }

  /** Their endpoints are loaded. */
  loaded(shards: readonly Shard[]): void {
    for (const { number } of shards) {
      const held = this.#held.get(number);
      if (held !== undefined) held.isLoaded = true;
    }
  }

  /** The database has stored the position up to this seq. */
  committed(number: number, seq: number): void {
    const held = this.#held.get(number);
    if (held !== undefined) held.committedSeq = seq;
  }

  /** Another worker has them. */
  lose(numbers: ReadonlySet<number>): void {
    const lost = [...this.#held.values()].filter(({ number }) => numbers.has(number));
    for (const shard of lost) {
      shard.lost = true;
      this.#held.delete(shard.number);
    }
    if (lost.length > 0) this.#lost(lost);
  }

  /** Loses all of them; the next round takes some at once. */
  loseAll(): void {
    this.#renewedAtMs = Number.NEGATIVE_INFINITY;
    this.lose(new Set(this.#held.keys()));
  }

  async release(shards: readonly Shard[]): Promise<void> {
    const numbers = shards.map(({ number }) => number);
    this.lose(new Set(numbers));
    if (numbers.length > 0) await releaseShards(this.#db, { owner: this.worker, shards: numbers });
  }

  /** Gives all shards back at the end of this worker. */
  async leave(): Promise<void> {
    await this.release([...this.#held.values()]);
    await workerGone(this.#db, this.worker);
  }

  /** Closes what exceeds this worker's part, first what could not be given back before; the rest is open. */
  #close(part: number): Shard[] {
    const held = [...this.#held.values()].sort((a, b) => Number(a.closing) - Number(b.closing));
    for (const [place, shard] of held.entries()) shard.closing = place >= part;
    return held.slice(part);
  }

  async #renew(): Promise<void> {
    const beganAtMs = performance.now();
    const { worker: owner } = this;
    const held = [...this.#held.values()];
    const shards = held.map(({ number, fence, readSeq }) => ({ shard: number, fence, cursor: readSeq }));
    const kept =
      held.length === 0
        ? new Set<number>()
        : await renewShards(this.#db, { owner, shards, leaseMs: this.#leaseMs });
    for (const shard of held) if (kept.has(shard.number)) shard.leaseUntilMs = beganAtMs + this.#leaseMs;
    this.lose(new Set(held.map(({ number }) => number).filter((number) => !kept.has(number))));
  }

  #lease(most: number) {
    const { epoch } = this.#log;
    return { owner: this.worker, epoch, held: [...this.#held.keys()], most, leaseMs: this.#leaseMs };
  }

  #add({ shard: number, fence, cursor }: TakenShard, beganAtMs: number): Held {
    const leaseUntilMs = beganAtMs + this.#leaseMs;
    const state = { readSeq: cursor, committedSeq: cursor, isLoaded: false, closing: false, lost: false };
    const shard: Held = { number, fence, leaseUntilMs, ...state };
    this.#held.set(number, shard);
    return shard;
  }
}
