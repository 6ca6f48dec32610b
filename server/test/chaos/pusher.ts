import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { type PushResult, pushAnswer } from "@tapewire/contract/admin.ts";
import { symbols } from "./chaos-service.ts";

function itemAt(n: number) {
  return {
    title: `Chaos ${n}: Brandmoor ${n % 2 === 0 ? "raises" : "cuts"} its outlook by ${n}%`,
    external_id: `chaos-${n}`,
    source: `chaos-${n % 3}`,
    symbols: n % 7 === 0 ? [] : [`DEMO:CH${n % symbols}`],
    tags: n % 5 === 0 ? ["stock"] : [],
  };
}

/** What items are pushed to. */
export interface Taker {
  push(items: readonly object[]): Promise<Response>;
}

/** Pushes at a pace; what was not taken is pushed again until it is, whatever happens to the service. */
export class Pusher implements AsyncDisposable {
  /** Ids of what was taken, by title. */
  readonly taken = new Map<string, string>();
  readonly #taker: Taker;
  readonly #running: Promise<void>;
  readonly #stopping = new AbortController();
  #gate: Promise<void> = Promise.resolve();
  #inFlight: Promise<void> = Promise.resolve();
  #sent = Promise.withResolvers<void>();
  #answered = Promise.withResolvers<void>();

  constructor(taker: Taker, itemsPerSecond: number) {
    this.#taker = taker;
    this.#running = this.#run(itemsPerSecond / 5);
  }

  /** Nothing is pushed meanwhile. */
  async paused<T>(work: () => Promise<T>): Promise<T> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#gate = promise;
    await this.#inFlight;
    try {
      return await work();
    } finally {
      resolve();
    }
  }

  /** Resolves when the next request is on its way. */
  get sent(): Promise<void> {
    return this.#sent.promise;
  }

  /** Resolves when the next request was answered with 200. */
  get answered(): Promise<void> {
    return this.#answered.promise;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  async #run(batch: number): Promise<void> {
    const { signal } = this.#stopping;
    for (let n = 0; !signal.aborted; n += batch) {
      await this.#gate;
      this.#inFlight = this.#push(Array.from({ length: batch }, (_, at) => itemAt(n + at)));
      await Promise.all([this.#inFlight, sleep(200, null, { signal }).catch(() => {})]);
    }
  }

  async #push(items: readonly { readonly title: string }[]): Promise<void> {
    for (;;) {
      const asking = this.#ask(items);
      this.#sent.resolve();
      this.#sent = Promise.withResolvers();
      const results = await asking;
      if (results !== null) {
        this.#answered.resolve();
        this.#answered = Promise.withResolvers();
        for (const [n, { id, status }] of results.entries()) {
          assert.ok(id !== null && status !== "rejected");
          this.taken.set(items[n]?.title ?? "", id);
        }
        return;
      }
      await sleep(50);
    }
  }

  /** @returns null: not taken, or nobody knows */
  async #ask(items: readonly object[]): Promise<readonly PushResult[] | null> {
    try {
      const answer = await this.#taker.push(items);
      const body: unknown = await answer.json();
      return answer.status === 200 ? pushAnswer.parse(body).data : null;
    } catch {
      return null;
    }
  }
}
