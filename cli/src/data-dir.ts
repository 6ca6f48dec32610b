import { lchownSync, lstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/** The data directory of the service on this machine. */
export const dataDir = (): string => process.env.TAPEWIRE_DATA_DIR || "data";

/**
 * Gives what root has made in the data directory to the owner of the directory: the service could not open it. What others have
 * is not touched: a change of a file's owner looks like a change of the file. The outcome of the command stays as it is.
 */
export function giveToOwner(folder = dataDir()): void {
  if (process.getuid?.() !== 0) return;
  const owner = statSync(folder, { throwIfNoEntry: false });
  if (owner === undefined || owner.uid === 0) return;
  try {
    giveTo(owner, folder);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    console.error(
      `What root has made in ${folder} is still root's (${reason}). Before you start the service: chown -R ${owner.uid}:${owner.gid} ${folder}`,
    );
  }
}

function giveTo({ uid, gid }: { uid: number; gid: number }, folder: string): void {
  // With types, since the walk would otherwise follow links to other folders.
  for (const { name, parentPath } of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(parentPath, name);
    const made = lstatSync(path, { throwIfNoEntry: false });
    // The owner of the directory may have linked a file of root's into it.
    const isLinked = made?.isFile() === true && made.nlink > 1;
    if (made?.uid === 0 && !isLinked) lchownSync(path, uid, gid);
  }
}
