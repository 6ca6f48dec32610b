import type { Connection } from "../http/settings.ts";
import type { SubscriptionFilters } from "../types.ts";
import { Intake } from "./intake.ts";
import { rarely } from "./later.ts";
import { roomy } from "./queue.ts";
import type { Aids } from "./rarely/rarely.ts";
import { Session } from "./session.ts";
import { dialerOf, type StreamConnectionOptions } from "./transport.ts";
import type { StreamEvent, StreamOptions, StreamState } from "./types.ts";

type Result = IteratorResult<StreamEvent, undefined>;

/** A stream that goes on over lost connections, until its loop is left. */
export class EventStream
  implements AsyncIterableIterator<StreamEvent, undefined, undefined>, AsyncDisposable
{
  readonly #connection: Connection;
  readonly #options: StreamOptions;
  readonly #intake: Intake;
  readonly #session: Session;
  readonly #stopper = new AbortController();
  readonly #events = this.#run();
  #aids: Aids | undefined;
  #wake: () => void = () => {};
  #failure: { readonly error: unknown } | undefined;

  constructor(connection: Connection, options: StreamConnectionOptions & StreamOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#intake = new Intake(options, () => this.#wake(), this.#fail);
    this.#session = new Session(this.#intake, dialerOf(connection, options), options);
  }

  /** After everything that was handled: the place to resume. An event is handled when the next one is asked for. */
  get cursor(): string | null {
    return this.#intake.handled;
  }

  get state(): StreamState {
    return this.#intake.state;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<Result> {
    const turn = this.#events.next();
    // Whoever looks at it later still meets its failure.
    turn.catch(() => {});
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
    this.#intake.clear();
    this.#stop();
    await this.#aids?.end();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async *#run(): AsyncGenerator<StreamEvent, undefined, undefined> {
    const intake = this.#intake;
    const session = this.#session;
    if (session.state === "idle") await this.#start().catch(this.#fail);
    for (;;) {
      const event = intake.take();
      this.#aids?.note(intake.handled);
      if (intake.load <= roomy) session.signal("room");
      if (event) yield* this.#aids?.given(event, session.filters) ?? [event];
      else if (this.#failure) {
        await this.#aids?.end();
        throw this.#failure.error;
      } else if (session.state === "closed") return;
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
    }
  }

  async #start(): Promise<void> {
    const { after = null, signal, checkpoint, fill } = this.#options;
    const intake = this.#intake;
    const whileOpen = { signal: this.#stopper.signal };
    const abort = () => {
      intake.clear();
      this.#fail(signal?.reason);
    };
    if (signal?.aborted) return abort();
    signal?.addEventListener("abort", abort, whileOpen);
    // The network comes back, or the page is looked at. Where there is no page nothing happens.
    for (const name of ["online", "visibilitychange"])
      Object(globalThis).addEventListener?.(name, () => this.#session.hurry(), whileOpen);
    if (checkpoint || fill) {
      const { aidsOf } = await rarely();
      this.#aids = aidsOf(this.#connection, this.#options, whileOpen.signal, intake);
    }
    intake.startAt((await this.#aids?.load()) ?? after);
    this.#session.signal("due");
  }

  /** What has come before is still given, up to a gap that is not filled. */
  readonly #fail = (error: unknown): void => {
    if (this.#session.state === "closed") return;
    this.#failure = { error };
    this.#stop();
  };

  #stop(): void {
    this.#stopper.abort();
    this.#session.close();
    this.#wake();
  }
}
