import { filterOfSubscription } from "@tapewire/contract/filter.ts";
import type { Caller } from "../account/auth.ts";
import type { AccountUnits, NoUnits } from "../account/realtime-quota.ts";
import { asksForScores, matches } from "../feed/filter.ts";
import type { Filter } from "../feed/item.ts";
import { LogReader } from "../itemlog/reader.ts";
import type { SubscribeRequest } from "./client-frames.ts";
import { type DeliveryEvent, type DeliveryState, moved } from "./delivery-state.ts";
import type { FanOut } from "./fan-out.ts";
import { type ResumePoint, resumePoint } from "./resume.ts";
import type { EncodedItem, Transport } from "./wire/wire.ts";

/** Delivery to a client pauses here: what it has not taken stays in the log, not in memory. */
export const unsentLimitBytes = 64 * 1024;

/** Entries looked at in one go: where few of them match, the room of the socket does not bound it. */
const mostLookedAt = 1_000;

/** Whose a subscription is. */
export interface Subscriber {
  readonly caller: Caller;
  readonly transport: Transport;
  /** The day's cap allows no more. */
  capReached(): void;
  failed(error: unknown): void;
}

/**
 * What a client is to get, and how far it is: a reader of the log, moved as far as the socket has room. There is no
 * queue: whoever is slow is behind in the log, and catches up there.
 */
export class Subscription {
  readonly filter: Filter;
  readonly resume: ResumePoint;
  /** Nothing can match: the filter asks for scores that the plan withholds, they are null, and null never matches. */
  readonly blind: boolean;
  /** The newest entry when it began. */
  readonly tip: number;
  readonly #fanOut: FanOut;
  readonly #transport: Transport;
  readonly #subscriber: Subscriber;
  readonly #reader: LogReader;
  readonly #units: AccountUnits;
  /** Null: no limit. */
  readonly #cap: number | null;
  /** Of the subscription index. */
  readonly #slot: number;
  #state: DeliveryState = "running";

  constructor(request: SubscribeRequest, subscriber: Subscriber, fanOut: FanOut) {
    const { caller, transport } = subscriber;
    this.filter = filterOfSubscription(request.filters);
    this.#fanOut = fanOut;
    this.#transport = transport;
    this.#subscriber = subscriber;
    this.#units = fanOut.quota.of(caller.accountId);
    this.#cap = caller.plan.realtime_feeds_per_day;
    this.blind = asksForScores(this.filter) && !caller.plan.scores_visible;
    this.#slot = fanOut.index.add(this.filter);
    this.tip = fanOut.memory.head;
    this.resume = resumePoint(request, fanOut.bounds);
    this.#reader = new LogReader(fanOut.memory, this.resume.seq ?? this.tip);
    fanOut.begin(this);
  }

  end(): void {
    this.#move("end");
    this.#fanOut.end(this);
    this.#fanOut.index.remove(this.#slot);
  }

  /** Everything up to here was looked at. */
  get position(): number {
    return this.#reader.position;
  }

  get ended(): boolean {
    return this.#state === "ended";
  }

  /** The day after its cap was reached has begun: delivery goes on from here. */
  dayTurned(): void {
    this.#move("day_turned");
  }

  get ready(): boolean {
    if (this.#isAtRest) return false;
    return this.#passesOver || this.#room > 0;
  }

  /**
   * Delivers what there is and the socket has room for, in one write. What comes meanwhile, or does not fit, is
   * delivered by a later call: of the fan-out when items arrive, of the transport when there is room.
   */
  pump(): void {
    if (this.#isAtRest) return;
    if (this.#passesOver) return this.#reader.skipToHead();
    const room = this.#room;
    if (room <= 0) return;
    const { writer } = this.#fanOut;
    const isPageMissing = this.#collect(room);
    const units = this.#number();
    if (writer.length > 0) writer.write(this.#transport);
    if (units === "spent") this.#stop();
    // A page is not asked for while entries before it wait for units: it would be given up for theirs.
    else if (units === "wait") this.#wait("units_missing", () => this.#units.leased());
    else if (isPageMissing) this.#wait("page_missing", () => this.#reader.load());
    else if (!this.#reader.isAtHead) this.#fanOut.pumpAgain(this);
  }

  /** Does something that delivery waits for, then goes on. Only before delivery has begun. */
  begin(work: () => Promise<void>): void {
    this.#wait("work_begun", work);
  }

  #wait(event: DeliveryEvent, work: () => Promise<void>): void {
    if (!this.#move(event)) throw new Error(`${event} while delivery is ${this.#state}`);
    work().then(
      () => {
        // In a turn of its own: what is at hand would else be delivered in one turn, however much it is.
        if (this.#move("arrived")) this.#fanOut.pumpAgain(this);
      },
      (error: unknown) => {
        if (!this.ended) this.#subscriber.failed(error);
      },
    );
  }

  /** @returns whether the event has a place in this state */
  #move(event: DeliveryEvent): boolean {
    const next = moved(this.#state, event);
    if (next !== null) this.#state = next;
    return next !== null;
  }

  /** There is nothing to deliver, or delivery waits or has ended. */
  get #isAtRest(): boolean {
    if (this.#reader.isAtHead) return true;
    return this.#state !== "running" && this.#state !== "stopped";
  }

  /** Nothing of what comes is delivered, and none of it has to be looked at. */
  get #passesOver(): boolean {
    return this.#state === "stopped" || this.blind;
  }

  /** Bytes that the socket may be given. */
  get #room(): number {
    return this.#transport.open ? unsentLimitBytes - this.#transport.unsentBytes : 0;
  }

  /**
   * Hands the frames that are due and fit to the writer.
   * @returns whether a page of the log is missing for more
   */
  #collect(room: number): boolean {
    const { writer, memory } = this.#fanOut;
    const { form } = this.#transport;
    const reader = this.#reader;
    const end = Math.min(memory.head, reader.position + mostLookedAt);
    while (reader.position < end && writer.length < room) {
      const item = reader.next();
      if (item === undefined) return true;
      const entry = item === null ? null : this.#fanOut.encoded(item);
      if (entry !== null && this.#passes(entry)) writer.add(entry.template(form));
    }
    return false;
  }

  /**
   * Counts what was handed to the writer. What there are no units for stays in the log, before the position.
   * @returns null: there were units for all of it
   */
  #number(): NoUnits | null {
    const { writer } = this.#fanOut;
    while (writer.uncounted > 0) {
      const units = this.#units.take(this.#cap, writer.uncounted);
      if (typeof units !== "object") {
        this.#reader.position = writer.dropUncounted() - 1;
        return units;
      }
      writer.number(units);
    }
    return null;
  }

  #passes(entry: EncodedItem): boolean {
    // The index knows nothing of what came before the slot was this filter's.
    if (entry.seq > this.tip) return this.#fanOut.passes(entry, this.#slot);
    return matches(entry.item.item, this.filter);
  }

  #stop(): void {
    this.#move("cap_reached");
    this.#reader.skipToHead();
    this.#subscriber.capReached();
  }
}
