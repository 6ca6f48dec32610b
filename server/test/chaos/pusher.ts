import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { pushAnswer } from "@tapewire/contract/admin.ts";
import { type ChaosService, symbols } from "./chaos-service.ts";

function itemAt(n: number) {
  return {
    title: `Chaos ${n}: Brandmoor ${n % 2 === 0 ? "raises" : "cuts"} its outlook by ${n}%`,
    external_id: `chaos-${n}`,
    source: `chaos-${n % 3}`,
    symbols: n % 7 === 0 ? [] : [`DEMO:CH${n % symbols}`],
    tags: n % 5 === 0 ? ["stock"] : [],
  };
}

/** Pushes at a pace; what was not taken is pushed again until it is, whatever happens to the service. */
export class Pusher implements AsyncDisposable {
  readonly #chaos: ChaosService;
  readonly #running: Promise<void>;
  readonly #stopping = new AbortController();
  #gate: Promise<void> = Promise.resolve();
  #inFlight: Promise<void> = Promise.resolve();

  constructor(chaos: ChaosService, itemsPerSecond: number) {
    this.#chaos = chaos;
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

  async #push(items: readonly object[]): Promise<void> {
    for (;;) {
      const answer = await this.#chaos.push(items).catch(() => null);
      if (answer?.status === 200) {
        const { data } = pushAnswer.parse(await answer.json());
        assert.ok(data.every(({ status }) => status !== "rejected"));
        return;
      }
      await sleep(50);
    }
  }
}
