import { backoffMs } from "../http/backoff.ts";
import type { ErrorFrame, ServerFrame, SubscribedFrame, SubscriptionFilters } from "../types.ts";
import { isFinal, StreamClosed } from "./errors.ts";
import type { Ended, Line, Owner, Subscribe } from "./link.ts";
import { moves, type Signal, type State } from "./moves.ts";
import { roomy } from "./queue.ts";
import type { Dialer } from "./transport.ts";
import type { StreamOptions } from "./types.ts";

/** The service takes 5 subscribes in 10 s, and refuses more. */
const subscribeAgainMs = 2_500;
/** The connection is looked after this often within the time of silence; greetings have half of it. */
const ticksOfSilence = 8;
const ticksOfGreeting = 4;
const ticksOfPing = 3;

/** Keeps a subscription alive over connections. Its state is in `moves.ts`; it holds no items. */
export class Session {
  state: State = "idle";
  /** The filters in force. */
  declare filters: SubscriptionFilters;
  readonly #owner: Owner;
  readonly #dialer: Dialer;
  readonly #snapshot: number | undefined;
  readonly #tickMs: number;
  #ticker: ReturnType<typeof setInterval> | undefined;
  #line: Line | undefined;
  /** Ends the connection. */
  #stopper = new AbortController();
  /** Until the next attempt or subscribe. Given up by the next move. */
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wanted: SubscriptionFilters;
  /** What was sent last: its filters differ from those wanted when they changed since. */
  #sent: Subscribe;
  /** Called when the filters wanted are in force, or with the reason why they are not. */
  #changes: ((error?: StreamClosed) => void)[] = [];
  #wasLive = false;
  #silentTicks = 0;
  /** Failed attempts in a row. */
  #attempt = 0;
  #reason = "";
  /** How long the service asked to wait before the next connection. */
  #hintMs: number | undefined;

  constructor(owner: Owner, dialer: Dialer, { filters = {}, snapshot, silenceMs = 40_000 }: StreamOptions) {
    dialer.check(filters);
    this.#owner = owner;
    this.#dialer = dialer;
    this.#wanted = filters;
    this.filters = filters;
    this.#sent = { type: "subscribe", filters, id: 0 };
    this.#snapshot = snapshot;
    this.#tickMs = silenceMs / ticksOfSilence;
  }

  signal(signal: Signal): void {
    const to = moves[this.state][signal];
    if (to) this.#move(to);
  }

