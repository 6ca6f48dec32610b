import type { Log } from "../runtime/log.ts";
import type { Db } from "../store/engine/db.ts";
import type { Calls } from "./calls.ts";
import { inProcessBus } from "./in-process.ts";
import { PostgresCarrier } from "./postgres.ts";
import {
  type Bus,
  type BusCounts,
  type BusListener,
  type BusName,
  type Carrier,
  newCounts,
} from "./types.ts";

export { inProcessBus } from "./in-process.ts";

/** The bus of a service, which may reach other processes. */
export interface ServiceBus extends Bus, AsyncDisposable {
  readonly name: BusName;
  /** Whether messages of all processes arrive at present. Without them readers find everything by polling. */
  readonly isConnected: boolean;
  readonly counts: BusCounts;
  /** By which processes ask each other; null: without NATS they do not. */
  readonly calls: Calls | null;
  /** Names the log whose messages are wanted; call it at the start and whenever the log is replaced. */
  follow(epoch: string): void;
}

export interface BusOptions {
  readonly db: Db;
  /** Is used with a PostgreSQL; null: its own notices are. */
  readonly natsUrl: string | null;
  readonly log: Log;
  /** Whether no other process can hear: then nothing is sent. */
  readonly isAlone: () => boolean;
}

/** Opens the bus that the settings ask for. It connects in the background: a service starts without it, and polls. */
export async function openBus(options: BusOptions): Promise<ServiceBus> {
  const counts = newCounts();
  const local = inProcessBus();
  const carrier = await carrierOf(options, counts, local.hand);
  const tell = (send: (carrier: Carrier) => void) => {
    if (carrier !== null && !options.isAlone()) send(carrier);
  };
  return {
    name: carrier?.name ?? "in-process",
    get isConnected() {
      return carrier?.isConnected ?? true;
    },
    counts,
    calls: carrier?.calls ?? null,
    subscribe: local.subscribe,
    publish: (committed) => {
      // The others first: what listeners do here takes time.
      tell((to) => to.publish(committed));
      local.publish(committed);
    },
    announce: (change) => {
      tell((to) => to.announce(change));
      local.announce(change);
    },
    follow: (epoch) => carrier?.follow(epoch),
    [Symbol.asyncDispose]: async () => carrier?.[Symbol.asyncDispose](),
  };
}

/** @returns null: the embedded database, which one process has for itself */
async function carrierOf(
  { db, natsUrl, log }: BusOptions,
  counts: BusCounts,
  hand: BusListener,
): Promise<Carrier | null> {
  if (db.listen === null) return null;
  if (natsUrl === null) return PostgresCarrier.open({ db, log, counts, hand });
  // Its client takes memory that most installations have no use for.
  const { NatsCarrier } = await import("./nats.ts");
  return NatsCarrier.open(natsUrl, { db: db.main, log, counts, hand });
}
