import { clientFrame } from "@tapewire/contract/stream.ts";
import type { TagDictionary } from "@tapewire/contract/tags.ts";
import type { RealtimeQuota } from "../account/realtime-quota.ts";
import type { Refusals } from "../account/refusals.ts";
import type { SnapshotAllowance } from "../account/snapshot-allowance.ts";
import type { LogItem } from "../feed/item.ts";
import { hasBit } from "../feed/members.ts";
import { SubscriptionIndex } from "../feed/subscription-index.ts";
import { Attached } from "../itemlog/attached.ts";
import type { LogMemory } from "../itemlog/memory.ts";
import type { ItemTail } from "../itemlog/tail.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Log } from "../runtime/log.ts";
import type { ClientFrameSchema } from "./client-frames.ts";
import { FilterAllowance } from "./filter-allowance.ts";
import type { LogBounds } from "./resume.ts";
import type { LatestItems } from "./snapshots.ts";
import { BlockWriter, EncodedItem } from "./wire/wire.ts";

/** What the stream works with. */
export interface FanOutDeps {
  readonly tail: ItemTail;
  readonly quota: RealtimeQuota;
  readonly snapshots: SnapshotAllowance;
  readonly tags: TagDictionary;
  readonly clock: Clock;
  readonly log: Log;
  readonly latest: LatestItems;
  readonly refusals: Refusals;
}

/** A subscription, as the fan-out sees it. */
export interface Pumped {
  /** Whether there is something to deliver and room for it. */
  readonly ready: boolean;
  /** Delivers what there is and the socket has room for. */
  pump(): void;
}

/** A connection, as the fan-out sees it. */
export interface Ticked {
  /** What time asks for. */
  tick(nowMs: number, day: string): void;
}

const tickEveryMs = 1_000;
const groupSize = 32;
/** Mostly a turn is some milliseconds long; a shorter one would split what many clients are due alike. */
const pumpsPerTurn = 1_024;
/** Clients that catch up are due far more than an item each: their turn ends by time, which is looked at so often. */
const turnMs = 30;
const pumpsPerLook = 4;

/**
 * Fan-out: when items arrive every subscription is pumped once in the next turns; each item is encoded, and matched
 * against all subscriptions, once for all of them. Also gives connections their sense of time.
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
  /** Connections that were closed from here, by code. */
  readonly closes = new Map<number, number>();
  readonly #connections = new Set<Ticked>();
  readonly #subscriptions = new Set<Pumped>();
  readonly #tail: ItemTail;
  readonly #unobserve: () => void;
  readonly #timer: NodeJS.Timeout;
  /** Whom the next round pumps; null: everybody. */
  #due: Set<Pumped> | null = new Set();
  /** What is left of the round under way. */
  #round: Iterator<Pumped, undefined> | null = null;
  #scheduled = false;
  #day: string;

  /** @param leaveLog closes all connections: their positions are of a log that is no more */
  constructor({ tail, tags, ...deps }: FanOutDeps, leaveLog: () => void) {
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
    this.clientFrames = clientFrame(tags);
    this.#day = this.today();
    this.#unobserve = tail.observe({
      extended: () => this.#schedule(null),
      replaced: () => {
        // While the cursors that clients are sent are still of the log that they belong to.
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

  /** Pumps a subscription that is still behind once more, after the others had their turn. */
  pumpAgain(subscription: Pumped): void {
    this.#schedule(subscription);
  }

  get bounds(): LogBounds {
    const { epoch, head } = this.memory;
    return { epoch, head, floor: this.#tail.floor };
  }

  /** Resolves when the head is at what is committed by now, or could not be moved. */
  readOn(): Promise<void> {
    return this.#tail.readOn();
  }

  /** The entry as all connections share it. */
  encoded(item: LogItem): EncodedItem {
    return this.#encoded.of(item);
  }

  /** Whether an entry passes the filter of a slot that was taken before the entry arrived. */
  passes(entry: EncodedItem, slot: number): boolean {
    entry.matches ??= this.index.match(entry.item.item).slice();
    return hasBit(entry.matches, slot);
  }

  /** UTC, YYYY-MM-DD; the one that units are counted on. */
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

  /** A part of the round, so that what is read and stored meanwhile does not wait for the writes to all clients. */
  #turn(): void {
    this.#scheduled = false;
    // What comes right after midnight is for those whose cap stopped them, too.
    if (this.today() !== this.#day) this.#tick();
    const endMs = performance.now() + turnMs;
    for (let pumps = 1; pumps <= pumpsPerTurn; pumps++) {
      this.#round ??= this.#nextRound();
      const { value: one } = this.#round.next();
      if (one === undefined) {
        this.#round = null;
        break;
      }
      one.pump();
      if (pumps % pumpsPerLook === 0 && performance.now() > endMs) break;
    }
    if (this.#round !== null || this.#due === null || this.#due.size > 0) this.#scheduleTurn();
  }

  #nextRound(): Iterator<Pumped, undefined> {
    const due = this.#due ?? this.#subscriptions;
    this.#due = new Set();
    return readyOf(due);
  }

  #tick(): void {
    const nowMs = performance.now();
    const day = this.today();
    this.#day = day;
    for (const connection of this.#connections) connection.tick(nowMs, day);
  }
}

/**
 * Those that are ready. They are asked some at a time, one after the other: what they are asked for is then fetched from
 * memory side by side, and at hand when they are pumped; asked one by one between two writes, each would wait for it.
 */
function* readyOf(subscriptions: Iterable<Pumped>): Generator<Pumped, undefined> {
  let group: Pumped[] = [];
  for (const subscription of subscriptions) {
    if (subscription.ready) group.push(subscription);
    if (group.length < groupSize) continue;
    yield* group;
    group = [];
  }
  yield* group;
  return undefined;
}
