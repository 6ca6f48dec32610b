import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { filterOfSubscription, type SubscriptionFilters } from "@tapewire/contract/filter.ts";
import type { EventStream, StreamOptions, Tapewire } from "tapewire";
import { matches } from "../../../server/src/feed/filter.ts";
import type { LogItem } from "../../../server/src/feed/item.ts";

/** A consumer that notes everything it gets. */
export class Reader {
  readonly options: StreamOptions & { readonly filters: SubscriptionFilters };
  readonly got: string[] = [];
  reconnects = 0;
  gaps = 0;
  /** Time it takes for an item. */
  slownessMs: number;
  lastSeq = 0;
  readonly #stream: EventStream;
  readonly #running: Promise<void>;

  constructor(
    tw: Tapewire,
    options: StreamOptions & { readonly filters: SubscriptionFilters },
    { slownessMs = 0 }: { slownessMs?: number } = {},
  ) {
    this.options = options;
    this.slownessMs = slownessMs;
    this.#stream = tw.stream({ ...options, states: true, silenceMs: 4_000 });
    this.#running = this.#run();
  }

  get isLive(): boolean {
    return this.#stream.state === "live";
  }

  /** It has exactly what the log holds for its filters, in order, each version once. */
  check(entries: readonly LogItem[], begin: number): void {
    const owed = this.owed(entries, begin).map(({ seq, item }) => `${seq} ${item.id} ${item.revision}`);
    assert.deepEqual(this.got, owed, JSON.stringify(this.options));
    assert.equal(new Set(this.got).size, this.got.length);
    assert.equal(this.gaps, 0);
  }

  owed(entries: readonly LogItem[], begin: number): LogItem[] {
    const filter = filterOfSubscription(this.options.filters);
    return entries.filter(({ seq, item }) => seq > begin && matches(item, filter));
  }

  async stop(): Promise<void> {
    await this.#stream.close();
    await this.#running;
  }

  async #run(): Promise<void> {
    for await (const event of this.#stream) {
      if (event.type === "state" && event.state === "waiting") this.reconnects += 1;
      if (event.type === "gap") this.gaps += 1;
      if (event.type !== "item") continue;
      this.got.push(`${event.seq} ${event.item.id} ${event.item.revision}`);
      this.lastSeq = event.seq;
      if (this.slownessMs > 0) await sleep(this.slownessMs);
    }
  }
}
