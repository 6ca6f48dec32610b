import { ApiError } from "@tapewire/contract/errors.ts";
import { filterOfSubscription } from "@tapewire/contract/filter.ts";
import { closeCodes, type ServerFrame } from "@tapewire/contract/stream.ts";
import type { Caller } from "../account/auth.ts";
import type { Unit } from "../account/realtime-quota.ts";
import { asksForScores, matches } from "../feed/filter.ts";
import type { Filter } from "../feed/item.ts";
import { hasBit } from "../feed/members.ts";
import type { SubscribeRequest } from "./client-frames.ts";
import type { StreamCore } from "./core.ts";
import { cursorOf, EncodedItem, parseCursor } from "./encoded-item.ts";
import { type Action, Session } from "./session.ts";
import { newestUntil } from "./snapshots.ts";
import type { Transport, TransportEvents } from "./transport.ts";

/** Delivery to a client pauses here: what it has not taken stays in the log, not in memory. */
const unsentLimitBytes = 64 * 1024;
/** Messages of a client that may wait behind its subscribe. */
const mostHeld = 20;

interface Subscription {
  readonly filter: Filter;
  /** Of the subscription index. */
  readonly slot: number;
  /** Entries up to here were matched before the slot was this filter's. */
  readonly matchedFrom: number;
  /** The filter asks for scores that the plan withholds: to this caller they are null, and null never matches. */
  readonly blind: boolean;
  /** Everything up to here was looked at. */
  position: number;
  /** A snapshot, a page of the log or a block of the quota is on its way; delivery waits for it. */
  waiting: boolean;
  /** Entries of the table that lie before those in memory. */
  page: readonly EncodedItem[];
}

/**
 * One client: a cursor into the log, moved as far as the socket has room. There is no queue: whoever is slow is behind
 * in the log, and catches up there.
 */
export class Connection implements TransportEvents {
  readonly caller: Caller;
  readonly key: string;
  readonly #core: StreamCore;
  readonly #session: Session;
  readonly #transport: Transport;
  readonly #onClose: () => void;
  #subscription: Subscription | null = null;
  /** What came behind a subscribe that waits for the log to be read; null: none does. */
  #held: (string | null)[] | null = null;

  constructor(
    core: StreamCore,
    who: { caller: Caller; key: string },
    options: { transport: (events: TransportEvents) => Transport; onClose: () => void },
  ) {
    this.#core = core;
    this.caller = who.caller;
    this.key = who.key;
    this.#onClose = options.onClose;
    this.#session = new Session(core.clientFrames, { nowMs: performance.now(), jitter: Math.random() });
    this.#transport = options.transport(this);
    const { realtime_feeds_per_day, scores_visible: scored_feed } = this.caller.plan;
    const limits = { realtime_feeds_per_day, scored_feed };
    this.#transport.send({ type: "welcome", tier: this.caller.tier, limits });
  }