  /** Resolves when the new filters are in force. */
  update(filters: SubscriptionFilters): Promise<void> {
    this.#dialer.check(filters);
    this.#wanted = filters;
    const changed = new Promise<void>((resolve, reject) =>
      this.#changes.push((error) => (error ? reject(error) : resolve())),
    );
    if (this.state === "idle") this.#inForce(filters);
    else if (this.state === "closed") this.close();
    else this.signal(this.#dialer.change);
    return changed;
  }

  /** An attempt is due, or something outside says that now may be a good time. */
  hurry(): void {
    if (this.state === "waiting") this.signal(this.#owner.load > roomy ? "full" : "due");
  }

  close(): void {
    this.#move("closed");
    clearInterval(this.#ticker);
    this.#stopper.abort();
    this.#settle(new StreamClosed(1000, ""));
  }

  #move(to: State): void {
    const from = this.state;
    const owner = this.#owner;
    this.state = to;
    this.#silentTicks = 0;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (to === "connecting" || to === "live" || to === "waiting" || to === "closed") {
      this.#wasLive = to === "live";
      owner.changed({ state: to, attempt: this.#attempt, reason: this.#reason });
    }
    if (to === "connecting") this.#connect();
    else if (to === "subscribing") this.#subscribe(from === "live" ? undefined : owner.received);
    else if (to === "draining") this.#line?.send({ type: "unsubscribe" });
    // Also without room: the consumer may wait for new filters and take nothing meanwhile.
    else if (this.#wanted !== this.filters) this.signal(this.#dialer.change);
    else if (to === "paused" && owner.load <= roomy) this.signal("room");
  }

  #connect(): void {
    this.#ticker ??= setInterval(() => this.#tick(), this.#tickMs);
    this.#stopper.abort();
    this.#stopper = new AbortController();
    const { signal } = this.#stopper;
    this.#prepare(this.#owner.received);
    this.#line = {
      subscribe: this.#sent,
      signal,
      send: () => {},
      came: (frame, length) => signal.aborted || this.#receive(frame, length),
    };
    this.#dialer.dial(this.#line).then(
      (ended) => signal.aborted || this.#ended(ended),
      (error: unknown) => signal.aborted || this.#owner.failed(error),
    );
  }

  /** @param after undefined: delivery goes on, with other filters; null: it begins */
  #prepare(after: string | null | undefined): void {
    this.#sent = {
      type: "subscribe",
      filters: this.#wanted,
      after,
      snapshot: after === null ? this.#snapshot : undefined,
      id: this.#sent.id + 1,
    };
  }

  #subscribe(after: string | null | undefined): void {
    this.#timer = undefined;
    // Else the filters are those with which the connection was opened.
    if (this.#dialer.change === "changed") this.#prepare(after);
    this.#line?.send(this.#sent);
  }

  #receive(frame: ServerFrame, length: number): void {
    const owner = this.#owner;
    this.#silentTicks = 0;
    switch (frame.type) {
      case "welcome":
      case "unsubscribed":
        this.signal(frame.type);
        break;
      case "subscribed":
        this.#subscribed(frame);
        break;
      case "feed":
        this.#attempt = 0;
        owner.item(frame, length);
        break;
      case "heartbeat":
      case "pong":
        if (this.state !== "live") break;
        this.#attempt = 0;
        owner.sign(frame);
        break;
      case "quota_exceeded":
        owner.quota(frame);
        break;
      case "error":
        this.#refusal(frame);
    }
    // Also after a subscribe: new filters are taken while there is no room for items.
    if (owner.load >= 1) this.signal("full");
  }

  #subscribed(frame: SubscribedFrame): void {
    const { id, filters, after } = this.#sent;
    if (this.state !== "subscribing" || (frame.id ?? id) !== id) return;
    this.#dialer.subscribed();
    this.#owner.begun(frame, after);
    this.#inForce(filters);
    this.signal("subscribed");
  }

  #inForce(filters: SubscriptionFilters): void {
    this.filters = filters;
    if (filters === this.#wanted) this.#settle();
  }

  #settle(error?: StreamClosed): void {
    for (const settle of this.#changes.splice(0)) settle(error);
  }

  #refusal({ code, message, id, fatal, retry_after_ms }: ErrorFrame): void {
    this.#hintMs = retry_after_ms ?? this.#hintMs;
    const { after } = this.#sent;
    if (fatal || id !== this.#sent.id || this.state !== "subscribing") return;
    const error = new StreamClosed(code, message);
    if (code !== "invalid_frame") this.#timer = setTimeout(() => this.#subscribe(after), subscribeAgainMs);
    // Filters that were to replace others leave these in force; else nothing is subscribed to.
    else if (!this.#takesBack(error)) this.#owner.failed(error);
    else if (after === undefined) this.signal("subscribed");
    else this.#subscribe(this.#owner.received);
  }

  /** The service refuses the filters. @returns whether older ones stay; false: these were the first */
  #takesBack(error: StreamClosed): boolean {
    const isNew = this.#wanted !== this.filters;
    this.#wanted = this.filters;
    this.#settle(error);
    return isNew;
  }

  #ended({ code, reason, retryAfterMs, isBlocked }: Ended): void {
    let waitMs = this.#hintMs ?? retryAfterMs ?? backoffMs(this.#attempt, 500, 30_000);
    this.#stopper.abort();
    this.#reason = reason;
    if (isFinal(code)) {
      const error = new StreamClosed(code, reason);
      if (code !== 400 || !this.#takesBack(error)) return this.#owner.failed(error);
      waitMs = 0;
    }
    if (!this.#wasLive) this.#dialer.failed(isBlocked);
    this.#hintMs = undefined;
    this.#attempt += 1;
    this.#move("waiting");
    this.#timer = setTimeout(() => this.hurry(), waitMs);
  }

  #tick(): void {
    // While a subscribe waits for its turn nothing is due from the service.
    if (this.#stopper.signal.aborted || this.#timer) return;
    this.#silentTicks += 1;
    const isGreeting = this.state === "connecting" || this.state === "subscribing";
    if (this.#silentTicks >= (isGreeting ? ticksOfGreeting : ticksOfSilence))
      this.#ended({ code: 0, reason: "silence" });
    else if (!isGreeting && this.#silentTicks % ticksOfPing === 0) this.#line?.send({ type: "ping" });
  }
}
