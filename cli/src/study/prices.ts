/** Reads a file of prices: CSV with the columns time, symbol and price. */
import { createReadStream } from "node:fs";
import { pipeline } from "node:stream";
import { type Parser, parse } from "csv-parse";
import { CliError } from "../errors.ts";

/** The prices of one symbol, oldest first. */
export interface Series {
  readonly symbol: string;
  /** Unix time (ms) at which each price was known. Rising. */
  readonly times: Float64Array;
  readonly prices: Float64Array;
}

export interface Prices {
  readonly rows: number;
  /** Unix time (ms) of the last price of any symbol. */
  readonly lastMs: number;
  readonly symbols: readonly string[];
  /** By EXCHANGE:TICKER, or by the ticker where the file names no exchange. */
  readonly find: (symbol: string) => Series | null;
}

const columns = {
  time: ["time", "date", "timestamp"],
  symbol: ["symbol", "ticker"],
  price: ["price", "close"],
};
const mostRecordBytes = 64 * 1024;

/**
 * @param timeOf Unix time in milliseconds, or null for what is no time
 * @throws {CliError} with file and line, for what is no price file
 */
export async function readPrices(path: string, timeOf: (text: string) => number | null): Promise<Prices> {
  const parser = parse({
    bom: true,
    trim: true,
    max_record_size: mostRecordBytes,
    skip_empty_lines: true,
    info: true,
  });
  const input = createReadStream(path);
  pipeline(input, parser, () => {});
  try {
    return await collected(parser, { path, timeOf });
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(`${path}: ${error instanceof Error ? error.message : error}`);
  } finally {
    input.destroy();
  }
}

interface Reading {
  readonly path: string;
  readonly timeOf: (text: string) => number | null;
}

async function collected(parser: Parser, { path, timeOf }: Reading): Promise<Prices> {
  const growing = new Map<string, { times: number[]; prices: number[] }>();
  let places: Places | null = null;
  let rows = 0;
  for await (const { record, info } of parser) {
    const fields: readonly string[] = record;
    if (places === null) {
      places = placesOf(fields, path);
      continue;
    }
    const wrong = (name: string, rule: string) =>
      new CliError(`${path}, line ${info.lines}: ${name} must be ${rule}`);
    const time = timeOf(fields[places.time] ?? "");
    if (time === null)
      throw wrong("time", "a date, or a date-time such as 2026-03-02T14:30:00Z; without a zone --zone holds");
    const price = Number(fields[places.price] || Number.NaN);
    if (!(price > 0 && price < Number.POSITIVE_INFINITY)) throw wrong("price", "a number above 0");
    const symbol = (fields[places.symbol] ?? "").toUpperCase();
    if (symbol === "") throw wrong("symbol", "a ticker, or EXCHANGE:TICKER");
    const series = growing.get(symbol) ?? { times: [], prices: [] };
    growing.set(symbol, series);
    series.times.push(time);
    series.prices.push(price);
    rows += 1;
  }
  if (rows === 0) throw new CliError(`${path} has no prices`);
  return pricesOf(
    [...growing].map(([symbol, series]) => sorted(symbol, series, path)),
    rows,
  );
}

type Places = Record<keyof typeof columns, number>;

function placesOf(header: readonly string[], path: string): Places {
  const names = header.map((name) => name.toLowerCase());
  const place = (column: keyof typeof columns) => {
    const found = columns[column].map((name) => names.indexOf(name)).find((at) => at >= 0);
    if (found === undefined)
      throw new CliError(`${path}: the first line must name the column ${columns[column].join(" or ")}`);
    return found;
  };
  return { time: place("time"), symbol: place("symbol"), price: place("price") };
}

function sorted(
  symbol: string,
  { times, prices }: { times: number[]; prices: number[] },
  path: string,
): Series {
  const order = Uint32Array.from(times.keys());
  if (times.some((time, at) => at > 0 && time < (times[at - 1] ?? 0)))
    order.sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0));
  const series = {
    symbol,
    times: Float64Array.from(order, (at) => times[at] ?? 0),
    prices: Float64Array.from(order, (at) => prices[at] ?? 0),
  };
  const twice = series.times.findIndex((time, at) => at > 0 && time === series.times[at - 1]);
  if (twice >= 0)
    throw new CliError(
      `${path}: ${symbol} has two prices at ${new Date(series.times[twice] ?? 0).toISOString()}`,
    );
  return series;
}

export function pricesOf(all: readonly Series[], rows: number): Prices {
  const bySymbol = new Map(all.map((series) => [series.symbol, series]));
  return {
    rows,
    lastMs: Math.max(...all.map(({ times }) => times.at(-1) ?? 0)),
    symbols: [...bySymbol.keys()],
    find: (symbol) => bySymbol.get(symbol) ?? bySymbol.get(symbol.slice(symbol.indexOf(":") + 1)) ?? null,
  };
}

/** Place of the last time that is at or before `atMs`; -1: there is none. */
export function placeAt(times: Float64Array, atMs: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((times[middle] ?? 0) <= atMs) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
