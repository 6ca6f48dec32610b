import type { Connection } from "../../http/settings.ts";
import type { StreamItem, SubscriptionFilters } from "../../types.ts";
import type { Filling } from "../intake.ts";
import type { ItemEvent, StreamOptions } from "../types.ts";
import { Checkpoints } from "./checkpoints.ts";
import { missed, Seen } from "./fill.ts";

/** What a stream does for the options `checkpoint` and `fill`. */
export class Aids {
  readonly #connection: Connection;
  readonly #signal: AbortSignal;
  readonly #checkpoints: Checkpoints | null;
  readonly #seen: Seen | null;
  readonly #failed: (error: unknown) => void;

  constructor(
    connection: Connection,
    { checkpoint, fill = false }: StreamOptions,
    on: { readonly signal: AbortSignal; readonly failed: (error: unknown) => void },
  ) {
    this.#connection = connection;
    this.#signal = on.signal;
    this.#failed = on.failed;
    this.#checkpoints = checkpoint === undefined ? null : new Checkpoints(checkpoint, on.failed);
    this.#seen = fill === false ? null : new Seen();
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

  /** Whether this version of the item has not been given. */
  isNew(item: StreamItem): boolean {
    return this.#seen?.add(item) ?? true;
  }

  /** The items of a gap, as far as they are new. */
  async *missed(filling: Filling, filters: SubscriptionFilters): AsyncGenerator<ItemEvent, void, undefined> {
    try {
      for await (const event of missed(this.#connection, { ...filling, filters }, this.#signal)) {
        if (this.#signal.aborted) return;
        if (this.isNew(event.item)) yield event;
      }
    } catch (error) {
      this.#failed(error);
    }
  }
}
