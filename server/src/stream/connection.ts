import { ApiError } from "@tapewire/contract/errors.ts";
import { filterOfSubscription } from "@tapewire/contract/filter.ts";
import { closeCodes, type ServerFrame } from "@tapewire/contract/stream.ts";
import type { WebSocket } from "ws";
import type { Caller } from "../account/auth.ts";
import { asksForScores, matches } from "../feed/filter.ts";
import type { Filter, LogItem } from "../feed/item.ts";
import type { StreamDeps } from "./deps.ts";
import { cursorOf, type FrameHead, feedFrame, parseCursor } from "./encode.ts";
import { type Action, Session, type SubscribeRequest } from "./session.ts";

const pingEveryMs = 30_000;
const silenceMs = 60_000;
const heartbeatEveryMs = 15_000;
const unsentBytes = 64 * 1024;
const slowAfterMs = 30_000;
/** Items that may come in between the tip and the query of a snapshot; they are left out of it. */
const arrivalsMeanwhile = 100;

interface Subscription {
  readonly filter: Filter;
  /** The filter asks for scores that the plan withholds: to this caller they are null, and null never matches. */
  readonly blind: boolean;
  /** Everything up to here was looked at. */
  position: number;
  readonly abort: AbortController;
}

/**
 * One client. A subscription is a follower of the log with the client's filter, paused while the socket is full: what
 * a slow client has not taken stays in the log, not in memory.
 */
export class Connection {
  readonly caller: Caller;
  readonly key: string;
  readonly #ws: WebSocket;
  readonly #deps: StreamDeps;
  readonly #session: Session;
  readonly #timers: NodeJS.Timeout[] = [];
  #subscription: Subscription | null = null;
  #heardAtMs = performance.now();
  #exceededOn: string | null = null;

