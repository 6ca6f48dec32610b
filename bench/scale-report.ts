/** The output of bench/scale.ts. */
import type { Sample } from "./processes.ts";
import { percentiles } from "./pushes.ts";
import {
  type Deliveries,
  endpoints,
  type Gateways,
  type Idle,
  type Listeners,
} from "./scale-installation.ts";
import { barLines } from "./stream-report.ts";

export interface Found {
  readonly idle: readonly Idle[];
  readonly gateways: readonly Gateways[];
  readonly deliveries: Deliveries;
  readonly listeners: readonly Listeners[];
}

const row = (name: string, ...values: readonly (number | string)[]) =>
  [name.padEnd(22), ...values.map((value) => shown(value).padStart(12))].join(" ");
const shown = (value: number | string) => (typeof value === "string" ? value : value.toFixed(1));

/** @param one the measurements of one process, before and after the others */
export function reportOf(
  { idle, gateways, deliveries, listeners }: Found,
  one: readonly Sample[],
  perSecond: number,
): string[] {
  const base = percentiles(one.flatMap(({ timesMs }) => timesMs));
  const pair = gateways.find(({ count }) => count === 1)?.sample.timesMs ?? [];
  const across = percentiles(pair);
  const delivered = percentiles(deliveries.timesMs);
  return [
    "",
    row("without load", "tx/s each", "tx/s all", "MB each"),
    ...idle.map(({ role, count, each, all, megabytes }) => row(`+ ${count} ${role}`, each, all, megabytes)),
    "",
    row(
      `${perSecond} items/s to streams`,
      "tx/s idle",
      "tx an item",
      "bus bytes",
      "p50 ms",
      "p99 ms",
      "CPU ms each",
    ),
    row("one process, before", "", "", "", ...timesOf(one[0])),
    ...gateways.map(({ count, idlePerS, perItem, busBytesPerItem, sample: of }) =>
      row(`${count} with streams`, idlePerS, perItem, busBytesPerItem.toFixed(0), ...timesOf(of)),
    ),
    row("one process, after", "", "", "", ...timesOf(one[1])),
    "",
    row(`to ${endpoints} endpoints`, "tx an item", "p50 ms", "p99 ms", "CPU ms", "missing"),
    row(
      "2 with webhooks",
      deliveries.perItem,
      delivered.p50,
      delivered.p99,
      deliveries.cpuMsPerItem,
      String(deliveries.missing),
    ),
    "",
    row("subscribers of NATS", "tx an item", "messages", "unequal", "api CPU ms", "NATS CPU ms"),
    ...listeners.map(({ count, perItem, messages, unequal, writerCpuMs, natsCpuMs }) =>
      row(String(count), perItem, String(messages), String(unequal), writerCpuMs, natsCpuMs),
    ),
    "",
    ...barLines([
      { name: "push to another process / to the same, p50", value: across.p50 / base.p50, atMost: 1.5 },
      { name: "push to another process / to the same, p99", value: across.p99 / base.p99, atMost: 1.5 },
      { name: "deliveries missing", value: deliveries.missing, atMost: 0 },
    ]),
  ];
}

function timesOf(of: Sample | undefined): [number, number, number] {
  const { p50, p99 } = percentiles(of?.timesMs ?? []);
  return [p50, p99, of?.cpuMs.reader ?? Number.NaN];
}
