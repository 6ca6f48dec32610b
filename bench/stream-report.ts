/** The output of bench/stream.ts. */
import type { LoadResult } from "./stream-load.ts";
import type { ContenderName } from "./stream-servers.ts";

export interface SizeResult {
  readonly saturated: LoadResult;
  /** At half the rate of saturation. */
  readonly half: LoadResult;
  /** At 20 items/s, one write per item. */
  readonly slow: LoadResult;
}

export interface ContenderResult extends SizeResult {
  readonly name: ContenderName;
  readonly size: number;
}

export interface StallResult {
  readonly before: LoadResult;
  readonly loaded: LoadResult;
  readonly rssBefore: number;
  readonly rssMost: number;
}

/** The measurements behind the bars. */
export interface Measured {
  /** Of any number of rounds, at one size. */
  readonly results: readonly ContenderResult[];
  /** null, here and below: not measured. */
  readonly idleBytes: number | null;
  readonly stall: StallResult | null;
}

/** A bar of the design, and whether it is met. */
export interface Bar {
  readonly name: string;
  /** null: the server to compare with is not installed. */
  readonly value: number | null;
  readonly atMost?: number;
  readonly atLeast?: number;
  readonly note?: string;
}

const megabyte = 2 ** 20;
const kilobyte = 1_024;
/** Cores used by other processes, above which a rate is unreliable. */
const quietCores = 0.2;

function number(value: number, width: number): string {
  const digits = value < 1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0;
  return value.toFixed(digits).padStart(width);
}

/**
 * CPU: seconds of the server per million deliveries; batch: items per read; cores: server/subscribers/everything else, at
 * saturation. ~: other processes took so much that the rate is unreliable; use the CPU.
 */
export const sizeLines = [
  "                      saturated: closed loop                       half of it             20 items/s             RSS",
  "server      number   k/s      CPU  batch  cores              p50    p99    CPU      p50    p99    CPU         MB",
];

export function sizeLine(name: string, size: number, result: SizeResult): string {
  const { saturated, half, slow } = result;
  const { serverCores, clientCores, otherCores } = saturated;
  const cores = [serverCores, clientCores, otherCores].map((cores) => cores.toFixed(2)).join("/");
  const times = ({ p50Ms, p99Ms, cpuSecondsPerMillion }: LoadResult) =>
    `${number(p50Ms, 6)} ${number(p99Ms, 6)} ${number(cpuSecondsPerMillion, 6)}`;
  return [
    name.padEnd(10),
    size.toLocaleString("en").padStart(7),
    `${number(saturated.deliveriesPerSecond / 1000, 6)}${otherCores > quietCores ? "~" : " "}`,
    number(saturated.cpuSecondsPerMillion, 6),
    number(saturated.batch, 6),
    cores.padEnd(15),
    times(half),
    "  ",
    times(slow),
    "  ",
    number(saturated.rssBytes / megabyte, 6),
  ].join(" ");
}

export function idleLine(idle: ReadonlyMap<ContenderName, number>): string {
  const each = [...idle].map(([name, bytes]) => `${name} ${(bytes / kilobyte).toFixed(1)}`);
  return `idle connection, KB: ${each.join(", ")}`;
}

export function stallLine({ before, loaded, rssBefore, rssMost }: StallResult): string {
  const rss = (bytes: number) => (bytes / megabyte).toFixed(0);
  return [
    "50 of 200 clients stop reading, 600 items/s:",
    `RSS ${rss(rssBefore)} -> ${rss(rssMost)} MB;`,
    `the others p50 ${before.p50Ms.toFixed(1)} -> ${loaded.p50Ms.toFixed(1)},`,
    `p99 ${before.p99Ms.toFixed(1)} -> ${loaded.p99Ms.toFixed(1)} ms`,
  ].join(" ");
}

export function barsOf({ results, idleBytes, stall }: Measured): Bar[] {
  const median = (name: ContenderName, of: (result: SizeResult) => number) => {
    const values = results.filter((result) => result.name === name).map(of);
    return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? null;
  };
  const times = (name: ContenderName, of: (result: SizeResult) => number) => {
    const [ours, theirs] = [median("tapewire", of), median(name, of)];
    return ours === null || theirs === null ? null : ours / theirs;
  };
  const against = (name: ContenderName, bar: string, atLeast: number): Bar => {
    const byCpu = times(name, ({ saturated }) => 1 / saturated.cpuSecondsPerMillion);
    return {
      name: bar,
      value: times(name, ({ saturated }) => saturated.deliveriesPerSecond),
      atLeast,
      ...(byCpu === null ? {} : { note: `for a second of CPU ${byCpu.toFixed(2)}` }),
    };
  };
  return [
    against("ws-shared", "deliveries/s, times those of ws-shared", 5),
    against("nchan", "deliveries/s, times those of nchan", 2.5),
    against("nats", "deliveries/s, times those of NATS", 2.5),
    against("pull", "deliveries/s, of the bare pull server's", 0.7),
    {
      name: "CPU a delivery at 20 items/s, of ws-shared's",
      value: times("ws-shared", ({ slow }) => slow.cpuSecondsPerMillion),
      atMost: 1.2,
    },
    {
      name: "idle connection, KB",
      value: idleBytes === null ? null : idleBytes / kilobyte,
      atMost: 25,
    },
    {
      name: "growth with 50 of 200 clients stalled, MB",
      value: stall === null ? null : (stall.rssMost - stall.rssBefore) / megabyte,
      atMost: 60,
    },
    { name: "p99 of the others, ms", value: stall === null ? null : stall.loaded.p99Ms, atMost: 15 },
  ];
}

export function barLines(bars: readonly Bar[]): string[] {
  return bars.map(({ name, value, atMost, atLeast, note = "" }) => {
    const bound = atMost === undefined ? `>= ${atLeast}` : `<= ${atMost}`;
    if (value === null) return `----  ${name.padEnd(46)} not measured   ${bound}`;
    const held = (atMost === undefined || value <= atMost) && (atLeast === undefined || value >= atLeast);
    return `${held ? "pass" : "FAIL"}  ${name.padEnd(46)} ${number(value, 8)}   ${bound.padEnd(8)} ${note}`.trimEnd();
  });
}
