/** export DIR --format parquet: versions of items with their scores, and what belongs to them, as tables for notebooks. */
import { mkdirSync } from "node:fs";
import { asKey } from "../client.ts";
import { CliError } from "../errors.ts";
import { filtersOf } from "../filters.ts";
import type { Options } from "../options.ts";
import { existingFile, TableFile } from "../parquet/table-file.ts";
import { tables } from "../parquet/tables.ts";
import { Progress } from "../progress.ts";
import { instant, timeOf } from "../times.ts";

export async function exportParquet(folder: string, options: Options): Promise<number> {
  const { since, until } = options;
  const versions = asKey(options).replay({
    filters: filtersOf(options),
    from: since === undefined ? undefined : new Date(instant(since)),
    to: until === undefined ? undefined : timeOf("until", until),
    speed: "max",
  });
  mkdirSync(folder, { recursive: true });
  const existing = existingFile(folder, tables);
  if (existing !== null) throw new CliError(`${existing} exists already`);
  const files = tables.map((table) => new TableFile(folder, table));
  const progress = new Progress("versions read");
  try {
    for await (const version of versions) {
      for (const file of files) await file.add(version);
      progress.add();
    }
    for (const file of files) await file.finish();
  } finally {
    for (const file of files) file.drop();
  }
  progress.end();
  for (const { path, rows } of files) console.log(`${path}: ${rows} rows`);
  return 0;
}
