import { randomUUID } from "node:crypto";
import pg from "pg";
import { postgresUrl } from "./db.ts";

/** A PostgreSQL database that can lose what was committed lately, as by a failover or a restore. */
export interface DatabaseCopies extends AsyncDisposable {
  readonly url: string;
  /** Keeps a copy of the database as it is. Whoever is connected is cut off, and can connect again at once. */
  keep(): Promise<void>;
  /** Puts the copy in the place of the database: under the same URL, without what came since. */
  lose(): Promise<void>;
}

/** An empty, unmigrated database of its own; dropped with its copies when disposed. */
export async function databaseCopies(): Promise<DatabaseCopies> {
  if (postgresUrl === null) throw new Error("no PostgreSQL");
  const name = `tapewire_test_${randomUUID().replaceAll("-", "")}`;
  const url = new URL(postgresUrl);
  url.pathname = `/${name}`;
  const admin = new pg.Client({ connectionString: postgresUrl });
  await admin.connect();
  await admin.query(`create database ${name}`);
  const alone = async (work: () => Promise<unknown>) => {
    await admin.query(`alter database ${name} with allow_connections false`);
    await admin.query("select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1", [
      name,
    ]);
    await work();
  };
  const drop = (database: string) => admin.query(`drop database if exists ${database} with (force)`);
  return {
    url: url.href,
    keep: () =>
      alone(async () => {
        await drop(`${name}_copy`);
        await admin.query(`create database ${name}_copy template ${name}`);
        await admin.query(`alter database ${name} with allow_connections true`);
      }),
    lose: () =>
      alone(async () => {
        await drop(`${name}_lost`);
        await admin.query(`alter database ${name} rename to ${name}_lost`);
        await admin.query(`alter database ${name}_copy rename to ${name}`);
      }),
    [Symbol.asyncDispose]: async () => {
      for (const database of [name, `${name}_copy`, `${name}_lost`]) await drop(database);
      await admin.end();
    },
  };
}
