/** When each item passed which stage, and what that says. */
import { request } from "undici";
import { adminToken, percentiles, wallMs } from "./pushes.ts";
import type { Running } from "./server-process.ts";

export class Stages {
  readonly pushed: number[] = [];
  readonly onBus: number[] = [];
  readonly answered: number[] = [];
  /** Of each item the times at the streams that are read. */
  readonly receipts: number[][] = [];

  note(stage: "onBus" | "answered", n: number, at = wallMs()): void {
    this[stage][n] = at;
  }

  received(n: number, at: number): void {
    const times = this.receipts[n] ?? [];
    times.push(at);
    this.receipts[n] = times;
  }
}

interface Spans {
  readonly toBus: number;
  readonly toAnswer: number;
  readonly fromBus: number;
  readonly whole: number;
  readonly n: number;
}

const ms = (value: number) => (Number.isNaN(value) ? "-" : value.toFixed(1)).padStart(9);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** @param first the first item that counts */
export function summary(
  { pushed, onBus, answered, receipts }: Stages,
  first: number,
): {
  readonly lines: readonly string[];
  readonly p50: number;
  readonly p99: number;
} {
  const spans = receipts.flatMap((times, n): Spans[] => {
    const from = pushed[n] ?? Number.NaN;
    const bus = onBus[n] ?? Number.NaN;
    return n < first
      ? []
      : times.map((at) => ({
          n,
          toBus: bus - from,
          toAnswer: (answered[n] ?? Number.NaN) - from,
          fromBus: at - bus,
          whole: at - from,
        }));
  });
  const { p50, p99 } = percentiles(spans.map(({ whole }) => whole));
  const slowest = spans.filter(({ whole }) => whole >= p99);
  const row = (name: string, of: "toBus" | "toAnswer" | "fromBus" | "whole") => {
    const all = percentiles(spans.map((span) => span[of]));
    return `${name.padEnd(22)} ${ms(all.p50)} ${ms(all.p99)} ${ms(mean(slowest.map((span) => span[of])))}`;
  };
  const lines = [
    `${"ms".padEnd(22)} ${"p50".padStart(9)} ${"p99".padStart(9)}   in the slowest hundredth, mean`,
    row("push to bus", "toBus"),
    row("push to its answer", "toAnswer"),
    row("bus to receipt", "fromBus"),
    row("push to receipt", "whole"),
    `the slowest hundredth are ${new Set(slowest.map(({ n }) => n)).size} items of ${new Set(spans.map(({ n }) => n)).size}`,
  ];
  return { lines, p50, p99 };
}

/** Collections of garbage in a process so far, by its metrics: the major ones by the longest time that each may have taken. */
export interface Garbage {
  readonly minor: number;
  /** Of the major ones those that took at most so many ms. */
  readonly majorWithin: ReadonlyMap<number, number>;
}

export async function garbage({ said }: Running): Promise<Garbage> {
  const { body } = await request(`${said}/metrics`, { headers: { authorization: `Bearer ${adminToken}` } });
  const text = await body.text();
  const lines = text.matchAll(/^nodejs_gc_duration_seconds_(bucket|count)\{([^}]*)\} (\S+)$/gm);
  let minor = 0;
  const majorWithin = new Map<number, number>();
  for (const [, what, labels = "", value] of lines) {
    if (what === "count" && labels.includes('kind="minor"')) minor = Number(value);
    const within = /le="([^"]+)"/.exec(labels)?.[1];
    if (what === "bucket" && labels.includes('kind="major"') && within !== undefined)
      majorWithin.set(within === "+Inf" ? Number.POSITIVE_INFINITY : Number(within) * 1_000, Number(value));
  }
  return { minor, majorWithin };
}

/** A line on what a process collected between two looks. */
export function garbageLine(name: string, before: Garbage | undefined, now: Garbage): string {
  const since = [...now.majorWithin].map(
    ([withinMs, count]) => [withinMs, count - (before?.majorWithin.get(withinMs) ?? 0)] as const,
  );
  const major = Math.max(0, ...since.map(([, count]) => count));
  const longest = major === 0 ? 0 : (since.find(([, count]) => count === major)?.[0] ?? Number.NaN);
  const minor = now.minor - (before?.minor ?? 0);
  return `${name.padEnd(22)} ${String(major).padStart(13)} ${longest.toFixed(0).padStart(20)} ${String(minor).padStart(14)}`;
}