  constructor(ws: WebSocket, caller: Caller, key: string, deps: StreamDeps) {
    this.#ws = ws;
    this.caller = caller;
    this.key = key;
    this.#deps = deps;
    this.#session = new Session(deps.tags);
    ws.on("message", (data, isBinary) => this.#receive(isBinary ? null : data.toString()));
    ws.on("pong", () => this.#heard());
    ws.on("ping", () => this.#heard());
    // The close that follows says what there is to say.
    ws.on("error", () => {});
    ws.on("close", () => this.#end());
    this.#keepAlive();
    this.send({
      type: "welcome",
      tier: caller.tier,
      limits: {
        realtime_feeds_per_day: caller.plan.realtime_feeds_per_day,
        scored_feed: caller.plan.scores_visible,
      },
    });
  }

  send(frame: ServerFrame): void {
    if (this.#ws.readyState === this.#ws.OPEN) this.#ws.send(JSON.stringify(frame));
  }

  /** A peer that does not answer the close is cut off by ws after 30 s. */
  close(code: number, reason: string): void {
    this.#subscription?.abort.abort();
    this.#ws.close(code, reason);
  }

  /** Without a word: for peers that do not answer a close. */
  terminate(): void {
    this.#ws.terminate();
  }

  /** Where the client could resume: behind everything it was sent. */
  get cursor(): string {
    const seq = this.#subscription?.position ?? this.#deps.tail.head;
    return cursorOf({ epoch: this.#deps.tail.epoch, seq });
  }

  #receive(text: string | null): void {
    this.#heard();
    for (const action of this.#session.receive(text, performance.now())) this.#perform(action);
  }

  #perform(action: Action): void {
    switch (action.do) {
      case "send":
        return this.send(action.frame);
      case "pong":
        return this.send({ type: "pong", cursor: this.cursor, time: this.#time() });
      case "close":
        return this.close(action.code, action.reason);
      case "unsubscribe": {
        const { cursor } = this;
        this.#subscription?.abort.abort();
        this.#subscription = null;
        return this.send({ type: "unsubscribed", cursor, ...idOf(action) });
      }
      case "subscribe":
        return this.#subscribe(action.request);
    }
  }

  /** In one turn: the old subscription ends, the tip is taken, the answer goes out. */
  #subscribe(request: SubscribeRequest): void {
    const { tail, snapshots } = this.#deps;
    this.#subscription?.abort.abort();
    const tip = tail.head;
    const resume = resumePoint(request.after, tail.epoch, tip);
    const snapshot = snapshots.grant(this.caller, request.snapshot);
    const filter = filterOfSubscription(request.filters);
    const blind = asksForScores(filter) && !this.caller.plan.scores_visible;
    const subscription = { filter, blind, position: resume.seq ?? tip, abort: new AbortController() };
    this.#subscription = subscription;
    this.send({
      type: "subscribed",
      filters: request.filters,
      cursor: this.cursor,
      resumed: resume.seq !== null,
      ...(resume.reason === null
        ? {}
        : { reason: resume.reason, oldest: cursorOf({ epoch: tail.epoch, seq: 0 }) }),
      snapshot,
      ...idOf(request),
    });
    this.#deliver(subscription, snapshot, tip).catch((error: unknown) => {
      if (subscription.abort.signal.aborted) return;
      this.#deps.log.error({ err: error, keyId: this.caller.keyId }, "stream delivery failed");
      this.close(closeCodes.restart, `cursor=${this.cursor}`);
    });
  }

  async #deliver(subscription: Subscription, snapshot: number, tip: number): Promise<void> {
    const { signal } = subscription.abort;
    if (snapshot > 0)
      await this.#sendSnapshot(subscription, snapshot, tip).catch((error: unknown) =>
        this.#noSnapshot(error),
      );
    while (!signal.aborted) {
      await this.#sendLive(subscription);
      // The daily cap is used up: silence until it turns, then on from the tip.
      await this.#deps.clock.sleep(this.#deps.quota.msToReset(), signal).catch(() => {});
      subscription.position = this.#deps.tail.head;
    }
  }

  /** Every frame carries the tip as its cursor: whoever resumes from one gets what came since, and nothing again. */
  async #sendSnapshot({ filter, blind, abort }: Subscription, wanted: number, tip: number): Promise<void> {
    const { quota, latest, snapshots, tail } = this.#deps;
    const cursor = cursorOf({ epoch: tail.epoch, seq: tip });
    const [items, count] = await Promise.all([
      blind ? [] : latest(filter, wanted + arrivalsMeanwhile),
      quota.usedToday(this.caller.accountId),
    ]);
    // What came in since the tip was taken follows as live.
    const before = items.filter(({ seq }) => seq <= tip).slice(0, wanted);
    snapshots.refund(this.caller, wanted - before.length);
    for (const item of before.reverse()) {
      if (abort.signal.aborted) return;
      await this.#write(this.#frame(item, { snapshot: true, count, cursor }));
    }
  }

  /** A snapshot that takes too long is left out: a client that came again for it would only make it slower. */
  #noSnapshot(error: unknown): void {
    if (!(error instanceof ApiError)) throw error;
    const message = `No snapshot: ${error.message}. Live items follow.`;
    this.send({ type: "error", code: "overloaded", message, fatal: false });
  }

  /** Returns when the subscription ends or the day's cap is used up. */
  async #sendLive(subscription: Subscription): Promise<void> {
    const { signal } = subscription.abort;
    const { accountId, plan } = this.caller;
    const cap = plan.realtime_feeds_per_day;
    for await (const batch of this.#deps.tail.follow(subscription.position, signal)) {
      for (const logItem of batch) {
        if (!subscription.blind && matches(logItem.item, subscription.filter)) {
          const count = await this.#deps.quota.take(accountId, cap);
          if (signal.aborted) return;
          if (count === null) return this.#exceeded(cap ?? 0);
          const cursor = cursorOf({ epoch: this.#deps.tail.epoch, seq: logItem.seq });
          await this.#write(this.#frame(logItem, { snapshot: false, count, cursor }));
          if (signal.aborted) return;
        }
        subscription.position = logItem.seq;
      }
    }
  }

  /** Once a day on a connection, however often it subscribes again. */
  #exceeded(limit: number): void {
    const today = this.#time().slice(0, 10);
    if (this.#exceededOn === today) return;
    this.#exceededOn = today;
    const message = `The plan's ${limit} live items of today are used up. Delivery resumes at 00:00 UTC.`;
    this.send({ type: "quota_exceeded", limit, message });
  }

  #frame(item: LogItem, head: FrameHead): string {
    const locked = !this.caller.plan.scores_visible;
    return feedFrame(item, head, { now: this.#deps.clock.now(), locked });
  }

  /** Resolves when the socket has room again; a client whose unsent bytes do not shrink for 30 s is closed. */
  async #write(frame: string): Promise<void> {
    if (this.#ws.readyState !== this.#ws.OPEN) return;
    if (this.#ws.bufferedAmount < unsentBytes) return this.#ws.send(frame);
    const { promise, resolve } = Promise.withResolvers<void>();
    // Called once the frame left, and with an error when the socket closed first.
    this.#ws.send(frame, () => resolve());
    let unsent = this.#ws.bufferedAmount;
    const watch = setInterval(() => {
      if (this.#ws.bufferedAmount >= unsent) this.close(closeCodes.slow_client, `cursor=${this.cursor}`);
      unsent = this.#ws.bufferedAmount;
    }, slowAfterMs);
    await promise;
    clearInterval(watch);
  }

  #keepAlive(): void {
    // The jittered start spreads the pings of clients that came together.
    const first = setTimeout(() => {
      this.#timers.push(setInterval(() => this.#ping(), pingEveryMs));
      this.#ping();
    }, Math.random() * pingEveryMs);
    const heartbeat = setInterval(() => {
      if (this.#subscription !== null)
        this.send({ type: "heartbeat", cursor: this.cursor, time: this.#time() });
    }, heartbeatEveryMs);
    this.#timers.push(first, heartbeat);
  }

  #ping(): void {
    if (performance.now() - this.#heardAtMs > silenceMs)
      return this.close(closeCodes.silence, "silent for 60 s");
    if (this.#ws.readyState === this.#ws.OPEN) this.#ws.ping();
  }

  #heard(): void {
    this.#heardAtMs = performance.now();
  }

  #time(): string {
    return this.#deps.clock.now().toISOString();
  }

  #end(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#subscription?.abort.abort();
  }
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
