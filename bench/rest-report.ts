/** The output of bench/rest.ts. */
import type { LoadResult } from "./rest-load.ts";

export interface ShapeResult {
  readonly name: string;
  /** The first request of the shape. */
  readonly firstMs: number;
  /** Median over one connection. */
  readonly aloneMs: number;
  readonly loaded: LoadResult;
}

/** A bar of the design, and whether it is met. */
export interface Bar {
  readonly name: string;
  readonly value: number;
  readonly atMost?: number;
  readonly atLeast?: number;
  /** The same by processor time of the servers, which other load on the machine hardly changes. */
  readonly byCpu?: number;
}

function number(value: number, width: number): string {
  const digits = value < 1 ? 3 : value < 10 ? 2 : value < 100 ? 1 : 0;
  return value.toFixed(digits).padStart(width);
}

function columns({ firstMs, aloneMs, loaded }: ShapeResult): string {
  const { perSecond, p50Ms, p99Ms, cpuMsPerRequest } = loaded;
  return `${number(perSecond, 7)} ${number(p50Ms, 7)} ${number(p99Ms, 7)} ${number(cpuMsPerRequest, 7)} ${number(firstMs, 7)} ${number(aloneMs, 7)}`;
}

/** Times in ms; CPU is the server's, without its database's. */
export function shapeLines(warm: readonly ShapeResult[], cold: readonly ShapeResult[]): string[] {
  const heads = "  req/s     p50     p99     CPU   first   alone";
  const table = warm.map((row, index) => {
    const past = cold[index];
    return `${row.name.padEnd(27)} ${columns(row)}  | ${past === undefined ? "" : columns(past)}`;
  });
  return [
    `${"uncached pages, ms".padEnd(27)} warm   ${heads.slice(7)}  | cold   ${heads.slice(7)}`,
    ...table,
  ];
}

/** Two servers under the same load, in one run. */
export interface Duel {
  readonly ours: LoadResult;
  readonly theirs: LoadResult;
}

export function ratioOf({ ours, theirs }: Duel): number {
  return ours.perSecond / theirs.perSecond;
}

export function cpuRatioOf({ ours, theirs }: Duel): number {
  return theirs.cpuMsPerRequest / ours.cpuMsPerRequest;
}

export function duelLines(cached: Duel, uncached: { newest: Duel; bySource: Duel } | null): string[] {
  return [
    resultLine("node:http, newest 50, the same bytes", cached.theirs),
    resultLine("tapewire, newest 50, cached", cached.ours),
    ...(uncached === null
      ? ["PostGraphile could not be installed (bench/peers/postgraphile)"]
      : [
          resultLine("tapewire, newest 50, uncached", uncached.newest.ours),
          resultLine("PostGraphile, newest 50", uncached.newest.theirs),
          resultLine("tapewire, 50 of a source, uncached", uncached.bySource.ours),
          resultLine("PostGraphile, 50 of a source", uncached.bySource.theirs),
        ]),
  ];
}

function resultLine(name: string, result: LoadResult): string {
  const { perSecond, p50Ms, p99Ms, cpuMsPerRequest, bytesPerAnswer } = result;
  return `${name.padEnd(37)} ${number(perSecond, 6)} req/s  p50 ${number(p50Ms, 5)}  p99 ${number(p99Ms, 5)} ms  CPU ${number(cpuMsPerRequest, 5)} ms  ${Math.round(bytesPerAnswer)} bytes`;
}

export function barLines(bars: readonly Bar[]): string[] {
  return bars.map(({ name, value, atMost, atLeast, byCpu }) => {
    const held = (atMost === undefined || value <= atMost) && (atLeast === undefined || value >= atLeast);
    const bound = atMost === undefined ? `>= ${atLeast}` : `<= ${atMost}`;
    const beside = byCpu === undefined ? "" : `   (by processor time ${number(byCpu, 0)})`;
    return `${held ? "pass" : "FAIL"}  ${name.padEnd(36)} ${number(value, 8)}   ${bound}${beside}`;
  });
}
