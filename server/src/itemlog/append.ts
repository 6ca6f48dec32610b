import type { Bus } from "../bus/types.ts";
import type { FeedItem } from "../feed/item.ts";
import type { Log } from "../runtime/log.ts";
import { Signal } from "../runtime/sharing/signal.ts";
import { type Origin, originNow, traced } from "../runtime/tracing/traces.ts";
import type { AppendOutcome, AppendRequest } from "../store/append/append-request.ts";
import type { ItemWriter } from "../store/append/item-writer.ts";
import { isTimeout, isUnavailable } from "../store/engine/errors.ts";

const batchItems = 500;
const queueItems = 5_000;
/** In a row. A single one may be of a request that is very large. */
const mostTimeouts = 2;

interface Queued {
  request: AppendRequest;
  /** The trace that the request belongs to. A batch runs in the turn of whoever came first. */
  origin: Origin;
  resolve: (outcomes: AppendOutcome[]) => void;
  reject: (error: unknown) => void;
}

/** live: its source showed it when it appeared. pushed: by the operator. backfill: read later, or changed by another item. */
export type Arrival = "live" | "pushed" | "backfill";

/** Called for each entry once it is committed and announced; must not throw. */
export type PublishedWatch = (item: FeedItem, arrival: Arrival) => void;

/** The process is stopping and takes no more items. */
export class SequencerClosed extends Error {
  override readonly name = "SequencerClosed";
}

/**
 * Collects concurrent appends into batches, one transaction each, one after another. The queue is bounded: when it is
 * full, `append` waits, and with it the caller's fetching.
 */
export class Sequencer implements AsyncDisposable {
  readonly #writer: ItemWriter;
  readonly #bus: Bus;
  readonly #log: Log;
  readonly #watch: PublishedWatch;
  readonly #queue: Queued[] = [];
  readonly #room = new Signal();
  readonly #closing = new AbortController();
  /** Items appended, by outcome. */
  readonly counts: Record<AppendOutcome["status"], number> = {
    created: 0,
    revised: 0,
    duplicate: 0,
    too_old: 0,
  };
  /** Calls that wait until the tables for their months exist. */
  readonly #making = new Set<Promise<unknown>>();
  #queued = 0;
  #running: Promise<void> | null = null;

  readonly #refuse: () => void;

  /** @param refuse throws while nothing can be stored */
  constructor(
    writer: ItemWriter,
    bus: Bus,
    log: Log,
    { watch = () => {}, refuse = () => {} }: { watch?: PublishedWatch; refuse?: () => void } = {},
  ) {
    this.#watch = watch;
    this.#refuse = refuse;
    this.#writer = writer;
    this.#bus = bus;
    this.#log = log;
  }

  /** Items in the queue. */
  get queued(): number {
    return this.#queued;
  }

  /**
   * Resolves once the items are committed; their order within one call is their order in the log.
   * @throws {SequencerClosed}; {StorageFull}; or the database's error: nothing of this call was stored
   */
  async append(request: AppendRequest): Promise<AppendOutcome[]> {
    this.#refuse();
    while (this.#queued >= queueItems && !this.#closing.signal.aborted)
      await this.#room.wait(this.#closing.signal, 1000);
    if (this.#closing.signal.aborted) throw new SequencerClosed("the item log is closing");
    this.#queued += request.items.length;
    const making = this.#writer.makeRoom(request.items);
    if (making === null) return this.#enqueue(request);
    // Other calls may overtake this one meanwhile.
    const made = making.then(
      () => this.#enqueue(request),
      (error: unknown) => {
        this.#queued -= request.items.length;
        this.#room.notify();
        throw error;
      },
    );
    this.#making.add(made);
    return made.finally(() => this.#making.delete(made));
  }

  #enqueue(request: AppendRequest): Promise<AppendOutcome[]> {
    const { promise, resolve, reject } = Promise.withResolvers<AppendOutcome[]>();
    this.#queue.push({ request, origin: originNow(), resolve, reject });
    this.#running ??= this.#drain();
    return promise;
  }

  /** Writes what is queued and accepts nothing new. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#making);
    await this.#running;
  }

  async #drain(): Promise<void> {
    // One turn later: calls made in this turn share the first batch.
    await Promise.resolve();
    while (this.#queue.length > 0) {
      const batch = this.#takeBatch();
      await this.#write(batch);
      this.#room.notify();
    }
    // Cleared in the turn that found the queue empty, so that the next request starts a new run.
    this.#running = null;
  }

  #takeBatch(): Queued[] {
    let items = 0;
    const fits = this.#queue.findIndex(({ request }) => {
      items += request.items.length;
      return items > batchItems;
    });
    // The first request is never split, however large.
    const batch = this.#queue.splice(0, fits === -1 ? this.#queue.length : Math.max(1, fits));
    for (const { request } of batch) this.#queued -= request.items.length;
    return batch;
  }

  /** @returns the error of a single request; null when it succeeded or the batch had several */
  async #write(batch: readonly Queued[]): Promise<unknown> {
    try {
      const { outcomes, logged, epoch } = await this.#append(batch);
      if (logged.length > 0) this.#bus.publish({ epoch, items: logged });
      const arrivals = arrivalsOf(batch);
      for (const { item } of logged) this.#watch(item, arrivals.get(item.id) ?? "backfill");
      for (const [index, { resolve }] of batch.entries()) {
        const ended = outcomes[index] ?? [];
        for (const { status } of ended) this.counts[status] += 1;
        resolve(ended);
      }
    } catch (error) {
      const [only] = batch;
      if (batch.length === 1 && only !== undefined) {
        only.reject(error);
        return error;
      }
      this.#log.warn({ err: error, requests: batch.length }, "append failed; trying its requests one by one");
      await this.#writeEach(batch);
    }
    return null;
  }

  /** An empty request, which only reads what others wrote, is no work to be traced. */
  #append(batch: readonly Queued[]): ReturnType<ItemWriter["append"]> {
    const requests = batch.map(({ request }) => request);
    const items = requests.reduce((sum, request) => sum + request.items.length, 0);
    if (items === 0) return this.#writer.append(requests);
    const attributes = { "tapewire.requests": requests.length, "tapewire.items": items };
    const origins = batch.map(({ origin }) => origin);
    return traced("append", { attributes, origins }, async (span) => {
      const appended = await this.#writer.append(requests);
      span.setAttribute("tapewire.logged", appended.logged.length);
      return appended;
    });
  }

  /** Writes each request alone: one bad request must not fail the others. */
  async #writeEach(batch: readonly Queued[]): Promise<void> {
    let timeouts = 0;
    for (const [at, queued] of batch.entries()) {
      const failure = await this.#write([queued]);
      timeouts = isTimeout(failure) ? timeouts + 1 : 0;
      if (!isUnavailable(failure) && timeouts < mostTimeouts) continue;
      // While the database is away each request, and all behind it, would wait for the same timeout.
      for (const { reject } of batch.slice(at + 1)) reject(failure);
      return;
    }
  }
}

function arrivalsOf(batch: readonly Queued[]): ReadonlyMap<string, Arrival> {
  return new Map(
    batch.flatMap(({ request: { items, live, sourceId } }) => {
      const arrival = live === true ? "live" : sourceId === null ? "pushed" : "backfill";
      return items.map(({ item }) => [item.id, arrival] as const);
    }),
  );
}
