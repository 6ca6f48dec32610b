import { ConfigError, readConfig } from "@tapewire/server/config/config.ts";
import { silentLog } from "@tapewire/server/runtime/log.ts";
import { StartError } from "@tapewire/server/runtime/start-error.ts";
import { ArchiveError } from "@tapewire/server/store/backup/archive.ts";
import { restoreBackup } from "@tapewire/server/store/backup/restore.ts";
import { DataDirError } from "@tapewire/server/store/engine/data-dir.ts";
import { asAdmin } from "../client.ts";
import { CliError } from "../errors.ts";
import type { Options } from "../options.ts";

/** backup: the running service writes a backup of its embedded database. */
export async function backup(_: string[], options: Options): Promise<number> {
  if (process.stderr.isTTY) console.error("The service copies and packs its database ...");
  const service = asAdmin(options);
  const made = await service.request("POST /admin/v1/backups", { timeoutMs: 30 * 60_000 });
  console.log(options.json === true ? JSON.stringify(made) : `${made.path}: ${made.bytes} bytes`);
  return 0;
}

/** restore FILE: a backup becomes the embedded database of the data directory, which must have none. */
export async function restore([, file]: string[], options: Options): Promise<number> {
  if (file === undefined) throw new CliError("restore needs the file of a backup", 2);
  try {
    const { dataDir, databaseUrl } = readConfig();
    if (databaseUrl !== null)
      throw new CliError("restore is for the embedded database: DATABASE_URL must not be set", 2);
    const about = await restoreBackup(file, dataDir, silentLog);
    if (options.json === true) console.log(JSON.stringify(about));
    else
      console.log(
        `${dataDir} has ${about.items} items, as of ${about.made_at}. Streams that resume learn that the log is another; ` +
          "webhooks go on with new items. If it has webhook endpoints, copy the file secret of the old data directory there " +
          "before you start, or set TAPEWIRE_SECRET as it was.",
      );
    return 0;
  } catch (error) {
    if (error instanceof StartError) throw new CliError(error.message, error.exitCode);
    const isExpected =
      [ArchiveError, DataDirError, ConfigError].some((kind) => error instanceof kind) ||
      (error instanceof Error && "syscall" in error);
    throw isExpected && error instanceof Error ? new CliError(error.message) : error;
  }
}
