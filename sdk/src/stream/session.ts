import { backoffMs } from "../http/waiting.ts";
import type { ServerFrame, SubscribedFrame, SubscribeFrame, SubscriptionFilters } from "../types.ts";
import { isFinal, StreamClosed } from "./errors.ts";
import type { Ended, Link, Owner } from "./link.ts";
import { moves, type Signal, type State } from "./moves.ts";
import type { Dialer } from "./transport.ts";
import type { StreamState } from "./types.ts";

const backoff = { leastMs: 500, mostMs: 30_000 };
/** The service takes 5 subscribes in 10 s. */
const subscribes = { most: 4, windowMs: 10_500, retryMs: 2_500 } as const;
/** The connection is looked after this often within the time of silence; greetings have half of it. */
const ticks = { silent: 8, greeting: 4, ping: 3 } as const;

interface Change {
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Keeps a subscription alive over connections. Its state is in `moves.ts`; it holds no items. */
export class Session {
  state: State = "idle";
  /** Failed attempts in a row. */
  attempt = 0;
  #reason = "";
  readonly #owner: Owner;
  readonly #dialer: Dialer;
  readonly #snapshot: number | undefined;
  readonly #tickMs: number;
  #ticker: ReturnType<typeof setInterval> | undefined;
  #link: Link | null = null;
  #timer: ReturnType<typeof setTimeout> | null = null;
  #filters: SubscriptionFilters;
  /** What was sent last: its filters differ from those wanted when they changed since. */
  #sent: SubscribeFrame = { type: "subscribe" };
  /** The filters in force. */
  #accepted: SubscriptionFilters;
  #changes: Change[] = [];
  #subscribedAtMs: number[] = [];
  #wasLive = false;
  /** The subscribe that was sent replaces filters, and delivery goes on. */
  #isChange = false;
  #silentTicks = 0;
  #hintMs: number | null = null;
  #refused: string | undefined;
  #hasRenewed = false;

  constructor(
    owner: Owner,
    dialer: Dialer,
    {
      filters,
      snapshot,
      silenceMs,
    }: { filters: SubscriptionFilters; snapshot: number | undefined; silenceMs: number },
  ) {
    this.#owner = owner;
    this.#dialer = dialer;
    this.#filters = filters;
    this.#accepted = filters;
    this.#snapshot = snapshot;
    this.#tickMs = silenceMs / ticks.silent;
  }

  get filters(): SubscriptionFilters {
    return this.#accepted;
  }

  get publicState(): StreamState {
    switch (this.state) {
      case "closed":
        return "closed";
      case "waiting":
      case "held":
        return "waiting";
      default:
        return this.#wasLive ? "live" : "connecting";
    }
  }

  /** @returns whether the state has such a move */
  signal(signal: Signal): boolean {
    const from = this.state;
    const to = moves[from][signal];
    if (to === undefined) return false;
    this.state = to;
    if (to === "connecting" || to === "waiting") this.#wasLive = false;
    if (to === "live") this.#wasLive = true;
    this.#silentTicks = 0;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#owner.changed(this.publicState, { attempt: this.attempt, reason: this.#reason });
    this.#enter(to, from);
    return true;
  }

  /** Resolves when the new filters are in force. */
  update(filters: SubscriptionFilters): Promise<void> {
    this.#dialer.check(filters);
    this.#filters = filters;
    const changed = new Promise<void>((resolve, reject) => this.#changes.push({ resolve, reject }));
    if (this.state === "idle") this.#settle();
    else if (this.state === "live") this.#applyChange();
    return changed;
  }

  /** Something outside says that now may be a good time. */
  hurry(): void {
    if (this.state === "waiting") this.#due();
  }

  close(): void {
    this.signal("close");
    clearInterval(this.#ticker);
    this.#link?.close();
    this.#link = null;
    for (const { reject } of this.#changes.splice(0)) reject(new StreamClosed(1000, "closed by the caller"));
  }

  #enter(to: State, from: State): void {
    if (to === "connecting") this.#connect();
    else if (to === "subscribing") {
      this.#isChange = from === "live";
      this.#subscribe(this.#isChange ? undefined : this.#owner.after);
    } else if (to === "live") this.#live();
    else if (to === "draining") this.#link?.send({ type: "unsubscribe" });
    else if (to === "paused" && this.#owner.hasRoom) this.signal("room");
    else if (to === "waiting") this.#later(this.#hintMs ?? 0, () => this.#due());
  }

  /** Given up by the next move. */
  #later(ms: number, does: () => void): void {
    this.#timer = setTimeout(() => {
      this.#timer = null;
      does();
    }, ms);
  }

  #due(): void {
    this.signal(this.#owner.hasRoom ? "due" : "dueFull");
  }

  #live(): void {
    if (this.#filters !== this.#accepted) this.#applyChange();
    else if (this.#owner.isFull) this.signal("full");
  }

  #applyChange(): void {
    this.signal(this.#link?.takesFilters === true ? "changed" : "moved");
  }

  #connect(): void {
    this.#ticker ??= setInterval(() => this.#tick(), this.#tickMs);
    this.#link?.close();
    this.#sent = this.#subscribeFrame(this.#owner.after);
    const link: Link = this.#dialer.open(
      { subscribe: this.#sent, refused: this.#refused },
      {
        frame: (frame, length) => this.#link === link && this.#receive(frame, length),
        ended: (ended) => this.#link === link && this.#ended(ended),
      },
    );
    this.#link = link;
  }

