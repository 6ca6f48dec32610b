import assert from "node:assert/strict";
import { createInterface } from "node:readline";
import { filterOfSubscription, type SubscriptionFilters } from "@tapewire/contract/filter.ts";
import { matches } from "../../../../server/src/feed/filter.ts";
import type { LogItem } from "../../../../server/src/feed/item.ts";
import { startPython } from "./python.ts";

/** A Python process that follows a stream, and what it wrote. */
export class Follower implements AsyncDisposable {
  readonly got: string[] = [];
  /** Connections that were lost. */
  losses = 0;
  isLive = false;
  /** What is neither an item nor a state: gaps. */
  readonly others: string[] = [];
  readonly #filters: SubscriptionFilters;
  readonly #python: ReturnType<typeof startPython>;

  constructor(
    filters: SubscriptionFilters,
    { env, pauseS = 0 }: { env: Readonly<Record<string, string>>; pauseS?: number },
  ) {
    this.#filters = filters;
    this.#python = startPython(["-m", "tests.follow", JSON.stringify(filters), String(pauseS)], env);
    createInterface(this.#python.stdout).on("line", (line) => this.#take(line));
  }

  /** It has everything that the log holds for its filters behind a position. */
  hasAll(entries: readonly LogItem[], begin: number): boolean {
    return this.got.length >= this.#owed(entries, begin).length;
  }

  /** Each version once and in order, and no gap. */
  check(entries: readonly LogItem[], begin: number): void {
    assert.deepEqual(this.got, this.#owed(entries, begin), this.#python.told());
    assert.equal(new Set(this.got).size, this.got.length);
    assert.deepEqual(this.others, []);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#python[Symbol.asyncDispose]();
  }

  #owed(entries: readonly LogItem[], begin: number): string[] {
    const filter = filterOfSubscription(this.#filters);
    return entries
      .filter(({ seq, item }) => seq > begin && matches(item, filter))
      .map(({ seq, item }) => `${seq} ${item.id} ${item.revision}`);
  }

  #take(line: string): void {
    if (/^\d/.test(line)) this.got.push(line);
    else if (line === "live") this.isLive = true;
    else if (line === "waiting") {
      this.isLive = false;
      this.losses += 1;
    } else if (line !== "connecting") this.others.push(line);
  }
}
