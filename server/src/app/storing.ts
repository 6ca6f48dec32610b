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
import { SingleFlight } from "../runtime/sharing/single-flight.ts";
import { StartError } from "../runtime/start-error.ts";
import { ItemWriter } from "../store/append/item-writer.ts";
import { BackupRefused, Backups } from "../store/backup/backups.ts";
import { DiskWatch, diskMetrics, spaceOf } from "../store/disk/disk-watch.ts";
import { DataDirError } from "../store/engine/data-dir.ts";
import { type Db, openDb } from "../store/engine/db.ts";
import { codeOf } from "../store/engine/errors.ts";
import { databaseMetrics, replicaMetrics } from "../store/engine/metrics.ts";
import { Replica } from "../store/engine/replica.ts";
import { History } from "../store/log/history.ts";
import type { LogPosition } from "../store/log/log-position.ts";
import { Partitions } from "../store/log/partitions.ts";
import { retentionMetrics } from "../store/retention/metrics.ts";
import { Keeper } from "../store/retention/old-months-remover.ts";
import { isOutdated, migrate } from "../store/schema/migrate.ts";
import type { Base } from "./types.ts";

export interface Store {
  readonly db: Db;
  readonly peers: Peers;
  readonly bus: ServiceBus;
  readonly backups: Backups;
  /** null: PostgreSQL, whose disk is elsewhere. */
  readonly disk: DiskWatch | null;
  readonly replica: Replica | null;
}

/** Opens the database, brings its schema up to date, and opens the bus to the other processes. @throws DataDirError, StartError */
export async function openStore({ config, clock, log, metrics, stack }: Base): Promise<Store> {
  const db = stack.use(await openDatabase(config, log), "database");
  databaseMetrics(metrics, db, clock);
  const { dataDir, backupEveryHours: everyHours } = config;
  const disk = db.engine === "postgres" ? null : stack.use(await watchDisk(dataDir, log), "disk");
  diskMetrics(metrics, disk);
  const backups = stack.use(new Backups({ db, dataDir, clock, log, everyHours }), "backup");
  if (db.copyFiles !== null && (await isOutdated(db))) await backUpFirst(backups, log);
  const newer = await migrate(db, { newer: "use" });
  if (newer !== null)
    log.warn({ schema: newer }, "the database is of a newer version, which this one can use");
  const peers = stack.use(await Peers.start({ db, clock, log }));
  const bus = stack.use(
    await openBus({ db, natsUrl: config.natsUrl, log, isAlone: () => peers.alone }),
    "bus",
  );
  busMetrics(metrics, bus);
  const { databaseReadUrl } = config;
  const replica = databaseReadUrl === null ? null : stack.use(new Replica(databaseReadUrl, log), "replica");
  replicaMetrics(metrics, replica);
  return { db, peers, bus, backups, disk, replica };
}

const watchDisk = (folder: string, log: Log) => DiskWatch.start({ log, read: () => spaceOf(folder) });

/** The way back from a migration. A full disk does not keep the service from starting: the operator is told. */
async function backUpFirst(backups: Backups, log: Log): Promise<void> {
  try {
    await backups.make();
  } catch (error) {
    if (!(error instanceof BackupRefused)) throw error;
    log.warn({ reason: error.message }, "migrating without a backup");
  }
}

/** SQLSTATE invalid_catalog_name. */
const missingDatabase = "3D000";

async function openDatabase(config: Config, log: Log): Promise<Db> {
  try {
    return await openDb({ ...config, log });
  } catch (cause) {
    if (cause instanceof DataDirError || cause instanceof StartError) throw cause;
    const where = config.databaseUrl === null ? `the data directory ${config.dataDir}` : "DATABASE_URL";
    const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
    const help = codeOf(cause) === missingDatabase ? ". Create it first: createdb NAME" : "";
    throw new StartError(`cannot open the database in ${where}: ${reason}${help}`, { cause });
  }
}

export interface ItemLog {
  readonly tail: ItemTail;
  readonly index: FeedIndex;
  readonly rules: Speakers;
  readonly writer: ItemWriter;
  readonly sequencer: Sequencer;
  readonly keeper: Keeper;
  readonly published: PublishedMinutes;
  readonly history: History;
}

/** The item log: its writer, its readers, and the index that lists are served from. */
export async function openItemLog(
  { config, files, clock, log, metrics, stack }: Base,
  { db, peers, bus, disk, replica }: Store,
): Promise<ItemLog> {
  const partitions = new Partitions();
  stack.use(await keepPartitionsAhead(db, partitions, { clock, log }), "partitions");
  const history = new History({ db, replica });
  const tail = stack.use(
    await ItemTail.open({ db: db.main, bus, log, clock, history, lentUntilMs: db.lentUntilMs }),
  );
  history.follow(shownBy(tail, peers));
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
  const sequencer = stack.use(
    new Sequencer(writer, bus, log, { watch, refuse: () => disk?.refuseWhenFull() }),
  );
  itemLogMetrics(metrics, { tail, index, sequencer });
  const keeper = stack.use(new Keeper({ db, clock, log, keepMonths: config.keepMonths }), "retention");
  retentionMetrics(metrics, keeper, { db, clock });
  return { tail, index, rules, writer, sequencer, keeper, published, history };
}

/** Everything that any process may have shown so far: what it has committed, and with others the head of the log. */
function shownBy(tail: ItemTail, peers: Peers): () => Promise<LogPosition> {
  const hearing = new SingleFlight(() => tail.hear());
  return async () => {
    if (!peers.alone) await hearing.run();
    return tail.heard;
  };
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
