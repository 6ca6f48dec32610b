/**
 * A worker as a process of its own, to be killed: delivers what the database at argv[2] (a URL, or the data directory of an
 * embedded one) holds, appends what it is told to, and tells the counts of endpoints.
 */
import { silentLog } from "../../src/runtime/log.ts";
import { openDb } from "../../src/store/engine/db.ts";
import { migrate } from "../../src/store/schema/migrate.ts";
import type { Facts } from "./items.ts";
import { countsOf, openLog, startWorker } from "./webhooks.ts";

export type Command =
  | { readonly append: readonly Facts[] }
  | { readonly countsOf: readonly string[] }
  | { readonly end: true };

const [, , where = ""] = process.argv;
const db = await openDb({
  databaseUrl: where.startsWith("postgres") ? where : null,
  dataDir: where,
  log: silentLog,
});
await migrate(db);
const log = await openLog(db);
const worker = await startWorker(db, log.tail, { leaseMs: 1_000, commitEveryMs: 100 });

process.on("message", (command: Command) => {
  void answer(command).then((answered) => {
    if (process.connected) process.send?.(answered);
  });
});
process.send?.({ head: log.tail.head });

async function answer(command: Command): Promise<unknown> {
  if ("append" in command) {
    await log.append(...command.append);
    return { head: log.tail.head };
  }
  if ("countsOf" in command) return Promise.all(command.countsOf.map((id) => countsOf(db, id)));
  await worker[Symbol.asyncDispose]();
  await log[Symbol.asyncDispose]();
  await db[Symbol.asyncDispose]();
  process.disconnect();
  return null;
}
