import { spawnSync } from "node:child_process";
import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { spaceOf } from "../../src/store/disk/disk-watch.ts";

const mb = 2 ** 20;

/** A small file system of its own, where the test may mount one. */
export function smallDisk(path: string, sizeMb = 320): Disposable | null {
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${sizeMb}m`, "tmpfs", path]);
  if (mounted.status !== 0) return null;
  return { [Symbol.dispose]: () => void spawnSync("umount", ["-l", path]) };
}

/** Takes all room of the file system but some megabytes. @returns gives it back */
export async function fill(path: string, leftMb: number): Promise<() => void> {
  const filler = join(path, "filler");
  const { freeBytes } = await spaceOf(path);
  try {
    writeFileSync(filler, Buffer.alloc(Math.max(0, freeBytes - leftMb * mb)));
  } catch (error) {
    // Who writes at the same time may have taken some of it: the disk is full all the same.
    if (!(error instanceof Error && "code" in error && error.code === "ENOSPC")) throw error;
  }
  return () => {
    if (existsSync(filler)) rmSync(filler);
  };
}
