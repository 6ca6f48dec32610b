import { closeCodes, type ServerFrame, streamLimits } from "@tapewire/contract/stream.ts";
import type { Caller } from "../account/keys/auth.ts";
import type { SnapshotGrant } from "../account/snapshot-allowance.ts";
import { cursorOf } from "../feed/log-cursor.ts";
import { isAhead } from "../itemlog/resume.ts";
import { StoreError } from "../store/engine/errors.ts";
import type { SubscribeRequest } from "./client-frames.ts";
import { type Action, Conversation } from "./conversation.ts";
import type { FanOut } from "./fan-out.ts";
import { newestUntil } from "./snapshots.ts";
import { type Subscriber, Subscription, unsentLimitBytes } from "./subscription.ts";
import { EncodedItem, type Transport, type TransportEvents } from "./wire/wire.ts";

/** Messages of a client that may wait behind its subscribe. */
const mostWaiting = 20;

/** One client: handles its frames and answers them. Its subscription delivers the items. */
export class Connection implements Subscriber, TransportEvents {
  readonly caller: Caller;
  readonly key: string;
  readonly transport: Transport;
  readonly #fanOut: FanOut;
  readonly #conversation: Conversation;
  readonly #onClose: () => void;
  #subscription: Subscription | null = null;
  /** Messages that arrived while a subscribe waits for the log to be read; null: none waits. */
  #waitingMessages: (string | null)[] | null = null;