  /** Where the client could resume: behind everything it was sent. */
  get cursor(): string {
    const seq = this.#subscription?.position ?? this.#core.ring.head;
    return cursorOf({ epoch: this.#core.epoch, seq });
  }

  onMessage(text: string | null): void {
    if (this.#held === null) this.#performAll(this.#session.receive(text, performance.now()));
    else if (this.#held.push(text) > mostHeld) this.close(closeCodes.too_many_frames, "too many frames");
  }

  onAlive(): void {
    this.#session.heard(performance.now());
  }

  onDrain(): void {
    this.pump();
  }

  onClose(): void {
    this.#session.close(closeCodes.restart, "");
    this.#drop();
    this.#onClose();
  }

  /** What time asks for; called about once a second. */
  tick(nowMs: number, day: string): void {
    this.#performAll(this.#session.tick({ nowMs, day, unsentBytes: this.#transport.unsentBytes }));
  }

  /** @param error what the client is told before */
  close(code: number, reason: string, error?: ServerFrame): void {
    if (error !== undefined) this.#transport.send(error);
    this.#perform(this.#session.close(code, reason));
  }

  terminate(): void {
    this.#transport.terminate();
  }

  subscribe(request: SubscribeRequest): void {
    const subscription = this.#replace(request);
    const { resume, snapshot, tip } = subscription;
    const { epoch } = this.#core;
    this.#transport.send({
      type: "subscribed",
      filters: request.filters,
      cursor: this.cursor,
      resumed: resume.seq !== null,
      ...(resume.reason === null ? {} : { reason: resume.reason, oldest: cursorOf({ epoch, seq: 0 }) }),
      snapshot,
      ...idOf(request),
    });
    if (snapshot > 0) this.#sendSnapshot(subscription.made, snapshot, tip);
    else this.pump();
  }

  /**
   * Delivers what there is and the socket has room for, in one write. What comes meanwhile, or does not fit, is
   * delivered by a later call: of the hub when items arrive, of `onDrain` when there is room.
   */
  pump(): void {
    const subscription = this.#subscription;
    if (subscription === null || subscription.waiting || subscription.position === this.#core.ring.head)
      return;
    if (!this.#delivers(subscription)) return;
    const room = unsentLimitBytes - this.#transport.unsentBytes;
    if (room <= 0 || !this.#transport.open) return;
    const { writer } = this.#core;
    const capReached = this.#collect(subscription, room) === "spent";
    if (writer.length > 0) writer.write(this.#transport);
    if (capReached) return this.#stop(subscription);
    if (subscription.position < this.#core.ring.head && !subscription.waiting) this.#core.pumpAgain(this);
  }

  /** What comes while the day's cap is used up is passed over: it stays in the list. */
  #delivers(subscription: Subscription): boolean {
    if (this.#session.state === "stopped") this.#session.dayIs(this.#core.today());
    if (this.#session.state === "stopped") subscription.position = this.#core.ring.head;
    return this.#session.state === "subscribed";
  }

  /**
   * Hands the frames that are due and fit to the writer, and moves the position behind them.
   * @returns "spent" when the day's cap allows no more
   */
  #collect(subscription: Subscription, room: number): "spent" | null {
    const { ring, writer } = this.#core;
    const { wire, locked } = this.#transport;
    while (subscription.position < ring.head && writer.length < room) {
      const entry = this.#entryAt(subscription, subscription.position + 1);
      if (entry === undefined) return null;
      if (passes(subscription, entry)) {
        const count = this.#takeUnit(subscription);
        if (typeof count !== "number") return count === "spent" ? "spent" : null;
        writer.add(entry.template(wire, locked), count);
      }
      subscription.position = entry.seq;
    }
    return null;
  }

  #entryAt(subscription: Subscription, seq: number): EncodedItem | undefined {
    const inMemory = this.#core.ring.at(seq);
    if (inMemory !== undefined) {
      // It would be kept for as long as the connection.
      if (subscription.page.length > 0) subscription.page = [];
      return inMemory;
    }
    const first = subscription.page[0];
    const inPage = first === undefined ? undefined : subscription.page[seq - first.seq];
    if (inPage !== undefined) return inPage;
    this.#wait(subscription, async () => {
      subscription.page = await this.#core.ring.page(seq);
      // Without it, delivery would ask for it for ever.
      if (subscription.page.at(seq - (subscription.page[0]?.seq ?? seq))?.seq !== seq)
        throw new Error(`entry ${seq} of the log is missing`);
    });
    return undefined;
  }

  #takeUnit(subscription: Subscription): Unit {
    const { accountId, plan } = this.caller;
    const unit = this.#core.quota.take(accountId, plan.realtime_feeds_per_day);
    if (unit === "wait") this.#wait(subscription, () => this.#core.quota.leased(accountId));
    return unit;
  }

  #stop(subscription: Subscription): void {
    subscription.position = this.#core.ring.head;
    const limit = this.caller.plan.realtime_feeds_per_day ?? 0;
    this.#performAll(this.#session.capReached(limit, this.#core.today()));
  }

  /** Every frame carries the tip as its cursor: whoever resumes from one gets what came since, and nothing again. */
  #sendSnapshot(subscription: Subscription, wanted: number, tip: number): void {
    const { quota, latest, snapshots, epoch, clock } = this.#core;
    const cursor = cursorOf({ epoch, seq: tip });
    this.#wait(subscription, async () => {
      const [items, count] = await Promise.all([
        subscription.blind ? [] : newestUntil(latest, subscription.filter, { tip, wanted }),
        quota.usedToday(this.caller.accountId),
      ]).catch((error: unknown) => this.#noSnapshot(error));
      snapshots.refund(this.caller, wanted - items.length);
      const context = { epoch, now: clock.now() };
      for (const item of items.toReversed()) {
        await this.#room();
        if (this.#subscription !== subscription) return;
        const text = new EncodedItem(item, context).snapshotText(count, cursor, this.#transport.locked);
        this.#transport.sendText(text, cursor);
      }
    });
  }

  /** A snapshot that takes too long is left out: a client that came again for it would only make it slower. */
  #noSnapshot(error: unknown): [[], number] {
    if (!(error instanceof ApiError)) throw error;
    const message = `No snapshot: ${error.message}. Live items follow.`;
    this.#transport.send({ type: "error", code: "overloaded", message, fatal: false });
    return [[], 0];
  }

  /** Resolves when the socket has room, or is closed. */
  async #room(): Promise<void> {
    while (this.#transport.open && this.#transport.unsentBytes >= unsentLimitBytes)
      await this.#core.clock.sleep(20);
  }

  /** Does something that delivery waits for, then goes on. */
  #wait(subscription: Subscription, work: () => Promise<void>): void {
    subscription.waiting = true;
    work().then(
      () => {
        subscription.waiting = false;
        if (this.#subscription === subscription) this.pump();
      },
      (error: unknown) => {
        if (this.#subscription !== subscription) return;
        this.#core.log.error({ err: error, keyId: this.caller.keyId }, "stream delivery failed");
        this.close(closeCodes.restart, `cursor=${this.cursor}`);
      },
    );
  }

  #performAll(actions: readonly Action[]): void {
    for (const action of actions) this.#perform(action);
  }

  #perform(action: Action): void {
    switch (action.do) {
      case "send":
        return this.#transport.send(action.frame);
      case "pong":
      case "heartbeat": {
        const time = this.#core.clock.now().toISOString();
        return this.#transport.send({ type: action.do, cursor: this.cursor, time });
      }
      case "ping":
        return this.#transport.ping();
      case "unsubscribe": {
        const { cursor } = this;
        this.#drop();
        return this.#transport.send({ type: "unsubscribed", cursor, ...idOf(action) });
      }
      case "subscribe":
        return this.#isAhead(action.request) ? this.#readOn(action.request) : this.subscribe(action.request);
      case "close": {
        const reason = action.withCursor === true ? `cursor=${this.cursor}` : action.reason;
        this.#drop();
        return this.#transport.close(action.code, reason);
      }
    }
  }

