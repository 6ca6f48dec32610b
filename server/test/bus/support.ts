import { z } from "zod";
import type { Config } from "../../src/config/config.ts";
import { type Clock, systemClock } from "../../src/runtime/clock.ts";
import { createLog, silentLog } from "../../src/runtime/log.ts";
import { createDatabase } from "../support/db.ts";
import { parseExposition } from "../support/exposition.ts";
import { until } from "../support/receiver.ts";
import { type Service, startService } from "../support/service.ts";

const readiness = z.object({ bus: z.object({ name: z.string(), connected: z.boolean() }) });

/** The bus as /readyz shows it. */
export async function busOf(service: Service) {
  return readiness.parse(await (await service.get("/readyz")).json()).bus;
}

/** Resolves once the service hears other processes. */
export async function isConnected(service: Service): Promise<void> {
  await until(async () => (await busOf(service)).connected, "the bus is connected");
}

/** Messages received from other processes, by kind. */
export async function received(service: Service, kind: "entries" | "position" | "changed"): Promise<number> {
  const families = parseExposition(await (await service.admin("GET", "/metrics")).text());
  const { samples } = families.get("tapewire_bus_messages_total") ?? {};
  return samples?.get(`tapewire_bus_messages_total{direction="received",kind="${kind}"}`) ?? Number.NaN;
}

const pollMs = 1_000;
/** As seldom as a service may read its log and still be ready. */
const seldomMs = 8_000;

/** A clock under which the log is never polled: what is seen of it was heard of. */
export const unpolled: Clock = {
  now: systemClock.now,
  sleep: (ms, signal) =>
    ms === pollMs && signal !== undefined
      ? new Promise((resolve) => signal.addEventListener("abort", () => resolve()))
      : systemClock.sleep(ms, signal),
};

const seldomPolled: Clock = {
  now: systemClock.now,
  sleep: (ms, signal) => systemClock.sleep(ms === pollMs ? seldomMs : ms, signal),
};

/** Where items are pushed, and where they are read. */
export interface Pair extends AsyncDisposable {
  readonly writer: Service;
  readonly reader: Service;
}

interface PairOptions {
  readonly writer?: Partial<Config>;
  readonly reader?: Partial<Config>;
  /** Whether the reader polls the log as usual; by default it does so seldom. */
  readonly isPolled?: boolean;
  /** Whether to wait until they hear each other. */
  readonly isConnected?: boolean;
  /** Gets the lines of both logs. */
  readonly lines?: string[];
}

/** Two services on one database, which hear each other. */
export async function startPair(both: Partial<Config> = {}, options: PairOptions = {}): Promise<Pair> {
  const { lines, isPolled = false } = options;
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await createDatabase());
  const log =
    lines === undefined
      ? silentLog
      : createLog("info", { format: "json", out: { write: (line) => lines.push(line) } });
  const shared = { databaseUrl: database.url, log, ...both };
  const writer = stack.use(await startService("postgres", { ...shared, ...options.writer }));
  const clock = isPolled ? systemClock : seldomPolled;
  const reader = stack.use(await startService("postgres", { ...shared, ...options.reader, clock }));
  if (options.isConnected !== false) await Promise.all([writer, reader].map(isConnected));
  const owned = stack.move();
  return { writer, reader, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
