import { clientFrame } from "@tapewire/contract/stream.ts";
import type { TagDictionary } from "@tapewire/contract/tags.ts";
import type { RealtimeQuota } from "../account/realtime-quota.ts";
import type { SnapshotAllowance } from "../account/snapshot-allowance.ts";
import { SubscriptionIndex } from "../feed/subscription-index.ts";
import type { ItemTail } from "../itemlog/follow.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import { utcDay } from "../runtime/utc-day.ts";
import { BlockWriter } from "./block-writer.ts";
import type { ClientFrameSchema } from "./client-frames.ts";
import { LogRing } from "./log-ring.ts";
import type { LatestItems } from "./snapshots.ts";

/** What the stream works with. */
export interface CoreDeps {
  readonly tail: ItemTail;
  readonly quota: RealtimeQuota;
  readonly snapshots: SnapshotAllowance;
  readonly tags: TagDictionary;
  readonly clock: Clock;
  readonly log: Log;
  readonly latest: LatestItems;
}

/** A connection, as the core sees it. */
export interface Pumped {
  /** Delivers what there is and the socket has room for. */
  pump(): void;
  /** What time asks for. */
  tick(nowMs: number, day: string): void;
}

const tickEveryMs = 1_000;

/**
 * Fan-out: when items arrive each is matched once against all subscriptions, and in the next turn every connection is
 * pumped once. Also gives connections their sense of time.
 */
export class StreamCore implements Disposable {
  readonly index = new SubscriptionIndex();
  readonly writer = new BlockWriter();
  readonly ring: LogRing;
  readonly clientFrames: ClientFrameSchema;
  readonly epoch: string;
  readonly quota: RealtimeQuota;
  readonly snapshots: SnapshotAllowance;
  readonly clock: Clock;
  readonly log: Log;
  readonly latest: LatestItems;
  readonly #connections = new Set<Pumped>();
  readonly #unobserve: () => void;
  readonly #timer: NodeJS.Timeout;
  /** Whom the next turn pumps; null: everybody. */
  #due: Set<Pumped> | null = new Set();
  #scheduled = false;

  constructor({ tail, tags, ...deps }: CoreDeps) {
    this.epoch = tail.epoch;
    this.quota = deps.quota;
    this.snapshots = deps.snapshots;
    this.clock = deps.clock;
    this.log = deps.log;
    this.latest = deps.latest;
    this.clientFrames = clientFrame(tags);
    this.ring = new LogRing(tail, this.index, deps.clock);
    this.#unobserve = tail.observe((items) => {
      this.ring.extend(items);
      this.#schedule(null);
    });
    this.#timer = setInterval(() => this.#tick(), tickEveryMs);
    this.#timer.unref();
  }

  add(connection: Pumped): void {
    this.#connections.add(connection);
  }

  remove(connection: Pumped): void {
    this.#connections.delete(connection);
    this.#due?.delete(connection);
  }

  /** Pumps a connection that is still behind once more, after the others had their turn. */
  pumpAgain(connection: Pumped): void {
    this.#schedule(connection);
  }

  /** UTC, YYYY-MM-DD. */
  today(): string {
    return utcDay(this.clock.now());
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#unobserve();
  }

  #schedule(connection: Pumped | null): void {
    if (connection === null) this.#due = null;
    else this.#due?.add(connection);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      const due = this.#due ?? this.#connections;
      this.#due = new Set();
      this.#scheduled = false;
      for (const one of due) one.pump();
    });
  }

  #tick(): void {
    const nowMs = performance.now();
    const day = this.today();
    for (const connection of this.#connections) connection.tick(nowMs, day);
  }
}
