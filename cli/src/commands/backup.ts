import { once } from "node:events";
import {
  createReadStream,
  createWriteStream,
  existsSync,
  renameSync,
  rmSync,
  statSync,
  type WriteStream,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { readConfig } from "@tapewire/server/config/config.ts";
import { silentLog } from "@tapewire/server/runtime/log.ts";
import { type Db, openDb } from "@tapewire/server/store/engine/db.ts";
import { DumpError, exportLines, importLines } from "@tapewire/server/store/schema/dump.ts";
import { checkSchema, migrate } from "@tapewire/server/store/schema/migrate.ts";
import { CliError } from "../errors.ts";
import { filterOptions } from "../filters.ts";
import type { Options } from "../options.ts";
import { databaseError } from "./database/errors.ts";

const parquetOptions = [...filterOptions, "since", "until"] as const;

/** export FILE|- and import FILE|-: the whole database as NDJSON, on whichever engine the settings name. */
export async function backup([action, file]: string[], options: Options): Promise<number> {
  if (file === undefined)
    throw new CliError(
      `${action} needs a file, or - for ${action === "export" ? "standard output" : "standard input"}`,
      2,
    );
  if (options.format === "parquet") {
    const { exportParquet } = await import("./export-parquet.ts");
    return exportParquet(file, options);
  }
  refuseParquetOptions(options);
  try {
    const config = readConfig();
    if (action === "export" && config.databaseUrl === null && !existsSync(join(config.dataDir, "pglite")))
      throw new CliError(`There is no database in ${config.dataDir}: set TAPEWIRE_DATA_DIR or DATABASE_URL.`);
    await using db = await openDb({ ...config, log: silentLog });
    if (action === "export") {
      await checkSchema(db);
      const rows = await write(db, file);
      console.error(`${rows} rows written`);
    } else {
      await migrate(db);
      const rows = await importLines(db, linesOf(file));
      console.error(`${rows} rows read`);
    }
    return 0;
  } catch (error) {
    throw databaseError(error, [DumpError], (told) =>
      told instanceof DumpError && action === "import"
        ? `${told.message}. The database now has part of the data: start again with an empty database.`
        : told.message,
    );
  }
}

/** The whole database is written as it is. */
function refuseParquetOptions(options: Options): void {
  if (options.format !== undefined) throw new CliError(`--format must be parquet, not ${options.format}`, 2);
  const other = parquetOptions.find((name) => options[name] !== undefined);
  if (other !== undefined) throw new CliError(`--${other} is for export --format parquet`, 2);
}

/** A generator, because it starts when it is first read: readline drops lines that arrive before anyone listens. */
async function* linesOf(file: string): AsyncGenerator<string> {
  const input = file === "-" ? process.stdin : createReadStream(file);
  yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
}

/** A dump that is there already stays until the new one is whole: a file appears under its name when it is written. */
async function write(db: Db, file: string): Promise<number> {
  if (file === "-") return writeTo(db, process.stdout);
  // A pipe or a device takes lines as they come, and keeps none.
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === false)
    return writeWhole(db, createWriteStream(file));
  const part = `${file}.part`;
  rmSync(part, { force: true });
  try {
    // The dump holds the hashes of keys. `flush`: its bytes are on the disk before they replace others.
    const rows = await writeWhole(db, createWriteStream(part, { flags: "wx", mode: 0o600, flush: true }));
    renameSync(part, file);
    return rows;
  } finally {
    rmSync(part, { force: true });
  }
}

async function writeWhole(db: Db, output: WriteStream): Promise<number> {
  await once(output, "open");
  try {
    const rows = await writeTo(db, output);
    output.end();
    await finished(output);
    return rows;
  } finally {
    output.destroy();
  }
}

async function writeTo(db: Db, output: Writable): Promise<number> {
  const writer = Writable.toWeb(output).getWriter();
  return exportLines(db.slow, async (line) => {
    await writer.ready;
    await writer.write(Buffer.from(`${line}\n`));
  });
}