  /** Of what this process has read of the log. */
  #isAhead({ after }: SubscribeRequest): boolean {
    const cursor = after === null ? null : parseCursor(after);
    return cursor !== null && cursor.epoch === this.#core.epoch && cursor.seq > this.#core.ring.head;
  }

  /** The client may have been further on another process: before its cursor is judged, the log is read. */
  #readOn(request: SubscribeRequest): void {
    const held: (string | null)[] = [];
    this.#held = held;
    void this.#core.ring.readOn().then(() => {
      this.#held = null;
      if (this.#session.state === "closed") return;
      this.subscribe(request);
      for (const text of held) this.onMessage(text);
    });
  }

  /** In one turn: the old subscription ends, the tip is taken, the new one begins at it or where it resumes. */
  #replace(request: SubscribeRequest) {
    this.#drop();
    const tip = this.#core.ring.head;
    const resume = resumePoint(request.after, this.#core.epoch, tip);
    const snapshot = this.#core.snapshots.grant(this.caller, request.snapshot);
    const filter = filterOfSubscription(request.filters);
    const made: Subscription = {
      filter,
      slot: this.#core.index.add(filter),
      matchedFrom: tip,
      blind: asksForScores(filter) && !this.caller.plan.scores_visible,
      position: resume.seq ?? tip,
      waiting: false,
      page: [],
    };
    this.#subscription = made;
    return { made, resume, snapshot, tip };
  }

  #drop(): void {
    if (this.#subscription !== null) this.#core.index.remove(this.#subscription.slot);
    this.#subscription = null;
  }
}

function passes({ blind, slot, matchedFrom, filter }: Subscription, entry: EncodedItem): boolean {
  if (blind) return false;
  if (entry.matches !== null && entry.seq > matchedFrom) return hasBit(entry.matches, slot);
  return matches(entry.item.item, filter);
}

function idOf({ id }: { id: string | number | undefined }) {
  return id === undefined ? {} : { id };
}

/** Where an `after` cursor resumes; without one, or with one that is not of this log, at the tip. */
function resumePoint(after: string | null, epoch: string, tip: number) {
  if (after === null) return { seq: null, reason: null };
  const cursor = parseCursor(after);
  const known = cursor !== null && cursor.epoch === epoch && cursor.seq <= tip;
  return known ? { seq: cursor.seq, reason: null } : { seq: null, reason: "cursor_unknown" as const };
}
