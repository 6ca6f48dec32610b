import { filterOfSubscription } from "@tapewire/contract/filter.ts";
import type { Caller } from "../account/keys/auth.ts";
import type { AccountUnits, NoUnits } from "../account/realtime-quota.ts";
import { asksForScores, matches } from "../feed/filter.ts";
import type { Filter } from "../feed/item.ts";
import { LogReader } from "../itemlog/reader.ts";
import { type ResumePoint, resumePoint } from "../itemlog/resume.ts";
import type { SubscribeRequest } from "./client-frames.ts";
import { type DeliveryEvent, type DeliveryState, moved } from "./delivery-transitions.ts";
import type { FanOut } from "./fan-out.ts";
import type { EncodedItem, Transport } from "./wire/wire.ts";

/** Delivery to a client pauses here; items that it has not taken stay in the log, not in memory. */
export const unsentLimitBytes = 64 * 1024;

/** Entries examined in one go: where few of them match, the room of the socket is no bound. */
const mostLookedAt = 1_000;

/** The owner of a subscription. */
export interface Subscriber {
  readonly caller: Caller;
  readonly transport: Transport;
  /** The day's cap is used up. */
  capReached(): void;
  failed(error: unknown): void;
}

/**
 * A client's filter and position: a reader of the log that moves as far as the socket has room. There is no queue: a slow
 * client is behind in the log and catches up there.
 */
export class Subscription {
  readonly filter: Filter;
  readonly resume: ResumePoint;
  /** Nothing can match: the filter needs scores that the plan withholds; they are null, which never matches. */
  readonly blind: boolean;
  /** The newest entry when it began. */
  readonly tip: number;
  readonly #fanOut: FanOut;
  readonly #transport: Transport;
  readonly #subscriber: Subscriber;
  readonly #reader: LogReader;
  readonly #units: AccountUnits;
  /** null: no limit. */
  readonly #cap: number | null;
  /** Slot in the subscription index. */
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

  /** Everything up to here was examined. */
  get position(): number {
    return this.#reader.position;
  }

  get ended(): boolean {
    return this.#state === "ended";
  }

  /** Resumes delivery when the day after the cap was reached has begun. */
  dayTurned(): void {
    this.#move("day_turned");
  }

  /**
   * Delivers in one write what the socket has room for. Later calls deliver the rest: by the fan-out when items arrive, by
   * the transport when there is room.
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
    // A page is not loaded while earlier entries wait for units: its wait would be given up for theirs.
    else if (units === "wait") this.#wait("units_missing", () => this.#units.leased());
    else if (isPageMissing) this.#wait("page_missing", () => this.#reader.load());
    else if (!this.#reader.isAtHead) this.#fanOut.pumpAgain(this);
  }

  /** Does work that delivery waits for, then delivers. Only before delivery has begun. */
  begin(work: () => Promise<void>): void {
    this.#wait("work_begun", work);
  }

  #wait(event: DeliveryEvent, work: () => Promise<void>): void {
    if (!this.#move(event)) throw new Error(`${event} while delivery is ${this.#state}`);
    work().then(
      () => {
        // In a turn of its own: otherwise all available items, however many, would be delivered in this turn.
        if (this.#move("arrived")) this.#fanOut.pumpAgain(this);
      },
      (error: unknown) => {
        if (!this.ended) this.#subscriber.failed(error);
      },
    );
  }

  /** @returns whether the event is valid in this state */
  #move(event: DeliveryEvent): boolean {
    const next = moved(this.#state, event);
    if (next !== null) this.#state = next;
    return next !== null;
  }

  /** Whether there is nothing to deliver, or delivery waits or has ended. */
  get #isAtRest(): boolean {
    if (this.#reader.isAtHead) return true;
    return this.#state !== "running" && this.#state !== "stopped";
  }

  /** Whether new items are skipped without being examined. */
  get #passesOver(): boolean {
    return this.#state === "stopped" || this.blind;
  }

  /** Bytes that may be written to the socket. */
  get #room(): number {
    return this.#transport.open ? unsentLimitBytes - this.#transport.unsentBytes : 0;
  }

  /**
   * Hands due frames that fit to the writer.
   * @returns whether a page of the log must be loaded for more
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
   * Numbers the frames in the writer. Frames without units are dropped, and the position is set back before them.
   * @returns null: there were units for all of them
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
    // The index cannot match entries from before its slot belonged to this filter.
    if (entry.seq > this.tip) return this.#fanOut.passes(entry, this.#slot);
    return matches(entry.item.item, this.filter);
  }

  #stop(): void {
    this.#move("cap_reached");
    this.#reader.skipToHead();
    this.#subscriber.capReached();
  }
}
