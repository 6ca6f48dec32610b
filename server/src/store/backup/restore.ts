import { existsSync } from "node:fs";
import { mkdir, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { sql } from "kysely";
import type { Log } from "../../runtime/log.ts";
import { checkDataDirVersion, DataDirError, lockDataDir } from "../engine/data-dir.ts";
import { openDb } from "../engine/db.ts";
import { isOutdated } from "../schema/migrate.ts";
import { ArchiveError, databaseFolder, type Manifest, unpack } from "./archive.ts";

/**
 * Puts a backup into a data directory that has no database, and opens it once to see that it is whole. When anything is wrong the
 * directory stays as it was, or is not there. The log gets a new epoch with the first write: its cursors are of another place.
 * @throws {ArchiveError | DataDirError | StartError}
 */
export async function restoreBackup(file: string, dataDir: string, log: Log): Promise<Manifest> {
  const made = await mkdir(dataDir, { recursive: true, mode: 0o700 });
  try {
    return await restoreInto(dataDir, file, log);
  } catch (error) {
    if (made !== undefined) await removeEmpty(resolve(dataDir), resolve(made));
    throw error;
  }
}

async function restoreInto(dataDir: string, file: string, log: Log): Promise<Manifest> {
  const unlock = await lockDataDir(dataDir);
  // Its own folder: it is checked under the name that the database looks for.
  const aside = join(dataDir, "restore-under-way");
  try {
    if (existsSync(join(dataDir, databaseFolder)))
      throw new DataDirError(
        `${dataDir} has a database already: move ${databaseFolder} away, or set TAPEWIRE_DATA_DIR to another folder`,
      );
    await rm(aside, { recursive: true, force: true });
    await mkdir(aside, { recursive: true, mode: 0o700 });
    const about = await unpack(file, aside);
    checkDataDirVersion(aside);
    await check(aside, about, log);
    await rename(join(aside, databaseFolder), join(dataDir, databaseFolder));
    return about;
  } finally {
    // Of a damaged file the unpacking may still be writing what it had read.
    await rm(aside, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    unlock();
  }
}

/** From a folder up to `outermost`. One that another process has put something into meanwhile stays. */
async function removeEmpty(innermost: string, outermost: string): Promise<void> {
  for (let folder = innermost; folder.startsWith(outermost); folder = dirname(folder)) {
    try {
      await rmdir(folder);
    } catch {
      return;
    }
  }
}

async function check(dataDir: string, { seq, items }: Manifest, log: Log): Promise<void> {
  if (!existsSync(join(dataDir, databaseFolder, "PG_VERSION")))
    throw new ArchiveError("the backup has no database");
  await using db = await openDb({ databaseUrl: null, dataDir, log });
  // Refuses a newer schema; an older one is migrated by the next start.
  await isOutdated(db);
  const { rows } = await sql<{ seq: number; items: number }>`
    select last_seq as seq, (select count(*) from item_keys)::int as items from log_head`.execute(db.main);
  const [found] = rows;
  if (found?.seq !== seq || found.items !== items)
    throw new ArchiveError(
      `the backup says ${items} items up to ${seq}, and its database has ${found?.items} up to ${found?.seq}`,
    );
}
