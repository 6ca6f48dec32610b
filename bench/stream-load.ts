/** The subscribers of one server, and its load: as much as it can take, or a fixed rate. */
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { type Subscriber, subscribeAll } from "./loadgen.ts";
import { cpuMsOf, rssBytesOf } from "./server-process.ts";
import type { Contender } from "./stream-servers.ts";

export interface LoadResult {
  readonly deliveriesPerSecond: number;
  readonly itemsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor seconds of the server per million deliveries. */
  readonly cpuSecondsPerMillion: number;
  /** Items a subscriber gets in one read. */
  readonly batch: number;
  /** Cores in use: by the server, by the subscribers, by everything else. */
  readonly serverCores: number;
  readonly clientCores: number;
  readonly otherCores: number;
  readonly rssBytes: number;
}

/** Most items in flight. */
const tracked = 2 ** 16;
/** One subscriber in so many measures latencies. */
const sampleEvery = 5;
const settleMs = 5_000;

export class Audience implements Disposable {
  readonly #server: Contender;
  readonly size: number;
  #subscribers: readonly Subscriber[] = [];
  /** For an item in flight: when it was published, and how many subscribers have it. */
  readonly #publishedAt = new Float64Array(tracked);
  readonly #receipts = new Int32Array(tracked);
  #published = 0;
  #complete = 0;
  #deliveries = 0;
  #reads = 0;
  #times: number[] | null = null;
  #onComplete: (items: number) => void = () => {};
  /** Subscribers with a lower index do not read. */
  #stalled = 0;

  private constructor(server: Contender, size: number) {
    this.#server = server;
    this.size = size;
  }

  static async join(server: Contender, size: number): Promise<Audience> {
    const audience = new Audience(server, size);
    audience.#subscribers = await subscribeAll(
      server.protocol,
      size,
      (n) => (from, to) => audience.#receive(n, from, to),
    );
    return audience;
  }

  [Symbol.dispose](): void {
    for (const subscriber of this.#subscribers) subscriber.end();
  }

  /** A window of items in flight, refilled when items have reached all subscribers. */
  async closedLoop(window: number, times: { warmUpMs: number; measuredMs: number }): Promise<LoadResult> {
    this.#onComplete = (items) => this.#publish(items);
    this.#publish(window);
    await pause(times.warmUpMs);
    const result = await this.#measure(times.measuredMs);
    this.#onComplete = () => {};
    await this.settled();
    return result;
  }

  /** A fixed rate of items, evenly spaced, however fast they arrive. */
  async steady(itemsPerSecond: number, times: { warmUpMs: number; measuredMs: number }): Promise<LoadResult> {
    const began = performance.now();
    let sent = 0;
    const timer = setInterval(() => {
      const due = Math.floor(((performance.now() - began) / 1000) * itemsPerSecond) - sent;
      const room = tracked - (this.#published - this.#complete);
      if (due <= 0 || room < due) return;
      sent += due;
      this.#publish(due);
    }, 1);
    await pause(times.warmUpMs);
    const result = await this.#measure(times.measuredMs);
    clearInterval(timer);
    await this.settled();
    return result;
  }

  /** @throws when items are missing */
  async settled(): Promise<void> {
    const deadline = performance.now() + settleMs;
    while (this.#complete < this.#published && performance.now() < deadline) await pause(10);
    const missing = this.#published - this.#complete;
    if (missing > 0) throw new Error(`${this.#server.name}: ${missing} items did not reach everybody`);
  }

  /** From now on the first `count` subscribers read nothing, and are not waited for. */
  stall(count: number): void {
    this.#stalled = count;
    for (const subscriber of this.#subscribers.slice(0, count)) subscriber.pause();
  }

  async publishAtOnce(items: number, chunk: number): Promise<void> {
    for (let sent = 0; sent < items; sent += chunk) {
      this.#publish(chunk);
      await this.settled();
    }
  }

  #publish(items: number): void {
    const now = performance.now();
    for (let n = 0; n < items; n++) this.#publishedAt[this.#published++ % tracked] = now;
    this.#server.publish(items);
  }

  #receive(n: number, from: number, to: number): void {
    if (n < this.#stalled) return;
    this.#deliveries += to - from;
    this.#reads += 1;
    if (this.#times !== null && n % sampleEvery === 0) {
      const now = performance.now();
      for (let item = from; item < to; item++)
        this.#times.push(now - (this.#publishedAt[item % tracked] ?? Number.NaN));
    }
    const wanted = this.size - this.#stalled;
    let completed = 0;
    for (let item = from; item < to; item++) {
      const receipts = (this.#receipts[item % tracked] ?? 0) + 1;
      this.#receipts[item % tracked] = receipts === wanted ? 0 : receipts;
      if (receipts === wanted) completed += 1;
    }
    if (completed === 0) return;
    this.#complete += completed;
    this.#onComplete(completed);
  }

  async #measure(ms: number): Promise<LoadResult> {
    const times: number[] = [];
    this.#times = times;
    const before = this.#reading();
    await pause(ms);
    const after = this.#reading();
    this.#times = null;
    const sorted = Float64Array.from(times).sort();
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
    const elapsedMs = after.atMs - before.atMs;
    const deliveries = after.deliveries - before.deliveries;
    const serverMs = after.serverMs - before.serverMs;
    const clientMs = after.clientMs - before.clientMs;
    return {
      deliveriesPerSecond: (deliveries / elapsedMs) * 1000,
      itemsPerSecond: ((deliveries / elapsedMs) * 1000) / (this.size - this.#stalled),
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      cpuSecondsPerMillion: (serverMs * 1000) / deliveries,
      batch: deliveries / (after.reads - before.reads),
      serverCores: serverMs / elapsedMs,
      clientCores: clientMs / elapsedMs,
      otherCores: (after.allMs - before.allMs - serverMs - clientMs) / elapsedMs,
      rssBytes: rssBytesOf(this.#server.pid),
    };
  }

  #reading() {
    const { user, system } = process.cpuUsage();
    return {
      atMs: performance.now(),
      deliveries: this.#deliveries,
      reads: this.#reads,
      serverMs: cpuMsOf(this.#server.pid),
      clientMs: (user + system) / 1000,
      allMs: busyMs(),
    };
  }
}

/** Processor time of the whole machine that was not idle: user, nice, system, irq, softirq of proc_stat(5). */
function busyMs(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] =
    readFileSync("/proc/stat", "latin1").slice(5).split("\n", 1)[0]?.split(" ").map(Number) ?? [];
  return (user + nice + system + irq + softirq) * 10;
}
