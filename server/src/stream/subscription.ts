import { filterOfSubscription } from "@tapewire/contract/filter.ts";
import type { Caller } from "../account/auth.ts";
import type { AccountUnits, NoUnits } from "../account/realtime-quota.ts";
import { asksForScores, matches } from "../feed/filter.ts";
import type { Filter } from "../feed/item.ts";
import { hasBit } from "../feed/members.ts";
import type { SubscribeRequest } from "./client-frames.ts";
import { type DeliveryEvent, type DeliveryState, moved } from "./delivery-state.ts";
import type { StreamCore } from "./fan-out.ts";
import type { LogPlace, RingPage } from "./log-ring.ts";
import { type EncodedItem, parseCursor } from "./wire/encoded-item.ts";
import type { Transport } from "./wire/transport.ts";

/** Delivery to a client pauses here: what it has not taken stays in the log, not in memory. */
export const unsentLimitBytes = 64 * 1024;

/** Entries looked at in one go: where few of them match, the room of the socket does not bound it. */
const mostLookedAt = 1_000;

/** One for all: an empty list of its own would be fetched from memory for every client that is pumped. */
const noPage: RingPage = { first: 1, entries: [] };

/** Where a subscription resumes; seq null: it begins at the tip, because of `reason` when a cursor was given. */
export interface ResumePoint {
  readonly seq: number | null;
  readonly reason: "cursor_unknown" | "cursor_expired" | null;
}

/** Whose a subscription is. */
export interface Subscriber {
  readonly caller: Caller;
  readonly transport: Transport;
  /** The day's cap allows no more. */
  capReached(): void;
  failed(error: unknown): void;
}

/**
 * What a client is to get, how far it is, and how it gets on: a cursor into the log, moved as far as the socket has
 * room. There is no queue: whoever is slow is behind in the log, and catches up there. All that a turn of fan-out needs
 * of a client is in this one object: each further one would be fetched from memory for every client and item.
 */
export class Subscription {
  readonly filter: Filter;
  readonly resume: ResumePoint;
  /** Nothing can match: the filter asks for scores that the plan withholds, they are null, and null never matches. */
  readonly blind: boolean;
  /** The newest entry when it began. */
  readonly tip: number;
  /** Everything up to here was looked at. */
  position: number;
  readonly #core: StreamCore;
  readonly #transport: Transport;
  readonly #subscriber: Subscriber;
  readonly #units: AccountUnits;
  /** Null: no limit. */
  readonly #cap: number | null;
  /** Of the subscription index. */
  readonly #slot: number;
  #state: DeliveryState = "running";
  /** Entries of the table that lie before those in memory; kept until the position is behind them. */
  #page = noPage;

  constructor(request: SubscribeRequest, subscriber: Subscriber, core: StreamCore) {
    const { caller, transport } = subscriber;
    this.filter = filterOfSubscription(request.filters);
    this.#core = core;
    this.#transport = transport;
    this.#subscriber = subscriber;
    this.#units = core.quota.of(caller.accountId);
    this.#cap = caller.plan.realtime_feeds_per_day;
    this.blind = asksForScores(this.filter) && !caller.plan.scores_visible;
    this.#slot = core.index.add(this.filter);
    this.tip = core.place.head;
    this.resume = resumePoint(request.after, core.place);
    this.position = this.resume.seq ?? this.tip;
    core.begin(this);
  }

  end(): void {
    this.#move("end");
    this.#core.end(this);
    this.#core.index.remove(this.#slot);
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
   * delivered by a later call: of the core when items arrive, of the transport when there is room.
   */
  pump(): void {
    if (this.#isAtRest) return;
    const { ring, writer } = this.#core;
    if (this.#passesOver) {
      this.position = ring.head;
      return;
    }
    const room = this.#room;
    if (room <= 0) return;
    const missing = this.#collect(room);
    const units = this.#number();
    if (writer.length > 0) writer.write(this.#transport);
    this.#dropPage();
    if (units === "spent") this.#stop();
    // A page is not asked for while entries before it wait for units: it would be given up for theirs.
    else if (units === "wait") this.#wait("units_missing", () => this.#units.leased());
    else if (missing !== null) this.#wait("page_missing", () => this.#readPage(missing));
    else if (this.position < ring.head) this.#core.pumpAgain(this);
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
        if (this.#move("arrived")) this.#core.pumpAgain(this);
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
    if (this.position === this.#core.ring.head) return true;
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
   * Hands the frames that are due and fit to the writer, and moves the position behind them.
   * @returns the seq that a page is missing for; null: none
   */
  #collect(room: number): number | null {
    const { ring, writer } = this.#core;
    const { form } = this.#transport;
    const end = Math.min(ring.head, this.position + mostLookedAt);
    while (this.position < end && writer.length < room) {
      const entry = this.#entryAt(this.position + 1);
      if (entry === undefined) return this.position + 1;
      if (entry !== null && this.#passes(entry)) writer.add(entry.template(form));
      this.position += 1;
    }
    return null;
  }

  /**
   * Counts what was handed to the writer. What there are no units for stays in the log, before the position.
   * @returns null: there were units for all of it
   */
  #number(): NoUnits | null {
    const { writer } = this.#core;
    while (writer.uncounted > 0) {
      const units = this.#units.take(this.#cap, writer.uncounted);
      if (typeof units !== "object") {
        this.position = writer.dropUncounted() - 1;
        return units;
      }
      writer.number(units);
    }
    return null;
  }

  #passes(entry: EncodedItem): boolean {
    // What came before the slot was this filter's was matched without it.
    if (entry.matches !== null && entry.seq > this.tip) return hasBit(entry.matches, this.#slot);
    return matches(entry.item.item, this.filter);
  }

  /** null: it is not kept any more. undefined: its page is to be read. */
  #entryAt(seq: number): EncodedItem | null | undefined {
    const inMemory = this.#core.ring.at(seq);
    if (inMemory !== undefined || this.#page === noPage) return inMemory;
    return this.#page.entries[seq - this.#page.first];
  }

  /** It would be kept for as long as the connection. */
  #dropPage(): void {
    const { first, entries } = this.#page;
    if (this.#page !== noPage && this.position >= first + entries.length - 1) this.#page = noPage;
  }

  async #readPage(seq: number): Promise<void> {
    this.#page = await this.#core.ring.page(seq);
    // Without it, delivery would ask for it for ever.
    if (this.#page.entries[seq - this.#page.first] === undefined)
      throw new Error(`the log ends before its entry ${seq}`);
  }

  #stop(): void {
    this.#move("cap_reached");
    this.#page = noPage;
    this.position = this.#core.ring.head;
    this.#subscriber.capReached();
  }
}

/** Whether a request resumes behind what this process has read: the client may have been further on another one. */
export function isAhead({ after }: SubscribeRequest, { epoch, head }: LogPlace): boolean {
  const cursor = after === null ? null : parseCursor(after);
  return cursor !== null && cursor.epoch === epoch && cursor.seq > head;
}

function resumePoint(after: string | null, { epoch, head, floor }: LogPlace): ResumePoint {
  if (after === null) return { seq: null, reason: null };
  const cursor = parseCursor(after);
  const known = cursor !== null && cursor.epoch === epoch && cursor.seq <= head;
  if (!known) return { seq: null, reason: "cursor_unknown" };
  return cursor.seq < floor ? { seq: null, reason: "cursor_expired" } : { seq: cursor.seq, reason: null };
}
