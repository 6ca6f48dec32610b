import { readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { constants, monitorEventLoopDelay, PerformanceObserver } from "node:perf_hooks";
import type { Metrics } from "./metrics.ts";

/** How often the event loop is sampled; the delays that Node reports include this interval. */
const resolutionMs = 20;
const gcBuckets = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1];
const gcKinds = new Map([
  [constants.NODE_PERFORMANCE_GC_MAJOR, "major"],
  [constants.NODE_PERFORMANCE_GC_MINOR, "minor"],
  [constants.NODE_PERFORMANCE_GC_INCREMENTAL, "incremental"],
  [constants.NODE_PERFORMANCE_GC_WEAKCB, "weakcb"],
]);

/**
 * Metrics of the process, under the names that dashboards for Node know. Written here, because the library's defaults
 * cannot be stopped, count one garbage collection several times, and list every open socket four times per scrape.
 */
export function processMetrics(metrics: Metrics): Disposable {
  cpuMetrics(metrics);
  memoryMetrics(metrics);
  if (process.platform === "linux") fileMetrics(metrics);
  const stack = new DisposableStack();
  stack.use(eventLoopMetrics(metrics));
  stack.use(gcMetrics(metrics));
  return stack;
}

function cpuMetrics(metrics: Metrics): void {
  const cpu = metrics.shared(() => process.cpuUsage());
  const startedAtS = performance.timeOrigin / 1_000;
  metrics.counter(
    { name: "process_cpu_user_seconds_total", help: "Processor time in user mode, of all threads." },
    () => cpu().user / 1e6,
  );
  metrics.counter(
    { name: "process_cpu_system_seconds_total", help: "Processor time in the kernel, of all threads." },
    () => cpu().system / 1e6,
  );
  metrics.counter(
    { name: "process_cpu_seconds_total", help: "Processor time, of all threads." },
    () => (cpu().user + cpu().system) / 1e6,
  );
  metrics.gauge(
    { name: "process_start_time_seconds", help: "When the process started, since the epoch." },
    () => startedAtS,
  );
}

function memoryMetrics(metrics: Metrics): void {
  const memory = metrics.shared(() => process.memoryUsage());
  metrics.gauge(
    {
      name: "process_resident_memory_bytes",
      help: "Memory that the process occupies, worker threads included.",
    },
    () => memory().rss,
  );
  metrics.gauge(
    { name: "nodejs_heap_size_total_bytes", help: "JavaScript heap of the main thread." },
    () => memory().heapTotal,
  );
  metrics.gauge(
    { name: "nodejs_heap_size_used_bytes", help: "Part of the heap that is used, garbage included." },
    () => memory().heapUsed,
  );
  metrics.gauge(
    {
      name: "nodejs_external_memory_bytes",
      help: "Memory outside the heap that JavaScript holds: buffers and the like.",
    },
    () => memory().external,
  );
}

function fileMetrics(metrics: Metrics): void {
  const [, most] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
  metrics.gauge({ name: "process_open_fds", help: "Open files and sockets." }, async () => {
    // In a thread of libuv, since the list is long with many sockets. The list includes its own descriptor.
    return (await readdir("/proc/self/fd")).length - 1;
  });
  if (most !== undefined)
    metrics.gauge({ name: "process_max_fds", help: "Limit on open files and sockets." }, () => Number(most));
}

function eventLoopMetrics(metrics: Metrics): Disposable {
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolutionMs / 1e3);
  const lags = metrics.shared(() => {
    const { mean, max } = delays;
    const read = { mean, p50: delays.percentile(50), p99: delays.percentile(99), max };
    delays.reset();
    return read;
  });
  for (const [what, name] of [
    ["mean", "nodejs_eventloop_lag_mean_seconds"],
    ["p50", "nodejs_eventloop_lag_p50_seconds"],
    ["p99", "nodejs_eventloop_lag_p99_seconds"],
    ["max", "nodejs_eventloop_lag_max_seconds"],
  ] as const) {
    const help = `How late the event loop came to what was due, since the scrape before: ${what}.`;
    // Right after a scrape there are no samples yet.
    metrics.gauge({ name, help }, () => seconds(Number.isFinite(lags()[what]) ? lags()[what] : 0));
  }
  return { [Symbol.dispose]: () => void delays.disable() };
}

function gcMetrics(metrics: Metrics): Disposable {
  const name = "nodejs_gc_duration_seconds";
  const help = "Collections of garbage in the main thread, by kind.";
  const child = metrics.histogram({ name, help, labels: ["kind"], buckets: gcBuckets });
  const kinds = new Map([...gcKinds].map(([code, kind]) => [code, child({ kind })]));
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) kinds.get(kindOf(entry))?.(entry.duration / 1_000);
  });
  observer.observe({ entryTypes: ["gc"] });
  return { [Symbol.dispose]: () => observer.disconnect() };
}

function kindOf(entry: object): number {
  const detail = "detail" in entry ? entry.detail : null;
  return typeof detail === "object" && detail !== null && "kind" in detail ? Number(detail.kind) : 0;
}
