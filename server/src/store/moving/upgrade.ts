import { constants, existsSync, writeFileSync } from "node:fs";
import { cp, mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../../runtime/log.ts";
import { DataDirError, lockDataDir, pgliteSeries, seriesFile, writtenSeries } from "../engine/data-dir.ts";
import { openDb, pgliteDb } from "../engine/db.ts";
import { PgliteHost } from "../engine/pglite.ts";
import { isOutdated, migrate } from "../schema/migrate.ts";
import { transfer } from "../schema/transfer.ts";

const databaseFolder = "pglite";

/** An installed version of PGlite; gone when disposed. */
export interface InstalledEngine extends AsyncDisposable {
  /** Address of its module. */
  readonly module: string;
  readonly version: string;
}

export interface Upgraded {
  readonly rows: number;
  readonly from: string;
  readonly to: string;
  /** Where the database of before is now. */
  readonly kept: string;
}

/**
 * Writes the embedded database of another PGlite series anew with our own: read from a copy, with its own engine, and made
 * beside it. It takes its place when it is whole and compared; when anything is wrong the directory stays as it was. A run that
 * was killed while the folders change places is finished by the next one.
 * @param install installs the newest version of a series
 * @returns null: our own series wrote it, nothing is to be done
 * @throws {DataDirError} when a service runs; {StartError} for a newer schema; what `install` throws
 */
export async function upgradeDataDir(
  dataDir: string,
  install: (series: string) => Promise<InstalledEngine>,
  log: Log,
): Promise<Upgraded | null> {
  const [series, own] = [writtenSeries(dataDir), pgliteSeries()];
  if (series === null || series === own) return null;
  const unlock = await lockDataDir(dataDir);
  try {
    const place = placesOf(dataDir, series);
    if (existsSync(place.whole)) return { ...(await changePlaces(place)), rows: 0, from: series, to: own };
    if (!existsSync(place.database)) throw new DataDirError(`${dataDir} has no database`);
    if (existsSync(place.kept))
      throw new DataDirError(`${place.kept} is in the way: move it elsewhere, and try again`);
    await rm(place.aside, { recursive: true, force: true });
    await mkdir(place.aside, { mode: 0o700 });
    await using engine = await install(series);
    const rows = await rewrite(place, engine, log);
    writeFileSync(place.whole, "");
    return { ...(await changePlaces(place)), rows, from: engine.version, to: own };
  } finally {
    // Without the mark nothing of it is of use.
    const { aside, whole } = placesOf(dataDir, series);
    if (!existsSync(whole)) await rm(aside, { recursive: true, force: true });
    unlock();
  }
}

function placesOf(dataDir: string, series: string) {
  const aside = join(dataDir, "upgrade-under-way");
  return {
    database: join(dataDir, databaseFolder),
    kept: join(dataDir, `${databaseFolder}-${series}`),
    seriesFile: join(dataDir, seriesFile),
    aside,
    /** The copy that the older engine reads. */
    copy: join(aside, "older"),
    made: join(aside, databaseFolder),
    madeSeriesFile: join(aside, seriesFile),
    /** The new database is whole: from here on the folders only change places. */
    whole: join(aside, "whole"),
  };
}
type Places = ReturnType<typeof placesOf>;

/** @returns rows copied */
async function rewrite(place: Places, engine: InstalledEngine, log: Log): Promise<number> {
  await cp(place.database, place.copy, { recursive: true, mode: constants.COPYFILE_FICLONE });
  await using from = pgliteDb(
    await PgliteHost.open({ dataDir: place.copy, snapshot: null, engine: engine.module }),
  );
  // Refuses a newer schema; of an older one a dump is read.
  await isOutdated(from);
  await using to = await openDb({ databaseUrl: null, dataDir: place.aside, log });
  await migrate(to);
  // Awaited here: both are open until it is done.
  return await transfer(from.main, to.main);
}

/** Each step is done once, whatever was done before. */
async function changePlaces(place: Places): Promise<Pick<Upgraded, "kept">> {
  if (existsSync(place.made)) {
    if (existsSync(place.database)) await rename(place.database, place.kept);
    await rename(place.made, place.database);
  }
  if (existsSync(place.madeSeriesFile)) await rename(place.madeSeriesFile, place.seriesFile);
  await rm(place.aside, { recursive: true, force: true });
  return { kept: place.kept };
}