  constructor(
    fanOut: FanOut,
    who: { caller: Caller; key: string },
    options: { transport: (events: TransportEvents) => Transport; onClose: () => void },
  ) {
    this.#fanOut = fanOut;
    this.caller = who.caller;
    this.key = who.key;
    this.#onClose = options.onClose;
    this.#conversation = new Conversation(fanOut.clientFrames, {
      nowMs: performance.now(),
      jitter: Math.random(),
      hasRoom: (filters) => fanOut.filterAllowance.take(this.caller.accountId, this, filters),
    });
    this.transport = options.transport(this);
    const { realtime_feeds_per_day, scores_visible: scored_feed } = this.caller.plan;
    const limits = { realtime_feeds_per_day, scored_feed };
    this.transport.send({ type: "welcome", tier: this.caller.tier, limits });
  }

  /** Where the client can resume: after everything it was sent. */
  get cursor(): string {
    const { epoch, head } = this.#fanOut.memory;
    return cursorOf({ epoch, seq: this.#subscription?.position ?? head });
  }

  onMessage(text: string | null): void {
    if (this.#waitingMessages === null) this.#performAll(this.#conversation.receive(text, performance.now()));
    else if (this.#waitingMessages.push(text) > mostWaiting)
      this.close(closeCodes.too_many_frames, "too many frames");
  }

  onAlive(): void {
    this.#conversation.alive(performance.now());
  }

  onDrain(): void {
    this.#subscription?.pump();
  }

  onClose(): void {
    this.#conversation.close(closeCodes.restart, "");
    this.#end();
    this.#onClose();
  }

  /** Does what is due by time; called about once a second. */
  tick(nowMs: number, day: string): void {
    this.#performAll(this.#conversation.tick({ nowMs, day, unsentBytes: this.transport.unsentBytes }));
    if (this.#conversation.state === "subscribed") this.#subscription?.dayTurned();
  }

  /** @param error a frame to send before closing */
  close(code: number, reason: string, error?: ServerFrame): void {
    if (error !== undefined) this.transport.send(error);
    this.#perform(this.#conversation.close(code, reason));
  }

  terminate(): void {
    this.transport.terminate();
  }

  /** In one turn: ends the old subscription, takes the tip, acknowledges the new subscription and begins it. */
  #subscribe(request: SubscribeRequest, grant: SnapshotGrant | null): void {
    const snapshot = grant?.items ?? 0;
    this.#drop();
    const subscription = new Subscription(request, this, this.#fanOut);
    this.#subscription = subscription;
    const { seq, reason } = subscription.resume;
    const { epoch, floor } = this.#fanOut.bounds;
    const oldest = cursorOf({ epoch, seq: floor });
    this.transport.send({
      type: "subscribed",
      filters: request.filters,
      cursor: this.cursor,
      resumed: seq !== null,
      ...(reason === null ? {} : { reason, oldest }),
      snapshot,
      ...idOf(request),
    });
    if (grant?.tooMany === true) {
      this.#fanOut.refusals.count("snapshots");
      this.#noSnapshot(
        "rate_limited",
        `an account may request at most ${streamLimits.snapshotsPerMinute} snapshots a minute`,
      );
    }
    if (grant !== null && snapshot > 0) this.#sendSnapshot(subscription, grant);
    else subscription.pump();
  }

  /** Reads what a subscription needs before it can begin; meanwhile the client's messages wait. */
  #prepare(request: SubscribeRequest): void {
    const ahead = isAhead(request, this.#fanOut.bounds);
    if (!ahead && request.snapshot === 0) return this.#subscribe(request, null);
    const messages: (string | null)[] = [];
    this.#waitingMessages = messages;
    const read = ahead ? this.#fanOut.readOn() : Promise.resolve();
    const { snapshots } = this.#fanOut;
    const granting = request.snapshot === 0 ? null : snapshots.grant(this.caller, request.snapshot);
    Promise.all([read, granting])
      .then(async ([, grant]) => {
        this.#waitingMessages = null;
        if (this.#conversation.state === "closed") return grant?.refund(grant.items);
        this.#subscribe(request, grant);
        for (const text of messages) this.onMessage(text);
        return;
      })
      .catch((error: unknown) => this.failed(error));
  }

  capReached(): void {
    const limit = this.caller.plan.realtime_feeds_per_day ?? 0;
    const actions = this.#conversation.capReached(limit, this.#fanOut.today());
    if (actions.length > 0) this.#fanOut.refusals.count("live_items");
    this.#performAll(actions);
  }

  /** Closes the stream; the client reconnects with its cursor, to this process or to another. */
  failed(error: unknown): void {
    this.#fanOut.log.error({ err: error, keyId: this.caller.keyId }, "stream delivery failed");
    this.close(closeCodes.restart, `cursor=${this.cursor}`);
  }

  /** Every frame carries the tip as its cursor: a client that resumes from one gets what came since, without repeats. */
  #sendSnapshot(subscription: Subscription, grant: SnapshotGrant): void {
    const { quota, latest, clock } = this.#fanOut;
    const { epoch } = this.#fanOut.memory;
    const { accountId: owner } = this.caller;
    const { tip } = subscription;
    const cursor = cursorOf({ epoch, seq: tip });
    subscription.begin(async () => {
      const [items, count] = await Promise.all([
        subscription.blind
          ? []
          : newestUntil(latest, subscription.filter, { tip, wanted: grant.items, owner }),
        quota.usedToday(owner),
      ]).catch((error: unknown) => this.#failedSnapshot(error));
      await grant.refund(grant.items - items.length);
      const context = { epoch, now: clock.now() };
      for (const item of items.toReversed()) {
        await this.#room();
        if (subscription.ended) return;
        const text = new EncodedItem(item, context).snapshotText(count, cursor, this.transport.form.locked);
        this.transport.sendText(text, cursor);
      }
    });
  }

  /** Leaves out a snapshot that takes too long: a client that reconnected for it would only make it slower. */
  #failedSnapshot(error: unknown): [[], number] {
    if (!(error instanceof StoreError)) throw error;
    this.#noSnapshot("overloaded", error.message);
    return [[], 0];
  }

  #noSnapshot(code: "overloaded" | "rate_limited", reason: string): void {
    const message = `No snapshot: ${reason}. Live items follow.`;
    this.transport.send({ type: "error", code, message, fatal: false });
  }

  /** Resolves when the socket has room, or is closed. */
  async #room(): Promise<void> {
    while (this.transport.open && this.transport.unsentBytes >= unsentLimitBytes)
      await this.#fanOut.clock.sleep(20);
  }

  #performAll(actions: readonly Action[]): void {
    for (const action of actions) this.#perform(action);
  }

  #perform(action: Action): void {
    switch (action.do) {
      case "send":
        return this.transport.send(action.frame);
      case "pong":
      case "heartbeat": {
        const time = this.#fanOut.clock.now().toISOString();
        return this.transport.send({ type: action.do, cursor: this.cursor, time });
      }
      case "ping":
        return this.transport.ping();
      case "unsubscribe": {
        const { cursor } = this;
        this.#end();
        return this.transport.send({ type: "unsubscribed", cursor, ...idOf(action) });
      }
      case "subscribe":
        return this.#prepare(action.request);
      case "close": {
        const reason = action.withCursor === true ? `cursor=${this.cursor}` : action.reason;
        const { closes } = this.#fanOut;
        if (this.transport.open) closes.set(action.code, (closes.get(action.code) ?? 0) + 1);
        this.#end();
        return this.transport.close(action.code, reason);
      }
    }
  }

  #end(): void {
    this.#drop();
    this.#fanOut.filterAllowance.free(this.caller.accountId, this);
  }

  #drop(): void {
    this.#subscription?.end();
    this.#subscription = null;
  }
}

function idOf({ id }: { id: string | number | undefined }) {
  return id === undefined ? {} : { id };
}
