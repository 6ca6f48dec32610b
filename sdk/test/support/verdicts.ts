import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { verdict } from "@tapewire/contract/score.ts";
import type { Installation } from "../../../server/test/chaos/installation.ts";
import { until } from "../../../server/test/support/receiver.ts";

const artifact = {
  type: "research",
  title: "Orbitex Robotics (NASDAQ: AAPL) raises full-year guidance",
  body: "Revenue rose 12% to $84 million in Q1 2026. The company now expects revenue of $340 million for the year.",
  published_at: "2026-03-02T14:30:00.25Z",
};

/** Asks for the verdict of one text again and again: whoever gives it, it is the same. */
export class Verdicts implements AsyncDisposable {
  readonly #installation: Installation;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #count = 0;
  #first: object | null = null;
  #broken: unknown = null;

  constructor(installation: Installation) {
    this.#installation = installation;
    this.#running = this.#run().catch((error: unknown) => {
      this.#broken = error;
    });
  }

  /** Resolves when both processes with the role api have answered again. */
  async more(): Promise<void> {
    const before = this.#count;
    await until(() => this.#broken !== null || this.#count >= before + 2, "verdicts of pro", 60_000);
    if (this.#broken !== null) throw this.#broken;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    for (let n = 0; !signal.aborted; n++) {
      await this.#ask(n % 2 === 0 ? "api-1" : "api-2");
      await sleep(250, null, { signal }).catch(() => {});
    }
  }

  async #ask(name: "api-1" | "api-2"): Promise<void> {
    const { key } = this.#installation;
    const answer = await fetch(`${this.#installation.url(name)}/v1/score`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ artifact }),
      signal: AbortSignal.timeout(20_000),
    }).catch(() => null);
    const body: unknown = await answer?.json().catch(() => null);
    // A killed process and a database without sessions are no verdict.
    if (answer === null || answer.status >= 500 || body === null) return;
    assert.equal(answer.status, 200, JSON.stringify(body));
    const { created_at: _, timing_ms: __, usage: ___, ...rest } = verdict.parse(body);
    this.#first ??= rest;
    assert.deepEqual(rest, this.#first);
    this.#count += 1;
  }
}
