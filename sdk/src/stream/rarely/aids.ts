import type { Connection } from "../../http/settings.ts";
import type { SubscriptionFilters } from "../../types.ts";
import type { Checkpoint, StreamEvent, StreamOptions } from "../types.ts";
import { missed, Past } from "./fill.ts";

const saveEveryMs = 1_000;

/** What a stream does for the options `checkpoint` and `fill`. */
export class Aids {
  readonly #connection: Connection;
  readonly #signal: AbortSignal;
  readonly #failed: (error: unknown) => void;
  readonly #checkpoint: Checkpoint | undefined;
  #wanted: string | null = null;
  #saved: string | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #saving = Promise.resolve();
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
    this.#checkpoint = checkpoint;
    this.#past = fill === false ? null : new Past(fill === true ? null : fill.since);
  }

  /** The cursor that was saved last. */
  async load(): Promise<string | null> {
    this.#saved = (await this.#checkpoint?.load()) ?? null;
    return this.#saved;
  }

  /** Saves the newest cursor, at most once a second and one at a time. */
  note(cursor: string | null): void {
    if (this.#checkpoint === undefined || cursor === this.#saved) return;
    this.#wanted = cursor;
    this.#timer ??= setTimeout(() => void this.end(), saveEveryMs);
  }

  /** Saves what is noted. */
  end(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#saving = this.#saving.then(async () => {
      const cursor = this.#wanted;
      if (cursor === null || cursor === this.#saved) return;
      try {
        await this.#checkpoint?.save(cursor);
        this.#saved = cursor;
      } catch (error) {
        this.#failed(error);
      }
    });
    return this.#saving;
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
    } else {
      yield { ...event, filled: past.since !== null };
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
