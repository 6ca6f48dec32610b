import type { Connection } from "../../http/settings.ts";
import type { SubscriptionFilters } from "../../types.ts";
import type { StreamEvent, StreamOptions } from "../types.ts";
import { Checkpoints } from "./checkpoints.ts";
import { missed, Past } from "./fill.ts";

/** What a stream does for the options `checkpoint` and `fill`. */
export class Aids {
  readonly #connection: Connection;
  readonly #signal: AbortSignal;
  readonly #failed: (error: unknown) => void;
  readonly #checkpoints: Checkpoints | null;
  /** null: gaps are not filled. */
  readonly #past: Past | null;

  constructor(
    connection: Connection,
    { checkpoint, fill = false }: StreamOptions,
    signal: AbortSignal,
    failed: (error: unknown) => void,
  ) {
    this.#connection = connection;
    this.#signal = signal;
    this.#failed = failed;
    this.#checkpoints = checkpoint === undefined ? null : new Checkpoints(checkpoint, failed);
    this.#past = fill === false ? null : new Past(fill === true ? null : fill.since);
  }

  /** The cursor that was saved last. */
  async load(): Promise<string | null | undefined> {
    return this.#checkpoints?.load();
  }

  note(cursor: string | null): void {
    this.#checkpoints?.note(cursor);
  }

  async end(): Promise<void> {
    await this.#checkpoints?.end();
  }

  /** What the consumer gets of an event: no version of an item twice, and after a gap its items. */
  async *given(
    event: StreamEvent,
    filters: SubscriptionFilters,
  ): AsyncGenerator<StreamEvent, void, undefined> {
    const past = this.#past;
    if (past === null || (event.type !== "item" && event.type !== "gap")) yield event;
    else if (event.type === "item") {
      if (past.add(event)) yield event;
    } else if (past.since === null) yield event;
    else {
      yield { ...event, filled: true };
      try {
        for await (const item of missed(this.#connection, event, past, filters, this.#signal)) {
          if (this.#signal.aborted) return;
          if (past.add(item)) yield item;
        }
      } catch (error) {
        this.#failed(error);
      }
    }
  }
}
