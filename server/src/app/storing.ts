import { openBus, type ServiceBus } from "../bus/bus.ts";
import { busMetrics } from "../bus/metrics.ts";
import type { Config } from "../config/config.ts";
import { PublishedMinutes } from "../feed/published-minutes.ts";
import { Speakers } from "../ingest/identity/speakers.ts";
import { adapters } from "../ingest/sources/adapters.ts";
import { Sequencer } from "../itemlog/append.ts";
import { FeedIndex } from "../itemlog/feed-index.ts";
import { itemLogMetrics, publishedWatch } from "../itemlog/metrics.ts";
import { Peers } from "../itemlog/peers.ts";
import { SegmentKeeper } from "../itemlog/segments/keeper.ts";
import { ItemTail } from "../itemlog/tail.ts";

import type { Log } from "../runtime/log.ts";
import { StartError } from "../runtime/start-error.ts";
import { ItemWriter } from "../store/append/item-writer.ts";
import { BackupRefused, Backups } from "../store/backup/backups.ts";
import { DataDirError } from "../store/engine/data-dir.ts";
import { type Db, openDb } from "../store/engine/db.ts";
import { databaseMetrics } from "../store/engine/metrics.ts";
import { Partitions } from "../store/log/partitions.ts";
import { isOutdated, migrate } from "../store/schema/migrate.ts";
import type { Base } from "./types.ts";

export interface Store {
  readonly db: Db;
  readonly peers: Peers;
  readonly bus: ServiceBus;
  readonly backups: Backups;
}

/** Opens the database, brings its schema up to date, and opens the bus to the other processes. @throws DataDirError, StartError */
export async function openStore({ config, clock, log, metrics, stack }: Base): Promise<Store> {
  const db = stack.use(await openDatabase(config, log), "database");
  databaseMetrics(metrics, db, clock);
  const { dataDir, backupEveryHours: everyHours } = config;
  const backups = stack.use(new Backups({ db, dataDir, clock, log, everyHours }), "backup");
  if (db.copyFiles !== null && (await isOutdated(db))) await backUpFirst(backups, log);
  await migrate(db);
  const peers = stack.use(await Peers.start({ db, clock, log }));
  const bus = stack.use(
    await openBus({ db, natsUrl: config.natsUrl, log, isAlone: () => peers.alone }),
    "bus",
  );
  busMetrics(metrics, bus);
  return { db, peers, bus, backups };
}

/** The way back from a migration. A full disk does not keep the service from starting: the operator is told. */
async function backUpFirst(backups: Backups, log: Log): Promise<void> {
  try {
    await backups.make();
  } catch (error) {
    if (!(error instanceof BackupRefused)) throw error;
    log.warn({ reason: error.message }, "migrating without a backup");
  }
}

async function openDatabase(config: Config, log: Log): Promise<Db> {
  try {
    return await openDb({ ...config, log });
  } catch (cause) {
    if (cause instanceof DataDirError || cause instanceof StartError) throw cause;
    const where = config.databaseUrl === null ? `the data directory ${config.dataDir}` : "DATABASE_URL";
    const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
    throw new StartError(`cannot open the database in ${where}: ${reason}`, { cause });
  }
}

export interface ItemLog {
  readonly tail: ItemTail;
  readonly index: FeedIndex;
  readonly rules: Speakers;
  readonly writer: ItemWriter;
  readonly sequencer: Sequencer;
  readonly published: PublishedMinutes;
}

/** The item log: its writer, its readers, and the index that lists are served from. */
export async function openItemLog(
  { config, files, clock, log, metrics, stack }: Base,
  { db, peers, bus }: Store,
): Promise<ItemLog> {
  const partitions = new Partitions();
  stack.use(await keepPartitionsAhead(db, partitions, { clock, log }), "partitions");
  const tail = stack.use(await ItemTail.open({ db: db.main, bus, log, clock }));
  bus.follow(tail.epoch);
  tail.observe({ replaced: () => bus.follow(tail.epoch) });
  // Months were dropped, or are not in the other log.
  tail.observe({ replaced: () => partitions.forget(), cut: () => partitions.forget() });
  const index = stack.use(
    new FeedIndex(
      { db, tail, peers, clock, log },
      { cacheBytes: config.indexCacheMegabytes * 2 ** 20, bodyBytes: config.windowBodyMegabytes * 2 ** 20 },
    ),
  );
  stack.use(new SegmentKeeper({ db, tail, clock, log, changed: () => index.refresh() }));
  const rules = new Speakers(files.sources, adapters);
  const writer = new ItemWriter(db, partitions, rules);
  const published = new PublishedMinutes();
  const watch = publishedWatch(metrics, clock, published);
  const sequencer = stack.use(new Sequencer(writer, bus, log, watch));
  itemLogMetrics(metrics, { tail, index, sequencer });
  return { tail, index, rules, writer, sequencer, published };
}

const partitionsEveryMs = 6 * 3_600_000;

/** Creates each month's tables before its first item arrives. */
async function keepPartitionsAhead(
  db: Db,
  partitions: Partitions,
  { clock, log }: Pick<Base, "clock" | "log">,
): Promise<Disposable> {
  const ensure = () => partitions.ensureAhead(db.main, clock.now());
  await ensure();
  const timer = setInterval(() => {
    ensure().catch((error: unknown) => log.warn({ err: error }, "making partitions ahead failed"));
  }, partitionsEveryMs);
  timer.unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
