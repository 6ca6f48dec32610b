import { monitorEventLoopDelay } from "node:perf_hooks";

const resolutionMs = 20;

/** What the process used since `begin`. */
export class ProcessUsage implements Disposable {
  readonly #delays = monitorEventLoopDelay({ resolution: resolutionMs });
  #cpu = process.cpuUsage();
  #beganAtMs = performance.now();

  constructor() {
    this.#delays.enable();
  }

  /** Begins anew. */
  begin(): void {
    this.#delays.reset();
    this.#cpu = process.cpuUsage();
    this.#beganAtMs = performance.now();
  }

  /** cpu: processor time per time, of all threads. Event loop: how late it came to what was due, 99th percentile. */
  read(): { readonly cpu: number; readonly rssBytes: number; readonly eventLoopP99Ms: number } {
    const { user, system } = process.cpuUsage(this.#cpu);
    const elapsedMs = Math.max(1, performance.now() - this.#beganAtMs);
    const p99Ms = this.#delays.percentile(99) / 1e6 - resolutionMs;
    return {
      cpu: (user + system) / 1_000 / elapsedMs,
      rssBytes: process.memoryUsage.rss(),
      eventLoopP99Ms: Number.isFinite(p99Ms) ? Math.max(0, p99Ms) : 0,
    };
  }

  [Symbol.dispose](): void {
    this.#delays.disable();
  }
}
