/** Backups as files: a tar of the embedded database and a manifest, compressed with Zstandard and its checksum. */
import { createReadStream, createWriteStream } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";
import { z } from "zod";
import { seriesFile } from "../engine/data-dir.ts";

export const databaseFolder = "pglite";
/** Names the version of the embedded engine that wrote the database. */
export const engineFile = seriesFile;
const manifestFile = "manifest.json";

/** Loaded when a backup is made or read, which most processes never do. */
const tar = () => import("tar");

/** What a backup holds, to be compared with what was restored. */
const manifest = z.object({
  made_at: z.iso.datetime(),
  /** Version of Tapewire. */
  version: z.string(),
  /** The position of the log up to which the backup is whole. */
  seq: z.int().min(0),
  items: z.int().min(0),
});
export type Manifest = z.infer<typeof manifest>;

/** A file that is no backup, or a damaged one. */
export class ArchiveError extends Error {
  override readonly name = "ArchiveError";
}

/** Writes the folder's database and the manifest into a file, which must not exist. @throws the signal's reason when it aborts */
export async function pack(
  folder: string,
  file: string,
  { about, signal }: { about: Manifest; signal: AbortSignal },
): Promise<void> {
  await writeFile(join(folder, manifestFile), JSON.stringify(about));
  const { create } = await tar();
  const files = create({ cwd: folder, portable: true }, [manifestFile, engineFile, databaseFolder]);
  const compress = createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: 3, [constants.ZSTD_c_checksumFlag]: 1 },
  });
  // Nobody else may read what the database holds. Flushed: the name that it gets promises a whole file.
  await pipeline(
    Readable.from(files),
    compress,
    createWriteStream(file, { flags: "wx", mode: 0o600, flush: true }),
    { signal },
  );
}

/** Unpacks a backup into an empty folder. @throws {ArchiveError} when the file is none, or is damaged */
export async function unpack(file: string, folder: string): Promise<Manifest> {
  const { extract } = await tar();
  const entries = extract({ cwd: folder, strict: true, preserveOwner: false });
  try {
    await pipeline(createReadStream(file), createZstdDecompress(), entries);
    return manifest.parse(JSON.parse(await readFile(join(folder, manifestFile), "utf8")));
  } catch (cause) {
    if (isSystemError(cause)) throw cause;
    throw new ArchiveError(`${file} is damaged, or is no backup of Tapewire`, { cause });
  } finally {
    await rm(join(folder, manifestFile), { force: true });
  }
}

/** Such as a full disk, or a file that does not exist: not a matter of the archive. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && "code" in error;
}
