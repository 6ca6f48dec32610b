import type { SubscriptionFilters } from "../types.ts";
import { Checkpoints } from "./checkpoints.ts";
import { missed, Seen } from "./fill.ts";
import { Intake } from "./intake.ts";
import { Session } from "./session.ts";
import { Dialer, type Target } from "./transport.ts";
import type { ItemEvent, StreamEvent, StreamOptions, StreamState } from "./types.ts";
import { whenUseful } from "./wake.ts";

type Result = IteratorResult<StreamEvent, undefined>;

/** A stream that goes on over lost connections, until its loop is left. */
export class EventStream
  implements AsyncIterableIterator<StreamEvent, undefined, undefined>, AsyncDisposable
{
  readonly #target: Target;
  readonly #options: StreamOptions;
  readonly #intake: Intake;
  readonly #session: Session;
  readonly #checkpoints: Checkpoints | null;
  readonly #seen: Seen | null;
  readonly #stopper = new AbortController();
  #forget: () => void = () => {};
  #filling: AsyncGenerator<ItemEvent, void, undefined> | null = null;
  #turn: Promise<unknown> = Promise.resolve();
  #wake: () => void = () => {};
  #failure: { readonly error: unknown } | null = null;

  constructor(target: Target, options: StreamOptions) {
    const { filters = {}, snapshot, transport = "auto", silenceMs = 40_000, checkpoint } = options;
    this.#target = target;
    this.#options = options;
    const failed = (error: unknown) => this.#fail(error);
    this.#intake = new Intake(options, { came: () => this.#wake(), failed });
    const dialer = new Dialer(target, transport);
    dialer.check(filters);
    this.#session = new Session(this.#intake, dialer, { filters, snapshot, silenceMs });
    this.#checkpoints = checkpoint === undefined ? null : new Checkpoints(checkpoint, failed);
    this.#seen = options.fill === undefined || options.fill === false ? null : new Seen();
  }

  /** After everything that was handled: the place to resume. An event is handled when the next one is asked for. */
  get cursor(): string | null {
    return this.#intake.queue.handled;
  }

  get state(): StreamState {
    return this.#intake.state;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Result> {
    const turn = this.#turn.then(() => this.#next());
    this.#turn = turn.catch(() => {});
    return turn;
  }

  /** Leaving the loop closes the stream. */
  async return(): Promise<Result> {
    await this.close();
    return { done: true, value: undefined };
  }

  /**
   * Resolves when the new filters are in force.
   * @throws {StreamClosed} when the service refuses them, and the old ones stay
   */
  update(filters: SubscriptionFilters): Promise<void> {
    return this.#session.update(filters);
  }

  /** Ends the connection at once, and the loop when it asks for the next event. Saves the checkpoint. */
  async close(): Promise<void> {
    this.#end();
    await this.#checkpoints?.end();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #next(): Promise<Result> {
    if (this.#session.state === "idle") await this.#start().catch((error: unknown) => this.#fail(error));
    for (;;) {
      const filled = await this.#filled();
      if (filled !== null) return { done: false, value: filled };
      const value = this.#take();
      if (value !== null) return { done: false, value };
      if (this.#filling !== null) continue;
      if (this.#failure !== null) {
        const { error } = this.#failure;
        this.#failure = null;
        throw error;
      }
      if (this.#session.state === "closed") return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async #start(): Promise<void> {
    const { after, signal } = this.#options;
    const abort = () => {
      this.#intake.queue.clear();
      this.#fail(signal?.reason);
    };
    if (signal?.aborted === true) return abort();
    signal?.addEventListener("abort", abort, { once: true });
    const unhook = whenUseful(() => this.#session.hurry());
    this.#forget = () => {
      signal?.removeEventListener("abort", abort);
      unhook();
    };
    this.#session.signal("asked");
    const loaded = await this.#checkpoints?.load();
    this.#intake.queue.startAt(loaded ?? after ?? null);
    this.#session.signal("ready");
  }

  /** The next item of the gap that is being filled; null: none is, or it has no more. */
  async #filled(): Promise<ItemEvent | null> {
    for (;;) {
      const result = await this.#filling?.next().catch((error: unknown) => this.#fail(error));
      if (result === undefined || result.done === true || this.#session.state === "closed") break;
      if (this.#seen?.add(result.value.item) === true) return result.value;
    }
    this.#filling = null;
    return null;
  }

  /** The next event that waits; null: none, or a gap is to be filled first. */
  #take(): StreamEvent | null {
    const { queue } = this.#intake;
    for (;;) {
      const entry = queue.take();
      this.#checkpoints?.note(queue.handled);
      if (queue.hasRoom) this.#session.signal("room");
      if (entry === null) return null;
      const { value } = entry;
      if (value.type === "filling") {
        const { connection } = this.#target;
        const filters = this.#session.filters;
        this.#filling = missed(connection, { ...value, filters }, this.#stopper.signal);
        return null;
      }
      if (value.type !== "item" || this.#seen === null || this.#seen.add(value.item)) return value;
    }
  }

  /** What has come before is still given. */
  #fail(error: unknown): void {
    if (this.#session.state === "closed") return;
    this.#failure = { error };
    this.#stop();
  }

  #end(): void {
    this.#intake.queue.clear();
    this.#stop();
  }

  #stop(): void {
    this.#forget();
    this.#stopper.abort();
    this.#session.close();
    this.#wake();
  }
}
