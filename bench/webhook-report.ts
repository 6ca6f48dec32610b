/** The output of bench/webhooks.ts. */
import { loadavg } from "node:os";
import type { EngineName } from "../server/test/support/db.ts";
import type { LatencyResult, RateResult } from "./webhook-measure.ts";

/** For one number of endpoints: the service, then undici alone. */
export interface Round {
  readonly ours: RateResult;
  readonly raw: RateResult;
}

export interface DeadResult {
  readonly rate: RateResult;
  readonly before: LatencyResult;
  readonly after: LatencyResult;
}

export interface Measured {
  readonly engine: EngineName;
  readonly rounds: ReadonlyMap<number, readonly Round[]>;
  /** null: not measured. */
  readonly dead: DeadResult | null;
}

/** A bar of the design, and whether it is met. */
export interface Bar {
  readonly name: string;
  readonly value: number;
  readonly atMost?: number;
  readonly atLeast?: number;
  readonly note: string;
}

const megabyte = 2 ** 20;
/** Cores used by other processes, above which a rate is unreliable. */
const quietCores = 0.3;

/**
 * CPU: microseconds of the sender per delivery; cores: sender/receivers/everything else. ~: other processes took so much
 * that the rate is unreliable; use the CPU.
 */
export const rateHead =
  "engine     endpoints  sender                     k/s     CPU us   cores           RSS MB   load";

export function rateLine(engine: string, endpoints: number, sender: string, rate: RateResult): string {
  const { perSecond, cpuUs, senderCores, sinkCores, otherCores, rssBytes } = rate;
  const cores = [senderCores, sinkCores, otherCores].map((value) => value.toFixed(2)).join("/");
  return [
    engine.padEnd(10),
    endpoints.toLocaleString("en").padStart(9),
    "",
    sender.padEnd(23),
    `${(perSecond / 1000).toFixed(2).padStart(6)}${otherCores > quietCores ? "~" : " "}`,
    cpuUs.toFixed(1).padStart(9),
    " ",
    cores.padEnd(15),
    (rssBytes / megabyte).toFixed(0).padStart(6),
    (loadavg()[0] ?? 0).toFixed(1).padStart(6),
  ].join(" ");
}

export function latencyLine(name: string, { p50Ms, p99Ms, sendP99Ms, deliveries }: LatencyResult): string {
  return `${name.padEnd(48)} p50 ${p50Ms.toFixed(1)}  p99 ${p99Ms.toFixed(1)} ms, of it sending p99 ${sendP99Ms.toFixed(0)} ms  (${deliveries} deliveries)`;
}

/** Load by other processes. */
const disturbance = ({ ours, raw }: Round) => ours.otherCores + raw.otherCores;

/** The value with the least measure. @throws when there is none */
function least<T>(values: readonly T[], of: (value: T) => number): T {
  return ranked(values, of, 0);
}

/** @throws when there is none */
export function median<T>(values: readonly T[], of: (value: T) => number): T {
  return ranked(values, of, Math.floor(values.length / 2));
}

function ranked<T>(values: readonly T[], of: (value: T) => number, rank: number): T {
  const found = values.toSorted((a, b) => of(a) - of(b))[rank];
  if (found === undefined) throw new Error("nothing was measured");
  return found;
}

/** Uses the round with the least load by other processes. */
export function barsOf({ rounds, dead }: Measured, size: number): Bar[] {
  const ratio = ({ ours, raw }: Round) => ours.perSecond / raw.perSecond;
  const round = least(rounds.get(size) ?? [], disturbance);
  const bars: Bar[] = [
    {
      name: `deliveries/s at ${size}, of undici's alone`,
      value: ratio(round),
      atLeast: 0.6,
      note: `for a second of CPU ${(round.raw.cpuUs / round.ours.cpuUs).toFixed(2)}`,
    },
  ];
  if (dead === null) return bars;
  const healthy = round.ours;
  const { rate, before, after } = dead;
  bars.push(
    {
      name: "with 2 % dead, of the healthy figure",
      value: rate.perSecond / healthy.perSecond,
      atLeast: 0.6,
      note: `for a second of CPU ${(healthy.cpuUs / rate.cpuUs).toFixed(2)}`,
    },
    {
      name: "p99 of the healthy with 2 % dead, times",
      value: after.p99Ms / before.p99Ms,
      atMost: 2,
      note: `${before.p99Ms.toFixed(1)} -> ${after.p99Ms.toFixed(1)} ms`,
    },
  );
  return bars;
}

export function barLines(engine: string, bars: readonly Bar[]): string[] {
  return bars.map(({ name, value, atMost, atLeast, note }) => {
    const held = (atMost === undefined || value <= atMost) && (atLeast === undefined || value >= atLeast);
    const bound = atMost === undefined ? `>= ${atLeast}` : `<= ${atMost}`;
    return `${held ? "pass" : "FAIL"}  ${engine.padEnd(9)} ${name.padEnd(42)} ${value.toFixed(2).padStart(6)}   ${bound}   ${note}`;
  });
}
