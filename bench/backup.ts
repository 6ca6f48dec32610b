/**
 * A backup of the embedded database with generated items, and its restore: how long pushes wait while the files are copied, and
 * the size and time of the whole.
 *
 *   node bench/backup.ts [items, default 20000]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backup } from "@tapewire/contract/operator/backups.ts";
import { startApp } from "../server/src/app/app.ts";
import { readConfig } from "../server/src/config/config.ts";
import { silentLog } from "../server/src/runtime/log.ts";
import { restoreBackup } from "../server/src/store/backup/restore.ts";
import { machineLine } from "./server-process.ts";

const items = Number(process.argv[2] ?? 20_000);
const aPush = 500;
const folder = mkdtempSync(join(tmpdir(), "tapewire-bench-backup-"));
const adminToken = "bench-token-for-this-run-only-0123456789";
const dataDir = join(folder, "data");
const config = { ...readConfig({}), port: 0, dataDir, adminToken, demo: "off" as const };

const ask = async (base: string, path: string, body?: unknown) => {
  const answer = await fetch(base + path, {
    method: "POST",
    headers: { Authorization: `Bearer ${adminToken}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return await answer.json();
};
const batch = (from: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    external_id: `bench-${from + at}`,
    title: `Notice ${from + at} of an invented company about its quarter`,
    body: `Revenue of unit ${from + at} rose. ${"More is told in the report. ".repeat(20)}`,
  }));

try {
  const app = await startApp(config, { log: silentLog });
  for (let from = 0; from < items; from += aPush)
    await ask(app.baseUrl, "/admin/v1/items", batch(from, aPush));
  let longestMs = 0;
  let isDone = false;
  const pushing = (async () => {
    for (let from = items; !isDone; from += 20) {
      const startedMs = performance.now();
      await ask(app.baseUrl, "/admin/v1/items", batch(from, 20));
      longestMs = Math.max(longestMs, performance.now() - startedMs);
    }
  })();
  const startedMs = performance.now();
  const { path, bytes } = backup.parse(await ask(app.baseUrl, "/admin/v1/backups"));
  const madeMs = performance.now() - startedMs;
  isDone = true;
  await pushing;
  await app[Symbol.asyncDispose]();
  const restoringMs = performance.now();
  const about = await restoreBackup(path, join(folder, "restored"), silentLog);
  console.log(machineLine());
  console.log(`${about.items} items; file of ${(bytes / 2 ** 20).toFixed(1)} MB`);
  console.log(`backup ${madeMs.toFixed(0)} ms, of it the longest push ${longestMs.toFixed(0)} ms`);
  console.log(`restore ${(performance.now() - restoringMs).toFixed(0)} ms`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
