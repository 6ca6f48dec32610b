import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { Migrator } from "kysely/migration";
import type { Queries } from "./db.ts";

const folder = join(import.meta.dirname, "..", "..", "migrations");

/**
 * Brings the schema up to date from migrations/*.sql, all that are new in one transaction, under a lock that other
 * processes wait for.
 * @throws the error of the migration that failed; then nothing has changed
 */
export async function migrate(db: Queries): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations } });
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
}

async function getMigrations() {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).sort();
  const migrations = names.map(async (name) => {
    const text = await readFile(join(folder, name), "utf8");
    const up = async (db: Queries) => {
      await sql.raw(text).execute(db);
    };
    return [name.replace(/\.sql$/, ""), { up }] as const;
  });
  return Object.fromEntries(await Promise.all(migrations));
}
