/** Measures a sender by the deliveries that arrive. */
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { systemClock } from "../server/src/runtime/clock.ts";
import { cpuMsOf, rssBytesOf } from "./server-process.ts";
import { encodedAtMs, pushedNumber } from "./webhook-items.ts";
import type { Service } from "./webhook-service.ts";
import type { Sink } from "./webhook-sink.ts";

export interface RateResult {
  readonly perSecond: number;
  /** Processor time of the sender, all threads, including the embedded database but not PostgreSQL. */
  readonly cpuUs: number;
  /** Cores in use: by the sender, by the receivers, by everything else, PostgreSQL included. */
  readonly senderCores: number;
  readonly sinkCores: number;
  readonly otherCores: number;
  readonly rssBytes: number;
}

export interface LatencyResult {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** From the encoding of the item for its first delivery: the time of sending alone. */
  readonly sendP99Ms: number;
  readonly deliveries: number;
}

/** Skips the start, in which connections are opened, and the end, in which less is in flight. */
const from = 0.25;
const to = 0.95;
const stuckMs = 60_000;

/** Waits, up to a limit, for a second in which other processes use little of the machine. */
export async function quietMoment(atMostS: number, quietCores: number): Promise<void> {
  for (let waited = 0; waited < atMostS; waited++) {
    const before = { atMs: performance.now(), busyMs: busyMs() };
    await pause(1_000);
    if ((busyMs() - before.busyMs) / (performance.now() - before.atMs) < quietCores) return;
  }
}

/** The rate at which `expected` deliveries arrive. @throws when they do not, or when a receipt is wrong */
export async function rateOf(sink: Sink, expected: number, pid: number): Promise<RateResult> {
  await soon(sink.reached(Math.floor(expected * from)), sink, expected);
  const before = reading(sink, pid);
  await soon(sink.reached(Math.floor(expected * to)), sink, expected);
  const after = reading(sink, pid);
  const elapsedMs = after.atMs - before.atMs;
  const count = after.receipts - before.receipts;
  const senderMs = after.senderMs - before.senderMs;
  const sinkMs = after.sinkMs - before.sinkMs;
  return {
    perSecond: (count / elapsedMs) * 1000,
    cpuUs: (senderMs * 1000) / count,
    senderCores: senderMs / elapsedMs,
    sinkCores: sinkMs / elapsedMs,
    otherCores: (after.allMs - before.allMs - senderMs - sinkMs) / elapsedMs,
    rssBytes: rssBytesOf(pid),
  };
}

/** Waits until all expected deliveries have arrived once. @throws when they do not */
export async function allArrived(sink: Sink, expected: number): Promise<void> {
  await soon(sink.reached(expected), sink, expected);
  if (sink.repeats > 0 || sink.receipts > expected)
    throw new Error(`${sink.receipts} deliveries instead of ${expected}, ${sink.repeats} of them repeated`);
  if (sink.forged > 0 || sink.verified === 0)
    throw new Error(`${sink.forged} of ${sink.verified} signatures are wrong`);
}

async function soon(arrived: Promise<void>, sink: Sink, expected: number): Promise<void> {
  const { promise: stuck, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new Error(`${sink.receipts} of ${expected} deliveries after ${stuckMs / 1000} s`)),
    stuckMs,
  );
  await Promise.race([arrived, stuck]).finally(() => clearTimeout(timer));
}

/** From a push to its receipts, at a fixed rate, one item per push. `isHealthy`: whose receipts count. */
export async function latencyOf(
  { sink, service }: { sink: Sink; service: Service },
  {
    itemsPerSecond,
    ms,
    isHealthy,
  }: { itemsPerSecond: number; ms: number; isHealthy: (endpoint: number) => boolean },
): Promise<LatencyResult> {
  const times: number[] = [];
  const sendTimes: number[] = [];
  const pushedAt = new Map<number, number>();
  sink.watch((endpoint, body) => {
    const at = pushedAt.get(pushedNumber(body));
    if (at === undefined || !isHealthy(endpoint)) return;
    times.push(performance.now() - at);
    sendTimes.push(systemClock.now().getTime() - encodedAtMs(body));
  });
  const began = performance.now();
  const pushes: Promise<void>[] = [];
  for (let sent = 0; performance.now() - began < ms; sent++) {
    const dueMs = began + (sent * 1_000) / itemsPerSecond - performance.now();
    if (dueMs > 0) await pause(dueMs);
    pushes.push(service.push(1, (n) => void pushedAt.set(n, performance.now())));
  }
  await Promise.all(pushes);
  await pause(2_000);
  sink.watch(null);
  const [p50Ms, p99Ms, sendP99Ms] = [shareOf(times, 0.5), shareOf(times, 0.99), shareOf(sendTimes, 0.99)];
  return { p50Ms, p99Ms, sendP99Ms, deliveries: times.length };
}

function shareOf(times: readonly number[], share: number): number {
  return Float64Array.from(times).sort()[Math.floor(times.length * share)] ?? Number.NaN;
}

function reading(sink: Sink, pid: number) {
  const { user, system } = process.cpuUsage();
  return {
    atMs: performance.now(),
    receipts: sink.receipts,
    senderMs: cpuMsOf(pid),
    sinkMs: (user + system) / 1000,
    allMs: busyMs(),
  };
}

/** Processor time of the whole machine that was not idle: user, nice, system, irq, softirq of proc_stat(5). */
function busyMs(): number {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] =
    readFileSync("/proc/stat", "latin1").slice(5).split("\n", 1)[0]?.split(" ").map(Number) ?? [];
  return (user + nice + system + irq + softirq) * 10;
}
