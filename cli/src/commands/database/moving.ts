import { existsSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "@tapewire/server/config/config.ts";
import { silentLog } from "@tapewire/server/runtime/log.ts";
import { moveToPostgres } from "@tapewire/server/store/moving/move.ts";
import { upgradeDataDir } from "@tapewire/server/store/moving/upgrade.ts";
import { DumpError } from "@tapewire/server/store/schema/dump.ts";
import { CliError } from "../../errors.ts";
import type { Options } from "../../options.ts";
import { databaseError } from "./errors.ts";
import { installEngine } from "./older-engine.ts";

/** move --to postgres://...: the embedded database becomes one of a PostgreSQL. */
export async function move(_: string[], { to }: Options): Promise<number> {
  if (to === undefined || !/^postgres(?:ql)?:$/.test(URL.parse(to)?.protocol ?? ""))
    throw new CliError(
      "move needs --to with the address of an empty database: postgres://user:password@host/name",
      2,
    );
  return told(async () => {
    const { dataDir, secret } = readConfig();
    if (!existsSync(join(dataDir, "pglite")))
      throw new CliError(`There is no database in ${dataDir}: set TAPEWIRE_DATA_DIR.`);
    const rows = await moveToPostgres(dataDir, to, silentLog);
    console.log(
      `${rows} rows copied and compared. Set DATABASE_URL to that address and start the service; ${join(dataDir, "pglite")} stays as it is.`,
    );
    const file = join(dataDir, "secret");
    if (secret === null && existsSync(file))
      console.log(
        `Set TAPEWIRE_SECRET to the content of ${file}: the secrets of webhooks are sealed with it.`,
      );
  });
}

/** upgrade: the embedded database of another PGlite is written anew with this one. */
export async function upgrade(): Promise<number> {
  return told(async () => {
    const { dataDir } = readConfig();
    const done = await upgradeDataDir(dataDir, installEngine, silentLog);
    if (done === null) console.log(`${dataDir} needs no upgrade.`);
    else
      console.log(
        `${dataDir} was of PGlite ${done.from} and is of ${done.to} now. What it was before is in ${done.kept}: delete that when all is well.`,
      );
  });
}

async function told(work: () => Promise<void>): Promise<number> {
  try {
    await work();
    return 0;
  } catch (error) {
    throw databaseError(
      error,
      [DumpError],
      ({ message, name }) => `${(message || name).replace(/\.$/, "")}. The database is as it was.`,
    );
  }
}
