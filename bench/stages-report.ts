/** When each item passed which stage, and what that says. */
import { request } from "undici";
import { adminToken, percentiles } from "./pushes.ts";
import type { Running } from "./server-process.ts";

/** Times of an item before it is read, in order. Those of the frames (received, scored, encoded) are in whole ms. */
const steps = ["pushed", "received", "scored", "onBus", "encoded"] as const;
type Step = (typeof steps)[number];

export class Stages {
  readonly pushed: number[] = [];
  readonly #times: Record<Exclude<Step, "pushed">, number[]> = {
    ...{ received: [], scored: [] },
    ...{ onBus: [], encoded: [] },
  };
  /** Of each item the times at the streams that are read. */
  readonly #receipts: number[][] = [];

  note(step: Exclude<Step, "pushed">, n: number, at: number): void {
    this.#times[step][n] = at;
  }

  receipt(n: number, at: number): void {
    const times = this.#receipts[n] ?? [];
    times.push(at);
    this.#receipts[n] = times;
  }

  /** Of each receipt from the item `first` on the time of each step, its own at last. */
  receiptsFrom(first: number): readonly { readonly n: number; readonly times: readonly number[] }[] {
    const all = { ...this.#times, pushed: this.pushed };
    return this.#receipts.flatMap((receipts, n) => {
      const before = steps.map((step) => all[step][n] ?? Number.NaN);
      return n < first ? [] : receipts.map((at) => ({ n, times: [...before, at] }));
    });
  }
}

const ms = (value: number) => (Number.isNaN(value) ? "-" : value.toFixed(1)).padStart(9);
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Names and the steps from which to which they go. */
const spans = [
  ["push to its request", 0, 1],
  ["scoring", 1, 2],
  ["commit, to the bus", 2, 3],
  ["bus to its gateway", 3, 4],
  ["scored to its gateway", 2, 4],
  ["gateway to receipt", 4, 5],
  ["push to receipt", 0, 5],
] as const;

/** @param first the first item that counts */
export function summary(
  stages: Stages,
  first: number,
): { readonly lines: readonly string[]; readonly p50: number; readonly p99: number } {
  const receipts = stages.receiptsFrom(first);
  const spanOf = (times: readonly number[], from: number, to: number) =>
    (times[to] ?? Number.NaN) - (times[from] ?? Number.NaN);
  const whole = percentiles(receipts.map(({ times }) => spanOf(times, 0, 5)));
  const slowest = receipts.filter(({ times }) => spanOf(times, 0, 5) >= whole.p99);
  const rows = spans.map(([name, from, to]) => {
    const all = percentiles(receipts.map(({ times }) => spanOf(times, from, to)));
    const slow = mean(slowest.map(({ times }) => spanOf(times, from, to)));
    return `${name.padEnd(22)} ${ms(all.p50)} ${ms(all.p99)} ${ms(slow)}`;
  });
  const countOf = (of: typeof receipts) => new Set(of.map(({ n }) => n)).size;
  const lines = [
    `${"ms".padEnd(22)} ${"p50".padStart(9)} ${"p99".padStart(9)}   in the slowest hundredth, mean`,
    ...rows,
    `the slowest hundredth are ${countOf(slowest)} items of ${countOf(receipts)}`,
  ];
  return { lines, ...whole };
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