  #subscribeFrame(after: string | null | undefined): SubscribeFrame {
    const begin = after === null ? { snapshot: this.#snapshot } : { after };
    return { type: "subscribe", filters: this.#filters, ...begin, id: (Number(this.#sent.id) || 0) + 1 };
  }

  /** Sends a subscribe, or waits until the service takes another one. */
  #subscribe(after: string | null | undefined): void {
    const link = this.#link;
    const nowMs = Date.now();
    this.#subscribedAtMs = this.#subscribedAtMs.filter((ms) => nowMs - ms < subscribes.windowMs);
    const [oldestMs = nowMs] = this.#subscribedAtMs;
    if (link?.takesFilters === true && this.#subscribedAtMs.length >= subscribes.most) {
      const waitMs = oldestMs + subscribes.windowMs - nowMs;
      return this.#later(waitMs, () => this.#subscribe(after));
    }
    this.#subscribedAtMs.push(nowMs);
    this.#sent = this.#subscribeFrame(after);
    link?.send(this.#sent);
  }

  #receive(frame: ServerFrame, length: number): void {
    this.#silentTicks = 0;
    switch (frame.type) {
      case "welcome":
        return void this.signal("welcomed");
      case "subscribed":
        return this.#subscribed(frame);
      case "unsubscribed":
        return void this.signal("unsubscribed");
      case "feed":
        this.attempt = 0;
        this.#owner.item(frame, length);
        if (this.#owner.isFull) this.signal("full");
        return;
      case "heartbeat":
      case "pong":
        if (this.state !== "live" || frame.time === "") return;
        this.attempt = 0;
        return this.#owner.sign(frame);
      case "quota_exceeded":
        return this.#owner.quota(frame);
      case "error":
        return this.#refusal(frame);
    }
  }

  #subscribed(frame: SubscribedFrame): void {
    if (this.state !== "subscribing" || (frame.id !== undefined && frame.id !== this.#sent.id)) return;
    this.#refused = undefined;
    this.#hasRenewed = false;
    this.#accepted = this.#sent.filters ?? {};
    this.#owner.begun(frame, this.#sent.after ?? undefined);
    if (this.#accepted === this.#filters) this.#settle();
    this.signal("subscribed");
  }

  #settle(): void {
    this.#accepted = this.#filters;
    for (const { resolve } of this.#changes.splice(0)) resolve();
  }

  #refusal({ code, message, id, fatal, retry_after_ms }: Extract<ServerFrame, { type: "error" }>): void {
    if (retry_after_ms !== undefined) this.#hintMs = retry_after_ms;
    if (fatal || id === undefined || id !== this.#sent.id || this.state !== "subscribing") return;
    if (code !== "invalid_frame") {
      const { after } = this.#sent;
      return this.#later(subscribes.retryMs, () => this.#subscribe(after));
    }
    const error = new StreamClosed(code, message);
    if (!this.#takeBack(error)) return this.#owner.failed(error);
    // Filters that were to replace others leave these in force; else nothing is subscribed to.
    if (this.#isChange) this.signal("refused");
    else this.#subscribe(this.#owner.after);
  }

  /** Gives up new filters that the service refuses. @returns false: they are the first ones */
  #takeBack(error: unknown): boolean {
    if (this.#filters === this.#accepted) return false;
    this.#filters = this.#accepted;
    for (const { reject } of this.#changes.splice(0)) reject(error);
    return true;
  }

  #ended(ended: Ended): void {
    this.#link = null;
    this.#reason = ended.reason;
    if (ended.error !== undefined) return this.#owner.failed(ended.error);
    const isKey = ended.code === 401 || ended.code === 4501;
    if (isKey && !this.#hasRenewed && this.#dialer.renews) {
      this.#hasRenewed = true;
      this.#refused = ended.key;
    } else if (isFinal(ended.code)) {
      const error = new StreamClosed(ended.code, ended.reason);
      if (ended.code !== 400 || !this.#takeBack(error)) return this.#owner.failed(error);
      this.#hintMs = 0;
    }
    if (!this.#wasLive) this.#dialer.failed(ended.isBlocked === true);
    this.#hintMs ??= ended.retryAfterMs ?? backoffMs(this.attempt, backoff);
    this.attempt += 1;
    this.signal("ended");
    this.#hintMs = null;
  }

  #tick(): void {
    // While a subscribe waits for its turn nothing is due from the service.
    if (this.#link === null || this.#timer !== null) return;
    this.#silentTicks += 1;
    const isGreeting = this.state === "connecting" || this.state === "subscribing";
    if (this.#silentTicks >= (isGreeting ? ticks.greeting : ticks.silent)) {
      this.#link.close();
      this.#ended({ code: 0, reason: "silence" });
    } else if (!isGreeting && this.#silentTicks % ticks.ping === 0) this.#link.send({ type: "ping" });
  }
}
