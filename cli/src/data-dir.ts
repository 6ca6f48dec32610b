import { spawnSync } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";

/** The data directory of the service on this machine. */
export const dataDir = (): string => process.env.TAPEWIRE_DATA_DIR || "data";

/** What shows that a folder is a data directory. */
const marks = ["pglite", "secret"];

/**
 * Gives what root has in the data directory to the owner of the directory: the service could not open it. What others have
 * is not touched: a change of a file's owner looks like a change of the file. The outcome of the command stays as it is.
 */
export function giveToOwner(folder = dataDir()): void {
  if (process.getuid?.() !== 0) return;
  const owner = statSync(folder, { throwIfNoEntry: false });
  if (owner === undefined || owner.uid === 0 || !marks.some((name) => existsSync(join(folder, name)))) return;
  const args = ["-R", "-H", "-h", "--from=0", `${owner.uid}:${owner.gid}`, folder];
  // With -H, since systemd's state directory is a link. coreutils walk by open folders: whoever exchanges a folder for a link
  // meanwhile gets nothing outside of this one.
  const { status, error, stderr } = spawnSync("chown", args, { encoding: "utf8" });
  if (status === 0) return;
  const reason = error?.message ?? stderr.trim();
  console.error(
    `What root has made in ${folder} is still root's (${reason}). Before you start the service: chown ${args.join(" ")}`,
  );
}
