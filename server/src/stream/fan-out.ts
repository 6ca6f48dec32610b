import { clientFrame } from "@tapewire/contract/stream.ts";
import type { Dictionary } from "@tapewire/contract/tags.ts";
import type { RealtimeQuota } from "../account/realtime-quota.ts";
import type { Refusals } from "../account/refusals.ts";
import type { SnapshotAllowance } from "../account/snapshot-allowance.ts";
import type { LogItem } from "../feed/item.ts";
import { hasBit } from "../feed/members.ts";
import { SubscriptionIndex } from "../feed/subscription-index.ts";
import { Attached } from "../itemlog/attached.ts";
import type { LogMemory } from "../itemlog/memory.ts";
import type { LogBounds } from "../itemlog/resume.ts";
import type { ItemTail } from "../itemlog/tail.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { ClientFrameSchema } from "./client-frames.ts";
import { FilterAllowance } from "./filter-allowance.ts";
import type { LatestItems } from "./snapshots.ts";
import { BlockWriter, EncodedItem } from "./wire/wire.ts";

/** The parts of the service that streams use. */
export interface FanOutDeps {
  readonly tail: ItemTail;
  readonly quota: RealtimeQuota;
  readonly snapshots: SnapshotAllowance;
  readonly dictionary: Dictionary;
  readonly clock: Clock;
  readonly log: Log;
  readonly latest: LatestItems;
  readonly refusals: Refusals;
}

/** A subscription, as the fan-out sees it. */
export interface Pumped {
  /** Delivers as much as the socket has room for. */
  pump(): void;
}

/** A connection, as the fan-out sees it. */
export interface Ticked {
  /** Does what is due by time. */
  tick(nowMs: number, day: string): void;
}

const tickEveryMs = 1_000;
/** High, since a turn usually takes some milliseconds, and a shorter turn would split items that many clients share. */
const pumpsPerTurn = 1_024;
/** Clients that catch up get far more than an item each, so a turn also ends after this time. */
const turnMs = 30;
const pumpsPerLook = 4;

/**
 * Fan-out: when items arrive every subscription is pumped once in the next turns; each item is encoded, and matched
 * against all subscriptions, once for all of them. Also calls the connections' ticks.
 */
export class FanOut implements Disposable {
  readonly index = new SubscriptionIndex();
  readonly filterAllowance = new FilterAllowance();
  readonly writer = new BlockWriter();
  /** The log that is delivered. */
  memory: LogMemory;
  readonly #encoded: Attached<EncodedItem>;
  readonly clientFrames: ClientFrameSchema;
  readonly quota: RealtimeQuota;
  readonly snapshots: SnapshotAllowance;
  readonly clock: Clock;
  readonly log: Log;
  readonly latest: LatestItems;
  readonly refusals: Refusals;
  /** Connections that the service closed, by code. */
  readonly closes = new Map<number, number>();
  readonly #connections = new Set<Ticked>();
  readonly #subscriptions = new Set<Pumped>();
  readonly #tail: ItemTail;
  readonly #unobserve: () => void;
  readonly #timer: NodeJS.Timeout;
  /** The subscriptions of the next round; null: all. */
  #due: Set<Pumped> | null = new Set();
  /** The rest of the running round. */
  #round: Iterator<Pumped> | null = null;
  #scheduled = false;
  #day: string;

  /** @param leaveLog closes all connections, when the log that their positions belong to was replaced */
  constructor({ tail, dictionary, ...deps }: FanOutDeps, leaveLog: () => void) {
    this.#tail = tail;
    this.memory = tail.memory;
    this.#encoded = new Attached((item) => {
      return new EncodedItem(item, { epoch: this.memory.epoch, now: deps.clock.now() });
    });
    this.quota = deps.quota;
    this.snapshots = deps.snapshots;
    this.clock = deps.clock;
    this.log = deps.log;
    this.latest = deps.latest;
    this.refusals = deps.refusals;
    this.clientFrames = clientFrame(dictionary);
    this.#day = this.today();
    this.#unobserve = tail.observe({
      extended: () => this.#schedule(null),
      replaced: () => {
        // First, while the cursors in the closing frames still belong to the replaced log.
        leaveLog();
        this.memory = tail.memory;
      },
    });
    this.#timer = setInterval(() => this.#tick(), tickEveryMs);
    this.#timer.unref();
  }

  add(connection: Ticked): void {
    this.#connections.add(connection);
  }

  remove(connection: Ticked): void {
    this.#connections.delete(connection);
  }

  begin(subscription: Pumped): void {
    this.#subscriptions.add(subscription);
  }

  end(subscription: Pumped): void {
    this.#subscriptions.delete(subscription);
    this.#due?.delete(subscription);
  }

  get subscriptions(): number {
    return this.#subscriptions.size;
  }

  /** Pumps a subscription that is still behind again, after the others had their turn. */
  pumpAgain(subscription: Pumped): void {
    this.#schedule(subscription);
  }

  get bounds(): LogBounds {
    const { epoch, head } = this.memory;
    return { epoch, head, floor: this.#tail.floor };
  }

  /** Resolves when the head has reached what is committed by now, or reading failed. */
  readOn(): Promise<void> {
    return this.#tail.readOn();
  }

  /** The encoded entry, shared by all connections. */
  encoded(item: LogItem): EncodedItem {
    return this.#encoded.of(item);
  }

  /** Whether an entry passes the filter of a slot; the slot must have been taken before the entry arrived. */
  passes(entry: EncodedItem, slot: number): boolean {
    entry.matches ??= this.index.match(entry.item.item).slice();
    return hasBit(entry.matches, slot);
  }

  /** UTC, YYYY-MM-DD: the day on which units are counted. */
  today(): string {
    return this.quota.today;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    this.#unobserve();
  }

  #schedule(subscription: Pumped | null): void {
    if (subscription === null) this.#due = null;
    else this.#due?.add(subscription);
    this.#scheduleTurn();
  }

  #scheduleTurn(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#turn());
  }

  /** Runs a part of the round, so that reading and storing need not wait for the writes to all clients. */
  #turn(): void {
    this.#scheduled = false;
    // Items right after midnight also go to clients that their cap had stopped.
    if (this.today() !== this.#day) this.#tick();
    const endMs = performance.now() + turnMs;
    for (let pumps = 1; pumps <= pumpsPerTurn; pumps++) {
      this.#round ??= this.#nextRound();
      const next = this.#round.next();
      if (next.done === true) {
        this.#round = null;
        break;
      }
      next.value.pump();
      if (pumps % pumpsPerLook === 0 && performance.now() > endMs) break;
    }
    if (this.#round !== null || this.#due === null || this.#due.size > 0) this.#scheduleTurn();
  }

  #nextRound(): Iterator<Pumped> {
    const due = this.#due ?? this.#subscriptions;
    this.#due = new Set();
    return due.values();
  }

  #tick(): void {
    const nowMs = performance.now();
    const day = this.today();
    this.#day = day;
    for (const connection of this.#connections) connection.tick(nowMs, day);
  }
}
