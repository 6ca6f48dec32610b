import { ApiError } from "@tapewire/contract/errors.ts";
import { closeCodes, type ServerFrame } from "@tapewire/contract/stream.ts";
import type { Caller } from "../account/auth.ts";
import type { Unit } from "../account/realtime-quota.ts";
import type { SubscribeRequest } from "./client-frames.ts";
import type { StreamCore } from "./core.ts";
import { cursorOf, EncodedItem } from "./encoded-item.ts";
import { type Action, Session } from "./session.ts";
import { newestUntil } from "./snapshots.ts";
import { isAhead, type LogPlace, noPage, Subscription } from "./subscription.ts";
import type { Transport, TransportEvents } from "./transport.ts";

/** Delivery to a client pauses here: what it has not taken stays in the log, not in memory. */
const unsentLimitBytes = 64 * 1024;
/** Messages of a client that may wait behind its subscribe. */
const mostHeld = 20;

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

  /** In one turn: the old subscription ends, the tip is taken, the new one is told and begins. */
  #subscribe(request: SubscribeRequest, snapshot: number): void {
    this.#drop();
    const subscription = new Subscription(request, this.caller, this.#log, this.#core.index);
    this.#subscription = subscription;
    const { seq, reason } = subscription.resume;
    const oldest = cursorOf({ epoch: this.#core.epoch, seq: 0 });
    this.#transport.send({
      type: "subscribed",
      filters: request.filters,
      cursor: this.cursor,
      resumed: seq !== null,
      ...(reason === null ? {} : { reason, oldest }),
      snapshot,
      ...idOf(request),
    });
    if (snapshot > 0) this.#sendSnapshot(subscription, snapshot);
    else this.pump();
  }

  /** What has to be known before a subscription can begin is fetched, while what the client sends waits in line. */
  #prepare(request: SubscribeRequest): void {
    const ahead = isAhead(request, this.#log);
    const limited = request.snapshot > 0 && this.#core.snapshots.limits(this.caller);
    if (!ahead && !limited) return this.#subscribe(request, request.snapshot);
    const held: (string | null)[] = [];
    this.#held = held;
    const read = ahead ? this.#core.ring.readOn() : Promise.resolve();
    Promise.all([read, this.#core.snapshots.grant(this.caller, request.snapshot)]).then(
      ([, snapshot]) => {
        this.#held = null;
        if (this.#session.state === "closed") return;
        this.#subscribe(request, snapshot);
        for (const text of held) this.onMessage(text);
      },
      (error: unknown) => this.#fail(error),
    );
  }

  get #log(): LogPlace {
    return { epoch: this.#core.epoch, head: this.#core.ring.head };
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
      if (subscription.passes(entry)) {
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
      subscription.page = noPage;
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
  #sendSnapshot(subscription: Subscription, wanted: number): void {
    const { quota, latest, snapshots, epoch, clock } = this.#core;
    const { tip } = subscription;
    const cursor = cursorOf({ epoch, seq: tip });
    this.#wait(subscription, async () => {
      const [items, count] = await Promise.all([
        subscription.blind ? [] : newestUntil(latest, subscription.filter, { tip, wanted }),
        quota.usedToday(this.caller.accountId),
      ]).catch((error: unknown) => this.#noSnapshot(error));
      await snapshots.refund(this.caller, wanted - items.length);
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
        if (this.#subscription === subscription) this.#fail(error);
      },
    );
  }

  /** The client comes back with its cursor, to this process or to another. */
  #fail(error: unknown): void {
    this.#core.log.error({ err: error, keyId: this.caller.keyId }, "stream delivery failed");
    this.close(closeCodes.restart, `cursor=${this.cursor}`);
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
        return this.#prepare(action.request);
      case "close": {
        const reason = action.withCursor === true ? `cursor=${this.cursor}` : action.reason;
        this.#drop();
        return this.#transport.close(action.code, reason);
      }
    }
  }

  #drop(): void {
    if (this.#subscription !== null) this.#core.index.remove(this.#subscription.slot);
    this.#subscription = null;
  }
}

function idOf({ id }: { id: string | number | undefined }) {
  return id === undefined ? {} : { id };
}
